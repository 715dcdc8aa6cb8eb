import type { Action } from '../../src-shared/bridge/actions.ts'
import { refusedHere } from '../../src-shared/failure.ts'
import { isProvisional, provisionalId } from '../../src-shared/ids.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { ReadableDb, WritableDb } from '../store/database.ts'
import { readdressDrafts } from '../store/drafts.ts'
import { holdsId, recordAssignedId, withIds, withIdsNow } from '../store/provisional.ts'
import { outboxRows, removeOutboxRow, updateOutboxRow, type OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import { conversationOf, isCertainlyHere } from './lanes.ts'
import type { EffectContext, OfflineAction } from './offline-action.ts'

/** The rows that create something which is not on the server yet, by its provisional id. */
export type Creations = ReadonlyMap<number, OutboxRow>

/** The creations among these rows. */
export const creationsAmong = (rows: readonly OutboxRow[]): Creations =>
  new Map(
    rows
      .filter(({ action }) => action !== null && actionFor(action).creates !== undefined)
      .map((row) => [provisionalId(row.localId), row]),
  )

/** Whether a change refers to something that is not on the server yet, so that it must wait for the creation. */
export const awaitsCreation = (action: Action, creations: Creations): boolean =>
  creations.size > 0 && holdsId(action, (id) => creations.has(id))

/**
 * The change with provisional ids replaced by those that the server has assigned since. Throws a refusal (NOT_THERE) if
 * it refers to a creation that was discarded: it would wait for ever.
 */
export function withKnownIds(db: ReadableDb, action: Action): Action {
  const now = withIdsNow(db, action)
  if (!holdsId(now, isProvisional)) return now
  const creations = creationsAmong(outboxRows(db))
  if (!holdsId(now, (id) => isProvisional(id) && !creations.has(id))) return now
  throw refusedHere('NOT_THERE', t.failures.organization.takenBack)
}

/** Applies the local effect of a change; idempotent. A refused change has none, but what it creates stays listed. */
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

/** Finishes creations that the cache has by their event, before or without the answer to their request. */
export function finishArrived(db: WritableDb, effects: EffectContext): void {
  for (const row of creationsAmong(outboxRows(db)).values()) {
    // Never sent: a channel or group of the same name on the server is another one.
    if (row.action === null || row.sentAt === null || row.state === 'refused') continue
    const id = actionFor(row.action).creates?.find(db, row.action, effects) ?? null
    if (id !== null) finishCreation(db, row, id, effects)
  }
}

/**
 * Replaces the provisional id of what a row creates by the id that the server assigned, in the cache, the drafts and
 * the other rows, and removes the row. Does nothing if the row is already gone.
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
  recordAssignedId(db, from, id)
  readdressDrafts(db, from, id)
  removeOutboxRow(db, row.localId)
  for (const { localId, action, state } of outboxRows(db)) {
    if (action === null || !holdsId(action, (one) => one === from)) continue
    const now = withIds(action, (one) => (one === from ? id : one))
    readdress(db, localId, now)
    applyEffect(db, { localId, state }, now, effects)
  }
}

/** Replaces a row's change, and updates its lane and conversation accordingly. */
function readdress(db: WritableDb, localId: OutboxRow['localId'], action: Action): void {
  updateOutboxRow(db, localId, {
    action,
    lane: actionFor(action).lane(action),
    conversationKey: conversationOf(action),
  })
}

/**
 * The person discards a creation. Other creations lose their reference to it; messages for it and changes of it are
 * dropped, after `keep` was called for each.
 */
export function discardCreation(
  db: WritableDb,
  row: Pick<OutboxRow, 'localId' | 'action'>,
  effects: EffectContext,
  keep: (dropped: OutboxRow) => void,
): void {
  const creates = row.action === null ? undefined : actionFor(row.action).creates
  if (creates === undefined) return
  const gone = provisionalId(row.localId)
  creates.forget(db, gone, effects)
  readdressDrafts(db, gone, null)
  for (const later of outboxRows(db)) {
    const { localId, action } = later
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
    keep(later)
    removeOutboxRow(db, localId)
  }
}

/**
 * Merges a change into the creation that it depends on, if that certainly is not on the server yet; a refused creation
 * is sent again. Returns false, and changes nothing, for any other change.
 */
export function mergeIntoCreation(
  db: WritableDb,
  later: Action,
  kind: Pick<OfflineAction<Action['name']>, 'apply'>,
  effects: EffectContext,
): boolean {
  const creations = creationsAmong(outboxRows(db))
  if (!awaitsCreation(later, creations)) return false
  for (const [id, row] of creations) {
    if (row.action === null || !isCertainlyHere(row) || !isAbout(later, id)) continue
    const merged = actionFor(row.action).creates?.merged(row.action, later)
    if (merged === undefined) return false
    readdress(db, row.localId, merged)
    updateOutboxRow(db, row.localId, { state: 'waiting', reason: null, nextAttemptAt: null, sentAt: null })
    kind.apply(db, later, effects)
    return true
  }
  return false
}

/** Whether the action changes the channel, folder or group with this id. */
const isAbout = (action: Action, id: number): boolean =>
  (action.name === 'change-channel' && action.channelId === id) ||
  (action.name === 'change-folder' && action.folderId === id) ||
  (action.name === 'change-group' && action.groupId === id)
