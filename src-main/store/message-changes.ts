import type { ReadableDb, WritableDb } from './database.ts'
import { organizationText, organizationValue } from './organization.ts'

/** One change of a message: an edit, a move, or both at once. */
export interface MessageChange {
  /** Epoch milliseconds. */
  readonly at: number
  /** Who made it; null if that is no longer known. */
  readonly userId: number | null
  /** The text that it replaced, each form null if unknown; absent if the text stayed. */
  readonly before?: { readonly markdown: string | null; readonly html: string | null }
  /** The place that it moved the message from, with null for what stayed; absent if the message was not moved. */
  readonly from?: { readonly channelId: number | null; readonly topic: string | null }
}

/** How much of the changes of messages the organization lets people see. */
export type HistoryPolicy = 'all' | 'moves' | 'none'

/** The organization's present policy; older servers only say whether changes are shown at all. */
export function historyPolicy(db: ReadableDb): HistoryPolicy {
  const policy = organizationText(db, 'realm_message_edit_history_visibility_policy')
  if (policy === 'moves' || policy === 'none') return policy
  return policy === undefined && organizationValue(db, 'realm_allow_edit_history') === false ? 'none' : 'all'
}

/**
 * Writes values of the organization. If it shows more or less of the changes of messages since, none of them are kept:
 * what was kept may be hidden now, or lack what was hidden before.
 */
export function obeyingHistoryPolicy(db: WritableDb, write: () => void): void {
  const before = historyPolicy(db)
  write()
  if (historyPolicy(db) !== before) db.run('DELETE FROM message_changes')
}

/** How many characters of one message's changes are kept. */
const mostCharacters = 65_536

/** What the organization lets people see of a change; null if that is nothing. */
function shownPart(policy: HistoryPolicy, change: MessageChange): MessageChange | null {
  if (policy === 'all') return change
  const { before: _hidden, ...move } = change
  return policy === 'moves' && move.from !== undefined ? move : null
}

/** Makes these, oldest first, all the changes of a message. If they are too long, the newest are kept. */
export function putChanges(db: WritableDb, id: number, changes: readonly MessageChange[]): void {
  const policy = changes.length === 0 ? 'none' : historyPolicy(db)
  const shown = changes.flatMap((change) => shownPart(policy, change) ?? [])
  let room = mostCharacters
  const dropped = shown.findLastIndex((change) => (room -= JSON.stringify(change).length) < 0) + 1
  if (shown.length === dropped) db.run('DELETE FROM message_changes WHERE message_id = ?', [id])
  else
    db.run('INSERT OR REPLACE INTO message_changes VALUES (?, ?, ?)', [
      id,
      JSON.stringify(shown.slice(dropped)),
      dropped > 0 ? 1 : 0,
    ])
}

/**
 * Adds a change to those messages that are here; call it before the change is applied. Nothing is added twice. The
 * first change is not kept if it `isOnlyMark`, a mark of a resolved topic: it does not count as a change.
 */
export function addChange(
  db: WritableDb,
  ids: readonly number[],
  change: MessageChange,
  { isOnlyMark }: { readonly isOnlyMark: boolean },
): void {
  const shown = shownPart(historyPolicy(db), change)
  if (shown === null) return
  // What was fetched has the HTML of some texts only.
  const comparable = (json: string) => `json_remove(${json}, '$.before.html')`
  db.run(
    `INSERT INTO message_changes
     SELECT message_id, json_array(json(?2)), edited_at IS NOT NULL OR moved_at IS NOT NULL FROM messages
     WHERE message_id IN (SELECT value FROM json_each(?1))
       AND (?3 = 0 OR edited_at IS NOT NULL OR moved_at IS NOT NULL)
     ON CONFLICT (message_id) DO UPDATE SET
       changes = iif(length(changes) + length(?2) > ?4, excluded.changes, json_insert(changes, '$[#]', json(?2))),
       has_earlier = has_earlier OR length(changes) + length(?2) > ?4
     WHERE NOT EXISTS (SELECT 1 FROM json_each(changes) WHERE ${comparable('value')} = ${comparable('?2')})`,
    { 1: JSON.stringify(ids), 2: JSON.stringify(shown), 3: isOnlyMark ? 1 : 0, 4: mostCharacters },
  )
}

/** The changes of a message, oldest first, and whether there were others before these; null if none are here. */
export function changesOf(
  db: ReadableDb,
  id: number,
): { readonly changes: readonly MessageChange[]; readonly hasEarlier: boolean } | null {
  const row = db.get<{ changes: string; has_earlier: number }>(
    'SELECT changes, has_earlier FROM message_changes WHERE message_id = ?',
    [id],
  )
  if (row === undefined) return null
  // Only this file writes changes.
  return { changes: JSON.parse(row.changes) as MessageChange[], hasEarlier: row.has_earlier === 1 }
}
