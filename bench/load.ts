// A worker: posts the same body from several clients in parallel for a while, and reports the duration of each post.
import { parentPort, workerData } from 'node:worker_threads'
import { Pool } from 'undici'

interface Load {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly clients: number
  readonly durationMs: number
}

// Given by `load` in service.ts.
const { url, headers, body, clients, durationMs } = workerData as Load
const { origin, pathname } = new URL(url)
const pool = new Pool(origin, { connections: clients, pipelining: 1 })
const times: number[] = []
const start = performance.now()
await Promise.all(
  Array.from({ length: clients }, async () => {
    while (performance.now() - start < durationMs) {
      const from = performance.now()
      const answer = await pool.request({ path: pathname, method: 'POST', headers, body })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(text)
      times.push(performance.now() - from)
    }
  }),
)
const seconds = (performance.now() - start) / 1_000
await pool.close()
parentPort?.postMessage({ perSecond: times.length / seconds, times })
