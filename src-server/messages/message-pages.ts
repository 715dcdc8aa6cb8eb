import type { MessageRow } from './messages.ts'
import { narrowSql, namesPlace, readable, type NarrowTerm } from './narrow.ts'
import { mutedSql } from './narrow-terms.ts'
import { badRequest } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'

/** The message, if the person may read it; missing and hidden messages are refused in the same way. */
export function accessibleMessage(workspace: Workspace, user: UserRow, id: number): MessageRow {
  const { where, parameters } = readable(workspace, user)
  const row = workspace.db.get<MessageRow>(
    `SELECT m.* FROM messages m WHERE m.message_id = :id AND ${where}`,
    { ...parameters, id },
  )
  if (row === undefined) throw badRequest('Invalid message(s)')
  return row
}

/** Gives the person a row for a message that they gained access to later, so that it can carry flags. */
export function keepOwnRow({ db }: Workspace, user: UserRow, messageId: number): void {
  db.run(
    'INSERT OR IGNORE INTO user_messages (user_id, message_id, is_read, is_historical) VALUES (?, ?, 1, 1)',
    user.user_id,
    messageId,
  )
}

/**
 * Which of these messages the person may read and the narrow contains, ascending; works without rows of the person.
 */
export function matchingIds(
  workspace: Workspace,
  user: UserRow,
  narrow: readonly NarrowTerm[],
  ids: readonly number[],
): number[] {
  const { where, parameters } = narrowSql(workspace, user, narrow, 'history')
  return workspace.db.column<number>(
    `SELECT m.message_id FROM messages m
     WHERE m.message_id IN (SELECT value FROM json_each(:ids)) AND ${where} ORDER BY m.message_id`,
    { ...parameters, ids: JSON.stringify(ids) },
  )
}

/** The anchor for the newest end of every narrow. */
const newest = 10 ** 16

/** A stretch of a narrow around an anchor. */
export interface PageRequest {
  readonly narrow: readonly NarrowTerm[]
  /** An id, `newest`, `oldest` or `first_unread`. */
  readonly anchor: number | string | undefined
  readonly includeAnchor: boolean
  readonly before: number
  readonly after: number
}

/**
 * A page as GET /messages tells it (specification, GET /messages); `anchor` is the id that the wanted one stood for.
 */
export interface Page {
  /** Ascending. */
  readonly ids: number[]
  readonly anchor: number
  readonly foundAnchor: boolean
  readonly foundOldest: boolean
  readonly foundNewest: boolean
  /** Whether it reaches the oldest message that is shown, and older ones are not. */
  readonly historyLimited: boolean
}

/** The ids of a page, only of messages that the person may read. The anchor itself is not counted. */
export function pageOf(workspace: Workspace, user: UserRow, request: PageRequest): Page {
  const { narrow, before, after } = request
  if (!request.includeAnchor && before > 0 && after > 0) {
    throw badRequest('The anchor can only be excluded at an end of the range')
  }
  const { where, parameters, from, key } = narrowSql(workspace, user, narrow)
  const anchor = anchorOf(workspace, user, request)
  const firstShown = firstShownId(workspace)
  const matching = (condition: string, order: 'ASC' | 'DESC', count: number) =>
    workspace.db.column<number>(
      `SELECT m.message_id FROM ${from} WHERE ${condition} AND ${where} ORDER BY ${key} ${order} LIMIT :count`,
      { ...parameters, anchor, firstShown, count },
    )
  const select = (condition: string, order: 'ASC' | 'DESC', count: number) =>
    count === 0 ? [] : matching(`${condition} AND ${key} >= :firstShown`, order, count)
  const isNewest = anchor >= newest
  const older = select(`${key} < :anchor`, 'DESC', before).reverse()
  const newer = isNewest ? [] : select(`${key} > :anchor`, 'ASC', after)
  const own = request.includeAnchor && !isNewest ? select(`${key} = :anchor`, 'ASC', 1) : []
  const foundOldest = anchor === 0 || older.length < before
  return {
    ids: [...older, ...own, ...newer],
    anchor,
    foundAnchor: own.length > 0,
    foundOldest,
    foundNewest: isNewest || newer.length < after,
    historyLimited: foundOldest && firstShown > 0 && matching(`${key} < :firstShown`, 'DESC', 1).length > 0,
  }
}

/** The oldest message that the organization's plan shows; 0 if it shows all of them. */
function firstShownId({ db, configuration: { visibleMessages } }: Workspace): number {
  if (visibleMessages === null) return 0
  const row = db.get<{ message_id: number }>(
    'SELECT message_id FROM messages WHERE message_id > 0 ORDER BY message_id DESC LIMIT 1 OFFSET ?',
    visibleMessages - 1,
  )
  return row?.message_id ?? 0
}

function anchorOf(workspace: Workspace, user: UserRow, { anchor, narrow }: PageRequest): number {
  if (anchor === 'newest') return newest
  if (anchor === 'oldest') return 0
  if (anchor === 'first_unread') {
    const unmuted = namesPlace(narrow) ? '' : `AND NOT coalesce((${mutedSql}), 0)`
    // This walks the index of unread messages, whatever the narrow.
    const { where, parameters } = narrowSql(workspace, user, narrow, 'history')
    const row = workspace.db.get<{ message_id: number }>(
      `SELECT m.message_id FROM user_messages r CROSS JOIN messages m ON r.message_id = m.message_id
       WHERE r.user_id = :user AND r.is_read = 0 AND ${where} ${unmuted} ORDER BY r.message_id LIMIT 1`,
      parameters,
    )
    return row?.message_id ?? newest
  }
  const id = Number(anchor)
  if (anchor === undefined || anchor === '' || !Number.isSafeInteger(id)) {
    if (id >= newest) return newest
    throw badRequest('Missing or invalid anchor')
  }
  return Math.max(0, id)
}
