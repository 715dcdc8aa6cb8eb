import type { EventPayload } from '../../../src-shared/api/events.ts'
import type { UserId } from '../../../src-shared/ids.ts'
import type { WritableDb } from '../../store/database.ts'

/** What appliers know beside the event. */
export interface ApplyContext {
  readonly ownUserId: UserId
  readonly generation: number
  readonly now: number
  /** How long a typing notice holds without another, milliseconds. */
  readonly typingExpiryMs: number
  draftsEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  ownMessageArrived(db: WritableDb, localId: string, messageId: number): void
  /** Messages that the person may see now and that are not here: fetched after the commit. */
  readonly missing: Set<number>
  /** New messages of a live queue, for notifications. */
  readonly arrived: number[]
  /** The server's software changed: register anew. */
  needsRegistration: boolean
}
