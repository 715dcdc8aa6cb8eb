import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBridge, type Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../../src-shared/bridge/queries.ts'
import { serveBridge } from '../../../src-shared/bridge/serve.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import type { EngineParts } from '../../../src-main/engine/calls.ts'
import type { Engine } from '../../../src-main/engine/contract.ts'
import { createEngine } from '../../../src-main/engine/engine.ts'
import type { Platform } from '../../../src-main/engine/platform.ts'
import type { Store } from '../../../src-main/store/database.ts'
import type { ManualClock } from '../../fakes/clock.ts'
import { portPair } from '../../support/device.ts'

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
const secrets = new Map<string, string>()

export function newFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-trouble-'))
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
  for (const directory of folders.splice(0)) rmSync(directory, { recursive: true, force: true })
}

/** The system's proxy, for all benches of a test file. */
export const systemProxy: { url: string | null } = { url: null }

export function platformOn(directory: string, log: string[], clock?: ManualClock): Platform {
  return {
    dataDirectory: directory,
    now: () => clock?.now() ?? Date.now(),
    wait: (ms, signal) => clock?.wait(ms, signal) ?? sleep(ms, undefined, { signal }).catch(() => {}),
    random: Math.random,
    log: (line) => {
      log.push(line)
      if (process.env['DUNLIN_TEST_LOG'] !== undefined) console.error(line)
    },
    // One keychain for all folders of a test file, as on one machine.
    secrets: {
      get: (key) => Promise.resolve(secrets.get(key) ?? null),
      set: async (key, value) => void secrets.set(key, value),
      delete: async (key) => void secrets.delete(key),
    },
    notify: () => {},
    withdraw: () => {},
    openExternal: () => {},
    findProxy: () => Promise.resolve(systemProxy.url),
    onWake: () => () => {},
    startDemo: null,
  }
}

const patienceMs = 45_000

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
  const engine = await createEngine({ ...platform, secrets: options.secrets ?? platform.secrets })
  const [window, host] = portPair()
  serveBridge(host, engine, (line) => log.push(line))
  const bridge = connectBridge(window)
  const until: EngineBench['until'] = async (name, params, isWanted) => {
    let last: unknown
    let found: { value: unknown } | null = null
    let failed: string | null = null
    const stop = bridge.watch(
      name,
      params,
      (value) => {
        last = value
        if (found === null && isWanted(value)) found = { value }
      },
      (failure) => (failed = failure.message),
    )
    const end = Date.now() + patienceMs
    while (found === null) {
      if (failed !== null) throw new Error(failed)
      if (Date.now() > end) {
        throw new Error(
          `${name} never became as wanted; last: ${JSON.stringify(last)?.slice(0, 2_000)}\n${log.join('\n')}`,
        )
      }
      if (clock !== undefined) await clock.advance(200)
      await sleep(2)
    }
    stop()
    return (found as { value: never }).value
  }
  const ask: EngineBench['ask'] = (name, params) => until(name, params, () => true)
  return { directory, bridge, engine, log, ask, until, close: () => engine.close() }
}

export async function openBench(options: {
  readonly directory: string
  /** For signing in if the folder has no account yet. */
  readonly signIn?: { readonly baseUrl: string; readonly email: string; readonly apiKey: string }
  readonly clock?: ManualClock
}): Promise<Bench> {
  const bench = await startBench(options)
  const { bridge, engine, ask } = bench
  if (options.signIn !== undefined) {
    const { baseUrl, email, apiKey } = options.signIn
    await bridge.call('sign-in', { baseUrl, credentials: { kind: 'api-key', email, apiKey } })
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
