import { FailureError, failureOf } from '../../src-shared/failure.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { createConnection, type Connection } from '../api/connection.ts'
import type { Exchange } from '../api/exchange.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import { knownLevel, readCursor } from '../store/cursor.ts'
import type { Store } from '../store/database.ts'
import type { ServerTime } from '../sync/server-time.ts'
import { networkFor } from './network-settings.ts'
import type { OwnAddress } from './own-address.ts'
import type { Platform } from './platform.ts'

/** The API key of an account, or the reason why there is none, in words for people. */
export type AccountKey = { readonly apiKey: string } | { readonly problem: string }

/**
 * Creates the connection of an account to its server. It is closed when `signal` aborts. If the server refuses the key
 * under the person's address, the request is repeated under their other one.
 */
export function connectAccount(parts: {
  readonly known: KnownAccount
  readonly address: OwnAddress
  readonly key: AccountKey
  readonly network: AccountNetwork
  readonly store: Store
  readonly platform: Platform
  readonly userAgent: string
  readonly serverTime: ServerTime
  readonly signal: AbortSignal
  /** Replaces the HTTP exchange; undefined: the network is used. */
  readonly exchange: Exchange | undefined
}): Connection {
  const { known, address, key, network, store, platform, userAgent, serverTime, signal } = parts
  const exchange = 'problem' in key ? refuseAll(key.problem) : parts.exchange
  const connection = createConnection({
    baseUrl: known.baseUrl,
    credentials: 'problem' in key ? null : () => ({ email: address.current, apiKey: key.apiKey }),
    userAgent,
    server: () => ({ ...readCursor(store.db), featureLevel: knownLevel(store.db) }),
    network: networkFor(platform, known.baseUrl, network),
    onDate: (date) => serverTime.hear(date),
    ...(exchange === undefined ? {} : { exchange }),
  })
  signal.addEventListener('abort', () => connection.close())
  return 'problem' in key ? connection : underOneOf(address, connection)
}

const underOneOf = (address: OwnAddress, connection: Connection): Connection => ({
  ...connection,
  async call(endpoint, input, options) {
    for (;;) {
      const used = address.current
      try {
        const answer = await connection.call(endpoint, input, options)
        if (endpoint.authenticated !== false) address.accepted(used)
        return answer
      } catch (error) {
        if (failureOf(error).kind !== 'unauthorized' || !address.refused(used)) throw error
      }
    }
  },
})

/** Used without a key: every request fails as if the server had refused it, so that the person is asked to sign in. */
const refuseAll =
  (message: string): Exchange =>
  () =>
    Promise.reject(new FailureError({ kind: 'unauthorized', code: 'NO_KEY', message }))
