import { X509Certificate } from 'node:crypto'
import { failureOf, refusedHere, type FailureError } from '../../src-shared/failure.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Network } from '../api/network.ts'
import type { AccountsStore } from '../store/accounts-store.ts'
import type { Platform } from './platform.ts'

/** The network as a connection uses it. The system is asked anew each time: a machine moves between networks. */
export function networkFor(platform: Platform, baseUrl: string, settings: AccountNetwork): Network {
  const { proxy, certificates } = settings
  return {
    certificates,
    async proxy() {
      if (proxy.kind !== 'system') return proxy.kind === 'none' ? null : proxy.url
      try {
        return await platform.findProxy(baseUrl)
      } catch {
        // A system that cannot say has none.
        return null
      }
    },
  }
}

/** What names and passwords of proxies are kept with. */
interface NetworkPlaces {
  readonly platform: Pick<Platform, 'secrets' | 'log'>
  readonly accounts: Pick<AccountsStore, 'network' | 'setNetwork'>
}

/** The name under which the name and password for an account's proxy lie in the keychain. */
export const proxySecretName = (id: AccountId): string => `proxy:${id}`

/** How an account's requests travel, with what its proxy wants to know. Without a keychain it comes without that. */
export async function readNetwork(places: NetworkPlaces, id: AccountId): Promise<AccountNetwork> {
  const kept = places.accounts.network(id)
  if (kept.proxy.kind !== 'address') return kept
  const [, secret] = withoutSecret(kept.proxy.url)
  try {
    if (secret !== null) {
      // An earlier version kept it in the list of accounts, for everybody to read who can read the file.
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

/** Keeps how an account's requests travel; a name and password for the proxy go into the keychain, nowhere else. */
export async function keepNetwork(
  places: NetworkPlaces,
  id: AccountId,
  network: AccountNetwork,
): Promise<void> {
  places.accounts.setNetwork(id, await keepProxySecret(places, id, network))
}

/** Puts a name and password for the proxy into the keychain; answers how requests travel without them. */
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

/** An address without a name and password, as it may be shown and kept; and these, or null when there are none. */
export function withoutSecret(url: string): readonly [string, string | null] {
  const found = /^([a-z0-9+.-]+:\/\/)([^/?#]*)@(.*)$/is.exec(url)
  const [, scheme = '', secret = '', rest = ''] = found ?? []
  return found === null ? [url, null] : [`${scheme}${rest}`, secret]
}

const withSecret = (url: string, secret: string) => url.replace('://', () => `://${secret}@`)

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** The names of the authorities in PEM text. Throws a `FailureError` with words when there are none to be read. */
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

/** Throws a `FailureError` with words when the settings cannot work. */
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
