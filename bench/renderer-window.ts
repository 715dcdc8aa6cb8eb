import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type CDPSession, type Page } from 'playwright-core'
import { chromiumArgs, chromiumPath } from '../tests/e2e/browser.ts'
import type { HostRequest } from './renderer-host.ts'

/** The app's process, and how to control it. */
export interface Host {
  ask(request: HostRequest): Promise<string>
  close(): Promise<void>
}

/** Starts the app over a data directory; `live`: with a server that sends what the benchmark tells it to. */
export async function startHost(dataDirectory: string, mode: 'offline' | 'live'): Promise<Host> {
  const child = fork(join(import.meta.dirname, 'renderer-host.ts'), [dataDirectory, mode], { execArgv: [] })
  await once(child, 'message')
  return {
    async ask(request) {
      child.send(request)
      // Every answer of the process is text.
      const [answer] = (await once(child, 'message')) as [string]
      return answer
    },
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** A Chromium, started as a person would start it: with the address to open. */
interface Started {
  /** The address of its debugging protocol. */
  readonly endpoint: string
  /** When the process was started, epoch milliseconds with fractions. */
  readonly startedAt: number
  /** Resolves once it has ended by itself, and deletes its profile. */
  ended(): Promise<void>
}

/** The app's window has a renderer process of its own. */
const sharesProcess = (arg: string) => arg === '--single-process'
const viewport = { width: 1440, height: 900 }

/** Starts Chromium with an address and a profile of its own. */
export async function startChromium(url: string): Promise<Started> {
  const profile = mkdtempSync(join(tmpdir(), 'dunlin-bench-profile-'))
  const path = await chromiumPath()
  const startedAt = performance.timeOrigin + performance.now()
  const child = spawn(
    path,
    [
      ...chromiumArgs.filter((arg) => !sharesProcess(arg)),
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      `--window-size=${viewport.width},${viewport.height}`,
      url,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const exit = once(child, 'exit')
  const endpoint = await new Promise<string>((resolve, reject) => {
    void exit.then(() => reject(new Error('Chromium ended')))
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /DevTools listening on (\S+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return {
    endpoint,
    startedAt,
    async ended() {
      await exit
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A Chromium with one window, and Playwright to use it. */
export interface Window {
  readonly page: Page
  readonly cdp: CDPSession
  /** When the process was started, epoch milliseconds with fractions. */
  readonly startedAt: number
  close(): Promise<void>
}

/** Chromium sometimes leaves the first connection unanswered while it opens its window. */
const connectTo = (endpoint: string) =>
  chromium
    .connectOverCDP(endpoint, { timeout: 10_000 })
    .catch(() => chromium.connectOverCDP(endpoint, { timeout: 30_000 }))

/** Opens an address in a new Chromium; Playwright connects after `aloneMs` milliseconds. */
export async function openChromium(url: string, aloneMs = 0): Promise<Window> {
  const { endpoint, startedAt, ended } = await startChromium(url)
  await sleep(aloneMs)
  const browser = await connectTo(endpoint)
  const page = browser.contexts()[0]?.pages()[0] ?? (await browser.contexts()[0]?.newPage())
  if (page === undefined) throw new Error('Chromium has no window.')
  const cdp = await page.context().newCDPSession(page)
  return {
    page,
    cdp,
    startedAt,
    async close() {
      const own = await browser.newBrowserCDPSession()
      await own.send('Browser.close').catch(() => {})
      await ended()
    },
  }
}

/** Milliseconds of processor time that the page's main thread has used so far: in total, and for script. */
export async function workDone({ cdp }: Window): Promise<{ task: number; script: number }> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const of = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1_000
  return { task: of('TaskDuration'), script: of('ScriptDuration') }
}
