import type { Handlers } from '../../src-shared/api/index.ts'
import { checkedDomain, domainList, type DomainRow } from '../people/domains.ts'
import { assertOwner } from '../permissions/roles.ts'
import { badRequest, notFound } from '../service-error.ts'
import { realmValue, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

export const domains: Pick<
  Handlers<HandlerContext>,
  'getDomains' | 'addDomain' | 'editDomain' | 'removeDomain'
> = {
  getDomains: (_input, { workspace }) => ({ domains: domainList(workspace.db) }),
  addDomain: ({ domain, allow_subdomains }, { workspace, user }) => {
    assertOwner(user)
    const name = checkedDomain(domain)
    if (domainOf(workspace, name) !== undefined)
      throw badRequest(`The domain ${name} is already a part of your organization.`)
    workspace.db.run('INSERT INTO realm_domains VALUES (?, ?)', name, allow_subdomains ? 1 : 0)
    publish(workspace, { op: 'add', realm_domain: { domain: name, allow_subdomains } })
    return {}
  },
  editDomain: ({ domain, allow_subdomains }, { workspace, user }) => {
    assertOwner(user)
    const row = existing(workspace, domain)
    if ((row.allow_subdomains === 1) === allow_subdomains) return {}
    workspace.db.run(
      'UPDATE realm_domains SET allow_subdomains = ? WHERE domain = ?',
      allow_subdomains ? 1 : 0,
      row.domain,
    )
    publish(workspace, { op: 'change', realm_domain: { domain: row.domain, allow_subdomains } })
    return {}
  },
  removeDomain: ({ domain }, { workspace, user }) => {
    assertOwner(user)
    const { db } = workspace
    const row = existing(workspace, domain)
    const isOpened = db.transaction(() => {
      db.run('DELETE FROM realm_domains WHERE domain = ?', row.domain)
      if (domainList(db).length > 0 || realmValue(db, 'emails_restricted_to_domains') !== 'true') return false
      // Otherwise nobody could join any more.
      db.run("INSERT OR REPLACE INTO realm VALUES ('emails_restricted_to_domains', 'false')")
      return true
    })
    publish(workspace, { op: 'remove', domain: row.domain })
    if (isOpened)
      workspace.publish(null, {
        type: 'realm',
        op: 'update',
        property: 'emails_restricted_to_domains',
        value: false,
      })
    return {}
  },
}

const domainOf = ({ db }: Workspace, domain: string): DomainRow | undefined =>
  db.get<DomainRow>('SELECT domain, allow_subdomains FROM realm_domains WHERE domain = ?', domain)

function existing(workspace: Workspace, domain: string): DomainRow {
  const row = domainOf(workspace, domain.trim().toLowerCase())
  if (row === undefined) throw notFound(`No entry found for domain ${domain}.`)
  return row
}

const publish = (workspace: Workspace, event: Readonly<Record<string, unknown>>): void =>
  workspace.publish(null, { type: 'realm_domains', ...event })
