import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, sep } from 'node:path'
import { WebSocketServer } from 'ws'
import { serveBridge } from '../../../src-shared/bridge/serve.ts'
import type { Engine } from '../../engine/contract.ts'
import { socketPort } from './port.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
}

/** Nothing but our own files runs, loads or embeds. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const longestMessage = 4 * 1024 * 1024

/** A listening web host. */
export interface WebHost {
  /** With the one-time token; the first browser that opens it is let in. */
  readonly startUrl: string
  readonly origin: string
  close(): Promise<void>
}

/**
 * Serves the app on loopback to one browser: a token that works once becomes a cookie, and every request has to
 * name this host and bring that cookie. Any page of the web can reach a port of this machine; only ours gets in.
 */
export async function startWebHost(parts: {
  engine: Engine
  rendererDirectory: string
  port: number
  log(line: string): void
}): Promise<WebHost> {
  const token = randomBytes(24).toString('base64url')
  const cookie = randomBytes(24).toString('base64url')
  let isTokenSpent = false
  let host = ''

  const isOurs = (request: IncomingMessage) => request.headers.host === host
  const hasCookie = (request: IncomingMessage) =>
    (request.headers.cookie ?? '').split(/;\s*/).some((pair) => {
      const [name, value] = pair.split('=')
      return name === cookieName(host) && value !== undefined && isSame(value, cookie)
    })

  const server: Server = createServer((request, response) => {
    secure(response)
    const url = new URL(request.url ?? '/', `http://${host}`)
    if (!isOurs(request)) return refuse(response, 403, 'This address is not served here.')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 405, 'Only reading is possible here.')
    const given = url.searchParams.get('token')
    if (url.pathname === '/' && given !== null) {
      if (!isSame(given, token) || (isTokenSpent && !hasCookie(request))) {
        return refuse(response, 403, 'This start address was used already. Start Dunlin again for a new one.')
      }
      isTokenSpent = true
      response.writeHead(302, {
        location: '/',
        'set-cookie': `${cookieName(host)}=${cookie}; HttpOnly; SameSite=Strict; Path=/`,
      })
      return response.end()
    }
    if (!hasCookie(request)) {
      return refuse(
        response,
        403,
        'This window is not signed in to Dunlin. Open the start address that Dunlin printed.',
      )
    }
    if (url.pathname.startsWith('/media/')) return void serveMedia(parts.engine, url, response)
    serveFile(parts.rendererDirectory, url.pathname, response)
  })

  const sockets = new WebSocketServer({ noServer: true, maxPayload: longestMessage })
  server.on('upgrade', (request, socket, head) => {
    const isAllowed =
      isOurs(request) &&
      request.headers.origin === `http://${host}` &&
      request.url === '/bridge' &&
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
  // A TCP listener always has this form of address.
  const { port } = server.address() as AddressInfo
  host = `127.0.0.1:${port}`
  return {
    origin: `http://${host}`,
    startUrl: `http://${host}/?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// One per port: cookies do not tell ports apart, and two hosts may run at once.
const cookieName = (host: string) => `dunlin-${host.split(':')[1] ?? ''}`

function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function secure(response: ServerResponse): void {
  response.setHeader('content-security-policy', contentSecurityPolicy)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-resource-policy', 'same-origin')
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(message)
}

function serveFile(root: string, pathname: string, response: ServerResponse): void {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return refuse(response, 400, 'This address cannot be read.')
  }
  const path = normalize(join(root, decoded === '/' ? 'index.html' : decoded))
  const isInside = path.startsWith(root + sep)
  if (!isInside || !existsSync(path) || !statSync(path).isFile())
    return refuse(response, 404, 'There is no such file.')
  response.writeHead(200, {
    'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
    'cache-control': path.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  createReadStream(path).pipe(response)
}

async function serveMedia(engine: Engine, url: URL, response: ServerResponse): Promise<void> {
  const accountId = url.pathname.slice('/media/'.length)
  try {
    const media = await engine.media(accountId, url.searchParams.get('url') ?? '')
    if (media === null || media.status !== 200 || !/^(image|audio|video)\//.test(media.contentType)) {
      return refuse(response, 404, 'There is no such picture.')
    }
    response.writeHead(200, {
      'content-type': media.contentType,
      'cache-control': 'private, max-age=86400',
      // A picture may be a drawing with a script in it; here it can do nothing.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
    response.end(media.body)
  } catch {
    refuse(response, 502, 'The picture is not on this device and the server does not answer.')
  }
}
