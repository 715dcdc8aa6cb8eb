import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { buildIfStale } from '../../src-main/hosts/built-app.ts'
import { chromiumArgs, chromiumPath } from '../e2e/browser.ts'
import type { Command } from './electron/control.ts'
import type { Record } from './electron/record.ts'

const root = resolve(import.meta.dirname, '../..')

/** The Chromium that the rehearsed Electron and the test share. */
export interface Stage {
  readonly address: string
  readonly browser: Browser
  close(): Promise<void>
}

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })

export async function openStage(): Promise<Stage> {
  if (!buildIfStale(root)) throw new Error('the app does not build')
  const port = await freePort()
  const own = await chromium.launch({
    executablePath: await chromiumPath(),
    args: [
      ...chromiumArgs.filter((arg) => !arg.startsWith('--remote-debugging')),
      `--remote-debugging-port=${port}`,
    ],
  })
  const address = `http://127.0.0.1:${port}`
  const browser = await chromium.connectOverCDP(address)
  return { address, browser, close: () => own.close() }
}

/** The built app under the rehearsed Electron. */
export interface Rehearsal {
  /** Sends a command to the rehearsed system; rejects with the error from there. */
  ask<T = null>(command: Command): Promise<T>
  record(): Promise<Record>
  /** Waits until the record of the app's effects on the system is as wanted. */
  until(isWanted: (record: Record) => boolean): Promise<Record>
  /** The page of the window. */
  page(): Promise<Page>
  /** Resolves with the exit code when the process ends. */
  readonly ended: Promise<number | null>
  kill(): void
  readonly log: () => string
}

/** Starts the built main process in a separate process, with the rehearsal's module as `electron`. */
export function rehearse(
  stage: Stage,
  dataDirectory: string,
  args: readonly string[] = [],
  appDirectory = root,
  env: { readonly [name: string]: string } = {},
): Rehearsal {
  const known = new Set(pagesOf(stage))
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--import',
      join(import.meta.dirname, 'electron/resolve.ts'),
      join(appDirectory, 'out/main/main.js'),
      `--data-dir=${dataDirectory}`,
      ...args,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        REHEARSAL_CHROMIUM: stage.address,
        XDG_CONFIG_HOME: join(dataDirectory, '../config'),
        XDG_CURRENT_DESKTOP: 'ubuntu:GNOME',
        ...env,
      },
    },
  )
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (log += data.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    if (error === undefined) pending.get(id)?.resolve(value)
    else pending.get(id)?.reject(new Error(error))
    pending.delete(id)
  })
  const ask = <T>(command: Command) =>
    new Promise<T>((done, reject) => {
      const id = ++lastId
      pending.set(id, { resolve: (value) => done(value as T), reject })
      child.send({ id, command }, (error) => error !== null && reject(error))
      void ended.then(() => reject(new Error(`the app ended: ${log}`)))
    })
  const record = () => ask<Record>({ kind: 'record' })
  return {
    ask,
    record,
    ended,
    log: () => log,
    async until(isWanted) {
      await expect.poll(async () => isWanted(await record())).toBe(true)
      return record()
    },
    async page() {
      for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt++) {
        const found = pagesOf(stage).find(
          (page) => !known.has(page) && page.url().startsWith('https://dunlin'),
        )
        if (found !== undefined) return found
        await sleep(100)
      }
      throw new Error(`no window opened: ${log}`)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

const pagesOf = ({ browser }: Stage) => browser.contexts().flatMap((context) => context.pages())
