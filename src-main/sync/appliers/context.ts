import type { EventPayload } from '../../../src-shared/api/events.ts'
import type { UserId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { UnknownKind } from '../../store/cursor.ts'
import type { WritableDb } from '../../store/database.ts'
import type { ListedObject, MadeKind } from '../../store/objects.ts'
import type { ServerTime } from '../server-time.ts'

/** The appliers' context besides the event. */
export interface ApplyContext {
  readonly ownUserId: UserId
  readonly generation: number
  readonly featureLevel: number
  readonly now: number
  /** Of an event that is applied in parts, whether this is its first or its last one; otherwise both. */
  readonly isFirstPart: boolean
  readonly isLastPart: boolean
  /** How long a typing notice holds without a repeat, in milliseconds. */
  readonly typingExpiryMs: number
  readonly serverTime: ServerTime
  draftsEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  draftsSwitched(db: WritableDb, areKept: boolean): void
  ownMessageArrived(db: WritableDb, localId: string, messageId: number): void
  objectMade(db: WritableDb, kind: MadeKind, one: ListedObject): void
  creationHeard(db: WritableDb): void
  topicMoved(db: WritableDb, from: Conversation, to: Conversation): void
  messagesDeleted(db: WritableDb, ids: readonly number[]): void
  /** Counts something from the server that this version does not know. */
  stranger(db: WritableDb, kind: UnknownKind, name: string): void
  /** Fields of events that this version does not know, such as `message.message.weight`. */
  readonly strangeFields: Set<string>
  /** Messages that events mentioned; see `RequestsInFlight`. */
  readonly touched: number[]
  /** Messages that events deleted or moved. */
  readonly displaced: number[]
  /** Whether an event concerned all messages. */
  touchedAll: boolean
  /** Channels that the person joined: their history is fetched after the commit. */
  readonly joined: Set<number>
  /** What events said of who may read channels, named as in `said`: there the cache has nothing of waiting changes. */
  readonly said: Set<string>
  /** New messages of a live queue, to be announced. */
  readonly arrived: number[]
  /** Whether the own user's groups may have changed: all rights are computed anew before the commit. */
  rightsChanged: boolean
  /** Channels in which the own user's rights may have changed. */
  readonly changedChannels: Set<number>
  /** Whether the server's feature level has changed since the registration. */
  needsRegistration: boolean
}

/** Names of what an event can say, and a waiting change can contradict, of who may read channels. */
export const said = {
  /** Whether the person is in a channel. */
  subscription: (channelId: number) => `subscription:${channelId}`,
  /** A property of a channel, by our name. */
  channel: (channelId: number, property: string) => `channel:${channelId}:${property}`,
  /** Whether a person or another group is in a group. */
  member: (groupId: number, kind: 'person' | 'group', id: number) => `member:${groupId}:${kind}:${id}`,
  /** Whether a group is active. */
  active: (groupId: number) => `active:${groupId}`,
  /** That a group has no members, or which it has. */
  group: (groupId: number) => `group:${groupId}`,
}
