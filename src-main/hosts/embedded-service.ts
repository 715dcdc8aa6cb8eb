import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { FailureError } from '../../src-shared/failure.ts'
import type { DemoService } from '../engine/platform.ts'

/** The line that the service prints when it listens. */
const startLine = z.object({
  base_url: z.string(),
  accounts: z.array(z.object({ email: z.string(), api_key: z.string() })).min(1),
})

const startMs = 30_000

/** The embedded service: a process of its own, so that the client cannot cheat and the window never waits. */
export class EmbeddedService {
  readonly #dataDirectory: string
  readonly #mode: 'lively' | 'quiet'
  readonly #log: (line: string) => void
  #child: ChildProcess | null = null
  #running: Promise<DemoService> | null = null

  constructor(dataDirectory: string, mode: 'lively' | 'quiet', log: (line: string) => void) {
    this.#dataDirectory = dataDirectory
    this.#mode = mode
    this.#log = log
  }

  /** Starts it, or answers where it is. Rejects with a `FailureError` when it does not come up. */
  start(): Promise<DemoService> {
    this.#running ??= this.#launch().catch((error: unknown) => {
      this.#running = null
      throw error
    })
    return this.#running
  }

  stop(): void {
    this.#child?.kill('SIGTERM')
    this.#child = null
    this.#running = null
  }

  #launch(): Promise<DemoService> {
    const script = join(import.meta.dirname, '../../src-server/main.ts')
    const child = fork(
      script,
      ['--port', '0', '--data-dir', join(this.#dataDirectory, 'demo-service'), `--demo=${this.#mode}`],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    this.#child = child
    if (child.stderr !== null)
      createInterface({ input: child.stderr }).on('line', (line) => this.#log(`service: ${line}`))
    return new Promise((resolve, reject) => {
      const fail = (message: string) => reject(new FailureError({ kind: 'bug', message }))
      const timer = setTimeout(() => fail('The demo workspace did not start in time.'), startMs)
      child.once('exit', (code) => fail(`The demo workspace ended while starting (${code ?? 'killed'}).`))
      if (child.stdout === null) return
      createInterface({ input: child.stdout }).once('line', (line) => {
        clearTimeout(timer)
        const parsed = startLine.safeParse(parseJson(line))
        const account = parsed.success ? parsed.data.accounts[0] : undefined
        if (!parsed.success || account === undefined) fail('The demo workspace did not say where it is.')
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
