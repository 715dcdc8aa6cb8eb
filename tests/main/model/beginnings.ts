import { setTimeout as sleep } from 'node:timers/promises'
import type { KeptQueue } from '../../../src-server/events/event-queues.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { checkForms } from './asked-forms.ts'
import type { ModelDevice } from './device.ts'
import { someDevices } from './mishaps.ts'
import { contentOf } from './ready-made.ts'
import { createWorld, type Beginning } from './world.ts'

// Where histories begin: with devices that have registered and have come to rest. Getting there takes as long as most
// of what follows, so it is done once for each level, and their programs are started again in every history.

const mostDevices = Math.max(...someDevices)

const known = new Map<string, Promise<Beginning>>()

/** The beginning of histories with a service of this level. `hasFarChannel`: with a second channel. */
export function beginningAt(level: number, hasFarChannel: boolean): Promise<Beginning> {
  const key = `${level} ${hasFarChannel}`
  const beginning = known.get(key) ?? makeBeginning(level, hasFarChannel)
  known.set(key, beginning)
  return beginning
}

async function makeBeginning(level: number, hasFarChannel: boolean): Promise<Beginning> {
  const world = await createWorld(mostDevices, level, null, hasFarChannel)
  const { workspace, user, other, channelId, farChannelId } = world
  const isRegistered = ({ store }: ModelDevice) => readCursor(store.db).queueId !== null
  try {
    // A program looks into its folder when it starts, which takes a real disk's time.
    while (!world.devices.every(isRegistered)) {
      await sleep(1)
      await world.settle()
    }
    checkForms(world)
    const kept = new Map([...workspace.queues.toKeep()].map(({ id, content }) => [id, content]))
    const devices = world.devices.map((device) => {
      const content = kept.get(readCursor(device.store.db).queueId ?? '')
      if (content === undefined) throw new Error('A device has not registered.')
      // Only `toKeep` writes it.
      return { account: device.retire(), queue: JSON.parse(content) as KeptQueue }
    })
    return {
      content: contentOf((path) => void workspace.db.run('VACUUM INTO ?', path)),
      userId: user.user_id,
      otherId: other.user_id,
      channelId,
      farChannelId,
      devices,
    }
  } finally {
    await world.close()
  }
}
