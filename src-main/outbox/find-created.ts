import type { Action, ActionOf } from '../../src-shared/bridge/actions.ts'
import { hasBeenAssigned } from '../store/provisional.ts'
import { outboxRow, outboxRows, type OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import type { SendContext } from './offline-action.ts'

// A request that creates a channel, folder or group may have arrived although both its answer and its event were lost.
// If somebody has renamed what it created, neither the cache nor a refusal tells. Before it is repeated, what it created
// is recognized by its creator, its other properties and the moment at which it was created. What has no description
// could be taken for another that the same person created then on another device, so it is created a second time.

/** How long a request that arrives may take, in seconds. */
const mostSecondsUnderWay = 60
/** How much earlier than it was sent a request may seem to have arrived: clocks are known only roughly. In seconds. */
const clockSeconds = 5

/** The changes that note when they left. */
type Creation = ActionOf<'create-channel' | 'create-folder' | 'create-group'>
const isCreation = (action: Action): action is Creation =>
  action.name === 'create-channel' || action.name === 'create-folder' || action.name === 'create-group'

/**
 * Sends the request of a change that creates something, unless an earlier one has created it. Returns the server's id of
 * it; null if its event came meanwhile.
 */
export async function sendCreation(
  row: OutboxRow,
  action: Action,
  context: SendContext,
): Promise<number | 'elsewhere' | null> {
  const id = await findCreated(row, action, context)
  if (id !== null) return id
  const now = outboxRow(context.db, row.localId)?.action ?? null
  if (now === null) return null
  if (isCreation(now)) context.saveProgress({ ...now, askedAt: Math.round(context.serverNow()) })
  return await actionFor(now).send(now, context)
}

/** The server's id of what the last request created, if that is certain. */
async function findCreated(row: OutboxRow, action: Action, context: SendContext): Promise<number | null> {
  const { creates } = actionFor(action)
  // All events of the queue that had its event are applied.
  const hasHeard = row.sentQueue !== null && row.sentQueue === context.queueId
  if (creates === undefined || !isCreation(action) || action.askedAt === undefined || hasHeard) return null
  if (action.description === '') return null
  const { db } = context
  const mayBeOfAnother = outboxRows(db).some(
    ({ localId, name, sentAt }) => localId !== row.localId && name === row.name && sentAt !== null,
  )
  if (mayBeOfAnother) return null
  const askedAt = action.askedAt / 1_000
  const possible = (await creates.ownAlike(action, context)).filter(
    ({ id, createdAt }) =>
      createdAt >= askedAt - clockSeconds &&
      createdAt <= askedAt + mostSecondsUnderWay &&
      !hasBeenAssigned(db, id),
  )
  const [one, ...others] = possible
  return one === undefined || others.length > 0 ? null : one.id
}
