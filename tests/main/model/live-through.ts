import { expect } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { LocalId } from '../../../src-shared/ids.ts'
import { demandAbility } from '../../../src-main/engine/calls.ts'
import { knownLevel } from '../../../src-main/store/cursor.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { wrongCounts } from '../../support/kept-counts.ts'
import type { ModelDevice } from './device.ts'
import { befall, isMishap, isRepeat, repeat, type History, type Mishap, type Repeat } from './mishaps.ts'
import { checkForms } from './asked-forms.ts'
import { beginningAt } from './beginnings.ts'
import { continueWorld, newestLevel, type World } from './world.ts'

/**
 * Runs `live` in a world for a history, and ends that world. `hasFarChannel`: with a second channel. With
 * DUNLIN_MODEL_LOG, a failure prints what the devices logged.
 */
export async function inWorld(
  { devices, level = newestLevel }: History<unknown>,
  live: (world: World) => Promise<void>,
  hasFarChannel = false,
): Promise<void> {
  const world = await continueWorld(await beginningAt(level, hasFarChannel), devices, level)
  try {
    await live(world)
    checkForms(world)
    checkKnown(world)
    checkCounts(world)
  } catch (error) {
    if (process.env['DUNLIN_MODEL_LOG'] !== undefined) console.error(world.log.join('\n'))
    throw error
  } finally {
    await world.close()
  }
}

/** Checks that what is stored of each conversation's messages, instead of being counted, is right. */
function checkCounts({ devices }: World): void {
  for (const { store } of devices) expect(wrongCounts(store.db)).toEqual([])
}

/** Checks that the service, whatever its level, said nothing that this app does not know. */
function checkKnown({ devices }: World): void {
  for (const { store } of devices)
    expect(store.db.column("SELECT what FROM set_aside WHERE what LIKE 'unknown:%'")).toEqual([])
}

/**
 * Makes a change as a window does. Throws what the person is told if the server is too old for it, or if the disk takes
 * nothing.
 */
export function act({ account, store }: ModelDevice, action: Action): LocalId {
  demandAbility(knownLevel(store.db), action)
  return account.outbox.enqueue(action)
}

/**
 * Takes the steps of a history in their order: mishaps and repetitions happen, everything else is for `take`. A step
 * may fail only because the disk takes nothing, or because the server is too old; then the next one follows.
 */
export async function takeSteps<Own extends { do: string }>(
  world: World,
  steps: readonly (Own | Mishap | Repeat)[],
  take: (step: Own) => void | Promise<void>,
): Promise<void> {
  for (const step of steps) {
    try {
      if (isMishap(step)) await befall(world, step)
      else if (isRepeat(step)) repeat(world, step)
      else await take(step)
    } catch (error) {
      // The person was told that it was not saved.
      const failure = failureOf(error)
      const isTooOld = failure.kind === 'rejected' && failure.code === 'NOT_ON_THIS_SERVER'
      if (failure.kind !== 'device' && !isTooOld) throw error
    }
    await world.settle()
  }
}

/** Longer than the longest pause before another attempt. */
export const roundMs = 70_000

/** Whether no device has a change that waits or was refused. */
export const nothingWaits = ({ devices }: World): boolean =>
  devices.every(({ store }) => outboxRows(store.db).length === 0)
