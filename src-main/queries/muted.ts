import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import type { ReadableDb } from '../store/database.ts'
import { isMutedSql, withVisibility } from '../store/muting.ts'

/** Whether a conversation is muted, even if nothing of it is here. */
export const conversationIsMuted = (db: ReadableDb, conversation: Conversation): boolean =>
  db.get<{ muted: number }>(
    `SELECT ${isMutedSql} AS muted FROM (SELECT ? AS kind, ? AS channel_id, ? AS key) c ${withVisibility}`,
    [
      conversation.kind,
      conversation.kind === 'topic' ? conversation.channelId : null,
      conversationKey(conversation),
    ],
  )?.muted === 1
