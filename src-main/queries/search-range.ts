import type { ReadableDb } from '../store/database.ts'
import { messageTotal } from '../store/message-words.ts'
import { highestId, idAtDistance, sentAtFrom } from '../store/messages.ts'
import type { SearchPlan } from './search-plan.ts'
import { dayMs } from '../../src-shared/durations.ts'
import { mostLookedThrough } from '../../src-shared/model/search-results.ts'

/** Messages from one number to another, including both. */
export interface IdRange {
  readonly oldest: number
  readonly newest: number
}

/**
 * Where the messages of a plan can be: what its days leave, if the device has more messages than are looked through.
 * Numbers grow with time, except for a few that an import or a wrong clock has put into another order, so a day more
 * than the plan's is left on both sides.
 */
export function rangeOf(db: ReadableDb, { terms }: SearchPlan): IdRange {
  let [oldest, newest] = [0, highestId]
  if (messageTotal(db) <= mostLookedThrough) return { oldest, newest }
  for (const term of terms) {
    if (term.kind !== 'since' && term.kind !== 'until') continue
    if ((term.kind === 'since') !== term.isNegated) oldest = Math.max(oldest, firstSince(db, term.at - dayMs))
    else newest = Math.min(newest, firstSince(db, term.at + dayMs) - 1)
  }
  return { oldest, newest }
}

/** The lowest number from which on messages are from that moment or later. */
function firstSince(db: ReadableDb, at: number): number {
  let low = 0
  let high = (idAtDistance(db, highestId, 'before', 1) ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((sentAtFrom(db, middle) ?? Infinity) >= at) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The oldest message that a search looks through, if there are older ones that its days and the word index leave;
 * null if it looks through everything.
 */
export function oldestLooked(db: ReadableDb, plan: SearchPlan): number | null {
  const { match, where, near } = plan
  const { oldest, newest } = rangeOf(db, plan)
  const from = Math.min(newest, near ?? highestId)
  if (match === null) {
    if (isFewByNature(plan)) return null
    const last = idAtDistance(db, from, 'before', mostLookedThrough)
    const older = last === null ? null : idAtDistance(db, last - 1, 'before', 1)
    return older !== null && older >= oldest ? last : null
  }
  if (where === 'TRUE') return null
  const [last, older] = db.column<number>(
    `SELECT rowid FROM message_words WHERE message_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
     ORDER BY rowid DESC LIMIT 2 OFFSET ?`,
    [match, oldest, from, mostLookedThrough - 1],
  )
  return last === undefined || older === undefined ? null : last
}

/** Whether a small index has everything that the search can find. */
export const isFewByNature = ({ terms }: SearchPlan): boolean =>
  terms.some(
    (term) =>
      term.kind === 'is' &&
      !term.isNegated &&
      ['starred', 'mentioned', 'alerted', 'unread'].includes(term.value),
  ) || terms.some(({ kind, isNegated }) => kind === 'id' && !isNegated)
