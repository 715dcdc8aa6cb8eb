import type { EventPayload } from '../../../src-shared/api/events.ts'
import type { UserId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { Stranger } from '../../store/cursor.ts'
import type { WritableDb } from '../../store/database.ts'
import type { ServerTime } from '../server-time.ts'

/** What appliers know beside the event. */
export interface ApplyContext {
  readonly ownUserId: UserId
  readonly generation: number
  readonly featureLevel: number
  readonly now: number
  /** How long a typing notice holds without another, milliseconds. */
  readonly typingExpiryMs: number
  readonly serverTime: ServerTime
  draftsEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  draftsSwitched(db: WritableDb, areKept: boolean): void
  ownMessageArrived(db: WritableDb, localId: string, messageId: number): void
  topicMoved(db: WritableDb, from: Conversation, to: Conversation): void
  /** Lists a word of the server's that this version does not know. */
  stranger(db: WritableDb, kind: Stranger, name: string): void
  /** Messages that events spoke of; see `Flights`. */
  readonly touched: Set<number>
  /** An event spoke of all messages. */
  touchedAll: boolean
  /** Channels that the person joined: their history is fetched after the commit. */
  readonly joined: Set<number>
  /** New messages of a live queue, for notifications. */
  readonly arrived: number[]
  /** Whom the own user belongs to may be another than before: worked out anew before the commit. */
  rightsChanged: boolean
  /** Channels in which the own user may be let do something else than before. */
  readonly changedChannels: Set<number>
  /** The server speaks a newer level than when the account registered. */
  needsRegistration: boolean
}
