import { setImmediate as turn } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { type Dispatcher, request } from 'undici'
import { encodeInput, failureFromAnswer, openEnvelope } from '../../src-shared/api/encoding.ts'
import type { Endpoint, InputOf, OutputOf } from '../../src-shared/api/endpoint.ts'
import { parseInSlices, type UnreadablePart } from '../../src-shared/api/lenient.ts'
import { rangeHeader, type WantedRange } from '../../src-shared/byte-range.ts'
import { FailureError, refusedHere, type Failure } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { longestRetryMs } from './backoff.ts'
import { demandEndpoint, inWordsOf, unknownServer, type KnownServer } from './older-servers.ts'
import { createDispatchers, plainNetwork, whyNoAnswer, type Dispatchers, type Network } from './network.ts'

/** The credentials of an account; `email` is its API email (specification, Authentication 1). */
export interface Credentials {
  readonly email: string
  readonly apiKey: string
}

/** A file to upload with a call. */
export interface SentFile {
  readonly name: string
  readonly mediaType: string
  /** The number of bytes that `read` yields. */
  readonly size: number
  /** Yields the bytes in parts; starts anew at each call. If it throws a `FailureError`, the call rejects with that. */
  read(): AsyncIterable<Uint8Array>
  /** Called with the number of bytes sent so far. */
  onSent(bytes: number): void
}

interface CallOptions {
  readonly signal?: AbortSignal
  /** The time limit in milliseconds, as in `Outgoing`; 30 s by default. */
  readonly timeoutMs?: number
  /** For endpoints that upload a file. */
  readonly file?: SentFile
  /**
   * Called with the parts of the answer that do not match the specification; the call then resolves with the rest.
   * Without it, one such part makes the whole answer malformed.
   */
  readonly setAside?: (parts: readonly UnreadablePart[]) => void
}

/** Sends requests to one server. */
export interface Connection {
  /** Sends one request. Rejects with a `FailureError`; failures of requests are classified here and nowhere else. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: CallOptions): Promise<OutputOf<E>>
  /**
   * Fetches a picture or file, at most 32 MiB. `url` is absolute or relative to the server. Rejects with a refusal
   * (FOREIGN_MEDIA) for any other origin, so that credentials are sent only to the server. Resolves for every HTTP
   * status.
   */
  fetchMedia(url: string, signal: AbortSignal, range?: WantedRange | null): Promise<Media>
  /** Aborts all requests; they reject as offline. */
  close(): void
}

interface Media {
  readonly status: number
  readonly contentType: string
  /** The answer's `Content-Range`; null for a whole file. */
  readonly contentRange: string | null
  readonly body: Uint8Array
}

const plainTimeoutMs = 30_000
/** The part of an answer that must arrive within the time limit. */
const partBytes = 16 * 1_024
/** How long parsing an answer may occupy the event loop before it yields, in milliseconds. */
const readingMs = 3

/**
 * Waits until pending I/O was handled: one `setImmediate` may still run in the same round of the event loop, two do
 * not.
 */
async function nextRound(): Promise<void> {
  await turn()
  await turn()
}

/** Returns a function that yields to the event loop if the last yield was long ago, and otherwise returns at once. */
function restWhenDue(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < readingMs) return
    await turn()
    since = performance.now()
  }
}

/** Decodes an answer piece by piece, because decoding megabytes in one step would block the event loop. */
async function textOf(chunks: readonly Uint8Array[], rest: () => Promise<void>): Promise<string> {
  const decoder = new StringDecoder('utf8')
  const pieces: string[] = []
  for (const chunk of chunks) {
    pieces.push(decoder.write(chunk))
    await rest()
  }
  const text = pieces.join('') + decoder.end()
  // Joining megabytes takes long too.
  await rest()
  return text
}

/**
 * The longest answer that is read, in bytes; a very large organization's answer to a registration has a tenth of that.
 */
const longestAnswer = 64 * 1024 * 1024
const longestMedia = 32 * 1024 * 1024

type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export interface ConnectionParts {
  /** Ends in /api/v1. */
  readonly baseUrl: string
  readonly credentials: Credentials | null
  readonly userAgent: string
  /** `plainNetwork` by default. */
  readonly network?: Network
  /**
   * What is known about the server's version; by default it is treated as unknown, that is, as in the specification.
   */
  readonly server?: () => KnownServer
  /** Measures time limits; real time by default. */
  readonly wait?: Wait
  /** Sends requests; over the network by default. */
  readonly exchange?: Exchange
}

/** Creates a connection to one server. Nothing is sent until the first call. */
export function createConnection(parts: ConnectionParts): Connection {
  const { baseUrl, credentials, userAgent, network = plainNetwork } = parts
  const dispatchers = createDispatchers(network)
  const exchange = parts.exchange ?? ((request) => exchangeOverNetwork(request, dispatchers, parts.wait))
  const closing = new AbortController()
  const called = new Set<Endpoint>()
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: 'application/json' }
  const authorization =
    credentials === null
      ? null
      : `Basic ${Buffer.from(`${credentials.email}:${credentials.apiKey}`).toString('base64')}`

  return {
    async call<E extends Endpoint>(
      endpoint: E,
      input: InputOf<E>,
      { signal, timeoutMs = plainTimeoutMs, setAside, file }: CallOptions = {},
    ): Promise<OutputOf<E>> {
      const server = parts.server?.() ?? unknownServer
      demandEndpoint(endpoint, server.featureLevel)
      const { path, fields } = encodeInput(endpoint, inWordsOf(server, endpoint, input))
      const form = new URLSearchParams(fields.map(([name, text]): [string, string] => [name, text]))
      const isQuery = endpoint.method === 'GET'
      const url = `${baseUrl}${path}${isQuery && fields.length > 0 ? `?${form}` : ''}`
      const multipart = file === undefined ? null : multipartOf(fields, file)
      // The first call of an endpoint takes long, because its schema is prepared and its code is compiled.
      const isFirst = !called.has(endpoint)
      called.add(endpoint)
      if (isFirst) await nextRound()
      const answer = await exchange({
        url,
        method: endpoint.method,
        headers: {
          ...headers,
          ...(authorization !== null && endpoint.authenticated !== false ? { authorization } : {}),
          ...(multipart !== null
            ? multipart.headers
            : isQuery
              ? {}
              : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body: isQuery || multipart !== null ? null : form.toString(),
        ...(multipart === null ? {} : { stream: multipart.stream }),
        signals: [closing.signal, ...(signal === undefined ? [] : [signal])],
        timeoutMs,
        longest: longestAnswer,
      })
      if (isFirst) await nextRound()
      const rest = restWhenDue()
      const text = await textOf(answer.chunks, rest)
      const opened = await openEnvelope(text, rest)
      if (opened.kind === 'error') {
        throw new FailureError(failureFromAnswer(answer.status, opened, retryAfterMs(answer, opened.extra)))
      }
      if (answer.status >= 300 || opened.kind === 'malformed') {
        throw new FailureError(
          failureWithoutEnvelope(answer, text, opened.kind === 'malformed' ? opened.message : '', {
            hasFile: file !== undefined,
          }),
        )
      }
      const notUnderstood = (reason: string) =>
        new FailureError({
          kind: 'malformed',
          message: t.failures.server.notUnderstood(endpoint.path, reason),
        })
      const lenient = await parseInSlices(endpoint.output, opened.value, rest)
      if (!lenient.success) throw notUnderstood(lenient.reason)
      const [malformed] = lenient.unreadable
      if (malformed !== undefined) {
        if (setAside === undefined) throw notUnderstood(malformed.reason)
        setAside(lenient.unreadable)
      }
      // Parsed by this endpoint's own schema just above.
      return lenient.data as OutputOf<E>
    },

    async fetchMedia(url, signal, range = null) {
      const target = new URL(url, baseUrl)
      const isOwn = target.origin === new URL(baseUrl).origin
      if (!isOwn) {
        throw refusedHere('FOREIGN_MEDIA', t.failures.foreignPicture)
      }
      const answer = await exchange({
        url: target.href,
        method: 'GET',
        headers: {
          ...headers,
          accept: '*/*',
          ...(authorization === null ? {} : { authorization }),
          ...(range === null ? {} : { range: rangeHeader(range) }),
        },
        body: null,
        signals: [closing.signal, signal],
        timeoutMs: plainTimeoutMs,
        longest: longestMedia,
      })
      return {
        status: answer.status,
        contentType: answer.header('content-type') ?? '',
        contentRange: answer.header('content-range') ?? null,
        body: Buffer.concat(answer.chunks),
      }
    },

    close() {
      closing.abort()
      dispatchers.close()
    },
  }
}

/** Builds a form with a file (RFC 7578). The file is streamed, so that it is never in memory as a whole. */
function multipartOf(fields: readonly (readonly [string, string])[], file: SentFile) {
  const boundary = `----${randomUUID()}`
  const quoted = (text: string) => text.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))
  const head = Buffer.from(
    `${fields
      .map(
        ([name, text]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`,
      )
      .join(
        '',
      )}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\ncontent-type: ${
      /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType) ? file.mediaType : 'application/octet-stream'
    }\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    async *stream() {
      yield head
      let sent = 0
      for await (const bytes of file.read()) {
        yield bytes
        sent += bytes.length
        file.onSent(sent)
      }
      yield tail
    },
  }
}

/** An HTTP request. */
export interface Outgoing {
  /** Absolute. */
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly headers: Record<string, string>
  readonly body: string | null
  /** Replaces `body` if it is long: yields its parts in order. */
  readonly stream?: () => AsyncIterable<Uint8Array>
  /** The request is aborted when any of them aborts. */
  readonly signals: readonly AbortSignal[]
  /**
   * The time limit for the request and the beginning of its answer, and then for each further part of the answer
   * (`partBytes`), in milliseconds: a slow network gets as long as it needs, and silence ends.
   */
  readonly timeoutMs: number
  /** The longest answer that is accepted, in bytes. */
  readonly longest: number
}

/** A complete HTTP response. */
export interface Answer {
  readonly status: number
  /** The body, in the pieces in which it arrived. */
  readonly chunks: readonly Uint8Array[]
  header(name: string): string | undefined
}

/**
 * Sends one request and resolves with the complete response. Rejects with a `FailureError` of kind offline or
 * malformed. Redirects are not followed.
 */
export type Exchange = (request: Outgoing) => Promise<Answer>

async function exchangeOverNetwork(
  parts: Outgoing,
  dispatchers: Dispatchers,
  wait: Wait | undefined,
): Promise<Answer> {
  const limit = beginTimeLimit(parts.timeoutMs, wait)
  const signal = AbortSignal.any([...parts.signals, limit.signal])
  let isWritten = false
  let proxyUrl: string | null = null
  try {
    const current = await orAborted(signal, dispatchers.current())
    const { dispatcher } = current
    proxyUrl = current.proxyUrl
    const response = await orAborted(
      signal,
      request(parts.url, {
        method: parts.method,
        headers: parts.headers,
        body: parts.stream === undefined ? parts.body : Readable.from(parts.stream()),
        dispatcher: noticingWrites(dispatcher, () => (isWritten ||= !signal.aborted)),
        signal,
      }),
    )
    const chunks: Buffer[] = []
    let length = 0
    // undici's body yields buffers, although its type does not say so.
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      const earlier = length
      length += chunk.length
      if (Math.floor(length / partBytes) > Math.floor(earlier / partBytes)) limit.beginAnew()
      if (length > parts.longest) {
        throw new FailureError({ kind: 'malformed', message: t.failures.server.tooMuch })
      }
      chunks.push(chunk)
    }
    return {
      status: response.statusCode,
      chunks,
      header: (name) => {
        const value = response.headers[name]
        return Array.isArray(value) ? value[0] : value
      },
    }
  } catch (error) {
    if (error instanceof FailureError) throw error
    throw new FailureError(
      { kind: 'offline', message: whyNoAnswer(error, proxyUrl), mayHaveArrived: isWritten },
      { cause: error },
    )
  } finally {
    limit.end()
  }
}

interface TimeLimit {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal
  beginAnew(): void
  end(): void
}

function beginTimeLimit(ms: number, wait: Wait = timer): TimeLimit {
  const up = new AbortController()
  let waiting = new AbortController()
  // With a reason, because otherwise each abort creates an error with a stack.
  const end = () => waiting.abort('done')
  const beginAnew = () => {
    end()
    const current = new AbortController()
    waiting = current
    void wait(ms, current.signal).then(() => {
      if (!current.signal.aborted) up.abort(new Error('timeout'))
    })
  }
  beginAnew()
  return { signal: up.signal, beginAnew, end }
}

/** Not `AbortSignal.timeout`, which keeps the request in memory until the time is over, long after the answer. */
const timer: Wait = (ms, signal) =>
  new Promise((resolve) => {
    const running = setTimeout(resolve, ms)
    running.unref()
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(running)
        resolve()
      },
      { once: true },
    )
  })

/** The result of `work`; rejects at once if the signal aborts. undici notices an abort only once it is connected. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stopListening = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = () => reject(new Error('The request was given up.', { cause: signal.reason }))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    stopListening = () => signal.removeEventListener('abort', onAbort)
  })
  // If the signal wins the race, a later rejection of `work` must not count as unhandled.
  work.catch(() => {})
  try {
    return await Promise.race([work, aborted])
  } finally {
    stopListening()
  }
}

/**
 * Wraps a dispatcher to report when the request is about to be written to a connected socket. It is tempting to infer
 * that from the error's code instead, but a timeout looks the same before and after the connection is established.
 */
function noticingWrites(dispatcher: Dispatcher, onWrite: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(controller, context) {
          onWrite()
          handler.onRequestStart?.(controller, context)
        },
        onRequestUpgrade: (controller, status, headers, socket) =>
          handler.onRequestUpgrade?.(controller, status, headers, socket),
        onResponseStart: (controller, status, headers, text) =>
          handler.onResponseStart?.(controller, status, headers, text),
        onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
        onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
        onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
      }),
  )
}

function failureWithoutEnvelope(
  answer: Answer,
  text: string,
  reason: string,
  { hasFile }: { readonly hasFile: boolean },
): Failure {
  const { status } = answer
  // A proxy refuses what is too large with a page of its own, before the server sees it.
  // A retry cannot help, so this is a refusal although there is no envelope.
  if (status === 413) {
    return hasFile
      ? { kind: 'rejected', code: 'FILE_TOO_LARGE', message: t.failures.server.fileTooLarge, status }
      : { kind: 'rejected', code: 'REQUEST_TOO_LARGE', message: t.failures.server.requestTooLarge, status }
  }
  if (status === 429) {
    return {
      kind: 'rateLimited',
      message: t.failures.server.slowDown,
      retryAfterMs: retryAfterMs(answer, {}) ?? 10_000,
    }
  }
  if (status === 401)
    return { kind: 'unauthorized', message: t.failures.server.keyRefused, code: 'UNAUTHORIZED' }
  if (status === 511) return { kind: 'serverFault', message: t.failures.network.asksToSignIn, status }
  if (status >= 500) return { kind: 'serverFault', message: t.failures.server.failed(status), status }
  if (status >= 300 && status < 400) {
    const location = answer.header('location') ?? ''
    const message = URL.canParse(location)
      ? t.failures.server.leadsTo(new URL(location).host)
      : t.failures.server.leadsElsewhere
    return { kind: 'malformed', message }
  }
  if (reason === '') return { kind: 'malformed', message: t.failures.server.status(status) }
  const isPage = /^\s*</.test(text)
  return { kind: 'malformed', message: isPage ? t.failures.server.webPage(reason) : reason }
}

function retryAfterMs(answer: Answer, extra: Record<string, unknown>): number | undefined {
  const inBody = extra['retry-after']
  const seconds = typeof inBody === 'number' ? inBody : Number(answer.header('retry-after') ?? Number.NaN)
  if (!Number.isFinite(seconds)) return undefined
  // At least a moment, and never so long that a server's mistake keeps the app offline for a day.
  return Math.min(Math.max(seconds * 1_000, 100), longestRetryMs)
}
