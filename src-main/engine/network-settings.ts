import { X509Certificate } from 'node:crypto'
import { failureOf, refusedHere, type FailureError } from '../../src-shared/failure.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Network } from '../api/network.ts'
import type { AccountsStore } from '../store/accounts-store.ts'
import type { Platform } from './platform.ts'

/** The network for a connection. The system's proxy is looked up each time: a machine moves between networks. */
export function networkFor(platform: Platform, baseUrl: string, settings: AccountNetwork): Network {
  const { proxy, certificates } = settings
  return {
    certificates,
    async proxy() {
      if (proxy.kind !== 'system') return proxy.kind === 'none' ? null : proxy.url
      try {
        return await platform.findProxy(baseUrl)
      } catch {
        // If the system cannot tell, no proxy is used.
        return null
      }
    },
  }
}

/** Where network settings are kept. */
interface NetworkPlaces {
  readonly platform: Pick<Platform, 'secrets' | 'log'>
  readonly accounts: Pick<AccountsStore, 'network' | 'setNetwork'>
}

/** The name of the proxy's user name and password in the keychain. */
export const proxySecretName = (id: AccountId): string => `proxy:${id}`

/** An account's network settings, with the proxy's user name and password unless the keychain is unavailable. */
export async function readNetwork(places: NetworkPlaces, id: AccountId): Promise<AccountNetwork> {
  const kept = places.accounts.network(id)
  if (kept.proxy.kind !== 'address') return kept
  const [, secret] = withoutSecret(kept.proxy.url)
  try {
    if (secret !== null) {
      // An earlier version kept the password unprotected in the list of accounts: it moves into the keychain.
      await keepNetwork(places, id, kept)
      return kept
    }
    const known = await places.platform.secrets.get(proxySecretName(id))
    return known === null
      ? kept
      : { ...kept, proxy: { ...kept.proxy, url: withSecret(kept.proxy.url, known) } }
  } catch (error) {
    places.platform.log(`keychain: ${failureOf(error).message}`)
    return kept
  }
}

/** Stores an account's network settings; a user name and password for the proxy only in the keychain. */
export async function keepNetwork(
  places: NetworkPlaces,
  id: AccountId,
  network: AccountNetwork,
): Promise<void> {
  places.accounts.setNetwork(id, await keepProxySecret(places, id, network))
}

/** Stores a user name and password for the proxy in the keychain; returns the settings without them. */
export async function keepProxySecret(
  { platform }: Pick<NetworkPlaces, 'platform'>,
  id: AccountId,
  network: AccountNetwork,
): Promise<AccountNetwork> {
  const { proxy } = network
  const [url, secret] = proxy.kind === 'address' ? withoutSecret(proxy.url) : ['', null]
  if (secret === null) await platform.secrets.delete(proxySecretName(id))
  else await platform.secrets.set(proxySecretName(id), secret)
  return proxy.kind === 'address' ? { ...network, proxy: { ...proxy, url } } : network
}

/** Splits an address into one without user name and password, which may be shown and stored, and these, or null. */
export function withoutSecret(url: string): readonly [string, string | null] {
  const found = /^([a-z0-9+.-]+:\/\/)([^/?#]*)@(.*)$/is.exec(url)
  const [, scheme = '', secret = '', rest = ''] = found ?? []
  return found === null ? [url, null] : [`${scheme}${rest}`, secret]
}

const withSecret = (url: string, secret: string) => url.replace('://', () => `://${secret}@`)

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** The names of the authorities in PEM text. Throws a refusal if it contains none, or one that cannot be read. */
export function authorityNames(pem: string): string[] {
  if (/PRIVATE KEY/.test(pem)) {
    throw refusal(t.failures.network.privateKey)
  }
  const blocks = pem.match(certificate) ?? []
  if (blocks.length === 0) {
    throw refusal(t.failures.network.noCertificate)
  }
  return blocks.map((block, index) => {
    try {
      const { subject } = new X509Certificate(block)
      return /^(?:CN|O)=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
    } catch {
      throw refusal(t.failures.network.badCertificate(index + 1))
    }
  })
}

/** Throws a refusal if the settings cannot work. */
export function checkNetwork({ proxy, certificates }: AccountNetwork): void {
  if (certificates !== null) authorityNames(certificates)
  if (proxy.kind !== 'address') return
  const isProxy =
    URL.canParse(proxy.url) && ['http:', 'https:', 'socks5:', 'socks:'].includes(new URL(proxy.url).protocol)
  if (!isProxy) {
    throw refusal(t.failures.network.badProxy)
  }
}

const refusal = (message: string): FailureError => refusedHere('BAD_NETWORK', message)
