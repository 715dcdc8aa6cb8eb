import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { chromiumArgs, chromiumPath } from '../tests/e2e/browser.ts'
import type { HostRequest } from './renderer-host.ts'

/** The app's own process, and how to talk to it. */
export interface Host {
  ask(request: HostRequest): Promise<string>
  close(): Promise<void>
}

/** Starts the app over a data directory; `live`: with a server that says what the benchmark tells it to. */
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

/** A Chromium with one window, started as a person does: with the address to open. */
export interface Window {
  readonly page: Page
  readonly cdp: CDPSession
  /** When the process was started, epoch milliseconds with fractions. */
  readonly startedAt: number
  /** What the renderer's process holds after a collection, MiB. */
  memory(): Promise<number>
  close(): Promise<void>
}

/** In the app a window has a process of its own. */
const sharesProcess = (arg: string) => arg === '--single-process'
const viewport = { width: 1440, height: 900 }

/** Opens an address in a new Chromium with a profile of its own. */
export async function openChromium(url: string): Promise<Window> {
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
  const endpoint = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Chromium ended')))
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /DevTools listening on (\S+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const browser = await chromium.connectOverCDP(endpoint)
  const page = browser.contexts()[0]?.pages()[0] ?? (await browser.contexts()[0]?.newPage())
  if (page === undefined) throw new Error('Chromium has no window.')
  const cdp = await page.context().newCDPSession(page)
  return {
    page,
    cdp,
    startedAt,
    memory: async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      await page.waitForTimeout(200)
      return rendererMemory(browser)
    },
    async close() {
      const ended = once(child, 'exit')
      const own = await browser.newBrowserCDPSession()
      await own.send('Browser.close').catch(() => {})
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/**
 * The memory of the largest renderer, MiB: its own, and its share of what it has together with others, without Chromium's
 * own program, which the system keeps once for all and takes back when it likes. Pages in reserve are small.
 */
async function rendererMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const shares = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')
      const of = (kind: string) => Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
      return (of('Pss_Anon') + of('Pss_Shmem')) / 1_024
    })
  return Math.max(...shares)
}

/** Milliseconds of processor time that the page's main thread has used so far: all of it, and for script. */
export async function workDone({ cdp }: Window): Promise<{ task: number; script: number }> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const of = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1_000
  return { task: of('TaskDuration'), script: of('ScriptDuration') }
}
