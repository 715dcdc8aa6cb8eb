import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChromium } from './renderer-window.ts'

// Who watches a page as Playwright does has its process keep what it loads and says, for those who may ask: 15 MiB in an
// hour. Where memory is measured, the page is used with bare calls, of which nothing stays.

/** The protocol of Chromium, as far as it is spoken here. */
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

/** A window that nobody watches. */
export interface UnwatchedWindow {
  /** Evaluates an expression in the page. Rejects when Chromium does. */
  run(expression: string): Promise<unknown>
  /** Until there is such an element. Rejects after half a minute. */
  until(selector: string): Promise<void>
  /** Types into what has the focus, without the pauses of a person. */
  type(text: string): Promise<void>
  /** Turns the wheel in the middle of the window, pixels. */
  wheel(by: number): Promise<void>
  /** What the renderer's process holds after a collection, MiB. */
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
    // Chromium's own words.
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
        // For a moment in the beginning there is nothing to ask.
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
      // Chromium may be gone before it answers.
      void call('Browser.close').catch(() => {})
      await ended()
      socket.close()
    },
  }
}

/**
 * The memory of a process, MiB: its own, and its share of what it has together with others, without the program itself,
 * which the system keeps once for all and takes back when it likes. Renderers in reserve are small.
 */
function memoryOf(processId: number): number {
  const rollup = readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8')
  const of = (kind: string) => Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
  return (of('Pss_Anon') + of('Pss_Shmem')) / 1_024
}
