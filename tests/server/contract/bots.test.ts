import { expect, test } from 'vitest'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Answer,
  type Person,
} from '../../support/organization.ts'
import { png, sendFile } from '../../support/files.ts'

const org = organization()

const create = (fields: object, who: Person = org.member): Promise<Answer> =>
  who.post('/bots', { full_name: 'Robin', short_name: 'robin', ...fields })
const newBot = async (name: string, fields: object = {}): Promise<{ user_id: number; api_key: string }> =>
  succeeded(await create({ full_name: name, short_name: name.toLowerCase(), ...fields })) as never
const asBot = (email: string, key: string, path: string, method = 'GET') =>
  fetch(`${org.service.baseUrl}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` },
    ...(method === 'POST'
      ? { body: new URLSearchParams({ type: 'stream', to: 'plaza', topic: 'bots', content: 'beep' }) }
      : {}),
  })
const emailOf = async (id: number): Promise<string> =>
  succeeded(await org.member.get(`/users/${id}`)).user.email

test('BOT-01: Creating a bot returns its id, key, picture and defaults, and the bot authenticates with its own email and key.', async () => {
  const answer = succeeded(await create({}))
  expect(answer).toMatchObject({
    user_id: expect.any(Number),
    api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    avatar_url: expect.any(String),
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
  })
  const { user } = succeeded(await org.other.get(`/users/${answer.user_id}`))
  expect(user).toMatchObject({ full_name: 'Robin', is_bot: true, bot_type: 1, bot_owner_id: org.member.id })
  expect(user.email).toMatch(/^robin-bot@/)
  expect((await asBot(user.email, answer.api_key, '/users/me')).status).toBe(200)
})

test('BOT-02: GET /bots lists the user’s own active bots, with keys and without ids.', async () => {
  const { bots } = succeeded(await org.member.get('/bots'))
  const robin = bots.find((bot: { full_name: string }) => bot.full_name === 'Robin')
  expect(Object.keys(robin).sort()).toEqual(
    [
      'username',
      'full_name',
      'api_key',
      'avatar_url',
      'default_sending_stream',
      'default_events_register_stream',
      'default_all_public_streams',
    ].sort(),
  )
  expect(succeeded(await org.other.get('/bots')).bots).toEqual([])
})

test('BOT-03: Bot names and addresses are unique and must be valid.', async () => {
  refused(await create({ full_name: 'Other', short_name: 'robin' }))
  refused(await create({ full_name: 'Robin', short_name: 'other' }))
  refused(await create({ full_name: ' ', short_name: 'blank' }))
  refused(await create({ full_name: 'At', short_name: 'a b' }))
  refused(await create({ full_name: '**', short_name: 'stars' }))
})

test('BOT-04: The bot types are generic, incoming webhook and outgoing webhook; any other is rejected.', async () => {
  for (const bot_type of [0, 5, 99]) refused(await create({ full_name: 'T', short_name: 't', bot_type }))
  const { user_id } = await newBot('Inward', { bot_type: 2 })
  expect(succeeded(await org.other.get(`/users/${user_id}`)).user.bot_type).toBe(2)
})

test('BOT-05: An incoming webhook bot can send messages and do nothing else.', async () => {
  const { user_id, api_key } = await newBot('Hook', { bot_type: 2 })
  const email = await emailOf(user_id)
  expect((await asBot(email, api_key, '/messages', 'POST')).status).toBe(200)
  for (const path of ['/users/me', '/streams', '/bots']) {
    const response = await asBot(email, api_key, path)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED' })
  }
})

test('BOT-06: An outgoing webhook bot requires a web address.', async () => {
  for (const payload_url of [undefined, '', '"nowhere"', '"ftp://example.org/"', '"javascript:alert(1)"'])
    refused(await create({ full_name: 'Out', short_name: 'out', bot_type: 3, payload_url }))
  const { user_id } = await newBot('Outward', { bot_type: 3, payload_url: '"https://example.org/hook"' })
  const { state } = await org.member.register({ fetch_event_types: ['realm_bot'] })
  const bot = state.realm_bots.find((one: { user_id: number }) => one.user_id === user_id)
  expect(bot.services).toEqual([
    { base_url: 'https://example.org/hook', interface: 1, token: expect.stringMatching(/^[A-Za-z0-9]+$/) },
  ])
  refused(
    await create({
      full_name: 'X',
      short_name: 'x',
      bot_type: 3,
      payload_url: 'https://a.b',
      interface_type: 3,
    }),
  )
})

test('BOT-07: Only users with the permission can create bots, and bots cannot create bots.', async () => {
  refused(await create({ full_name: 'G', short_name: 'g' }, org.guest))
  refused(await create({ full_name: 'B', short_name: 'b' }, org.bot))
})

test('BOT-08: A picture can be uploaded when a bot is created.', async () => {
  const form = '/bots?full_name=Pretty&short_name=pretty'
  const answer = succeeded(await sendFile(org.service, org.member, form, ['face.png', png]))
  const response = await fetch(new URL(answer.avatar_url, org.service.baseUrl))
  expect(response.headers.get('content-type')).toBe('image/png')
})

test('BOT-09: A bot’s new key replaces the old one immediately.', async () => {
  const { user_id, api_key } = await newBot('Keyed')
  const email = await emailOf(user_id)
  const answer = succeeded(await org.member.post(`/bots/${user_id}/api_key/regenerate`))
  expect(answer.api_key).not.toBe(api_key)
  expect((await asBot(email, api_key, '/users/me')).status).toBe(401)
  expect((await asBot(email, answer.api_key, '/users/me')).status).toBe(200)
})

test('BOT-10: Only its owner and administrators can change a bot; the endpoints for bots reject human users.', async () => {
  const { user_id } = await newBot('Mine')
  for (const attempt of [
    org.other.patch(`/bots/${user_id}`, { full_name: 'Yours' }),
    org.other.post(`/bots/${user_id}/api_key/regenerate`),
    org.other.delete(`/bots/${user_id}`),
    org.admin.delete(`/bots/${org.other.id}`),
    org.member.patch('/bots/99999', { full_name: 'Nobody' }),
  ])
    refused(await attempt)
  succeeded(await org.admin.patch(`/bots/${user_id}`, { full_name: 'Administered' }))
})

test('BOT-11: A change of name, address, defaults or owner is returned in the response and sent as an event.', async () => {
  const { user_id } = await newBot('Changing', { bot_type: 3, payload_url: '"https://example.org/a"' })
  const queue = await org.member.register({ event_types: ['realm_bot'] })
  const answer = succeeded(
    await org.member.patch(`/bots/${user_id}`, {
      full_name: 'Changed',
      service_payload_url: '"https://example.org/b"',
      default_sending_stream: 'plaza',
    }),
  )
  expect(answer).toMatchObject({
    full_name: 'Changed',
    service_payload_url: 'https://example.org/b',
    default_sending_stream: 'plaza',
  })
  expect(await queue.events()).toMatchObject([
    { type: 'realm_bot', op: 'update', bot: { user_id, full_name: 'Changed' } },
    { type: 'realm_bot', op: 'update', bot: { user_id, default_sending_stream: 'plaza' } },
    { type: 'realm_bot', op: 'update', bot: { user_id, services: [{ base_url: 'https://example.org/b' }] } },
  ])
  const newOwner = await org.other.register({ event_types: ['realm_bot'] })
  succeeded(await org.member.patch(`/bots/${user_id}`, { bot_owner_id: org.other.id }))
  expect((await newOwner.events())[0]).toMatchObject({ op: 'add', bot: { user_id, owner_id: org.other.id } })
  expect((await queue.events())[0]).toMatchObject({ op: 'delete', bot: { user_id } })
  refused(await org.member.patch(`/bots/${user_id}`, { full_name: 'Lost' }))
})

test('BOT-12: Administrators set a bot’s role, never above their own.', async () => {
  const { user_id } = await newBot('Ranked')
  refused(await org.member.patch(`/bots/${user_id}`, { role: 300 }))
  refused(await org.admin.patch(`/bots/${user_id}`, { role: 100 }))
  refused(await org.admin.patch(`/bots/${user_id}`, { role: 150 }))
  succeeded(await org.admin.patch(`/bots/${user_id}`, { role: 300 }))
  expect(succeeded(await org.other.get(`/users/${user_id}`)).user.role).toBe(300)
})

test('BOT-17: Administrators do not receive the key of a bot with a role above theirs, and cannot change it; its owner does receive the key.', async () => {
  const { user_id, api_key } = await newBot('Elevated')
  const email = await emailOf(user_id)
  const types = { event_types: ['realm_bot'], fetch_event_types: ['realm_bot'] }
  const [owner, admin, maker] = [
    await org.owner.register(types),
    await org.admin.register(types),
    await org.member.register(types),
  ]
  const has = (state: Answer['body']) =>
    state.realm_bots.some((bot: { user_id: number }) => bot.user_id === user_id)
  expect([owner, admin, maker].map(({ state }) => has(state))).toEqual([true, true, true])
  for (const raise of [
    () => org.owner.patch(`/bots/${user_id}`, { role: 100 }),
    () => org.owner.patch(`/users/${user_id}`, { role: 100 }),
  ]) {
    succeeded(await raise())
    // The administrators have the old key.
    expect((await asBot(email, api_key, '/users/me')).status).toBe(401)
    expect(await admin.events()).toMatchObject([{ op: 'delete', bot: { user_id } }])
    const key = expect.not.stringMatching(api_key)
    expect(await owner.events()).toMatchObject([{ op: 'update', bot: { user_id, api_key: key } }])
    expect(await maker.events()).toMatchObject([{ op: 'update', bot: { user_id, api_key: key } }])
    expect(has((await org.admin.register(types)).state)).toBe(false)
    for (const attempt of [
      org.admin.patch(`/bots/${user_id}`, { bot_owner_id: org.admin.id }),
      org.admin.post(`/bots/${user_id}/api_key/regenerate`),
      org.admin.delete(`/bots/${user_id}`),
    ])
      refused(await attempt)
    succeeded(await org.owner.patch(`/bots/${user_id}`, { role: 400 }))
    expect(await admin.events()).toMatchObject([{ op: 'add', bot: { user_id } }])
    await owner.events()
    await maker.events()
  }
})

test('BOT-18: Lowering a user’s role also lowers the roles of their bots.', async () => {
  const maker = org.join(fresh('Maker'), 100)
  const bot = org.joinBot(fresh('Servant'), maker)
  const modest = org.joinBot(fresh('Modest'), maker)
  succeeded(await org.owner.patch(`/bots/${bot.id}`, { role: 100 }))
  const people = await org.other.register({ event_types: ['realm_user'] })
  const admin = await org.admin.register({ event_types: ['realm_bot'] })
  const roleOf = async (id: number) => succeeded(await org.other.get(`/users/${id}`)).user.role
  succeeded(await org.owner.patch(`/users/${maker.id}`, { role: 300 }))
  expect([await roleOf(bot.id), await roleOf(modest.id)]).toEqual([300, 400])
  expect(await people.events()).toMatchObject([
    { person: { user_id: maker.id, role: 300 } },
    { person: { user_id: bot.id, role: 300 } },
  ])
  expect(await admin.events()).toMatchObject([{ op: 'add', bot: { user_id: bot.id } }])
  succeeded(await org.owner.patch(`/users/${maker.id}`, { role: 600 }))
  expect([await roleOf(bot.id), await roleOf(modest.id)]).toEqual([400, 400])
})

test('BOT-13: A deactivated bot cannot authenticate, its deactivation sends an event, and it cannot be deactivated again.', async () => {
  const { user_id, api_key } = await newBot('Retired')
  const email = await emailOf(user_id)
  const queue = await org.other.register({ event_types: ['realm_user'] })
  succeeded(await org.member.delete(`/bots/${user_id}`))
  expect((await asBot(email, api_key, '/users/me')).status).toBe(401)
  expect(await queue.events()).toMatchObject([
    { type: 'realm_user', op: 'update', person: { user_id, is_active: false } },
  ])
  refused(await org.member.delete(`/bots/${user_id}`))
})

test('BOT-14: A new bot sends a realm_user event to all users, and a realm_bot event to its owner and administrators.', async () => {
  const types = { event_types: ['realm_bot', 'realm_user'] }
  const [owner, admin, others] = [
    await org.member.register(types),
    await org.admin.register(types),
    await org.other.register(types),
  ]
  const { user_id, api_key } = await newBot('Announced')
  const kinds = async (queue: typeof owner) => (await queue.events()).map(({ type, op }) => `${type} ${op}`)
  expect(await kinds(owner)).toEqual(['realm_user add', 'realm_bot add'])
  expect(await kinds(others)).toEqual(['realm_user add'])
  expect(await admin.events()).toMatchObject([
    { type: 'realm_user', person: { user_id } },
    { type: 'realm_bot', bot: { user_id, api_key, owner_id: org.member.id } },
  ])
})

test('BOT-15: The register response contains the user’s own bots; for administrators, all bots.', async () => {
  const botsIn = async (who: Person) =>
    (await who.register({ fetch_event_types: ['realm_bot'] })).state.realm_bots.map(
      (bot: { full_name: string }) => bot.full_name,
    )
  expect(await botsIn(org.member)).toContain('Robin')
  expect(await botsIn(org.admin)).toContain('Robin')
  expect(await botsIn(org.moderator)).toEqual([])
})

test('BOT-16: A new owner must be an active human user; only outgoing webhooks accept an address; default channels must exist.', async () => {
  const { user_id } = await newBot('Checked')
  const gone = org.join(fresh('Gone'))
  succeeded(await org.owner.delete(`/users/${gone.id}`))
  for (const bot_owner_id of [99_999, gone.id, org.bot.id])
    refused(await org.member.patch(`/bots/${user_id}`, { bot_owner_id }))
  refused(await org.member.patch(`/bots/${user_id}`, { service_payload_url: '"https://example.org/a"' }))
  refused(await org.member.patch(`/bots/${user_id}`, { default_sending_stream: 'nowhere' }))
  refused(
    await org.member.patch(`/bots/${user_id}`, {
      full_name: 'Never',
      default_events_register_stream: 'cella',
    }),
  )
  expect(succeeded(await org.member.get(`/users/${user_id}`)).user).toMatchObject({
    full_name: 'Checked',
    bot_owner_id: org.member.id,
  })
})
