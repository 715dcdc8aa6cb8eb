import { cpSync } from 'node:fs'
import { connectBridge, type Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../../src-shared/bridge/queries.ts'
import { serveBridge } from '../../../src-shared/bridge/serve.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import { usualNetwork, type AccountNetwork } from '../../../src-shared/model/network.ts'
import type { EngineParts } from '../../../src-main/engine/calls.ts'
import type { Engine } from '../../../src-main/engine/contract.ts'
import { createEngine } from '../../../src-main/engine/engine.ts'
import type { Platform } from '../../../src-main/engine/platform.ts'
import type { Store } from '../../../src-main/store/database.ts'
import type { ManualClock } from '../../fakes/clock.ts'
import { portPair } from '../../support/device.ts'
import { printIfAsked, secretsInMemory, testPlatform } from '../../support/platform.ts'
import { untilAnswer } from '../../support/until.ts'
import { makeFolder, removeFolder } from '../../support/temporary-folder.ts'

/** One run of the engine on a folder that outlives it, so that a test can damage the folder between runs. */
export interface EngineBench {
  readonly directory: string
  readonly bridge: Bridge
  readonly engine: Engine
  readonly log: string[]
  /** The current result of a query. */
  ask<N extends QueryName>(name: N, params: ParamsOf<N>): Promise<ResultOf<N>>
  /** Waits until the result of a query is as wanted, and moves a manual clock meanwhile. */
  until<N extends QueryName>(
    name: N,
    params: ParamsOf<N>,
    isWanted: (value: ResultOf<N>) => boolean,
  ): Promise<ResultOf<N>>
  /** The machine wakes from sleep. */
  wake(): void
  close(): Promise<void>
}

/** The same with an account. */
export interface Bench extends EngineBench {
  /** The first account; signs in if there is none. */
  readonly accountId: AccountId
  /** The account's store, to damage or inspect it. */
  store(): Store
  /** The account's file. */
  readonly path: string
}

const folders: string[] = []
/** One keychain for all folders of a test file, as on one machine. */
const secrets = secretsInMemory()

export function newFolder(): string {
  const directory = makeFolder()
  folders.push(directory)
  return directory
}

/** A copy of the folder as it is now, while the engine runs: what a killed process leaves. */
export function asKilled(directory: string): string {
  const copy = newFolder()
  cpSync(directory, copy, { recursive: true, filter: (path) => !/-shm$|ballast$/.test(path) })
  return copy
}

export function removeFolders(): void {
  for (const directory of folders.splice(0)) removeFolder(directory)
}

/** The system's proxy, for all benches of a test file. */
export const systemProxy: { url: string | null } = { url: null }

export const platformOn = (directory: string, log: string[], clock?: ManualClock): Platform =>
  testPlatform(directory, {
    ...(clock === undefined ? {} : { now: () => clock.now(), wait: (ms, signal) => clock.wait(ms, signal) }),
    log: (line) => {
      log.push(line)
      printIfAsked(line)
    },
    secrets,
    findProxy: () => Promise.resolve(systemProxy.url),
  })

/** Starts the engine with the accounts in the folder. */
export async function startBench(options: {
  readonly directory: string
  readonly clock?: ManualClock
  /** Used instead of the one keychain of all benches. */
  readonly secrets?: Platform['secrets']
}): Promise<EngineBench> {
  const { directory, clock } = options
  const log: string[] = []
  const platform = platformOn(directory, log, clock)
  const wakes = new Set<() => void>()
  const engine = await createEngine({
    ...platform,
    secrets: options.secrets ?? platform.secrets,
    onWake: (listener) => {
      wakes.add(listener)
      return () => wakes.delete(listener)
    },
  })
  const [window, host] = portPair()
  serveBridge(host, engine, (line) => log.push(line))
  const bridge = connectBridge(window)
  const until: EngineBench['until'] = (name, params, isWanted) =>
    untilAnswer(bridge, name, params, isWanted, { clock, log })
  const ask: EngineBench['ask'] = (name, params) => until(name, params, () => true)
  const wake = () => {
    for (const listener of wakes) listener()
  }
  return { directory, bridge, engine, log, ask, until, wake, close: () => engine.close() }
}

export async function openBench(options: {
  readonly directory: string
  /** For signing in if the folder has no account yet. */
  readonly signIn?: {
    readonly baseUrl: string
    readonly email: string
    readonly apiKey: string
    readonly network?: AccountNetwork
  }
  readonly clock?: ManualClock
}): Promise<Bench> {
  const bench = await startBench(options)
  const { bridge, engine, ask } = bench
  if (options.signIn !== undefined) {
    const { baseUrl, email, apiKey, network = usualNetwork } = options.signIn
    await bridge.call('sign-in', { baseUrl, credentials: { kind: 'api-key', email, apiKey }, network })
  }
  const [account] = await ask('accounts', {})
  if (account === undefined) throw new Error('this folder has no account')
  const accountId = account.id
  // The members that the engine's own calls use; windows and hosts have fewer.
  const parts = engine as unknown as EngineParts
  return {
    ...bench,
    accountId,
    store: () => parts.openAccounts.account(accountId).store,
    path: parts.openAccounts.filePath(accountId),
  }
}
