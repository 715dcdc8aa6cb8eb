import { setImmediate as turn } from 'node:timers/promises'
import { StringDecoder } from 'node:string_decoder'
import { encodeInput, failureFromAnswer, openEnvelope } from '../../src-shared/api/encoding.ts'
import type { Endpoint, InputOf, OutputOf } from '../../src-shared/api/endpoint.ts'
import { parseInSlices, type UnreadablePart } from '../../src-shared/api/lenient.ts'
import { longestWhole, rangeHeader, type WantedRange } from '../../src-shared/byte-range.ts'
import { FailureError, refusedHere } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { failureWithoutEnvelope, retryAfterMs } from './answer-failure.ts'
import { exchangeOverNetwork, type Exchange, type Wait } from './exchange.ts'
import { multipartOf, type SentFile } from './multipart.ts'
import { demandEndpoint, inWordsOf, unknownServer, type KnownServer } from './older-servers.ts'
import { createDispatchers, plainNetwork, type Network, type Occasion } from './network.ts'

/** The credentials of an account; `email` is its API email (specification, Authentication 1). */
export interface Credentials {
  readonly email: string
  readonly apiKey: string
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
  /** Sends one request. Rejects with a `FailureError`; failures of requests are classified in this folder only. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: CallOptions): Promise<OutputOf<E>>
  /**
   * Fetches a picture or file, at most 32 MiB. `url` is absolute or relative to the server. Rejects with a refusal
   * (FOREIGN_MEDIA) for any other origin, so that credentials are sent only to the server. Resolves for every HTTP
   * status.
   */
  fetchMedia(url: string, signal: AbortSignal, range?: WantedRange | null): Promise<Media>
  /**
   * The connections may be dead without a sign, because the machine slept or has another network: later requests get new
   * ones, and a request under way is given up sooner if nothing arrives. An upload keeps its time limit.
   */
  renew(): void
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
/** An answer that took longer does not tell the time: its `Date` may be that of its beginning, in milliseconds. */
const promptMs = 10_000
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

/** What a connection is created with. */
export interface ConnectionParts {
  /** Ends in /api/v1. */
  readonly baseUrl: string
  /** A function is asked at each request. */
  readonly credentials: Credentials | (() => Credentials) | null
  readonly userAgent: string
  /** `plainNetwork` by default. */
  readonly network?: Network
  /** `syncing` by default. */
  readonly occasion?: Occasion
  /**
   * What is known about the server's version; by default it is treated as unknown, that is, as in the specification.
   */
  readonly server?: () => KnownServer
  /** Called with the `Date` of each answer that comes promptly and from the server itself. */
  readonly onDate?: (date: string | undefined) => void
  /** Measures time limits; real time by default. */
  readonly wait?: Wait
  /** Sends requests; over the network by default. */
  readonly exchange?: Exchange
}

/** Creates a connection to one server. Nothing is sent until the first call. */
export function createConnection(parts: ConnectionParts): Connection {
  const { baseUrl, credentials, userAgent, network = plainNetwork, occasion = 'syncing' } = parts
  const dispatchers = createDispatchers(network)
  const exchange =
    parts.exchange ?? ((request) => exchangeOverNetwork(request, dispatchers, parts.wait, occasion))
  const closing = new AbortController()
  const called = new Set<Endpoint>()
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: 'application/json' }
  const authorizationNow = (): string | null => {
    const now = typeof credentials === 'function' ? credentials() : credentials
    return now === null ? null : `Basic ${Buffer.from(`${now.email}:${now.apiKey}`).toString('base64')}`
  }

  return {
    async call<E extends Endpoint>(
      endpoint: E,
      input: InputOf<E>,
      { signal, timeoutMs = plainTimeoutMs, setAside, file }: CallOptions = {},
    ): Promise<OutputOf<E>> {
      const authorization = authorizationNow()
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
      const askedAt = performance.now()
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
      const isPrompt = performance.now() - askedAt < promptMs
      if (isPrompt && opened.kind !== 'malformed') parts.onDate?.(answer.header('date'))
      if (answer.status === 429) {
        throw new FailureError({
          kind: 'rateLimited',
          message: t.failures.server.slowDown,
          retryAfterMs: retryAfterMs(answer, opened.kind === 'error' ? opened.extra : {}) ?? 10_000,
        })
      }
      if (opened.kind === 'error') {
        throw new FailureError(failureFromAnswer(answer.status, opened))
      }
      if (answer.status >= 300 || opened.kind === 'malformed') {
        throw new FailureError(
          failureWithoutEnvelope(answer, opened.kind === 'malformed' ? opened.form : null, {
            hasFile: file !== undefined,
            during: occasion,
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
      const authorization = authorizationNow()
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
        longest: longestWhole,
      })
      return {
        status: answer.status,
        contentType: answer.header('content-type') ?? '',
        contentRange: answer.header('content-range') ?? null,
        body: Buffer.concat(answer.chunks),
      }
    },

    renew: () => dispatchers.renew(),

    close() {
      closing.abort()
      dispatchers.close()
    },
  }
}
