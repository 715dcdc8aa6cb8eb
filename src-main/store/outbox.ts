import { actionSchema, type Action } from '../../src-shared/bridge/actions.ts'
import { localId, type LocalId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { undecided, type OutboxState } from '../../src-shared/model/outbox.ts'
import type { ReadableDb, SqlValue, WritableDb } from './database.ts'
import { wantMessages } from './missing.ts'

/** A change that waits for the server, as stored on disk; see the diagram in outbox/outbox.ts. */
export interface OutboxRow {
  readonly sequence: number
  readonly localId: LocalId
  readonly name: string
  /** Null if this version cannot read it, because another version wrote it or its text is damaged. The text is kept. */
  readonly action: Action | null
  readonly lane: string
  readonly state: OutboxState
  readonly conversationKey: string | null
  readonly attempts: number
  /** Epoch milliseconds; null: at once. */
  readonly nextAttemptAt: number | null
  readonly createdAt: number
  /** When a request with it first left this device; null: never. */
  readonly sentAt: number | null
  /** The newest message that this device knew at that time; null: not recorded. */
  readonly sentAfter: number | null
  /** The event queue that will deliver its echo. */
  readonly sentQueue: string | null
  readonly reason: string | null
  /** Accepted sends only: the server's id of the message. */
  readonly messageId: number | null
}

/** SQL: `isStuck`, of a row of the outbox. */
export const stuckSql = `(state = 'refused' OR (state = 'unsure' AND reason IS '${undecided}'))`

/** Whether later changes of its lane wait while it is stuck: messages do not overtake one of their conversation. */
export const holdsBackWhenStuck = ({ name }: Pick<OutboxRow, 'name'>): boolean => name === 'send-message'

interface StoredRow {
  sequence: number
  local_id: string
  name: string
  payload: string
  lane: string
  state: OutboxState
  conversation_key: string | null
  attempts: number
  next_attempt_at: number | null
  created_at: number
  sent_at: number | null
  sent_after: number | null
  sent_queue: string | null
  reason: string | null
  answer: string | null
}

function actionFromPayload(payload: string): Action | null {
  try {
    return actionSchema.safeParse(JSON.parse(payload)).data ?? null
  } catch {
    return null
  }
}

function rowFromStored(row: StoredRow): OutboxRow {
  return {
    sequence: row.sequence,
    localId: localId(row.local_id),
    name: row.name,
    action: actionFromPayload(row.payload),
    lane: row.lane,
    state: row.state,
    conversationKey: row.conversation_key,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    sentAfter: row.sent_after,
    sentQueue: row.sent_queue,
    reason: row.reason,
    messageId: row.answer === null ? null : Number(row.answer),
  }
}

/** All waiting changes in the order in which they were made; at most `limit`. */
export function outboxRows(db: ReadableDb, limit = 10_000): readonly OutboxRow[] {
  // Every feed reads them, and mostly nothing waits.
  return db.remembered(`outbox:${limit}`, () =>
    db.all<StoredRow>('SELECT * FROM outbox ORDER BY sequence LIMIT ?', [limit]).map(rowFromStored),
  )
}

/** One row; undefined if it is gone. */
export function outboxRow(db: ReadableDb, id: LocalId): OutboxRow | undefined {
  const row = db.get<StoredRow>('SELECT * FROM outbox WHERE local_id = ?', [id])
  return row && rowFromStored(row)
}

/** Adds a change that waits to be sent, behind all others. */
export function insertOutboxRow(
  db: WritableDb,
  row: { localId: LocalId; action: Action; lane: string; conversationKey: string | null; createdAt: number },
): void {
  db.run(
    `INSERT INTO outbox (local_id, name, payload, lane, state, conversation_key, created_at)
     VALUES (?, ?, ?, ?, 'waiting', ?, ?)`,
    [row.localId, row.action.name, JSON.stringify(row.action), row.lane, row.conversationKey, row.createdAt],
  )
}

/** Changes the fields that are given. */
export function updateOutboxRow(
  db: WritableDb,
  id: LocalId,
  change: Partial<
    Pick<
      OutboxRow,
      | 'state'
      | 'lane'
      | 'conversationKey'
      | 'attempts'
      | 'nextAttemptAt'
      | 'sentAt'
      | 'sentAfter'
      | 'sentQueue'
      | 'reason'
      | 'messageId'
    >
  > & { action?: Action },
): void {
  const columns: [string, SqlValue | undefined][] = [
    ['state', change.state],
    ['lane', change.lane],
    ['conversation_key', change.conversationKey],
    ['attempts', change.attempts],
    ['next_attempt_at', change.nextAttemptAt],
    ['sent_at', change.sentAt],
    ['sent_after', change.sentAfter],
    ['sent_queue', change.sentQueue],
    ['reason', change.reason],
    [
      'answer',
      change.messageId === undefined || change.messageId === null
        ? change.messageId
        : String(change.messageId),
    ],
    ['name', change.action?.name],
    ['payload', change.action === undefined ? undefined : JSON.stringify(change.action)],
  ]
  const changed = columns.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
  if (changed.length === 0) return
  db.run(`UPDATE outbox SET ${changed.map(({ column }) => `${column} = ?`).join(', ')} WHERE local_id = ?`, [
    ...changed.map(({ value }) => value),
    id,
  ])
}

/** Removes a row, if it is there. */
export function removeOutboxRow(db: WritableDb, id: LocalId): void {
  db.run('DELETE FROM outbox WHERE local_id = ?', [id])
}

/** Removes accepted sends whose messages are gone from the server: they will never appear here. */
export function removeAccepted(db: WritableDb, messageIds: readonly number[]): void {
  db.run(
    "DELETE FROM outbox WHERE state = 'accepted' AND answer IN (SELECT CAST(value AS TEXT) FROM json_each(?))",
    [JSON.stringify(messageIds)],
  )
}

/**
 * Called when the queue is lost that would have delivered the echoes of accepted changes. What they sent is fetched by
 * its id: nothing else may bring it, or tell that it is gone.
 */
export function forgetEchoes(db: WritableDb): void {
  const sent = outboxRows(db).filter(({ state }) => state === 'accepted')
  wantMessages(
    db,
    sent.flatMap(({ messageId }) => messageId ?? []),
  )
  db.run("UPDATE outbox SET sent_queue = NULL WHERE state = 'accepted'")
}

/** Ends all waits before retries: every change may be sent at once. */
export function forgetWaits(db: WritableDb): void {
  db.run('UPDATE outbox SET next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL')
}

/** The place that a change names and that may move: of a new message, or of a topic's visibility; null for all others. */
export function placeOf(action: Action): Conversation | null {
  switch (action.name) {
    case 'send-message':
    case 'schedule-message':
      return action.conversation
    case 'set-topic-visibility':
      return { kind: 'topic', channelId: action.channelId, topic: action.topic }
    default:
      return null
  }
}

/** The text that a message will have after the waiting edits have been sent; null if none waits. */
export function waitingEditOf(db: ReadableDb, messageId: number): string | null {
  const row = outboxRows(db).findLast(
    ({ action, state }) =>
      action?.name === 'edit-message' && action.messageId === messageId && state !== 'refused',
  )
  return row?.action?.name === 'edit-message' ? row.action.content : null
}
