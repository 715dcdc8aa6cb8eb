import type { UserId } from '../../src-shared/ids.ts'
import { actionsFor } from '../../src-shared/model/permissions.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { createDrafts, type Drafts } from '../drafts/drafts.ts'
import { keepsDrafts } from '../drafts/keeps-drafts.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import { createOutgoingFiles, type OutgoingFiles } from '../outbox/outgoing-files.ts'
import { permissions } from '../queries/permissions.ts'
import type { Store } from '../store/database.ts'
import type { ServerTime } from '../sync/server-time.ts'
import type { Sync, SyncHooks } from '../sync/sync.ts'

/** What the parts that keep what the person wrote need from their account. */
export interface WritingParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  /** Path of the account's file; copies of attached files lie beside it. */
  readonly path: string
  readonly serverTime: ServerTime
  log(line: string): void
  /** The account's sync. It starts after these parts, so they must not call this while they are created. */
  sync(): Sync
}

/** The parts that keep what the person wrote until the server has it. */
export interface Written {
  readonly drafts: Drafts
  readonly files: OutgoingFiles
  readonly outbox: Outbox
}

/** Creates these parts; they work until `signal` aborts. */
export function keepWriting(parts: WritingParts): Written {
  const { store, clock, ownUserId, serverTime, sync } = parts
  const files = createOutgoingFiles(parts)
  const drafts = createDrafts({
    ...parts,
    files,
    keepsDrafts: () => keepsDrafts(store.db),
    catchUp: () => sync().catchUp(),
    registerAnew: () => sync().refresh([]),
    findTopics: () => sync().findTopics(),
  })
  const outbox = createOutbox({
    ...parts,
    files,
    queueId: () => sync().queueId,
    catchUp: () => sync().catchUp(),
    refresh: (ids) => sync().refresh(ids),
    outdate: (ids) => sync().outdate(ids),
    serverNow: () => serverTime.now(),
    findTopics: () => sync().findTopics(),
    mayDelete(conversation, sentAt) {
      const { messages } = permissions({ db: store.db, ownUserId }, conversation)
      return actionsFor(messages, { senderId: ownUserId, sentAt }, ownUserId, clock.now()).delete
    },
    keepAsDraft: (content) => void drafts.save(null, { recipient: null, content }),
  })
  return { drafts, files, outbox }
}

/** Passes what sync receives on to the parts that keep what the person wrote. */
export const hooksOf = ({ drafts, outbox }: Written): Omit<SyncHooks, 'messagesArrived' | 'linkChanged'> => ({
  reapply: (db, data) => outbox.reapply(db, data),
  draftsEvent: (db, payload) => drafts.onEvent(db, payload),
  draftsSwitched: (db, areKept) => drafts.onSwitch(db, areKept),
  registering: () => drafts.onRegistering(),
  draftsSnapshot: (db, seen, mayBeThere) => drafts.onSnapshot(db, seen, mayBeThere),
  ownMessageArrived: (db, id, messageId) => outbox.ownMessageArrived(db, id, messageId),
  objectMade: (db, kind, one) => outbox.objectMade(db, kind, one),
  creationHeard: (db) => outbox.creationHeard(db),
  topicMoved: (db, from, to) => {
    outbox.topicMoved(db, from, to)
    drafts.onTopicMoved(db, from, to)
  },
  messagesDeleted: (db, ids) => drafts.onMessagesDeleted(db, ids),
  topicsFound: () => outbox.topicsFound(),
})
