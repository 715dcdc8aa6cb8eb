import { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { whyNoAnswer, type Dispatchers, type Occasion } from './network.ts'

/** The part of an answer that must arrive within the time limit. */
const partBytes = 16 * 1_024
/** The longest time limit of a request whose connection may be dead without a sign, in milliseconds. */
const doubtedMs = 10_000

/** Waits that long, or until the signal aborts; never rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

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
   * The time limit for the request and the beginning of its answer, in milliseconds. It begins anew with each part
   * that is taken from `stream` and each part of the answer (`partBytes`): a slow network gets as long as it needs,
   * and silence ends. For a request without `stream` it is `doubtedMs` from `Dispatchers.renew` on.
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

/**
 * Sends one request through the current proxy or directly; see `Exchange`. `wait` measures the time limit; `occasion`
 * decides the words of a failure.
 */
export async function exchangeOverNetwork(
  parts: Outgoing,
  dispatchers: Dispatchers,
  wait: Wait | undefined,
  occasion: Occasion,
): Promise<Answer> {
  const limit = beginTimeLimit(parts.timeoutMs, wait)
  const signal = AbortSignal.any([...parts.signals, limit.signal])
  let isWritten = false
  let proxyUrl: string | null = null
  let stopDoubting = () => {}
  try {
    const current = await orAborted(signal, dispatchers.current())
    const { dispatcher } = current
    proxyUrl = current.proxyUrl
    if (parts.stream === undefined) stopDoubting = whenAborted(current.doubted, limit.shorten)
    const response = await orAborted(
      signal,
      request(parts.url, {
        method: parts.method,
        headers: parts.headers,
        body:
          parts.stream === undefined ? parts.body : Readable.from(noticing(parts.stream(), limit.beginAnew)),
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
      { kind: 'offline', message: whyNoAnswer(error, proxyUrl, occasion), mayHaveArrived: isWritten },
      { cause: error },
    )
  } finally {
    stopDoubting()
    limit.end()
  }
}

/** Calls the listener when the signal aborts; returns how to stop. */
function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

async function* noticing<T>(parts: AsyncIterable<T>, onPart: () => void): AsyncIterable<T> {
  for await (const part of parts) {
    onPart()
    yield part
  }
}

interface TimeLimit {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal
  beginAnew(): void
  /** Begins anew with at most `doubtedMs`. */
  shorten(): void
  end(): void
}

function beginTimeLimit(timeoutMs: number, wait: Wait = timer): TimeLimit {
  let ms = timeoutMs
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
  const shorten = () => {
    ms = Math.min(ms, doubtedMs)
    beginAnew()
  }
  beginAnew()
  return { signal: up.signal, beginAnew, shorten, end }
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
    stopListening = whenAborted(signal, onAbort)
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
