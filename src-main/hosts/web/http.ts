import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { background } from '../../../src-shared/background.ts'
import { serveBridge } from '../../../src-shared/bridge/serve.ts'
import type { Engine } from '../../engine/contract.ts'
import { appContent, requestedRange, refusal, securityHeaders, type Content } from '../app-content.ts'
import { socketPort } from './port.ts'

/** The longest message of a window, in bytes: twice the longest text (`writtenText`) with every character escaped. */
const longestMessage = 16 * 1024 * 1024

/** A web host that listens. */
export interface WebHost {
  /** The first address with a one-time token. The first browser that opens it is signed in. */
  readonly startUrl: string
  /** The address of the window, for the browser that is signed in. It contains a secret; see `startWebHost`. */
  readonly windowUrl: string
  close(): Promise<void>
}

/**
 * Serves the app on the loopback interface to one browser. A one-time token is exchanged for a cookie, and every
 * request must have this host's name and that cookie, because any web page can send requests to a port of this machine.
 * Browsers send cookies to every port of a host, also to a server of another user of this machine. So everything is
 * served below a random path, and the cookie belongs to that path, which only the signed-in browser learns.
 * Rejects if it cannot listen.
 */
export async function startWebHost(parts: {
  engine: Engine
  rendererDirectory: string
  port: number
  /** Called with each address that has an unspent token: at the start, and whenever one was spent. */
  onStartUrl?(url: string): void
  log(line: string): void
}): Promise<WebHost> {
  const path = `/${newSecret()}/`
  const cookie = newSecret()
  let token = newSecret()
  let host = ''
  const startUrl = () => `http://${host}/?token=${token}`

  const isOurs = (request: IncomingMessage) => request.headers.host === host
  const hasCookie = (request: IncomingMessage) =>
    (request.headers.cookie ?? '').split(/;\s*/).some((pair) => {
      const [name, value] = pair.split('=')
      return name === cookieName(host) && value !== undefined && isSame(value, cookie)
    })

  const server: Server = createServer((request, response) => {
    if (!isOurs(request)) return refuse(response, 403, 'This address is not served here.')
    // Any program on this machine can send an invalid address, such as "//".
    const url = URL.parse(request.url ?? '/', `http://${host}`)
    if (url === null) return refuse(response, 400, 'This address cannot be read.')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 405, 'Only reading is possible here.')
    const given = url.searchParams.get('token')
    if (url.pathname === '/' && given !== null) {
      if (!isSame(given, token)) {
        return refuse(
          response,
          403,
          'This start address was used already. Start Dunlin again: it shows a new one.',
        )
      }
      token = newSecret()
      parts.onStartUrl?.(startUrl())
      response.writeHead(302, {
        location: path,
        ...securityHeaders,
        'set-cookie': `${cookieName(host)}=${cookie}; HttpOnly; SameSite=Strict; Path=${path}`,
      })
      return response.end()
    }
    if (!url.pathname.startsWith(path) || !hasCookie(request)) {
      return refuse(
        response,
        403,
        'This window is not signed in to Dunlin. Open the start address that Dunlin printed.',
      )
    }
    url.pathname = url.pathname.slice(path.length - 1)
    const part = requestedRange((name) => [request.headers[name]].flat()[0])
    background(
      appContent({ ...parts, url, part }).then((content) => answer(response, content)),
      parts.log,
    )
  })

  const sockets = new WebSocketServer({ noServer: true, maxPayload: longestMessage })
  server.on('upgrade', (request, socket, head) => {
    // After an upgrade Node no longer handles errors of the socket, and an unhandled one would end the app.
    socket.on('error', () => {})
    const isAllowed =
      isOurs(request) &&
      request.headers.origin === `http://${host}` &&
      request.url === `${path}bridge` &&
      hasCookie(request)
    if (!isAllowed) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      serveBridge(socketPort(webSocket), parts.engine, parts.log)
    })
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parts.port, '127.0.0.1', resolve)
  })
  // The address of a TCP listener always has this type.
  const { port } = server.address() as AddressInfo
  host = `127.0.0.1:${port}`
  parts.onStartUrl?.(startUrl())
  return {
    startUrl: startUrl(),
    windowUrl: `http://${host}${path}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const newSecret = () => randomBytes(24).toString('base64url')

// The name contains the port, because cookies are shared between ports and several hosts may run at once.
const cookieName = (host: string) => `dunlin-${host.split(':')[1] ?? ''}`

function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  answer(response, refusal(status, message))
}

function answer(response: ServerResponse, { status, headers, body }: Content): void {
  response.writeHead(status, headers)
  response.end(body)
}
