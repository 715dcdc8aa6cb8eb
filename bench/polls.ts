// A worker: many long polls that wait, one connection each, and one that posts. Answers each order to post with how
// long it took until every poll had its answer. It reads no more of an answer than it has to: what is measured is the
// server.
import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

interface Polls {
  readonly url: string
  /** One for each connection; `LAST` in it stands for the last event that it was told. */
  readonly requests: readonly string[]
  readonly post: string
}

// Given by `waitingPolls` in service-live.ts.
const { url, requests, post } = workerData as Polls
const { hostname, port } = new URL(url)

/** Calls with every whole answer that comes over a connection. */
function onAnswers(socket: Socket, heard: (body: string) => void): void {
  let text = ''
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    for (;;) {
      const start = text.indexOf('\r\n\r\n') + 4
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      if (start < 4 || length === undefined || text.length < start + Number(length)) return
      const body = text.slice(start, start + Number(length))
      text = text.slice(start + Number(length))
      heard(body)
    }
  })
}

const opened = async (): Promise<Socket> => {
  const socket = connect(Number(port), hostname)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

let startedAt = 0
let times: number[] = []
const done = () => {
  if (times.length === requests.length) parentPort?.postMessage(times)
}

for (const request of requests) {
  const socket = await opened()
  let last = '-1'
  onAnswers(socket, (body) => {
    const arrived = performance.now()
    for (const [, id] of body.matchAll(/"id":(\d+)\}[\],]/g)) last = id ?? last
    if (body.includes('"type":"message"')) {
      times.push(arrived - startedAt)
      done()
    }
    socket.write(request.replace('LAST', last))
  })
  socket.write(request.replace('LAST', last))
}
const poster = await opened()
onAnswers(poster, (body) => {
  if (!body.includes('success')) throw new Error(body)
})
parentPort?.on('message', () => {
  times = []
  startedAt = performance.now()
  poster.write(post)
})
parentPort?.postMessage([])
