import type { AccountId } from '../../src-shared/ids.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../src-shared/bridge/queries.ts'
import { connectBridge, type Bridge } from '../../src-shared/bridge/connect.ts'
import type { Port } from '../../src-shared/bridge/port.ts'
import { serveBridge } from '../../src-shared/bridge/serve.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import type { Engine } from '../../src-main/engine/contract.ts'
import { createEngine } from '../../src-main/engine/engine.ts'
import { testPlatform } from './platform.ts'
import { untilAnswer } from './until.ts'
import { makeFolder, removeFolder } from './temporary-folder.ts'

/** Two ends that carry text to each other, as every host's port does, and what closes the second one. */
export function portPair(): [Port, Port, close: () => void] {
  const closeListeners = new Set<() => void>()
  const ends = [new Set<(message: string) => void>(), new Set<(message: string) => void>()] as const
  const port = (own: 0 | 1): Port => ({
    send: (message) => queueMicrotask(() => ends[own === 0 ? 1 : 0].forEach((listener) => listener(message))),
    onMessage(listener) {
      ends[own].add(listener)
      return () => ends[own].delete(listener)
    },
    onClose(listener) {
      if (own === 1) closeListeners.add(listener)
      return () => closeListeners.delete(listener)
    },
  })
  return [port(0), port(1), () => closeListeners.forEach((listener) => listener())]
}

/** One device: an engine with a folder of its own, and a window on it. */
export interface Device {
  readonly bridge: Bridge
  readonly engine: Engine
  readonly notices: readonly Notice[]
  /** The ids of the notices that were withdrawn. */
  readonly withdrawn: readonly string[]
  /** The addresses that were opened outside the app. */
  readonly links: readonly string[]
  readonly directory: string
  readonly accountId: AccountId
  /** The current answer of a query. */
  ask<N extends QueryName>(name: N, params: ParamsOf<N>): Promise<ResultOf<N>>
  /**
   * Waits until the answer of a query is as wanted. It fails after a time limit, 45 seconds by default, and reports
   * the last answer.
   */
  until<N extends QueryName>(
    name: N,
    params: ParamsOf<N>,
    isWanted: (value: ResultOf<N>) => boolean,
  ): Promise<ResultOf<N>>
  /** Waits until it reports that the server is unreachable, which takes several attempts; these are made at once. */
  untilOffline(): Promise<void>
  /** Ends the engine and reopens it on the same folder. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openDevice(
  baseUrl: string,
  account: { email: string; apiKey: string },
  patienceMs = 45_000,
  now: () => number = Date.now,
): Promise<Device> {
  const directory = makeFolder()
  const notices: Notice[] = []
  const withdrawn: string[] = []
  const links: string[] = []
  const platform = testPlatform(directory, {
    now,
    notify: (notice) => notices.push(notice),
    withdraw: (ids) => withdrawn.push(...ids),
    openExternal: (url) => links.push(url),
  })
  let engine = await createEngine(platform)
  const open = () => {
    const [window, host] = portPair()
    serveBridge(host, engine, platform.log)
    return connectBridge(window)
  }
  let bridge = open()
  const { accountId } = await bridge.call('sign-in', {
    baseUrl,
    credentials: { kind: 'api-key', email: account.email, apiKey: account.apiKey },
  })
  const until: Device['until'] = (name, params, isWanted) =>
    untilAnswer(bridge, name, params, isWanted, { patienceMs })
  return {
    get bridge() {
      return bridge
    },
    get engine() {
      return engine
    },
    notices,
    withdrawn,
    links,
    directory,
    accountId,
    until,
    ask: (name, params) => until(name, params, () => true),
    async untilOffline() {
      const tries = setInterval(() => void bridge.call('try-now', { accountId }), 100)
      try {
        await until('sync-state', { accountId }, ({ status }) => /offline|unreachable/.test(status))
      } finally {
        clearInterval(tries)
      }
    },
    async restart() {
      await engine.close()
      engine = await createEngine(platform)
      bridge = open()
    },
    async close() {
      await engine.close()
      removeFolder(directory)
    },
  }
}
