import type { Action } from '../../src-shared/bridge/actions.ts'
import { FailureError } from '../../src-shared/failure.ts'
import { isProvisional, provisionalId } from '../../src-shared/ids.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { ReadableDb, WritableDb } from '../store/database.ts'
import { readdressDrafts } from '../store/drafts.ts'
import { holdsId, noteNumbered, withIds, withIdsNow } from '../store/provisional.ts'
import { outboxRows, removeOutboxRow, updateOutboxRow, type OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import { isCertainlyHere, isForPlace } from './lanes.ts'
import type { EffectContext, OfflineAction } from './offline-action.ts'

/** What waits to be created, by the id that it has here. */
export type Creations = ReadonlyMap<number, OutboxRow>

export const creationsAmong = (rows: readonly OutboxRow[]): Creations =>
  new Map(
    rows
      .filter(({ action }) => action !== null && actionFor(action).creates !== undefined)
      .map((row) => [provisionalId(row.localId), row]),
  )

/** Whether a change is about something that is not created yet, so that it has to wait for that. */
export const awaitsCreation = (action: Action, creations: Creations): boolean =>
  creations.size > 0 && holdsId(action, (id) => creations.has(id))

/**
 * The change with the ids that things have now. Fails with NOT_THERE when it is about something that will not be
 * created any more: it would wait for ever.
 */
export function withKnownIds(db: ReadableDb, action: Action): Action {
  const now = withIdsNow(db, action)
  if (!holdsId(now, isProvisional)) return now
  const creations = creationsAmong(outboxRows(db))
  if (!holdsId(now, (id) => isProvisional(id) && !creations.has(id))) return now
  throw new FailureError({
    kind: 'rejected',
    code: 'NOT_THERE',
    message: t.failures.organization.takenBack,
    status: 0,
  })
}

/** Puts the local effect of a change in place; idempotent. What is refused has none, but what it creates stays listed. */
export function applyEffect(
  db: WritableDb,
  { localId, state }: Pick<OutboxRow, 'localId' | 'state'>,
  action: Action,
  effects: EffectContext,
): void {
  const kind = actionFor(action)
  kind.creates?.show(db, action, provisionalId(localId), effects)
  if (state !== 'refused') kind.apply(db, action, effects)
}

/** Ends what creates something that the server has by now, where its event came before the answer. */
export function endArrived(db: WritableDb, effects: EffectContext): void {
  for (const row of creationsAmong(outboxRows(db)).values()) {
    // What never left is not what the server has, whatever it is called.
    if (row.action === null || row.sentAt === null || row.state === 'refused') continue
    const id = actionFor(row.action).creates?.find(db, row.action, effects) ?? null
    if (id !== null) finishCreation(db, row, id, effects)
  }
}

/**
 * The server numbered what a row creates: from now on it has that id here too, wherever it is named, and the row is done
 * with. A row that ended already changes nothing.
 */
export function finishCreation(
  db: WritableDb,
  row: Pick<OutboxRow, 'localId' | 'action'>,
  id: number,
  effects: EffectContext,
): void {
  if (row.action === null || outboxRows(db).every(({ localId }) => localId !== row.localId)) return
  const from = provisionalId(row.localId)
  actionFor(row.action).creates?.renumber(db, from, id, effects)
  noteNumbered(db, from, id)
  readdressDrafts(db, from, id)
  removeOutboxRow(db, row.localId)
  for (const { localId, action, state } of outboxRows(db)) {
    if (action === null || !holdsId(action, (one) => one === from)) continue
    const now = withIds(action, (one) => (one === from ? id : one))
    readdress(db, localId, now)
    applyEffect(db, { localId, state }, now, effects)
  }
}

/** Writes a row's change anew, in the lane and the conversation that it has now. */
function readdress(db: WritableDb, localId: OutboxRow['localId'], action: Action): void {
  const kind = actionFor(action)
  updateOutboxRow(db, localId, {
    action,
    lane: kind.lane(action),
    conversationKey: kind.conversation(action),
  })
}

/**
 * The person takes back what was to be created. Words that were to go there stay, as drafts without a recipient; what
 * else was to be created goes without it, and changes of it are done with.
 */
export function discardCreation(
  db: WritableDb,
  row: Pick<OutboxRow, 'localId' | 'action'>,
  effects: EffectContext,
  keepAsDraft: (words: string) => void,
): void {
  const creates = row.action === null ? undefined : actionFor(row.action).creates
  if (creates === undefined) return
  const gone = provisionalId(row.localId)
  creates.forget(db, gone, effects)
  readdressDrafts(db, gone, null)
  for (const { localId, action } of outboxRows(db)) {
    if (action === null || !holdsId(action, (id) => id === gone)) continue
    if (action.name === 'create-channel') {
      readdress(db, localId, { ...action, folderId: null })
      continue
    }
    if (action.name === 'create-group') {
      readdress(db, localId, { ...action, groups: action.groups.filter((id) => id !== gone) })
      continue
    }
    if (action.name === 'order-folders') {
      readdress(db, localId, { ...action, order: action.order.filter((id) => id !== gone) })
      continue
    }
    if (isForPlace(action)) keepAsDraft(action.content)
    removeOutboxRow(db, localId)
  }
}

/**
 * Makes a change of something that certainly is not on the server yet a part of its creation, which is tried again if it
 * was refused. False for any other change.
 */
export function amendCreation(
  db: WritableDb,
  later: Action,
  kind: Pick<OfflineAction<Action['name']>, 'apply'>,
  effects: EffectContext,
): boolean {
  const creations = creationsAmong(outboxRows(db))
  if (!awaitsCreation(later, creations)) return false
  for (const [id, row] of creations) {
    if (row.action === null || !isCertainlyHere(row) || !isAbout(later, id)) continue
    const amended = actionFor(row.action).creates?.amended(row.action, later)
    if (amended === undefined) return false
    readdress(db, row.localId, amended)
    updateOutboxRow(db, row.localId, { state: 'waiting', reason: null, nextAttemptAt: null, sentAt: null })
    kind.apply(db, later, effects)
    return true
  }
  return false
}

/** Whether a change of something shared is one of this. */
const isAbout = (action: Action, id: number): boolean =>
  (action.name === 'change-channel' && action.channelId === id) ||
  (action.name === 'change-folder' && action.folderId === id) ||
  (action.name === 'change-group' && action.groupId === id)
