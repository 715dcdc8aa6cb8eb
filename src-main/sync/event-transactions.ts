import { chunk } from '../../src-shared/basics.ts'
import type { QueueRow } from '../../src-shared/api/events.ts'
import { isLargeDeletion } from '../store/deleted-messages.ts'
import { isLarge } from '../store/moves.ts'

/** How many events one transaction applies, so that nothing else waits long. */
const eventsPerWrite = 50

/** The lists of events of which so many entries are applied at once that windows stay responsive. */
const lists: Readonly<Record<string, { readonly field: string; readonly atOnce: number } | undefined>> = {
  // A mark as read of our own names no more, so that its event stays in one piece.
  update_message_flags: { field: 'messages', atOnce: 1_000 },
  subscription: { field: 'subscriptions', atOnce: 50 },
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
 * Events in transactions, in order. A large move or deletion is the last of its transaction. An event that names very
 * many messages or channels is applied in parts, and is completed by the last one; after a restart it is applied again.
 */
export function transactionsOf(rows: readonly QueueRow[]): EventTransaction[] {
  const all: { rows: QueueRow[]; completed: number | null; goesOn: boolean }[] = []
  let some: (typeof all)[number] | null = null
  for (const row of rows) {
    const parts = partsOf(row)
    if (parts.length > 1) {
      for (const [index, part] of parts.entries())
        all.push({ rows: [part], completed: index === parts.length - 1 ? row.id : null, goesOn: index > 0 })
      some = null
      continue
    }
    if (some === null) all.push((some = { rows: [], completed: null, goesOn: false }))
    some.rows.push(row)
    some.completed = row.id ?? some.completed
    if (some.rows.length === eventsPerWrite || leavesSteps(row)) some = null
  }
  return all
}

function partsOf(row: QueueRow): QueueRow[] {
  const { event } = row
  const list = event === null ? undefined : lists[event.type]
  // With details of each message, only a mark as unread is that large.
  if (event === null || list === undefined || Reflect.has(event, 'message_details')) return [row]
  const entries: unknown = Reflect.get(event, list.field)
  if (!Array.isArray(entries) || entries.length <= list.atOnce) return [row]
  return chunk(entries, list.atOnce).map((some) => ({ id: row.id, event: { ...event, [list.field]: some } }))
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
