import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openDevice } from '../tests/support/device.ts'
import { openWindow } from './open-window.ts'

const nanoseconds = 1e6

// A process of its own, started by engine.ts with the number of messages, and "window" if one is open: as in the app, its
// heap holds nothing but the engine. Beside the data of all other comparisons, one collection of garbage takes up to
// 45 ms.

/** What is measured of a first sync. */
export interface FirstSync {
  /** How long it takes until the account can be used. */
  readonly usableSeconds: number
  /** How long it takes until nothing is left to fetch, and how many messages are here then. */
  readonly seconds: number
  readonly here: number
  /** How long the event loop, which also serves windows, is blocked, in milliseconds. */
  readonly blockedMs: { readonly p99: number; readonly max: number }
  /** The answers that the window was sent. */
  readonly window: { readonly updates: number; readonly characters: number } | null
}

/** A first sync with a service in another thread. */
async function firstSync(messages: number, hasWindow: boolean): Promise<FirstSync> {
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
  const window = hasWindow ? openWindow(device.engine, device.accountId) : null
  await device.until('sync-state', account, ({ status }) => status === 'synced')
  const usableSeconds = (performance.now() - start) / 1_000
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
  const blockedMs = { p99: pauses.percentile(99) / nanoseconds, max: pauses.max / nanoseconds }
  return { usableSeconds, seconds, here, blockedMs, window }
}

const [messages = '', mode = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await firstSync(Number(messages), mode === 'window')))
