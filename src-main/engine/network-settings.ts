import { X509Certificate } from 'node:crypto'
import { FailureError } from '../../src-shared/failure.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Network } from '../api/network.ts'
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

const refusal = (message: string): FailureError =>
  new FailureError({ kind: 'rejected', code: 'BAD_NETWORK', message, status: 0 })
