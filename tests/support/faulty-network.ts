import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the way between a client and a server does to what travels on it. */
export type Fault =
  | { readonly kind: 'none' }
  /** Everything arrives, this much later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Answers come a few bytes at a time, with pauses in between. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Connections stand and requests arrive, but no answer comes back: nobody says that it is over. */
  | { readonly kind: 'half-open' }
  /** Connections stand, and nothing arrives on either side. */
  | { readonly kind: 'deaf' }
  /** Every connection is reset after this many bytes of answers; 0: before the first. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** Of so many pieces of an answer, the connection breaks at one: 3 means every third. */
  | { readonly kind: 'lossy'; readonly oneOf: number }

/** A stretch of network between a client and a server that a test can spoil, with real sockets on both sides. */
export interface FaultyNetwork {
  readonly port: number
  /** From now on, also for connections that stand. */
  be(fault: Fault): void
  /** Connections of clients since the start. */
  readonly connections: number
  /** Cuts every connection, as a network that is gone for a moment. */
  cut(): void
  close(): Promise<void>
}

/** Starts it on loopback, in front of the port that `target` names at each connection; on any free port unless said. */
export async function startFaultyNetwork(target: () => number, onPort = 0): Promise<FaultyNetwork> {
  let fault: Fault = { kind: 'none' }
  let connections = 0
  let pieces = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  const server = createServer((client) => {
    connections++
    const upstream = connect(target(), '127.0.0.1')
    keep(client)
    keep(upstream)
    let answered = 0
    const reset = () => {
      client.resetAndDestroy()
      upstream.destroy()
    }
    client.on('data', (bytes) => {
      if (fault.kind === 'deaf') return
      upstream.write(bytes)
    })
    // One after another: what comes late must not overtake.
    let sending = Promise.resolve()
    const answer = async (bytes: Buffer) => {
      switch (fault.kind) {
        case 'half-open':
        case 'deaf':
          return
        case 'late':
          await sleep(fault.ms)
          break
        case 'reset':
          if (answered + bytes.length > fault.afterBytes) {
            client.write(bytes.subarray(0, Math.max(0, fault.afterBytes - answered)), reset)
            return
          }
          break
        case 'lossy':
          if (++pieces % fault.oneOf === 0) return reset()
          break
        case 'drip':
          for (let at = 0; at < bytes.length && fault.kind === 'drip'; at += fault.bytes) {
            client.write(bytes.subarray(at, at + fault.bytes))
            await sleep(fault.everyMs)
          }
          return
        case 'none':
          break
      }
      answered += bytes.length
      client.write(bytes)
    }
    upstream.on('data', (bytes: Buffer) => (sending = sending.then(() => answer(bytes))))
    const isSilent = () => fault.kind === 'half-open' || fault.kind === 'deaf'
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => {
      if (!isSilent()) void sending.then(() => client.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve))
  // Listening on an address and a port, so this is not a pipe's name.
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    be: (next) => (fault = next),
    get connections() {
      return connections
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
