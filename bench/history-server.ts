// A worker: a server with the history of an account, which it gives in pages; reports its address.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { wireMessage } from './wire-message.ts'
import { sizeOf, workload } from './workload.ts'

// Given by engine-history.ts.
const total = workerData as number
/** Each message as JSON, in order; ids start at 1. */
const texts = [...workload(sizeOf(total))].map((message) => JSON.stringify(wireMessage(message)))

const server = createServer((asked, answer) => {
  const fields = new URL(asked.url ?? '', 'http://localhost').searchParams
  const anchor = fields.get('anchor') ?? 'newest'
  const last = anchor === 'newest' ? total : Number(anchor)
  const first = Math.max(1, last - Number(fields.get('num_before')))
  const body = Buffer.from(
    `{"result":"success","msg":"","anchor":${last},"found_anchor":true,"found_oldest":${first === 1},` +
      `"found_newest":${last === total},"history_limited":false,"messages":[${texts.slice(first - 1, last).join(',')}]}`,
  )
  answer.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  parentPort?.postMessage(`http://127.0.0.1:${port}`)
})
