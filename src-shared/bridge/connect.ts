import { t } from '../texts/texts.ts'
import { FailureError, type Failure } from '../failure.ts'
import type { CallInputOf, CallName, CallResultOf } from './calls.ts'
import type { OpeningAnswer } from './opening.ts'
import type { Port } from './port.ts'
import type { FromEngine, FromWindow } from './protocol.ts'
import type { ParamsOf, QueryName, ResultOf } from './queries.ts'

/** How a query is watched. */
export interface WatchOptions {
  /** Called if the query fails; the watch gets no answer any more. */
  readonly onFailure?: (failure: Failure) => void
  /** Of the answer that the caller already has: the first call comes only when there is a different one. */
  readonly fingerprint?: string | undefined
}

/** A window's end of the bridge. */
export interface Bridge {
  /** Rejects with a `FailureError`. */
  call<N extends CallName>(name: N, input: CallInputOf<N>): Promise<CallResultOf<N>>
  /** Calls `update` now and after every change, until the returned function is called. */
  watch<N extends QueryName>(
    name: N,
    params: ParamsOf<N>,
    update: (value: ResultOf<N>) => void,
    options?: WatchOptions,
  ): () => void
  /**
   * The answer that the window was loaded with, until the engine sends its first message. A watch with its fingerprint
   * continues from it.
   */
  opening<N extends QueryName>(
    name: N,
    params: ParamsOf<N>,
  ): { readonly value: ResultOf<N>; readonly fingerprint: string } | null
  /**
   * Continues over another port. Open watches are requested again, and the last `report-focus` is repeated, because the
   * engine has forgotten both; pending calls have failed as offline.
   */
  reconnect(port: Port): void
}

/**
 * Connects a window to the engine over a port; `opening` is what the window was loaded with. `onWatchFailure` hears of
 * every watch that failed and so gets no answer any more, beside whoever opened it.
 */
export function connectBridge(
  firstPort: Port,
  opening: readonly OpeningAnswer[] = [],
  onWatchFailure: (name: QueryName, failure: Failure) => void = () => {},
): Bridge {
  interface PendingCall {
    resolve(value: unknown): void
    reject(error: FailureError): void
  }
  interface OpenWatch {
    readonly request: string
    update(value: unknown): void
    fail(failure: Failure): void
  }
  const pending = new Map<number, PendingCall>()
  const watches = new Map<number, OpenWatch>()
  let nextId = 1
  let port: Port | null = null
  let lastFocus: FromWindow | null = null
  const openingKey = (name: string, params: unknown) => `${name} ${JSON.stringify(params)}`
  const openingAnswers = new Map(opening.map((answer) => [openingKey(answer.name, answer.params), answer]))

  const receive = (text: string) => {
    openingAnswers.clear()
    // The engine is trusted; only windows are not.
    const message = JSON.parse(text) as FromEngine
    if (message.kind === 'update') {
      watches.get(message.id)?.update(message.value)
      return
    }
    const call = pending.get(message.id)
    if (call !== undefined) {
      pending.delete(message.id)
      if (message.kind === 'result') call.resolve(message.value)
      else call.reject(new FailureError(message.failure))
      return
    }
    if (message.kind === 'failure') {
      watches.get(message.id)?.fail(message.failure)
      watches.delete(message.id)
    }
  }

  const attach = (next: Port) => {
    port = next
    next.onMessage((text) => {
      if (port === next) receive(text)
    })
    next.onClose(() => {
      if (port !== next) return
      port = null
      const lost = [...pending.values()]
      pending.clear()
      for (const call of lost) {
        call.reject(
          new FailureError({ kind: 'offline', message: t.failures.startingAgain, mayHaveArrived: true }),
        )
      }
    })
    if (lastFocus !== null) next.send(text(lastFocus))
    for (const watch of watches.values()) next.send(watch.request)
  }
  const text = (message: FromWindow) => JSON.stringify(message)
  attach(firstPort)

  return {
    call<N extends CallName>(name: N, input: CallInputOf<N>): Promise<CallResultOf<N>> {
      const id = nextId++
      const message: FromWindow = { kind: 'call', id, name, input }
      if (name === 'report-focus') lastFocus = message
      return new Promise((resolve, reject) => {
        if (port === null) {
          reject(
            new FailureError({
              kind: 'offline',
              message: t.failures.startingAgain,
              mayHaveArrived: false,
            }),
          )
          return
        }
        // The engine answers with this call's result type; both ends are compiled from the same table.
        pending.set(id, { resolve: (value) => resolve(value as CallResultOf<N>), reject })
        port.send(text(message))
      })
    },
    watch<N extends QueryName>(
      name: N,
      params: ParamsOf<N>,
      update: (value: ResultOf<N>) => void,
      { onFailure, fingerprint }: WatchOptions = {},
    ): () => void {
      const id = nextId++
      // Without the fingerprint, for use over another port: the answer may have changed since.
      const request = text({ kind: 'watch', id, name, params })
      watches.set(id, {
        request,
        // As above: the value has the type of this query's result.
        update: (value) => update(value as ResultOf<N>),
        fail: (failure) => {
          onFailure?.(failure)
          onWatchFailure(name, failure)
        },
      })
      port?.send(fingerprint === undefined ? request : text({ kind: 'watch', id, name, params, fingerprint }))
      return () => {
        if (watches.delete(id)) port?.send(text({ kind: 'unwatch', id }))
      }
    },
    opening<N extends QueryName>(name: N, params: ParamsOf<N>) {
      const answer = openingAnswers.get(openingKey(name, params))
      // As above: the engine answered the query of this name.
      return answer === undefined
        ? null
        : { value: answer.value as ResultOf<N>, fingerprint: answer.fingerprint }
    },
    reconnect: attach,
  }
}
