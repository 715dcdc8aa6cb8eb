import type { Database } from '../database.ts'
import { badRequest } from '../service-error.ts'
import { realmValue } from '../workspace.ts'

/** A row of the table of domains; flags are 0 or 1. */
export interface DomainRow {
  readonly domain: string
  readonly allow_subdomains: number
}

/** The organization's domains as the API shows them, by name. */
export const domainList = (db: Database) =>
  db
    .all<DomainRow>('SELECT domain, allow_subdomains FROM realm_domains ORDER BY domain')
    .map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains: allow_subdomains === 1 }))

const longestDomain = 253
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** A domain in its stored form (lower case); refuses one that cannot be the domain of an address. */
export function checkedDomain(text: string): string {
  const domain = text.trim().toLowerCase()
  const labels = domain.split('.')
  if (domain.length > longestDomain || labels.length < 2 || !labels.every((one) => label.test(one)))
    throw badRequest('Invalid domain: it has letters, digits and hyphens, and a dot, as in example.com.')
  return domain
}

/** Refuses an address whose domain is not allowed, if the organization restricts domains. */
export function assertAllowedDomain(db: Database, email: string): void {
  if (realmValue(db, 'emails_restricted_to_domains') !== 'true') return
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const isAllowed = domainList(db).some(
    (one) => one.domain === domain || (one.allow_subdomains && domain.endsWith(`.${one.domain}`)),
  )
  if (!isAllowed) throw badRequest('Addresses of this domain are not allowed in this organization.')
}
