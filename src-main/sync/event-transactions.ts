import { chunk } from '../../src-shared/basics.ts'
import { parseEvent, type QueueRow, type RawEvent } from '../../src-shared/api/events.ts'
import type { ReadableDb } from '../store/database.ts'
import { isLargeDeletion } from '../store/deleted-messages.ts'
import { isLarge, movesAsOne } from '../store/moves.ts'
import { placesOfMove } from './appliers/messages.ts'

/** How many events one transaction applies, so that nothing else waits long. */
const eventsPerWrite = 50

/** The lists of events of which so many entries are applied at once that windows stay responsive. */
const lists: Readonly<Record<string, { readonly field: string; readonly atOnce: number } | undefined>> = {
  // A mark as read of our own names no more, so that its event stays in one piece.
  update_message_flags: { field: 'messages', atOnce: 1_000 },
  subscription: { field: 'subscriptions', atOnce: 10 },
  update_message: { field: 'message_ids', atOnce: 250 },
}

/** Events that are applied together. */
export interface EventTransaction {
  readonly rows: readonly QueueRow[]
  /** The last event that is applied completely once this is committed; null if none is. */
  readonly completed: number | null
  /** Whether it goes on with an event of which an earlier one applied a part. */
  readonly goesOn: boolean
}

/**
 * Events in transactions, in order; each must be applied before the next one is asked for. A large move or deletion is
 * the last of its transaction. An event that names very many messages or channels is applied in parts, and is completed
 * by the last one; after a restart it is applied again.
 */
export function* transactionsOf(
  rows: readonly QueueRow[],
  db: ReadableDb,
): Generator<EventTransaction, void> {
  let some: { rows: QueueRow[]; completed: number | null; goesOn: false } | null = null
  for (const row of rows) {
    if (some !== null && isVeryLarge(row)) {
      // How it is applied may depend on what those before it do.
      yield some
      some = null
    }
    const parts = isVeryLarge(row) ? partsOf(row, db) : [row]
    if (parts.length > 1) {
      for (const [index, part] of parts.entries())
        yield { rows: [part], completed: index === parts.length - 1 ? row.id : null, goesOn: index > 0 }
      continue
    }
    some ??= { rows: [], completed: null, goesOn: false }
    some.rows.push(row)
    some.completed = row.id ?? some.completed
    if (some.rows.length < eventsPerWrite && !leavesSteps(row)) continue
    yield some
    some = null
  }
  if (some !== null) yield some
}

/** The entries of an event's list if there are so many that it may be applied in parts; otherwise null. */
function manyOf({ event }: QueueRow): readonly unknown[] | null {
  const list = event === null ? undefined : lists[event.type]
  const entries: unknown = event === null || list === undefined ? null : Reflect.get(event, list.field)
  return list !== undefined && Array.isArray(entries) && entries.length > list.atOnce ? entries : null
}

const isVeryLarge = (row: QueueRow): boolean => manyOf(row) !== null

function partsOf(row: QueueRow, db: ReadableDb): QueueRow[] {
  const { event } = row
  const list = event === null ? undefined : lists[event.type]
  const entries = manyOf(row)
  if (event === null || list === undefined || entries === null || isOnePiece(event, db)) return [row]
  // The newest first: what a move is seen by.
  const inOrder = event.type === 'update_message' ? entries.toReversed() : entries
  return chunk(inOrder, list.atOnce).map((some) => ({ id: row.id, event: { ...event, [list.field]: some } }))
}

function isOnePiece(event: RawEvent, db: ReadableDb): boolean {
  // With details of each message, only a mark as unread is that large.
  if (Reflect.has(event, 'message_details')) return true
  if (event.type !== 'update_message') return false
  const parsed = parseEvent(event)
  if (parsed.kind !== 'known' || parsed.event.type !== 'update_message') return true
  const { payload } = parsed.event
  const places = placesOfMove(payload)
  // An edit must be applied once.
  if (places === null || payload.rendered_content !== undefined) return true
  return movesAsOne(db, payload.message_ids.length, places.from, places.to)
}

/** Whether something of the event is left to later steps. */
function leavesSteps({ event }: QueueRow): boolean {
  const ids: unknown = event === null ? null : Reflect.get(event, 'message_ids')
  if (!Array.isArray(ids)) return false
  return (
    (event?.type === 'update_message' && isLarge(ids)) ||
    (event?.type === 'delete_message' && isLargeDeletion(ids))
  )
}
