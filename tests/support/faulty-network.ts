import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How the network between a client and a server disturbs the traffic. */
export type Fault =
  | { readonly kind: 'none' }
  /** Everything arrives, with this delay. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Answers arrive a few bytes at a time, with pauses between them. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Connections stay open and requests arrive, but no answer comes back and nothing reports the end. */
  | { readonly kind: 'half-open' }
  /** Connections stay open, and nothing arrives on either side. */
  | { readonly kind: 'deaf' }
  /** Every connection is reset after this many bytes of answers; 0: before the first. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The connection breaks at every such chunk of an answer: 3 means every third. */
  | { readonly kind: 'lossy'; readonly oneOf: number }

/** A network between a client and a server that a test can disturb, with real sockets on both sides. */
export interface FaultyNetwork {
  readonly port: number
  /** Takes effect at once, also for open connections. */
  be(fault: Fault): void
  /** Connections from clients since the start. */
  readonly connections: number
  /** Connections that exist now stay open and deaf for ever, as after a sleep; new ones work. */
  forget(): void
  /** Cuts every connection, like a network that is gone for a moment. */
  cut(): void
  close(): Promise<void>
}

/**
 * Starts it on loopback, in front of the port that `target` returns at each connection; on any free port by default.
 */
export async function startFaultyNetwork(target: () => number, onPort = 0): Promise<FaultyNetwork> {
  let fault: Fault = { kind: 'none' }
  let connections = 0
  let forgotten = 0
  let pieces = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  const server = createServer((client) => {
    const number = ++connections
    const isForgotten = () => number <= forgotten
    const upstream = connect(target(), '127.0.0.1')
    keep(client)
    keep(upstream)
    let answered = 0
    const reset = () => {
      client.resetAndDestroy()
      upstream.destroy()
    }
    client.on('data', (bytes) => {
      if (fault.kind === 'deaf' || isForgotten()) return
      upstream.write(bytes)
    })
    // One after another, so that delayed data stays in order.
    let sending = Promise.resolve()
    const answer = async (bytes: Buffer) => {
      if (isForgotten()) return
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
    const isSilent = () => fault.kind === 'half-open' || fault.kind === 'deaf' || isForgotten()
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => {
      if (!isSilent()) void sending.then(() => client.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve))
  // It listens on an address and a port, so this is not a pipe's name.
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
    forget: () => (forgotten = connections),
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
