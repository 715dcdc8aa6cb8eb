import { FailureError } from '../../src-shared/failure.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { createConnection, type Connection } from '../api/connection.ts'
import type { Exchange } from '../api/exchange.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import { readCursor } from '../store/cursor.ts'
import type { Store } from '../store/database.ts'
import { networkFor } from './network-settings.ts'
import type { Platform } from './platform.ts'

/** The API key of an account, or the reason why there is none, in words for people. */
export type AccountKey = { readonly apiKey: string } | { readonly problem: string }

/** Creates the connection of an account to its server. It is closed when `signal` aborts. */
export function connectAccount(parts: {
  readonly known: KnownAccount
  readonly key: AccountKey
  readonly network: AccountNetwork
  readonly store: Store
  readonly platform: Platform
  readonly userAgent: string
  readonly signal: AbortSignal
  /** Replaces the HTTP exchange; undefined: the network is used. */
  readonly exchange: Exchange | undefined
}): Connection {
  const { known, key, network, store, platform, userAgent, signal } = parts
  const exchange = 'problem' in key ? refuseAll(key.problem) : parts.exchange
  const connection = createConnection({
    baseUrl: known.baseUrl,
    credentials: 'problem' in key ? null : { email: known.email, apiKey: key.apiKey },
    userAgent,
    server: () => readCursor(store.db),
    network: networkFor(platform, known.baseUrl, network),
    ...(exchange === undefined ? {} : { exchange }),
  })
  signal.addEventListener('abort', () => connection.close())
  return connection
}

/** Used without a key: every request fails as if the server had refused it, so that the person is asked to sign in. */
const refuseAll =
  (message: string): Exchange =>
  () =>
    Promise.reject(new FailureError({ kind: 'unauthorized', code: 'NO_KEY', message }))
