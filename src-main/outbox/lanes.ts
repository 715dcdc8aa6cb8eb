import type { Action } from '../../src-shared/bridge/actions.ts'
import type { OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'

/** Whether it is a new message, now or later, which goes to where its conversation is. */
export const isForPlace = (
  action: Action,
): action is Extract<Action, { name: 'send-message' | 'schedule-message' }> =>
  action.name === 'send-message' || action.name === 'schedule-message'

/** Whether the server may get it twice. */
export function isRepeatable(row: OutboxRow): boolean {
  return row.action !== null && actionFor(row.action).isRepeatable
}

/** The lanes that a row goes in: that of its place, and, when its topic was moved, that of where it was written. */
export const lanesOf = ({ lane, action }: OutboxRow): readonly string[] =>
  action === null ? [lane] : [...new Set([lane, actionFor(action).lane(action)])]

/** Whether the server certainly does not have it: what may be repeated waits also when it may have arrived. */
export const isCertainlyHere = (row: OutboxRow): boolean =>
  row.state === 'refused' || (row.state === 'waiting' && (row.sentAt === null || !isRepeatable(row)))

/** What is written in a change that goes along with its files; null when it holds no words. */
export const wordsOf = (action: Action): string | null =>
  isForPlace(action) || action.name === 'edit-scheduled' ? action.content : null
