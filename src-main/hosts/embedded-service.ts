import { fork } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { DemoService } from '../engine/platform.ts'

/** The line that the service prints when it listens. */
const startLine = z.object({
  base_url: z.string(),
  accounts: z.array(z.object({ email: z.string(), api_key: z.string() })).min(1),
})

const usualStartMs = 30_000

/** The service's process, whoever runs it. */
export interface ServiceProcess {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  onceExit(listener: (code: number | null) => void): void
  kill(): void
}

/** Starts the service with these arguments in a process of its own. */
export type LaunchService = (args: readonly string[]) => ServiceProcess

/** Under plain Node, straight from source. */
export const forkService: LaunchService = (args) => {
  const child = fork(join(import.meta.dirname, '../../src-server/main.ts'), args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    onceExit: (listener) => child.once('exit', listener),
    kill: () => child.kill('SIGTERM'),
  }
}

interface EmbeddedServiceParts {
  readonly dataDirectory: string
  readonly mode: 'lively' | 'quiet'
  readonly launch: LaunchService
  /** How long it may take until it listens, milliseconds. */
  readonly startMs?: number
  log(line: string): void
}

/** The embedded service: a process of its own, so that the client cannot cheat and the window never waits. */
export class EmbeddedService {
  readonly #parts: EmbeddedServiceParts
  #process: ServiceProcess | null = null
  #running: Promise<DemoService> | null = null

  constructor(parts: EmbeddedServiceParts) {
    this.#parts = parts
  }

  /** Starts it, or answers where it is. Rejects with a `FailureError` when it does not come up. */
  start(): Promise<DemoService> {
    this.#running ??= this.#launch()
    return this.#running
  }

  stop(): void {
    this.#process?.kill()
    this.#process = null
    this.#running = null
  }

  #launch(): Promise<DemoService> {
    const { dataDirectory, mode, launch, log } = this.#parts
    const child = launch(['--port', '0', '--data-dir', join(dataDirectory, 'demo-service'), `--demo=${mode}`])
    this.#process = child
    if (child.stderr !== null)
      createInterface({ input: child.stderr }).on('line', (line) => log(`service: ${line}`))
    const over = () => {
      if (this.#process !== child) return
      this.#process = null
      this.#running = null
    }
    return new Promise((resolve, reject) => {
      const fail = (message: string) => {
        clearTimeout(timer)
        over()
        // Two services must not work on one folder, so a failed one ends before the next starts.
        child.kill()
        reject(new FailureError({ kind: 'bug', message }))
      }
      const timer = setTimeout(() => fail(t.failures.demoTooSlow), this.#parts.startMs ?? usualStartMs)
      // After a successful start this only makes room for another one.
      child.onceExit((code) => fail(t.failures.demoEnded(String(code ?? 'killed'))))
      if (child.stdout === null) return
      createInterface({ input: child.stdout }).once('line', (line) => {
        clearTimeout(timer)
        const parsed = startLine.safeParse(parseJson(line))
        const account = parsed.success ? parsed.data.accounts[0] : undefined
        if (!parsed.success || account === undefined) fail(t.failures.demoLost)
        else resolve({ baseUrl: parsed.data.base_url, email: account.email, apiKey: account.api_key })
      })
    })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
