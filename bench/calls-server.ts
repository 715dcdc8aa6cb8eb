// A worker: answers every GET with one text and everything else with another, after it has read the whole body;
// reports its address.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

// Given by engine-calls.ts.
const { toGet, toPost } = workerData as { toGet: string; toPost: string }
const bodies = { GET: Buffer.from(toGet), POST: Buffer.from(toPost) }
const server = createServer((asked, answer) => {
  const body = asked.method === 'GET' ? bodies.GET : bodies.POST
  asked.resume().once('end', () => {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  parentPort?.postMessage(`http://127.0.0.1:${port}`)
})
