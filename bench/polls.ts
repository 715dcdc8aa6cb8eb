// A separate process with many connections that poll and one that posts. Told to post, it reports how long it took
// until every poll had its answer; told to poll, it sends the next polls. It processes the answers before that, so
// that only the server is measured.
import { connect, type Socket } from 'node:net'

/** The first message to the process. */
export interface Polls {
  readonly url: string
  /** One for each connection; `LAST` in it stands for the id of the last event that it received. */
  readonly requests: readonly string[]
  readonly post: string
}

/** One connection; its answers are read completely. */
class Reader {
  readonly #socket: Socket
  readonly #heard: () => void
  #text = ''
  /** The length of an answer including its head; 0 until it is known. */
  #length = 0

  constructor(socket: Socket, heard: () => void) {
    this.#socket = socket
    this.#heard = heard
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      this.#text += chunk
      if (this.#length === 0) this.#length = this.#lengthOfFirst()
      if (this.#length > 0 && this.#text.length >= this.#length) {
        this.#length = 0
        this.#heard()
      }
    })
  }

  #lengthOfFirst(): number {
    const end = this.#text.indexOf('\r\n\r\n')
    return end < 0 ? 0 : end + 4 + Number(/content-length: (\d+)/i.exec(this.#text)?.[1])
  }

  /** The complete last answer. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  send(request: string): void {
    this.#socket.write(request)
  }
}

const opened = async (port: number, host: string): Promise<Socket> => {
  const socket = connect(port, host)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

async function run({ url, requests, post }: Polls): Promise<void> {
  const { hostname, port } = new URL(url)
  let startedAt = 0
  let times: number[] = []
  const readers: { reader: Reader; request: string; last: string }[] = []
  const poll = () => {
    for (const one of readers) {
      const body = one.reader.take()
      if (times.length > 0 && !body.includes('"type":"message"')) throw new Error(`not a message: ${body}`)
      for (const [, id] of body.matchAll(/"id":(\d+)\}[\],]/g)) one.last = id ?? one.last
      one.reader.send(one.request.replace('LAST', one.last))
    }
  }
  for (const request of requests) {
    const reader = new Reader(await opened(Number(port), hostname), () => {
      times.push(performance.now() - startedAt)
      if (times.length === requests.length) process.send?.(times)
    })
    readers.push({ reader, request, last: '-1' })
  }
  const poster = new Reader(await opened(Number(port), hostname), () => {
    const body = poster.take()
    if (!body.includes('success')) throw new Error(body)
  })
  process.on('message', (order) => {
    if (order === 'poll') {
      poll()
      return
    }
    times = []
    startedAt = performance.now()
    poster.send(post)
  })
  process.send?.([])
}

process.once('message', (polls: Polls) => void run(polls))
