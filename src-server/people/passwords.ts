import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'
import type { PasswordCost } from '../configuration.ts'
import { badRequest } from '../service-error.ts'

/** What OWASP advises: 32 MiB, three times, some tenths of a second. */
export const usualPasswordCost: PasswordCost = { log2N: 15, passes: 3 }

const bytes = 32
const options = ({ log2N, passes }: PasswordCost) => ({
  N: 2 ** log2N,
  r: 8,
  p: passes,
  maxmem: 2 * 1024 * 2 ** log2N,
})

const newSalt = () => randomBytes(16).toString('hex')
const stored = ({ log2N, passes }: PasswordCost, salt: string, hash: Buffer) =>
  ['scrypt', log2N, passes, salt, hash.toString('hex')].join(':')

/**
 * A password in its stored form: salted, and hashed slowly. The form says what the work was, so that it can grow.
 * Nothing else happens meanwhile, as within a transaction.
 */
export function hashPassword(password: string, cost: PasswordCost): string {
  const salt = newSalt()
  return stored(cost, salt, scryptSync(password, salt, bytes, options(cost)))
}

/** The same; other requests are served meanwhile. */
export async function hashPasswordAside(password: string, cost: PasswordCost): Promise<string> {
  const salt = newSalt()
  return stored(cost, salt, await scryptAside(password, salt, bytes, cost))
}

const scryptAside = (password: string, salt: string, length: number, cost: PasswordCost) =>
  new Promise<Buffer>((done, fail) =>
    scrypt(password, salt, length, options(cost), (error, key) => (error === null ? done(key) : fail(error))),
  )

interface StoredHash {
  readonly cost: PasswordCost
  readonly salt: string
  readonly hash: Buffer
}

/** What a stored form says; null if it is none. Earlier versions stored the salt and the hash alone. */
function read(text: string): StoredHash | null {
  const form = /^(?:scrypt:(\d+):(\d+):)?([0-9a-f]+):([0-9a-f]+)$/.exec(text)
  if (form === null) return null
  const [, log2N = '12', passes = '1', salt = '', hash = ''] = form
  return { cost: { log2N: Number(log2N), passes: Number(passes) }, salt, hash: Buffer.from(hash, 'hex') }
}

/** Whether a password matches the stored one; if that is null, no password does. Other requests are served meanwhile. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const wanted = kept === null ? null : read(kept)
  if (wanted === null) return false
  const { cost, salt, hash } = wanted
  return timingSafeEqual(await scryptAside(password, salt, hash.length, cost), hash)
}

/** Whether a password was hashed with other work than it would be now. */
export function needsRehash(kept: string, cost: PasswordCost): boolean {
  const known = read(kept)
  return known === null || known.cost.log2N !== cost.log2N || known.cost.passes !== cost.passes
}

/** The allowed lengths of a password, in characters. */
export const shortestPassword = 6
export const longestPassword = 100

/** Validates a chosen password; refuses one that is too short to be safe or too long to hash. */
export function checkedPassword(wanted: string): string {
  if (wanted.length < shortestPassword)
    throw badRequest('The new password is too weak: it needs six characters at least.')
  if (wanted.length > longestPassword)
    throw badRequest('The new password is too long: 100 characters at most.')
  return wanted
}
