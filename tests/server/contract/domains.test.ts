import { afterEach, expect, test } from 'vitest'
import { fresh, organization, refused, succeeded } from '../../support/organization.ts'

const org = organization()

const listed = async () => succeeded(await org.guest.get('/realm/domains')).domains
const add = (domain: string, allow_subdomains = false) =>
  org.owner.post('/realm/domains', { domain, allow_subdomains })
const restrict = (isOn: boolean) => org.owner.patch('/realm', { emails_restricted_to_domains: isOn })
const isRestricted = async () =>
  (await org.member.register({ fetch_event_types: ['realm'] })).state.realm_emails_restricted_to_domains

afterEach(async () => {
  for (const { domain } of await listed()) succeeded(await org.owner.delete(`/realm/domains/${domain}`))
})

/** Follows an invitation with an address of this domain; what the page answers. */
async function joinFrom(domain: string): Promise<{ status: number; text: string }> {
  const { invite_link } = succeeded(await org.owner.post('/invites/multiuse'))
  const name = fresh('Newcomer')
  const email = `${name.replace(' ', '-')}@${domain}`
  const body = new URLSearchParams({ full_name: name, email, password: 'tide tables' })
  const response = await fetch(invite_link, { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}

test('DOMAIN-01: A new domain is stored in lower case, listed, sent to all users, and in the state of a new queue.', async () => {
  const queue = await org.guest.listen({ event_types: ['realm_domains'] })
  succeeded(await add(' Waders.Example '))
  const domain = { domain: 'waders.example', allow_subdomains: false }
  expect(await listed()).toEqual([domain])
  expect(await queue.events()).toEqual([{ type: 'realm_domains', op: 'add', realm_domain: domain }])
  const { state } = await org.member.register({ fetch_event_types: ['realm_domains'] })
  expect(state.realm_domains).toEqual([domain])
})

test('DOMAIN-02: An invalid or duplicate domain is rejected.', async () => {
  succeeded(await add('waders.example'))
  refused(await add('WADERS.example', true), 'BAD_REQUEST')
  const names = [
    '',
    'localhost',
    '.example',
    'a..example',
    '-a.example',
    'a_b.example',
    'a b.example',
    '@a.example',
  ]
  for (const name of [...names, `${'a'.repeat(64)}.example`, `${'abcdefg.'.repeat(32)}example`])
    refused(await add(name))
  expect(await listed()).toHaveLength(1)
})

test('DOMAIN-03: Whether subdomains are allowed can be changed, and all users get one event.', async () => {
  succeeded(await add('waders.example'))
  const queue = await org.member.listen({ event_types: ['realm_domains'] })
  for (let turn = 0; turn < 2; turn++)
    succeeded(await org.owner.patch('/realm/domains/Waders.example', { allow_subdomains: true }))
  const domain = { domain: 'waders.example', allow_subdomains: true }
  expect(await queue.events()).toEqual([{ type: 'realm_domains', op: 'change', realm_domain: domain }])
  expect(await listed()).toEqual([domain])
  refused(await org.owner.patch('/realm/domains/no.example', { allow_subdomains: true }), 'BAD_REQUEST', 404)
})

test('DOMAIN-04: If addresses are restricted to domains, only users with a matching address can join.', async () => {
  succeeded(await add('waders.example'))
  expect((await joinFrom('gulls.example')).status).toBe(200)
  succeeded(await restrict(true))
  expect(await isRestricted()).toBe(true)
  const outside = await joinFrom('gulls.example')
  expect(outside).toMatchObject({
    status: 400,
    text: expect.stringContaining('not allowed in this organization'),
  })
  expect((await joinFrom('Waders.Example')).status).toBe(200)
  expect((await joinFrom('small.waders.example')).status).toBe(400)
  succeeded(await org.owner.patch('/realm/domains/waders.example', { allow_subdomains: true }))
  expect((await joinFrom('small.waders.example')).status).toBe(200)
  expect((await joinFrom('notwaders.example')).status).toBe(400)
})

test('DOMAIN-05: The restriction also applies to a change of address; existing users keep their access.', async () => {
  succeeded(await add('waders.example'))
  succeeded(await restrict(true))
  succeeded(await org.member.get('/users/me'))
  refused(await org.member.patch('/settings', { email: 'mara@gulls.example' }))
  succeeded(await org.member.patch('/settings', { email: 'mara@waders.example' }))
  expect(org.service.mails.at(-1)?.to).toBe('mara@waders.example')
})

test('DOMAIN-06: A restriction requires a domain: it cannot be enabled without one, and is disabled when the last one is removed.', async () => {
  refused(await restrict(true))
  for (const name of ['waders.example', 'gulls.example']) succeeded(await add(name))
  succeeded(await restrict(true))
  const queue = await org.other.listen({ event_types: ['realm', 'realm_domains'] })
  succeeded(await org.owner.delete('/realm/domains/gulls.example'))
  expect(await isRestricted()).toBe(true)
  succeeded(await org.owner.delete('/realm/domains/WADERS.example'))
  expect(await isRestricted()).toBe(false)
  expect(await queue.events()).toEqual([
    { type: 'realm_domains', op: 'remove', domain: 'gulls.example' },
    { type: 'realm_domains', op: 'remove', domain: 'waders.example' },
    { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
  ])
  refused(await org.owner.delete('/realm/domains/waders.example'), 'BAD_REQUEST', 404)
})
