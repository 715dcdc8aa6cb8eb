import type { Action } from '../../src-shared/bridge/actions.ts'
import type { OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'

/** Whether it is a new message, to be sent now or at a set time, which follows its conversation if that moves. */
export const isForPlace = (
  action: Action,
): action is Extract<Action, { name: 'send-message' | 'schedule-message' }> =>
  action.name === 'send-message' || action.name === 'schedule-message'

/** Whether the request may be sent twice. */
export function isRepeatable(row: OutboxRow): boolean {
  return row.action !== null && actionFor(row.action).isRepeatable
}

/** The lanes of a row: usually one. A message whose topic was moved is in the lanes of its old and its new place. */
export const lanesOf = ({ lane, action }: OutboxRow): readonly string[] =>
  action === null ? [lane] : [...new Set([lane, actionFor(action).lane(action)])]

/** Whether the server certainly does not have it. A repeatable change also waits if it may have arrived. */
export const isCertainlyHere = (row: OutboxRow): boolean =>
  row.state === 'refused' || (row.state === 'waiting' && (row.sentAt === null || !isRepeatable(row)))

/** The Markdown of a change that may link to outgoing files; null if it has none. */
export const wordsOf = (action: Action): string | null =>
  isForPlace(action) || action.name === 'edit-scheduled' ? action.content : null
