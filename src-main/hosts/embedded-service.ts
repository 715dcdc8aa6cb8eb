import { fork } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { DemoService } from '../engine/platform.ts'
import { parseJson } from './parse-json.ts'

/** The line that the service prints once it listens. */
const startLine = z.object({
  base_url: z.string(),
  accounts: z.array(z.object({ email: z.string(), api_key: z.string() })).min(1),
})

const usualStartMs = 30_000

/** The service's process, independent of the host that started it. */
export interface ServiceProcess {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  onceExit(listener: (code: number | null) => void): void
  kill(): void
}

/** Starts the service with these arguments in its own process. */
export type LaunchService = (args: readonly string[]) => ServiceProcess

/** Starts the service from source under plain Node. */
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
  /** How long it may take until it listens, in milliseconds. */
  readonly startMs?: number
  log(line: string): void
}

/**
 * The embedded service. It runs in its own process, so that the client can only use its API and is never blocked by it.
 */
export class EmbeddedService {
  readonly #parts: EmbeddedServiceParts
  #process: ServiceProcess | null = null
  #running: Promise<DemoService> | null = null

  constructor(parts: EmbeddedServiceParts) {
    this.#parts = parts
  }

  /**
   * Starts the service if it is not running; resolves with its address. Rejects with a `FailureError` if it does not
   * start.
   */
  start(): Promise<DemoService> {
    this.#running ??= this.#launch()
    return this.#running
  }

  /** Ends the process; `start` can start it again. */
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
        // Two services must not use the same folder, so the failed one is ended before another can start.
        child.kill()
        reject(new FailureError({ kind: 'bug', message }))
      }
      const timer = setTimeout(() => fail(t.failures.demoTooSlow), this.#parts.startMs ?? usualStartMs)
      // After a successful start, rejecting has no effect; this only allows another start.
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
