import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy to a server on which some requests wait until they are released. */
export interface Gate {
  readonly baseUrl: string
  /** From now on, nothing waits. */
  open(): void
  close(): void
}

/** Starts it on loopback, in front of the server at `target`; `isHeld` decides whether a request waits. */
export async function startGate(
  target: string,
  isHeld: (request: IncomingMessage) => boolean,
): Promise<Gate> {
  let open = () => {}
  const opened = new Promise<void>((done) => (open = done))
  const server = createServer((question, answer) => {
    const { method, url, headers } = question
    void (isHeld(question) ? opened : Promise.resolve()).then(() => {
      const onward = request(new URL(url ?? '/', target), { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      })
      onward.on('error', () => answer.destroy())
      answer.on('close', () => onward.destroy())
      question.pipe(onward)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    open,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
