import { t, type Texts } from '../../src-shared/texts/texts.ts'
import { rootCertificates } from 'node:tls'
import { Agent, ProxyAgent, type Dispatcher } from 'undici'

/** How requests reach a server. */
export interface Network {
  /** The address of the proxy, or null for none. Asked before every request, because laptops change networks. */
  proxy(): Promise<string | null>
  /** Certificates of authorities to trust besides the built-in ones, as PEM text; null for none. */
  readonly certificates: string | null
}

/** What a failed request was for; decides what a person can do about it. */
export type Occasion = 'signingIn' | 'syncing'

/** No proxy, and only the built-in authorities. */
export const plainNetwork: Network = { proxy: () => Promise.resolve(null), certificates: null }

/** A dispatcher and what a request over it must know. */
interface OpenDispatcher {
  readonly dispatcher: Dispatcher
  readonly proxyUrl: string | null
  /** Aborts when its connections may be dead without a sign, see `Dispatchers.renew`. */
  readonly doubted: AbortSignal
}

/** The undici dispatchers of one server, one per proxy; only the newest takes new requests. */
export interface Dispatchers {
  /** The dispatcher for the current proxy. Rejects if the proxy's address is not a valid URL. */
  current(): Promise<OpenDispatcher>
  /** No later request uses a connection that exists now. Requests in flight go on, and are told by `doubted`. */
  renew(): void
  close(): void
}

/** Creates the dispatchers for one server. Connections are reused as long as the proxy is the same. */
export function createDispatchers(network: Network): Dispatchers {
  let open: OpenDispatcher | null = null
  let doubt = new AbortController()
  let isClosed = false
  /** Requests in flight finish on the old dispatcher. */
  const retire = () => {
    open?.dispatcher.close().catch(() => {})
    open = null
  }
  return {
    async current() {
      const proxyUrl = await network.proxy()
      if (open !== null && open.proxyUrl === proxyUrl) return open
      retire()
      open = { dispatcher: dispatcherFor(proxyUrl, network.certificates), proxyUrl, doubted: doubt.signal }
      if (isClosed) end(open.dispatcher)
      return open
    },
    renew() {
      retire()
      const before = doubt
      doubt = new AbortController()
      before.abort('renewed')
    },
    close() {
      isClosed = true
      if (open !== null) end(open.dispatcher)
    },
  }
}

/** Destroys a dispatcher; the error of one that is already destroyed is ignored. */
function end(dispatcher: Dispatcher): void {
  dispatcher.destroy().catch(() => {})
}

/**
 * Not HTTP/2, where all requests would share one connection: when it dies without a sign, giving up a request only ends
 * its stream, and every later request would wait on the dead connection too. undici prefers it by default.
 */
const ownConnections = { allowH2: false }

function dispatcherFor(proxyUrl: string | null, certificates: string | null): Dispatcher {
  // `ca` replaces the built-in authorities, so they are listed too.
  const tls = {
    timeout: 10_000,
    ...ownConnections,
    ...(certificates === null ? {} : { ca: [...rootCertificates, certificates] }),
  }
  const options = {
    // undici's defaults differ between releases. `exchangeOverNetwork` has its own limit for the whole answer.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: tls,
    connections: 16,
    ...ownConnections,
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

/** Why a certificate is rejected, by error code. */
const certificateReasons: Readonly<Record<string, keyof Texts['failures']['network']['certificate']>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'ofAnother',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  CERT_REVOKED: 'revoked',
}

const isUnknownAuthority = (code: string) =>
  code.startsWith('UNABLE_TO_GET_ISSUER_CERT') ||
  code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' ||
  code === 'SELF_SIGNED_CERT_IN_CHAIN' ||
  code === 'CERT_UNTRUSTED'

/** A text for people that says why there was no answer and what to do. No code depends on it. */
export function whyNoAnswer(error: unknown, proxyUrl: string | null, occasion: Occasion): string {
  const code = codeOf(error)
  const reason = isUnknownAuthority(code)
    ? 'unknownAuthority'
    : (certificateReasons[code] ?? (code.includes('CERT') ? 'notAccepted' : null))
  const texts = t.failures.network
  if (reason !== null) return texts.certificate[reason]
  const proxy = proxyUrl === null || !URL.canParse(proxyUrl) ? null : new URL(proxyUrl).host
  if (proxy !== null && isOfProxy(error, code)) {
    const status = refusedStatus(error)
    if (status === null) return texts.proxyRefuses(proxy)
    return status === '407' ? texts.proxyAsksWho(proxy) : texts.proxyRefusesWith(proxy, status)
  }
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return texts.notFound
    case 'ECONNREFUSED':
      return proxy === null ? texts.refused : texts.proxySilent(proxy)
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return texts.notSecure[occasion]
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
      return texts.noWay
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return texts.broke
    default:
      return isTimeout(error, code) ? texts.tooSlow : texts.silent
  }
}

const isTimeout = (error: unknown, code: string): boolean =>
  code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || messageOf(error).includes('timeout')

const isOfProxy = (error: unknown, code: string): boolean =>
  code.startsWith('UND_ERR_PRX') || /proxy/i.test(messageOf(error))

const refusedStatus = (error: unknown): string | null => /\((\d{3})\)/.exec(messageOf(error))?.[1] ?? null

/** The messages of the error and its causes. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return `${error.message} ${messageOf(error.cause)}`
}

/** The code of the error or of its nearest cause that has one; otherwise empty. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}
