// Kept apart from the ids, which windows use: windows do not load the validation library.
import { z } from 'zod'
import { accountId, channelId, draftId, groupId, localId, messageId, userId } from '../ids.ts'

const opaqueText = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const positive = z.int().nonnegative()

export const accountIdSchema = opaqueText.transform(accountId)
export const messageIdSchema = positive.transform(messageId)
export const userIdSchema = positive.transform(userId)
// Provisional ids are negative.
export const channelIdSchema = z.int().transform(channelId)
export const groupIdSchema = z.int().transform(groupId)
export const folderIdSchema = z.int()
export const draftIdSchema = opaqueText.transform(draftId)
export const localIdSchema = opaqueText.transform(localId)
