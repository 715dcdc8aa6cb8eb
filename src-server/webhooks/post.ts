import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** The answer of an external server, or why there is none. */
export type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** The server could not be reached, or took too long: a retry is worthwhile. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The server must not be contacted: its address is in a private network. */
  | { readonly kind: 'forbidden' }

/** A request to an external server. */
export interface Post {
  readonly url: string
  readonly contentType: string
  readonly body: string
  readonly userAgent: string
  /** Whether addresses of this machine and of private networks are allowed. */
  readonly allowsPrivate: boolean
  readonly signal: AbortSignal
}

const longestAnswer = 1024 * 1024

class ForbiddenAddress extends Error {}

/**
 * Posts to an address that a user chose. The name is resolved once, all its addresses are checked, and the connection
 * goes to a checked address, so a name that resolves differently a moment later changes nothing. Redirects are not
 * followed. Never rejects.
 */
export async function post(options: Post): Promise<Outcome> {
  try {
    return await exchange(options)
  } catch (error) {
    if (error instanceof ForbiddenAddress) return { kind: 'forbidden' }
    return { kind: 'unreachable', reason: error instanceof Error ? error.message : String(error) }
  }
}

function exchange({ url, contentType, body, userAgent, allowsPrivate, signal }: Post): Promise<Outcome> {
  const target = new URL(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  // A literal IP address is never looked up.
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new ForbiddenAddress()
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((done, fail) => {
    const call = request(
      target,
      {
        method: 'POST',
        agent: false,
        signal,
        ...(allowsPrivate ? {} : { lookup: publicOnly }),
        headers: {
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
          'user-agent': userAgent,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          // A truncated answer cannot be parsed.
          if (length > longestAnswer) response.destroy(new Error('The answer is too long.'))
          else chunks.push(chunk)
        })
        response.on('error', fail)
        response.on('end', () =>
          done({
            kind: 'answer',
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    call.on('error', fail)
    call.end(body)
  })
}

/** Resolves names like `dns.lookup`. */
type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Resolves a name once, and refuses it if any of its addresses is not public. The connection goes to the addresses
 * from this lookup.
 */
export const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) callback(error ?? new Error('no address'), '', 0)
      else if (!addresses.every(({ address }) => isPublicAddress(address)))
        callback(new ForbiddenAddress(), '', 0)
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

const publicOnly = publicLookup(lookup)
