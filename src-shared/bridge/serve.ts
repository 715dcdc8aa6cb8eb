import { failureOf, logTextOf, type Failure } from '../failure.ts'
import { calls, type CallName, type CallResultOf, type CheckedCallOf } from './calls.ts'
import { fingerprintOf } from './opening.ts'
import type { Port } from './port.ts'
import { fromWindow, type FromEngine } from './protocol.ts'
import { queries, type CheckedParamsOf, type QueryName } from './queries.ts'

/** The window that calls: the same object in all of its calls. */
export interface CallingWindow {
  /** Calls `listener` once the window is closed or reloaded; at once if it already is. */
  onGone(listener: () => void): void
}

/** What the engine offers to windows. Arguments are validated before they get here. */
export interface BridgeServer {
  call<N extends CallName>(name: N, input: CheckedCallOf<N>, window?: CallingWindow): Promise<CallResultOf<N>>
  /**
   * Calls `update` with the JSON text of the result, at once and after every change, until the returned function is
   * called. Throws a `FailureError` if the thing to watch does not exist.
   */
  watch<N extends QueryName>(name: N, params: CheckedParamsOf<N>, update: (json: string) => void): () => void
}

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)
const isQuery = (name: string): name is QueryName => Object.hasOwn(queries, name)

/**
 * Serves one window over its port: it validates everything that arrives, answers every message, and drops the window's
 * watches and unfinished files when the port closes. Then the person is not in it any more. Nothing that a window sends
 * can throw into the engine.
 */
export function serveBridge(port: Port, server: BridgeServer, log: (line: string) => void): void {
  const watches = new Map<number, () => void>()
  let closed = false
  const goneListeners: (() => void)[] = []
  const window: CallingWindow = {
    onGone(listener) {
      if (closed) listener()
      else goneListeners.push(listener)
    },
  }
  const send = (message: FromEngine) => {
    if (!closed) port.send(JSON.stringify(message))
  }
  const fail = (id: number, failure: Failure) => {
    if (failure.kind === 'bug') log(`bridge: ${failure.message}`)
    send({ kind: 'failure', id, failure })
  }
  const refuse = (id: number, message: string) => {
    fail(id, { kind: 'rejected', message, code: 'BAD_CALL', status: 0 })
  }

  const answerCall = async (id: number, name: string, input: unknown) => {
    if (!isCall(name)) return refuse(id, `There is no call named ${name}.`)
    const parsed = calls[name].safeParse(input)
    if (!parsed.success) return refuse(id, `The call ${name} was given something it does not take.`)
    try {
      // The value was parsed by the schema of this very name.
      const checked = parsed.data as CheckedCallOf<typeof name>
      send({ kind: 'result', id, value: await server.call(name, checked, window) })
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'bug') log(logTextOf(error))
      fail(id, failure)
    }
  }

  const openWatch = (id: number, name: string, params: unknown, fingerprint: string | undefined) => {
    if (!isQuery(name)) return refuse(id, `There is no query named ${name}.`)
    const parsed = queries[name].safeParse(params)
    if (!parsed.success) return refuse(id, `The query ${name} was given something it does not take.`)
    if (watches.has(id)) return refuse(id, 'This watch is open already.')
    try {
      let known = fingerprint
      // The update may come before `watch` returns. The result is JSON text already and is inserted unchanged.
      const stop = server.watch(name, parsed.data as CheckedParamsOf<typeof name>, (json) => {
        const isKnown = known !== undefined && fingerprintOf(json) === known
        known = undefined
        if (!closed && !isKnown) port.send(`{"kind":"update","id":${id},"value":${json}}`)
      })
      watches.set(id, stop)
    } catch (error) {
      fail(id, failureOf(error))
    }
  }

  port.onMessage((text) => {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      log('bridge: a window sent text that is not JSON')
      return
    }
    const parsed = fromWindow.safeParse(json)
    if (!parsed.success) {
      const id: unknown = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined
      if (typeof id === 'number') refuse(id, 'This message has an unknown form.')
      else log('bridge: a window sent a message of an unknown form')
      return
    }
    const message = parsed.data
    if (message.kind === 'call') void answerCall(message.id, message.name, message.input)
    else if (message.kind === 'watch')
      openWatch(message.id, message.name, message.params, message.fingerprint)
    else {
      watches.get(message.id)?.()
      watches.delete(message.id)
    }
  })
  port.onClose(() => {
    closed = true
    for (const stop of watches.values()) stop()
    watches.clear()
    for (const listener of goneListeners.splice(0)) listener()
  })
}
