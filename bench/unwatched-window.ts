import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChromium } from './renderer-window.ts'

// A page that is watched as Playwright does keeps what it loads and logs, for later questions: 15 MiB in an hour.
// Where memory is measured, the page is driven by bare protocol calls, which leave nothing behind.

/** Chromium's protocol, as far as it is used here. */
interface Answer {
  readonly id?: number
  readonly error?: { readonly message: string }
  readonly result?: {
    readonly targetInfos?: readonly { readonly type: string; readonly targetId: string }[]
    readonly sessionId?: string
    readonly result?: { readonly value?: unknown }
    readonly processInfo?: readonly { readonly type: string; readonly id: number }[]
  }
}

/** A window that nothing watches. */
export interface UnwatchedWindow {
  /** Evaluates an expression in the page. Rejects when Chromium does. */
  run(expression: string): Promise<unknown>
  /** Waits until the element exists. Rejects after half a minute. */
  until(selector: string): Promise<void>
  /** Types into the focused element, without a person's pauses. */
  type(text: string): Promise<void>
  /** Turns the mouse wheel in the middle of the window, in pixels. */
  wheel(by: number): Promise<void>
  /** The memory of the renderer's process after a garbage collection, in MiB. */
  memory(): Promise<number>
  close(): Promise<void>
}

const lookEveryMs = 15
const patienceMs = 30_000

/** Opens an address in a new Chromium. */
export async function openUnwatched(url: string): Promise<UnwatchedWindow> {
  const { endpoint, ended } = await startChromium(url)
  const socket = new WebSocket(endpoint)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    // Chromium's own answer.
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let last = 0
  async function call(method: string, params: object = {}, sessionId?: string) {
    const id = ++last
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params, sessionId }))
    const { result, error } = await answered
    waiting.delete(id)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }
  async function findPage(): Promise<string> {
    for (let waited = 0; waited < patienceMs; waited += lookEveryMs) {
      const { targetInfos = [] } = await call('Target.getTargets')
      const page = targetInfos.find(({ type }) => type === 'page')
      if (page !== undefined) return page.targetId
      await sleep(lookEveryMs)
    }
    throw new Error('Chromium has no window.')
  }
  const { sessionId } = await call('Target.attachToTarget', { targetId: await findPage(), flatten: true })
  const inPage = (method: string, params: object = {}) => call(method, params, sessionId)
  const run = async (expression: string) =>
    (await inPage('Runtime.evaluate', { expression, returnByValue: true })).result?.value
  return {
    run,
    async until(selector) {
      const isThere = `document.querySelector(${JSON.stringify(selector)}) !== null`
      for (let waited = 0; waited < patienceMs; waited += lookEveryMs) {
        // For a moment at the start there is no target yet.
        if ((await run(isThere).catch(() => false)) === true) return
        await sleep(lookEveryMs)
      }
      throw new Error(`There is no ${selector}.`)
    },
    async type(text) {
      for (const key of text) await inPage('Input.dispatchKeyEvent', { type: 'char', text: key })
    },
    async wheel(by) {
      await inPage('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 700, y: 400, deltaX: 0, deltaY: by })
    },
    async memory() {
      await inPage('HeapProfiler.collectGarbage')
      await sleep(200)
      const { processInfo = [] } = await call('SystemInfo.getProcessInfo')
      return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryOf(id)))
    },
    async close() {
      // Chromium may have exited before it answers.
      void call('Browser.close').catch(() => {})
      await ended()
      socket.close()
    },
  }
}

/**
 * The memory of a process, in MiB: its own, and its share of what it shares with others. The program's own code is not
 * included: the system loads it once for all processes and can evict it at any time. Spare renderers are small.
 */
function memoryOf(processId: number): number {
  const rollup = readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8')
  const of = (kind: string) => Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
  return (of('Pss_Anon') + of('Pss_Shmem')) / 1_024
}
