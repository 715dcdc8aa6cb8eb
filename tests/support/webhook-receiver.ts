import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An external server that receives outgoing webhooks. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** How it answers from now on; `hang` never answers, `drop` closes the connection. */
  answer: { status: number; body: string } | 'hang' | 'drop'
  /** Answers the hanging requests. */
  release(body: object): void
}

/** A server on this machine, for the tests of a file. */
export function webhookReceiver(): Receiver {
  const hanging: ServerResponse[] = []
  const receiver = {
    url: '',
    received: [] as Received[],
    // Widened, because tests set answers of any kind.
    answer: { status: 200, body: '{}' } as Receiver['answer'],
    release: (body: object) => {
      for (const response of hanging.splice(0)) response.end(JSON.stringify(body))
    },
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      receiver.received.push({ path: request.url ?? '', headers: request.headers, body })
      const { answer } = receiver
      if (answer === 'drop') request.socket.destroy()
      else if (answer === 'hang') hanging.push(response)
      else response.writeHead(answer.status).end(answer.body)
    })
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}
