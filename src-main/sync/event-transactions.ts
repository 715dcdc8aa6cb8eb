import { parseEvent, type QueueRow, type RawEvent } from '../../src-shared/api/events.ts'
import type { ReadableDb } from '../store/database.ts'
import { isLargeDeletion } from '../store/deleted-messages.ts'
import { appliedOf } from '../store/event-progress.ts'
import { isLarge, movesAsOne } from '../store/moves.ts'
import { placesOfMove } from './appliers/messages.ts'

/** How many events one transaction applies, so that nothing else waits long. */
const eventsPerWrite = 50

/**
 * The lists of events of which so many entries are applied at once that windows stay responsive. They are not equally
 * many, because entries do not cost the same.
 */
const lists: Readonly<Record<string, { readonly field: string; readonly atOnce: number } | undefined>> = {
  // A flag is little to write. Our own marks as read name no more in a request, so that their events stay in one piece.
  update_message_flags: { field: 'messages', atOnce: 1_000 },
  // A channel comes with its subscribers and with what the person may do there.
  subscription: { field: 'subscriptions', atOnce: 10 },
  // Each message is written, in every index that knows its place.
  update_message: { field: 'message_ids', atOnce: 250 },
}

/** With so many subscribers, a channel counts as one entry; with more, as so many times more. */
const subscribersAsOne = 600

/** As how many entries of its event's list one counts. */
function weightOf(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return 1
  const people: unknown = Reflect.get(entry, 'subscribers') ?? Reflect.get(entry, 'partial_subscribers')
  return Array.isArray(people) ? Math.max(1, people.length / subscribersAsOne) : 1
}

/** The entries in runs that count as at most so many; one that counts as more is alone. */
function* runsOf(entries: readonly unknown[], most: number): Generator<unknown[], void> {
  let run: unknown[] = []
  let weight = 0
  for (const entry of entries) {
    const own = weightOf(entry)
    if (run.length > 0 && weight + own > most) {
      yield run
      run = []
      weight = 0
    }
    run.push(entry)
    weight += own
  }
  if (run.length > 0) yield run
}

/** Events that are applied together. */
export interface EventTransaction {
  readonly rows: readonly QueueRow[]
  /** The last event that is applied completely once this is committed; null if none is. */
  readonly completed: number | null
  /** If it applies only a part of an event. */
  readonly part: EventPart | null
}

/** A part of an event's list. */
export interface EventPart {
  readonly eventId: number
  /** Whether an earlier transaction applied a part of it. */
  readonly goesOn: boolean
  /** How many entries of the list are applied once this is committed; null if all of them are. */
  readonly applied: number | null
}

/**
 * Events in transactions, in order; each must be applied before the next one is asked for. A large move or deletion is
 * the last of its transaction. An event that names very many messages or channels is applied in parts, and is completed
 * by the last one; after a restart it goes on with the part that comes next.
 */
export function* transactionsOf(
  rows: readonly QueueRow[],
  db: ReadableDb,
): Generator<EventTransaction, void> {
  let some: { rows: QueueRow[]; completed: number | null; part: null } | null = null
  for (const row of rows) {
    const entries = manyOf(row)
    if (some !== null && entries !== null) {
      // How it is applied may depend on what those before it do.
      yield some
      some = null
    }
    if (row.event !== null && entries !== null && !isOnePiece(row.event, db)) {
      yield* partsOf(row.event, entries, appliedOf(db, row.id))
      continue
    }
    some ??= { rows: [], completed: null, part: null }
    some.rows.push(row)
    some.completed = row.id ?? some.completed
    if (some.rows.length < eventsPerWrite && !leavesSteps(row)) continue
    yield some
    some = null
  }
  if (some !== null) yield some
}

/** The entries of an event's list if they are so many that it may be applied in parts; otherwise null. */
function manyOf({ event }: QueueRow): readonly unknown[] | null {
  const list = event === null ? undefined : lists[event.type]
  const entries: unknown = event === null || list === undefined ? null : Reflect.get(event, list.field)
  if (list === undefined || !Array.isArray(entries)) return null
  return entries.reduce((sum: number, entry) => sum + weightOf(entry), 0) > list.atOnce ? entries : null
}

/** The parts of an event of which so many entries are applied. */
function* partsOf(
  event: RawEvent,
  entries: readonly unknown[],
  appliedBefore: number,
): Generator<EventTransaction, void> {
  const list = lists[event.type]
  if (list === undefined) return
  // The newest first: what a move is seen by. The server may name them in any order.
  const inOrder =
    event.type === 'update_message' ? entries.toSorted((a, b) => Number(b) - Number(a)) : entries
  let applied = appliedBefore
  for (const some of runsOf(inOrder.slice(applied), list.atOnce)) {
    const goesOn = applied > 0
    applied += some.length
    const isLast = applied === entries.length
    yield {
      rows: [{ id: event.id, event: { ...event, [list.field]: some } }],
      completed: isLast ? event.id : null,
      part: { eventId: event.id, goesOn, applied: isLast ? null : applied },
    }
  }
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
  return movesAsOne(db, payload.message_ids, places.from, places.to)
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
