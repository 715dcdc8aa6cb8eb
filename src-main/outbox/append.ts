import type { Action, ActionName } from '../../src-shared/bridge/actions.ts'
import type { LocalId } from '../../src-shared/ids.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { WritableDb } from '../store/database.ts'
import {
  insertOutboxRow,
  outboxRows,
  removeOutboxRow,
  updateOutboxRow,
  type OutboxRow,
} from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import { applyEffect, mergeIntoCreation } from './creations.ts'
import { conversationOf, isCertainlyHere } from './lanes.ts'
import type { EffectContext, OfflineAction } from './offline-action.ts'

/** Puts changes into the outbox. */
export interface Appending {
  /**
   * Appends a change to its lane, and applies its effect. It may instead be merged into an earlier change that was never
   * sent, or the two cancel each other. Returns the local id under which it is in the outbox: `id` or the earlier one's.
   */
  put(db: WritableDb, id: LocalId, action: Action): LocalId
  /** Must be called when server data is written: what was put before may have another state underneath since then. */
  answered(): void
}

/**
 * Creates the way into the outbox of one account. `restored` is called when a change put back what an earlier one had
 * taken away, with the server's id of it.
 */
export function createAppending(
  clock: Clock,
  effects: EffectContext,
  restored: (change: { readonly localId: LocalId; readonly action: Action }, id: number) => void,
): Appending {
  /** Changes since which no server data was written: without their effects, the cache is as it was before them. */
  const unanswered = new Set<LocalId>()

  return {
    put(db, id, action) {
      const kind = actionFor(action)
      if (mergeIntoCreation(db, action, kind, effects)) return id
      for (const row of outboxRows(db)) {
        if (!isJoinable(row) || !unanswered.has(row.localId)) continue
        const back = kind.restores?.(db, action, row.action, effects) ?? null
        if (back === null) continue
        if (back.rest === null) removeOutboxRow(db, row.localId)
        else updateOutboxRow(db, row.localId, { action: back.rest })
        restored({ localId: id, action }, back.id)
        applyEffect(db, { localId: id, state: 'waiting' }, action, effects)
        return id
      }
      const lane = kind.lane(action)
      const last = outboxRows(db).findLast(
        (row) =>
          row.lane === lane &&
          row.state !== 'accepted' &&
          (row.action === null || kind.mayOvertake?.(action, row.action) !== true),
      )
      // Nothing to send. If it were stored, an opposite change that follows would cancel it instead of being sent.
      if (kind.mayCancel === true && kind.isApplied?.(db, action, effects) === true) return id
      const joined = last === undefined ? undefined : join(last, action, kind)
      if (last === undefined || joined === undefined) {
        insertOutboxRow(db, {
          localId: id,
          action,
          lane,
          conversationKey: conversationOf(action),
          createdAt: clock.now(),
        })
        unanswered.add(id)
      } else if (joined === null && unanswered.has(last.localId)) removeOutboxRow(db, last.localId)
      else updateOutboxRow(db, last.localId, { action: joined ?? action })
      applyEffect(db, { localId: id, state: 'waiting' }, action, effects)
      return last === undefined || joined === undefined ? id : last.localId
    },
    answered: () => unanswered.clear(),
  }
}

/** Whether a later change can be joined with it: it waits, and never arrived. */
const isJoinable = (row: OutboxRow): row is OutboxRow & { readonly action: Action } =>
  row.action !== null && row.state === 'waiting' && isCertainlyHere(row)

/** See `OfflineAction.join`. */
function join(last: OutboxRow, action: Action, kind: OfflineAction<ActionName>): Action | null | undefined {
  if (!isJoinable(last)) return undefined
  if (last.action.name === action.name) return kind.join?.(last.action, action)
  return kind.undoes?.(action, last.action) === true ? null : undefined
}
