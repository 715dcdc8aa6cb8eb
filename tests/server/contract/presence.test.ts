import { dayMs } from '../../../src-shared/durations.ts'
import { expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

const org = organization()

const seconds = () => Math.floor(org.clock.now() / 1000)
const ping = (status: string, fields: object = {}) =>
  org.member.post('/users/me/presence', { status, ...fields })

test('PRESENCE-01: A ping returns the users who are present, keyed by API email, with the same entry for website and aggregated.', async () => {
  const answer = succeeded(await ping('active'))
  const entry = { client: 'website', status: 'active', timestamp: seconds() }
  expect(answer.server_timestamp).toBe(seconds())
  expect(answer.presences).toEqual({
    [org.member.email]: { website: { ...entry, pushable: false }, aggregated: entry },
  })
})

test('PRESENCE-02: A status is active or idle; any other value is rejected.', async () => {
  refused(await ping('offline'))
  refused(await org.member.post('/users/me/presence', {}), 'REQUEST_VARIABLE_MISSING')
})

test('PRESENCE-03: With ping_only, the answer is only the envelope.', async () => {
  expect(succeeded(await ping('active', { ping_only: true }))).toEqual({ result: 'success', msg: '' })
})

test('PRESENCE-04: The modern format is keyed by user id and holds both timestamps.', async () => {
  const answer = succeeded(await ping('active', { slim_presence: true }))
  expect(answer.presences).toEqual({
    [org.member.id]: { active_timestamp: seconds(), idle_timestamp: seconds() },
  })
})

test('PRESENCE-05: An idle ping updates only the idle time, and shows as idle after 70 seconds.', async () => {
  const activeAt = seconds()
  await org.clock.advance(60_000)
  const soon = succeeded(await ping('idle'))
  expect(soon.presences[org.member.email].aggregated.status).toBe('active')
  await org.clock.advance(60_000)
  const later = succeeded(await ping('idle'))
  expect(later.presences[org.member.email].aggregated).toMatchObject({ status: 'idle', timestamp: seconds() })
  const modern = succeeded(await ping('idle', { slim_presence: true }))
  expect(modern.presences[org.member.id]).toEqual({ active_timestamp: activeAt, idle_timestamp: seconds() })
})

test('PRESENCE-06: With last_update_id, only entries changed since then are returned, in the modern format.', async () => {
  const all = succeeded(await ping('active', { last_update_id: -1 }))
  expect(Object.keys(all.presences)).toEqual([String(org.member.id)])
  succeeded(await org.other.post('/users/me/presence', { status: 'active' }))
  await org.clock.advance(60_000)
  const own = succeeded(await org.other.post('/users/me/presence', { status: 'active', last_update_id: -1 }))
  const since = own.presence_last_update_id
  succeeded(await org.admin.post('/users/me/presence', { status: 'active' }))
  const news = succeeded(
    await org.owner.post('/users/me/presence', { status: 'active', last_update_id: since }),
  )
  expect(Object.keys(news.presences).sort()).toEqual([String(org.owner.id), String(org.admin.id)].sort())
})

test('PRESENCE-07: Entries older than history_limit_days, by default fourteen, are omitted.', async () => {
  await org.clock.advance(2 * dayMs)
  const oneDay = succeeded(await ping('active', { history_limit_days: 1, slim_presence: true }))
  expect(Object.keys(oneDay.presences)).toEqual([String(org.member.id)])
  const all = succeeded(await ping('active', { slim_presence: true }))
  expect(Object.keys(all.presences)).toContain(String(org.other.id))
  await org.clock.advance(13 * dayMs)
  const fourteen = succeeded(await ping('active', { slim_presence: true }))
  expect(Object.keys(fourteen.presences)).toEqual([String(org.member.id)])
})

test('PRESENCE-08: GET /realm/presence returns the presence of all users, by API email, and the server’s time.', async () => {
  const answer = succeeded(await org.guest.get('/realm/presence'))
  expect(answer.server_timestamp).toBe(seconds())
  expect(Object.keys(answer.presences).sort()).toEqual(
    [org.member.email, org.other.email, org.admin.email, org.owner.email].sort(),
  )
})

test('PRESENCE-09: The presence of a user, by id or email, holds status and time, and may be offline.', async () => {
  const website = { status: 'active', timestamp: seconds() }
  expect(succeeded(await org.other.get(`/users/${org.member.id}/presence`)).presence).toEqual({
    website,
    aggregated: website,
  })
  await org.clock.advance(201_000)
  const { presence } = succeeded(await org.other.get(`/users/${org.member.email}/presence`))
  expect(presence.aggregated.status).toBe('offline')
})

test('PRESENCE-10: Bots, users who do not exist and users who were never online have no presence.', async () => {
  refused(await org.member.get(`/users/${org.bot.id}/presence`))
  refused(await org.member.get('/users/99999/presence'))
  refused(await org.member.get('/users/nobody@example.org/presence'))
  refused(await org.member.get(`/users/${org.moderator.id}/presence`))
  refused(await org.bot.post('/users/me/presence', { status: 'active' }))
})

test('PRESENCE-11: Coming online sends an event, in the format of each client; staying online sends none.', async () => {
  const legacy = await org.other.register({ event_types: ['presence'] })
  const slim = await org.other.register({ event_types: ['presence'], slim_presence: true })
  const modern = await org.other.register({
    event_types: ['presence'],
    client_capabilities: { simplified_presence_events: true },
  })
  await org.clock.advance(200_000)
  succeeded(await ping('active'))
  await org.clock.advance(50_000)
  succeeded(await ping('active'))
  const timestamp = seconds() - 50
  expect(await legacy.events()).toEqual([
    {
      type: 'presence',
      id: 0,
      user_id: org.member.id,
      email: org.member.email,
      server_timestamp: timestamp,
      presence: { website: { client: 'website', status: 'active', timestamp, pushable: false } },
    },
  ])
  expect(await slim.events()).toEqual([
    {
      type: 'presence',
      id: 0,
      user_id: org.member.id,
      server_timestamp: timestamp,
      presence: { website: { client: 'website', status: 'active', timestamp, pushable: false } },
    },
  ])
  expect(await modern.events()).toEqual([
    {
      type: 'presence',
      id: 0,
      presences: { [org.member.id]: { active_timestamp: timestamp, idle_timestamp: timestamp } },
    },
  ])
})

test('PRESENCE-12: A user who turned presence_enabled off is not listed.', async () => {
  succeeded(await org.moderator.patch('/settings', { presence_enabled: false }))
  succeeded(await org.moderator.post('/users/me/presence', { status: 'active' }))
  const { presences } = succeeded(await org.member.get('/realm/presence'))
  expect(presences).not.toHaveProperty(org.moderator.email)
})
