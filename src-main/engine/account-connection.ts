import { FailureError } from '../../src-shared/failure.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { createConnection, type Connection, type Exchange } from '../api/connection.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import { readCursor } from '../store/cursor.ts'
import type { Store } from '../store/database.ts'
import { networkFor } from './network-settings.ts'
import type { Platform } from './platform.ts'

/** The key that an account's requests carry, or why there is none. */
export type AccountKey = { readonly apiKey: string } | { readonly problem: string }

/** The account's way to its server, until `signal` aborts. */
export function connectAccount(parts: {
  readonly known: KnownAccount
  readonly key: AccountKey
  readonly network: AccountNetwork
  readonly store: Store
  readonly platform: Platform
  readonly userAgent: string
  readonly signal: AbortSignal
  /** How requests travel; over the network unless said. */
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

/** Without a key nothing is asked of the server: the person is told why and asked to sign in, as after a refusal. */
const refuseAll =
  (message: string): Exchange =>
  () =>
    Promise.reject(new FailureError({ kind: 'unauthorized', code: 'NO_KEY', message }))
