import type { Action, ActionOf } from '../../src-shared/bridge/actions.ts'
import type { ReadableDb } from '../store/database.ts'
import { idOfObject, newestObject, objectsOf, type ListedObject, type MadeKind } from '../store/objects.ts'
import { outboxRows, type OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import { effectsOf, type EffectContext, type Found, type SendContext } from './offline-action.ts'

// A request that makes a scheduled message, a reminder or a snippet, and whose answer was lost, may have arrived. What
// it made is recognized:
// - by its event, which shows it as it was made, whatever became of it since;
// - in a snapshot or a fetched list, if nobody has changed it;
// - if the queue with its event was lost and there is only something new that differs: not at all. The person decides.
// What was deleted elsewhere before this device looks has left no trace, and is made again.

const isMaking = (
  action: Action,
): action is ActionOf<'schedule-message'> | ActionOf<'remind-me'> | ActionOf<'save-snippet'> =>
  action.name === 'schedule-message' || action.name === 'remind-me' || action.name === 'save-snippet'

/** The change with what is needed to recognize later what it made; to be stored before it is sent. */
export function readyToSend(db: ReadableDb, action: Action): Action {
  const { makes } = actionFor(action)
  return makes === undefined || !isMaking(action)
    ? action
    : { ...action, newestKnown: Math.max(newestObject(db, makes.kind), ...cancelled(db, makes.kind)) }
}

/**
 * What is no longer in the cache and may still be on the server. Snippets and reminders need no such list: their
 * deletions share a lane with what makes new ones.
 */
const cancelled = (db: ReadableDb, kind: MadeKind): number[] =>
  kind === 'scheduled-message'
    ? outboxRows(db).flatMap(({ action }) =>
        action?.name === 'cancel-scheduled' ? [action.scheduledId] : [],
      )
    : []

/** Whether an object is none of those that were known when the request was sent. */
const isNew = (action: Action, kind: MadeKind, one: ListedObject): boolean =>
  idOfObject(kind, one) > (isMaking(action) ? (action.newestKnown ?? 0) : 0)

/** Whether a row may have made this object, which is as it was when somebody made it. */
export function hasMade(
  db: ReadableDb,
  { action, sentAt, state }: OutboxRow,
  kind: MadeKind,
  one: ListedObject,
  effects: EffectContext,
): boolean {
  if (action === null || sentAt === null || state === 'refused') return false
  const { makes } = actionFor(action)
  return makes?.kind === kind && isNew(action, kind, one) && makes.isMade(db, action, one, effects)
}

/** The id of an object in the cache that a row may have made; null if there is none. */
export function madeHere(db: ReadableDb, row: OutboxRow, effects: EffectContext): number | null {
  const kind = row.action === null ? undefined : actionFor(row.action).makes?.kind
  if (kind === undefined) return null
  const made = objectsOf(db, kind).find((one) => hasMade(db, row, kind, one, effects))
  return made === undefined ? null : idOfObject(kind, made)
}

/**
 * Looks for what a request without an answer made. `hasHeard`: all events since the request were applied, so that it
 * would have been recognized if it had arrived. See `OfflineAction.find` for `isOther`.
 */
export async function findMade(
  row: OutboxRow,
  action: Action,
  context: SendContext,
  hasHeard: boolean,
  isOther: (messageId: number) => boolean,
): Promise<Found> {
  const { makes } = actionFor(action)
  if (makes === undefined) return 'undecided'
  const { db } = context
  const effects = effectsOf(context)
  const there = (await makes.onServer(context)).filter((one) => isNew(action, makes.kind, one))
  const made = there.find((one) => makes.isMade(db, action, one, effects))
  if (made !== undefined) return idOfObject(makes.kind, made)
  if (hasHeard) return 'absent'
  if (there.some((one) => makes.mayBeMade(db, action, one, effects))) return 'undecided'
  return (await makes.findElsewhere?.(action, row, context, isOther)) ?? 'absent'
}
