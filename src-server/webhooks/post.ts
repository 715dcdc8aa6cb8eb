import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** What somebody's server answered, or why there is no answer. */
export type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** It could not be reached, or took too long: worth another try. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** It must not be reached: the address is of this service's own network. */
  | { readonly kind: 'forbidden' }

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
 * Posts to an address that somebody chose. The name is resolved once, all that it means is checked, and the connection
 * goes to what was checked: a name that means something else a moment later changes nothing. Redirects are answers
 * like any other. Never rejects.
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
  // An address that is written as itself is never looked up.
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
          // Cut off, it is no answer that can be understood.
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

/** What names mean, as `dns.lookup` tells it. */
type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Looks a name up, once, and refuses it when any of its addresses is not public; a connection goes to what was
 * answered then.
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
