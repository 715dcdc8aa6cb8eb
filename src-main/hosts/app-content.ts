import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { daySeconds } from '../../src-shared/durations.ts'
import { failureOf, logTextOf } from '../../src-shared/failure.ts'
import type { Engine, MediaAnswer, MediaPart } from '../engine/contract.ts'
import { firstPage } from './first-page.ts'

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

/** The headers of every response of a host to its window: only our own files can run, load or be embedded. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
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
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** The response to a window's request for a file or picture. */
export interface Content {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | string
}

/** A plain-text response that says why a request is refused. */
export const refusal = (status: number, message: string): Content => ({
  status,
  headers: { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' },
  body: message,
})

/**
 * The response for an address of the app: the page, a file of the built renderer or, below /media/, a picture or file
 * of an account's server, fetched with the account's key. Never rejects; never serves files outside the renderer's
 * folder.
 */
export async function appContent(parts: {
  readonly engine: Engine
  readonly rendererDirectory: string
  readonly url: URL
  /** The requested part of a file; null for the whole. */
  readonly part: MediaPart | null
  log(line: string): void
}): Promise<Content> {
  const { pathname, searchParams } = parts.url
  if (pathname.startsWith('/media/')) {
    const accountId = pathname.slice('/media/'.length)
    return mediaContent(parts, accountId, searchParams.get('url') ?? '')
  }
  if (pathname === '/' || pathname === '/index.html') return pageContent(parts)
  return fileContent(parts.rendererDirectory, pathname)
}

async function pageContent(parts: {
  readonly engine: Engine
  readonly rendererDirectory: string
  log(line: string): void
}): Promise<Content> {
  const body = await firstPage(parts.engine, parts.rendererDirectory, parts.log).catch((error: unknown) => {
    parts.log(`page: ${logTextOf(error)}`)
    return null
  })
  if (body === null) return refusal(404, 'There is no such file.')
  return {
    status: 200,
    // Not stored, because it contains messages.
    headers: { ...securityHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body,
  }
}

async function fileContent(root: string, pathname: string): Promise<Content> {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return refusal(400, 'This address cannot be read.')
  }
  const path = normalize(join(root, decoded))
  // All errors count as not found: a build may be replacing the file at this moment.
  const body = path.startsWith(root + sep) ? await readFile(path).catch(() => null) : null
  if (body === null) return refusal(404, 'There is no such file.')
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
      // File names in assets/ contain a hash of the content.
      'cache-control': path.includes(`${sep}assets${sep}`)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    },
    body,
  }
}

async function mediaContent(
  {
    engine,
    part,
    log,
  }: { readonly engine: Engine; readonly part: MediaPart | null; log(line: string): void },
  accountId: string,
  url: string,
): Promise<Content> {
  try {
    const media = await engine.media(accountId, url, part)
    const type = media === null ? '' : plainType(media.contentType)
    const isShown = /^(image|audio|video)\//.test(type)
    if (media?.status === 416)
      return { ...refusal(416, 'The file ends before this.'), headers: beyondEnd(media) }
    if (media !== null && media.status >= 500) return refusal(502, 'The server had an error.')
    const isThere = media?.status === 200 || media?.status === 206
    if (!isThere || !(isShown || /^\/?user_uploads\//.test(url))) {
      return refusal(404, 'There is no such picture.')
    }
    return {
      status: media.status,
      headers: {
        ...securityHeaders,
        ...partHeaders(media),
        'content-length': String(media.body.length),
        // Any other file can only be saved, whatever content type its server reports.
        ...(isShown
          ? { 'content-type': type }
          : { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }),
        'cache-control': `private, max-age=${daySeconds}`,
        // An SVG picture may contain a script, which this keeps from running.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
      body: new Uint8Array(media.body),
    }
  } catch (error) {
    const { kind, message } = failureOf(error)
    if (kind === 'bug') log(`media: ${logTextOf(error)}`)
    // It is on another server, for example, and will not be given later either.
    if (kind === 'rejected') return refusal(403, message)
    return refusal(502, 'The picture is not on this device and the server does not answer.')
  }
}

/** The headers that tell a player that it can seek, and which part it receives. */
const partHeaders = ({ contentRange, tag }: MediaAnswer): Readonly<Record<string, string>> => ({
  'accept-ranges': 'bytes',
  ...(tag === null ? {} : { etag: tag }),
  ...(contentRange !== null && /^bytes (\d+-\d+|\*)\/(\d+|\*)$/.test(contentRange)
    ? { 'content-range': contentRange }
    : {}),
})
const beyondEnd = (media: MediaAnswer): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  ...partHeaders(media),
  'content-type': 'text/plain; charset=utf-8',
})

/** The part that the `Range` header of a request asks for; null for the whole file. */
export const requestedRange = (
  header: (name: 'range' | 'if-range') => string | null | undefined,
): MediaPart | null => {
  const range = header('range') ?? null
  return range === null ? null : { range, ifRange: header('if-range') ?? null }
}

/**
 * The media type without parameters, which may contain characters that are invalid in a header; empty if it is
 * malformed.
 */
const plainType = (contentType: string): string => /^[a-z]+\/[\w.+-]+/i.exec(contentType)?.[0] ?? ''
