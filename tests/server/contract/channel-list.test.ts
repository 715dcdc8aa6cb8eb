import { dayMs } from '../../../src-shared/durations.ts'
import { beforeAll, expect, test } from 'vitest'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Answer,
  type Fields,
  type Person,
} from '../../support/organization.ts'

// What channels look like and which of them are listed (specification, GET /streams and Channel object).

const org = organization()

let open: number
let webPublic: number
let hidden: number
let archived: number

const made = async (by: Person, fields: Fields = {}): Promise<number> =>
  succeeded(await by.post('/channels/create', { name: fresh('channel'), subscribers: [], ...fields })).id

beforeAll(async () => {
  open = await made(org.owner)
  webPublic = await made(org.owner, { is_web_public: true })
  hidden = await made(org.owner, { invite_only: true })
  archived = await made(org.owner)
  succeeded(await org.owner.delete(`/streams/${archived}`))
  succeeded(await org.owner.post('/default_streams', { stream_id: open }))
})

const listed = async (who: Person, fields: Fields = {}): Promise<Answer['body'][]> =>
  succeeded(await who.get('/streams', fields)).streams
const ids = async (who: Person, fields: Fields = {}): Promise<number[]> =>
  (await listed(who, fields)).map((one) => one['stream_id'])
const shown = async (id: number, who: Person = org.owner) => succeeded(await who.get(`/streams/${id}`)).stream

const onlyPublic = { include_subscribed: false }
const onlySubscribed = { include_public: false }
const neither = { include_public: false, include_subscribed: false }

test('LIST-01: Public channels and the user’s own subscriptions are listed; archived channels are not.', async () => {
  const found = await ids(org.member)
  expect(found).toEqual(expect.arrayContaining([org.plaza, org.cellar, org.lobby, open, webPublic]))
  expect(found).not.toContain(hidden)
  expect(found).not.toContain(archived)
  expect(await ids(org.other)).not.toContain(org.cellar)
})

test('LIST-02: With include_public=false, only subscriptions are listed.', async () => {
  expect(await ids(org.member, onlySubscribed)).toEqual([org.plaza, org.cellar, org.lobby])
})

test('LIST-03: With include_subscribed=false, only public channels are listed.', async () => {
  const found = await ids(org.member, onlyPublic)
  expect(found).toEqual(expect.arrayContaining([org.plaza, org.lobby, open]))
  expect(found).not.toContain(org.cellar)
})

test('LIST-04: With include_web_public, the web-public channels are added, also for guests.', async () => {
  expect(await ids(org.member, { ...neither, include_web_public: true })).toEqual([webPublic])
  expect(await ids(org.guest)).toEqual([org.lobby])
  expect(await ids(org.guest, { include_web_public: true })).toEqual([org.lobby, webPublic])
})

test('LIST-05: With exclude_archived=false, archived channels are listed and marked as such.', async () => {
  const found = await listed(org.member, { exclude_archived: false })
  expect(found.filter((one) => one['is_archived'])).toMatchObject([{ stream_id: archived }])
})

test('LIST-06: With include_all, an administrator gets every channel, and other users get those they may know of.', async () => {
  expect(await ids(org.admin, { include_all: true })).toEqual(
    expect.arrayContaining([hidden, org.cellar, open, org.plaza]),
  )
  expect(await ids(org.admin)).not.toContain(hidden)
  expect(await ids(org.other, { include_all: true })).not.toContain(org.cellar)
  expect(await ids(org.guest, { include_all: true })).toEqual([org.lobby, webPublic])
})

test('LIST-07: With include_default, the default channels are added, and each channel has is_default.', async () => {
  const found = await listed(org.member, { ...neither, include_default: true })
  expect(found).toMatchObject([{ stream_id: open, is_default: true }])
  const all = await listed(org.member, { include_default: true })
  expect(all.find((one) => one['stream_id'] === org.plaza)).toMatchObject({ is_default: false })
  expect((await listed(org.member))[0]).not.toHaveProperty('is_default')
})

test("LIST-08: With include_owner_subscribed, a bot gets its owner's channels.", async () => {
  expect(await ids(org.bot, neither)).toEqual([])
  expect(await ids(org.bot, { ...neither, include_owner_subscribed: true })).toEqual([
    org.plaza,
    org.cellar,
    org.lobby,
  ])
})

test('LIST-09: With include_can_access_content, the channels whose messages the user can read are listed.', async () => {
  const wanted = { ...neither, include_can_access_content: true }
  expect(await ids(org.admin, neither)).not.toContain(org.lobby)
  expect(await ids(org.admin, wanted)).not.toContain(org.cellar)
  expect(await ids(org.admin, wanted)).toContain(org.lobby)
  expect(await ids(org.other, wanted)).not.toContain(org.cellar)
  const invited = await made(org.owner, {
    invite_only: true,
    can_subscribe_group: { direct_members: [org.other.id], direct_subgroups: [] },
  })
  expect(await ids(org.other, wanted)).toContain(invited)
  expect(await ids(org.member, wanted)).not.toContain(invited)
})

test('LIST-10: The legacy include_all_active is for administrators only.', async () => {
  expect(await ids(org.admin, { include_all_active: true })).toContain(org.cellar)
  refused(await org.member.get('/streams', { include_all_active: true }))
})

test('LIST-11: A channel has every field of the specification.', async () => {
  const [nobody, everyone, administrators] = (
    ['role:nobody', 'role:everyone', 'role:administrators'] as const
  ).map((name) => systemGroupId(org.service.workspace.db, name))
  const id = await made(org.member, { name: 'All fields', description: 'For **tests**.' })
  expect(await shown(id)).toEqual({
    stream_id: id,
    name: 'All fields',
    is_archived: false,
    description: 'For **tests**.',
    rendered_description: '<p>For <strong>tests</strong>.</p>',
    date_created: Math.floor(org.clock.now() / 1_000),
    creator_id: org.member.id,
    invite_only: false,
    is_web_public: false,
    stream_post_policy: 1,
    is_announcement_only: false,
    message_retention_days: null,
    history_public_to_subscribers: true,
    topics_policy: 'inherit',
    first_message_id: null,
    folder_id: null,
    is_recently_active: true,
    stream_weekly_traffic: null,
    subscriber_count: 0,
    can_add_subscribers_group: nobody,
    can_remove_subscribers_group: administrators,
    can_administer_channel_group: { direct_members: [org.member.id], direct_subgroups: [] },
    can_delete_any_message_group: nobody,
    can_delete_own_message_group: nobody,
    can_send_message_group: everyone,
    can_subscribe_group: nobody,
    can_move_messages_out_of_channel_group: nobody,
    can_move_messages_within_channel_group: nobody,
    can_resolve_topics_group: nobody,
  })
})

test('LIST-12: A channel without a recorded creator has no creator.', async () => {
  const id = await made(org.owner)
  org.service.workspace.db.run('UPDATE channels SET creator_id = NULL WHERE channel_id = ?', id)
  expect(await shown(id)).toMatchObject({
    creator_id: null,
    can_administer_channel_group: systemGroupId(org.service.workspace.db, 'role:nobody'),
  })
})

test('LIST-13: The first message, the traffic and the number of subscribers are reported.', async () => {
  const id = await made(org.owner, { subscribers: [org.member.id, org.other.id] })
  const first = await org.member.send(id, 'start', 'The first.')
  for (let sent = 1; sent < 6; sent += 1) await org.member.send(id, 'start', 'One more.')
  expect(await shown(id)).toMatchObject({
    first_message_id: first,
    stream_weekly_traffic: null,
    subscriber_count: 2,
  })
  org.clock.set(org.clock.now() + 14 * dayMs)
  expect(await shown(id)).toMatchObject({ stream_weekly_traffic: 3 })
  // Less than one a week is one: nothing at all would be 0.
  org.clock.set(org.clock.now() + 13 * dayMs)
  expect(await shown(id)).toMatchObject({ stream_weekly_traffic: 1 })
})

test('LIST-14: A channel without messages for half a year is not recently active.', async () => {
  const id = await made(org.owner, { subscribers: [org.member.id] })
  await org.member.send(id, 'start', 'The only one.')
  org.clock.set(org.clock.now() + 179 * dayMs)
  expect(await shown(id)).toMatchObject({ is_recently_active: true })
  org.clock.set(org.clock.now() + 2 * dayMs)
  expect(await shown(id)).toMatchObject({ is_recently_active: false })
})

test('LIST-15: The legacy posting policy follows can_send_message_group, and is 1 for values it cannot express.', async () => {
  const group = (name: Parameters<typeof systemGroupId>[1]) => systemGroupId(org.service.workspace.db, name)
  for (const [value, policy] of [
    [group('role:administrators'), 2],
    [group('role:fullmembers'), 3],
    [group('role:moderators'), 4],
    [group('role:everyone'), 1],
    [{ direct_members: [org.member.id], direct_subgroups: [] }, 1],
  ] as const) {
    const id = await made(org.owner, { can_send_message_group: value })
    expect(await shown(id)).toMatchObject({
      stream_post_policy: policy,
      is_announcement_only: policy === 2,
    })
  }
})

test('LIST-16: A channel name is resolved to an id, regardless of case, for channels the user may know of.', async () => {
  expect(succeeded(await org.member.get('/get_stream_id', { stream: 'PLAZA' })).stream_id).toBe(org.plaza)
  refused(await org.member.get('/get_stream_id', { stream: 'nowhere' }))
  refused(await org.other.get('/get_stream_id', { stream: 'cellar' }))
})

test('LIST-17: A channel the user may not know of is rejected exactly like one that does not exist.', async () => {
  const hiddenAnswer = refused(await org.other.get(`/streams/${org.cellar}`))
  expect(hiddenAnswer).toEqual(refused(await org.other.get('/streams/99999')))
  expect(refused(await org.other.get(`/streams/${org.cellar}/members`))).toEqual(hiddenAnswer)
  expect(await shown(org.cellar, org.admin)).toMatchObject({ name: 'cellar' })
})

test('LIST-18: Only users who may know of a channel can list its subscribers.', async () => {
  const found = succeeded(await org.other.get(`/streams/${org.lobby}/members`)).subscribers
  expect(found).toEqual([org.member.id, org.guest.id])
  refused(await org.guest.get(`/streams/${org.plaza}/members`))
})
