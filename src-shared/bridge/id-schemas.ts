// Apart from the ids themselves, which windows use: the library that checks is not loaded there.
import { z } from 'zod'
import { accountId, channelId, draftId, groupId, localId, messageId, userId } from '../ids.ts'

const opaqueText = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const positive = z.int().nonnegative()

export const accountIdSchema = opaqueText.transform(accountId)
export const messageIdSchema = positive.transform(messageId)
export const userIdSchema = positive.transform(userId)
export const channelIdSchema = positive.transform(channelId)
export const groupIdSchema = positive.transform(groupId)
export const draftIdSchema = opaqueText.transform(draftId)
export const localIdSchema = opaqueText.transform(localId)
