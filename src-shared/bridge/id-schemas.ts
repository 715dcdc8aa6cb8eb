// Apart from the ids themselves, which windows use: the library that checks is not loaded there.
import { z } from 'zod'
import { accountId, channelId, draftId, groupId, localId, messageId, userId } from '../ids.ts'

const opaqueText = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const positive = z.int().nonnegative()

export const accountIdSchema = opaqueText.transform(accountId)
export const messageIdSchema = positive.transform(messageId)
export const userIdSchema = positive.transform(userId)
// What waits to be numbered has one below zero.
export const channelIdSchema = z.int().transform(channelId)
export const groupIdSchema = z.int().transform(groupId)
export const folderIdSchema = z.int()
export const draftIdSchema = opaqueText.transform(draftId)
export const localIdSchema = opaqueText.transform(localId)
