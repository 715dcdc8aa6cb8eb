import { failureOf } from '../../../src-shared/failure.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { befall, isMishap, isRepeat, repeat, type Mishap, type Repeat } from './mishaps.ts'
import { createWorld, type World } from './world.ts'

/** Runs `live` in a new world, and ends that world. With DUNLIN_MODEL_LOG, a failure prints what the devices logged. */
export async function inNewWorld(deviceCount: number, live: (world: World) => Promise<void>): Promise<void> {
  const world = await createWorld(deviceCount)
  try {
    await live(world)
  } catch (error) {
    if (process.env['DUNLIN_MODEL_LOG'] !== undefined) console.error(world.log.join('\n'))
    throw error
  } finally {
    await world.close()
  }
}

/**
 * Takes the steps of a history in their order: mishaps and repetitions happen, everything else is for `take`. A step
 * may fail only because the disk takes nothing; then the next one follows.
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
      if (failureOf(error).kind !== 'device') throw error
    }
    await world.settle()
  }
}

/** Longer than the longest pause before another attempt. */
export const roundMs = 70_000

/** Whether no device has a change that waits or was refused. */
export const nothingWaits = ({ devices }: World): boolean =>
  devices.every(({ store }) => outboxRows(store.db).length === 0)
