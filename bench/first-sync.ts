import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openDevice } from '../tests/support/device.ts'

const nanoseconds = 1e6

// A process of its own, started by engine.ts with the number of messages: as in the app, its heap holds nothing but the
// engine. Beside the data of all other comparisons, one collection of garbage takes up to 45 ms.

/**
 * A first sync with a service in another thread: how long it takes until nothing is left to fetch, and how long it
 * blocks the event loop that also serves windows.
 */
async function firstSync(messages: number): Promise<string> {
  const organization = new Worker(new URL('./organization.ts', import.meta.url), { workerData: messages })
  // Posted by organization.ts.
  const [place] = (await once(organization, 'message')) as [{ url: string; email: string; apiKey: string }]
  const pauses = monitorEventLoopDelay({ resolution: 1 })
  const start = performance.now()
  const opening = openDevice(`${place.url}/api/v1`, place, 10 * 60_000)
  const device = await opening
  // Signing in waits for the disk once, on purpose: what it stores has to survive a power failure.
  pauses.enable()
  const account = { accountId: device.accountId }
  await device.until('sync-state', account, ({ status }) => status === 'synced')
  const usableMs = performance.now() - start
  // Fetching has pauses of its own, so it counts as finished when nothing has arrived for a while.
  let here = 0
  let seconds = 0
  for (let quiet = 0; quiet < 4; quiet++) {
    await sleep(500)
    const { messages: now } = await device.ask('storage', account)
    if (now === here) continue
    here = now
    seconds = (performance.now() - start) / 1_000
    quiet = 0
  }
  pauses.disable()
  await device.close()
  organization.postMessage('end')
  await once(organization, 'exit')
  const ms = (value: number) => (value / nanoseconds).toFixed(0)
  return (
    `The first sync with 10,000 people, 2,000 channels and ${messages.toLocaleString('en')} messages can be used after ` +
    `${(usableMs / 1_000).toFixed(1)} s and has ${here.toLocaleString('en')} messages after ${seconds.toFixed(0)} s; ` +
    `the event loop is blocked for ${ms(pauses.percentile(99))} ms at the 99 %, ${ms(pauses.max)} ms at most.`
  )
}

process.stdout.write(await firstSync(Number(process.argv[2])))
