import { isOfDeactivated } from '../../src-shared/api/encoding.ts'
import { session } from '../../src-shared/api/session.ts'
import { users } from '../../src-shared/api/users.ts'
import { FailureError, failureOf, refusedHere } from '../../src-shared/failure.ts'
import { missingAt, oldestLevel } from '../../src-shared/model/server-abilities.ts'
import type { Organization } from '../../src-shared/model/account.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { createConnection, type Connection, type ConnectionParts } from '../api/connection.ts'
import type { Network } from '../api/network.ts'
import { isThisMachine } from '../../src-shared/this-machine.ts'

/** How a person proves who they are. */
export type SignInCredentials =
  | { readonly kind: 'password'; readonly email: string; readonly password: string }
  | { readonly kind: 'api-key'; readonly email: string; readonly apiKey: string }

/** How requests to a base address travel. */
export type NetworkAt = (baseUrl: string) => Network

/** Who signed in. */
export interface SignedIn {
  readonly email: string
  readonly apiKey: string
  readonly userId: number
  readonly fullName: string
}

/** The API's base address that an address typed by a person means; null if it is none. */
function baseUrlFor(address: string): string | null {
  const trimmed = address.trim().replace(/\/+$/, '')
  const hasScheme = /^https?:\/\//i.test(trimmed)
  const plain = hasScheme ? trimmed : `http://${trimmed}`
  if (!URL.canParse(plain)) return null
  // Only what never leaves this machine may travel unencrypted without being asked for.
  const url =
    hasScheme || isThisMachine(new URL(plain).hostname) ? new URL(plain) : new URL(`https://${trimmed}`)
  if (url.username !== '' || url.password !== '') return null
  const path = url.pathname.replace(/\/+$/, '')
  return /\/api\/v1$/.test(path) ? `${url.origin}${path}` : `${url.origin}${path}/api/v1`
}

/** Asks the server at an address which organization it serves. Rejects with a `FailureError` in words for people. */
export async function findOrganization(
  address: string,
  userAgent: string,
  networkAt: NetworkAt,
): Promise<Organization> {
  const baseUrl = baseUrlFor(address)
  if (baseUrl === null) {
    throw refusedHere('BAD_ADDRESS', t.failures.signIn.badAddress)
  }
  return withConnection(
    { baseUrl, credentials: null, userAgent, network: networkAt(baseUrl) },
    async (connection) => {
      const settings = await connection
        .call(session.getServerSettings, {}, { timeoutMs: 15_000 })
        .catch(asNoSuchServer)
      const featureLevel = settings.service_feature_level ?? 0
      if (featureLevel < oldestLevel) {
        throw refusedHere('SERVER_TOO_OLD', t.failures.signIn.serverTooOld(oldestLevel))
      }
      if (settings.is_incompatible === true) {
        throw refusedHere('CLIENT_TOO_OLD', t.failures.signIn.appTooOld)
      }
      const root = settings.realm_url ?? settings.realm_uri ?? new URL(baseUrl).origin
      return {
        baseUrl,
        name: settings.realm_name ?? new URL(baseUrl).host,
        iconUrl:
          settings.realm_icon === undefined || !URL.canParse(settings.realm_icon, root)
            ? null
            : new URL(settings.realm_icon, root).href,
        description: settings.realm_description ?? '',
        featureLevel,
        version: settings.service_version ?? '',
        canUsePassword: settings.authentication_methods?.['password'] ?? settings.email_auth_enabled ?? true,
        missing: missingAt(featureLevel),
      }
    },
  )
}

/** Signs in. Rejects with a `FailureError`; a wrong password or key is of kind unauthorized. */
export async function signIn(
  baseUrl: string,
  credentials: SignInCredentials,
  userAgent: string,
  networkAt: NetworkAt,
): Promise<SignedIn> {
  const parts = { baseUrl, userAgent, network: networkAt(baseUrl) }
  const key =
    credentials.kind === 'api-key'
      ? { email: credentials.email, apiKey: credentials.apiKey }
      : await withConnection({ ...parts, credentials: null }, async (connection) => {
          const answer = await connection.call(session.fetchApiKey, {
            username: credentials.email,
            password: credentials.password,
          })
          return { email: answer.email, apiKey: answer.api_key }
        }).catch((error: unknown) => {
          const failure = failureOf(error)
          if (failure.kind !== 'unauthorized' || isOfDeactivated(failure)) throw error
          throw new FailureError({ ...failure, message: t.failures.signIn.wrongPassword })
        })
  return withConnection({ ...parts, credentials: key }, async (connection) => {
    try {
      const own = await connection.call(users.getOwnUser, {})
      return { ...key, userId: own.user_id, fullName: own.full_name }
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'unauthorized' || isOfDeactivated(failure)) throw error
      throw new FailureError({ ...failure, message: t.failures.signIn.wrongKey })
    }
  })
}

async function withConnection<T>(
  parts: ConnectionParts,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = createConnection({ ...parts, occasion: 'signingIn' })
  try {
    return await work(connection)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'rateLimited') throw error
    // Nothing repeats this by itself, so the person is told when to.
    const seconds = Math.ceil(failure.retryAfterMs / 1_000)
    throw new FailureError({ ...failure, message: t.failures.signIn.slowDown(seconds) })
  } finally {
    connection.close()
  }
}

/** Throws the failure, in clearer words if something answered that is not such a server. */
function asNoSuchServer(error: unknown): never {
  const failure = failureOf(error)
  if (failure.kind === 'malformed' || failure.kind === 'rejected' || failure.kind === 'unauthorized') {
    throw new FailureError({
      kind: 'malformed',
      message: t.failures.signIn.noSuchServer(failure.message),
    })
  }
  throw error
}
