import { rootCertificates } from 'node:tls'
import { Agent, ProxyAgent, type Dispatcher } from 'undici'

/** How requests reach a server. */
export interface Network {
  /** Address of the proxy on the way, or null for none. Asked before every request, since machines move. */
  proxy(): Promise<string | null>
  /** Certificates of authorities to trust beside the built-in ones, as PEM text; null for none. */
  readonly certificates: string | null
}

/** No proxy, and the built-in authorities. */
export const plainNetwork: Network = { proxy: () => Promise.resolve(null), certificates: null }

/** Dispatchers by the proxy that they use; one is open at a time. */
export interface Ways {
  /** Rejects when the proxy's address is none. */
  present(): Promise<{ readonly dispatcher: Dispatcher; readonly proxyUrl: string | null }>
  close(): void
}

/** The ways to one server over a network; connections stay open while the proxy is the same. */
export function openWays(network: Network): Ways {
  let open: { dispatcher: Dispatcher; proxyUrl: string | null } | null = null
  let isClosed = false
  return {
    async present() {
      const proxyUrl = await network.proxy()
      if (open !== null && open.proxyUrl === proxyUrl) return open
      const before = open
      open = { dispatcher: dispatcherFor(proxyUrl, network.certificates), proxyUrl }
      // What is under way ends on the way it has begun on.
      void before?.dispatcher.close()
      if (isClosed) void open.dispatcher.destroy()
      return open
    },
    close() {
      isClosed = true
      void open?.dispatcher.destroy()
    },
  }
}

function dispatcherFor(proxyUrl: string | null, certificates: string | null): Dispatcher {
  // Naming authorities replaces the built-in ones, so those are named too.
  const tls = {
    timeout: 10_000,
    ...(certificates === null ? {} : { ca: [...rootCertificates, certificates] }),
  }
  const options = {
    // The library's own limits differ between its releases; `exchange` has the only one, for the whole answer.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: tls,
    connections: 16,
  }
  if (proxyUrl === null) return new Agent(options)
  return new ProxyAgent({
    ...options,
    uri: proxyUrl,
    requestTls: tls,
    proxyTls: tls,
    connectTimeout: tls.timeout,
  })
}

const nothingLost = 'Nothing was lost: what waits is sent when the way is clear.'

/** Why a certificate is not accepted, by the code of the error. */
const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    'its certificate has expired. Whoever runs it has to renew it. If the clock of this device is wrong, correct that',
  CERT_NOT_YET_VALID:
    'its certificate is valid from a later day only. Most often the clock of this device is wrong: correct that',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is of another server. The address may be wrong, or the network leads elsewhere',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'it signed its certificate itself. If your organization does that, add its certificate in the network settings',
  CERT_REVOKED: 'its certificate was revoked. Ask whoever runs it',
}
const unknownAuthority =
  'this device does not know who signed its certificate. If your organization has an authority of its own, add its certificate in the network settings'

const isUnknownAuthority = (code: string) =>
  code.startsWith('UNABLE_TO_GET_ISSUER_CERT') ||
  code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' ||
  code === 'SELF_SIGNED_CERT_IN_CHAIN' ||
  code === 'CERT_UNTRUSTED'

/** Why there was no answer, for people: what happened, what is safe, what to do. Nothing decides by it. */
export function whyNoAnswer(error: unknown, proxyUrl: string | null): string {
  const code = codeOf(error)
  const reason = isUnknownAuthority(code)
    ? unknownAuthority
    : (certificateReasons[code] ?? (code.includes('CERT') ? 'its certificate is not accepted' : null))
  if (reason !== null) {
    return `The server could not prove who it is: ${reason}. Nothing was sent to it.`
  }
  const proxy = proxyUrl === null || !URL.canParse(proxyUrl) ? null : new URL(proxyUrl).host
  if (proxy !== null && isOfProxy(error, code)) {
    return `The proxy ${proxy} does not let this through${refusedStatus(error)}. ${nothingLost} Check the proxy in the network settings.`
  }
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'This address was not found. Either it is wrong or the network is not there.'
    case 'ECONNREFUSED':
      return proxy === null
        ? 'No server answers at this address.'
        : `Neither the proxy ${proxy} nor a server behind it answers. ${nothingLost}`
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return 'The server at this address does not speak a secure connection. If that is meant to be, write http:// before the address.'
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
      return 'There is no way to this address from here: the network is not there.'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return 'The connection broke before the answer was there.'
    default:
      return isTimeout(error, code) ? 'The server did not answer in time.' : 'The server did not answer.'
  }
}

const isTimeout = (error: unknown, code: string): boolean =>
  code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || messageOf(error).includes('timeout')

const isOfProxy = (error: unknown, code: string): boolean =>
  code.startsWith('UND_ERR_PRX') || /proxy/i.test(messageOf(error))

function refusedStatus(error: unknown): string {
  const status = /\((\d{3})\)/.exec(messageOf(error))?.[1]
  return status === undefined ? '' : status === '407' ? ': it asks for a name and a password' : ` (${status})`
}

/** The message of the error and of what caused it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return `${error.message} ${messageOf(error.cause)}`
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}
