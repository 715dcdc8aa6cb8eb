import { expect, test } from 'vitest'
import { systemGroupId, type SystemGroupName } from '../../../src-server/permissions/groups.ts'
import {
  allCapabilities,
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
  setRealmPermission,
} from '../../support/organization.ts'

// Making, changing and archiving channels (specification, Channel object and Events).

const org = organization()
const group = (name: SystemGroupName) => systemGroupId(org.service.workspace.db, name)
const only = (...people: Person[]) => ({
  direct_members: people.map((one) => one.id).sort((a, b) => a - b),
  direct_subgroups: [],
})

const made = async (by: Person, fields: Fields = {}): Promise<number> =>
  succeeded(await by.post('/channels/create', { name: fresh('channel'), subscribers: [], ...fields })).id
const shown = async (id: number, who: Person = org.owner) => succeeded(await who.get(`/streams/${id}`)).stream
const ofStreams = { event_types: ['stream'] }
const updates = (id: number, name: string, ...changes: Fields[]) =>
  changes.map((change) => ({ type: 'stream', op: 'update', stream_id: id, name, ...change }))

test('CHAN-01: A new channel belongs to its creator, and its id is returned.', async () => {
  const id = await made(org.member, { name: 'Garden', description: 'Plants', subscribers: [org.other.id] })
  expect(await shown(id)).toMatchObject({
    name: 'Garden',
    description: 'Plants',
    creator_id: org.member.id,
    topics_policy: 'inherit',
    can_administer_channel_group: only(org.member),
  })
  expect(succeeded(await org.member.get(`/streams/${id}/members`)).subscribers).toEqual([org.other.id])
})

test('CHAN-02: A name already in use, regardless of case, is rejected and named in the error.', async () => {
  await made(org.member, { name: 'Taken' })
  const answer = await org.member.post('/channels/create', { name: 'TAKEN', subscribers: [] })
  expect(refused(answer, 'CHANNEL_ALREADY_EXISTS', 409)).toMatchObject({ channel_name: 'Taken' })
})

test('CHAN-03: A name that is empty, too long or unprintable is rejected.', async () => {
  const id = await made(org.member)
  for (const name of ['', '  ', 'x'.repeat(61), 'a\u0000b', 'a\nb']) {
    refused(await org.member.post('/channels/create', { name, subscribers: [] }))
    refused(await org.member.patch(`/streams/${id}`, { new_name: name }))
  }
  succeeded(await org.member.patch(`/streams/${id}`, { new_name: 'ü'.repeat(60) }))
})

test('CHAN-04: A public channel is announced to all users except guests, a web-public one to guests too.', async () => {
  const [other, guest] = [await org.other.listen(ofStreams), await org.guest.listen(ofStreams)]
  const open = await made(org.owner)
  expect(await other.events()).toEqual([
    { type: 'stream', op: 'create', streams: [await shown(open, org.other)] },
  ])
  expect(await guest.events()).toEqual([])
  const web = await made(org.owner, { is_web_public: true })
  expect(await guest.events()).toMatchObject([{ op: 'create', streams: [{ stream_id: web }] }])
})

test('CHAN-05: A private channel is announced to administrators, subscribers and users who may subscribe.', async () => {
  const queues = await Promise.all(
    [org.admin, org.moderator, org.member, org.other].map((who) => who.listen(ofStreams)),
  )
  const id = await made(org.owner, {
    invite_only: true,
    subscribers: [org.member.id],
    can_subscribe_group: only(org.other),
  })
  const heard = await Promise.all(queues.map((queue) => queue.events()))
  const news = [{ type: 'stream', op: 'create', streams: [expect.objectContaining({ stream_id: id })] }]
  expect(heard).toEqual([news, [], news, news])
})

test('CHAN-06: A new private channel has protected history unless shared history is requested.', async () => {
  expect(await shown(await made(org.member, { invite_only: true }))).toMatchObject({
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const shared = await made(org.member, { invite_only: true, history_public_to_subscribers: true })
  expect(await shown(shared)).toMatchObject({ history_public_to_subscribers: true })
})

test('CHAN-07: A web-public channel cannot be private, and a public channel cannot have protected history.', async () => {
  const wish = (fields: Fields) =>
    org.owner.post('/channels/create', { name: fresh('never'), subscribers: [], ...fields })
  refused(await wish({ is_web_public: true, invite_only: true }))
  refused(await wish({ is_web_public: true, history_public_to_subscribers: false }))
  refused(await wish({ history_public_to_subscribers: false }))
  const id = await made(org.owner, { is_web_public: true })
  refused(await org.owner.patch(`/streams/${id}`, { history_public_to_subscribers: false }))
})

test('CHAN-08: A new channel can be created with permissions; groups that may never hold a permission are rejected.', async () => {
  const id = await made(org.member, {
    can_send_message_group: group('role:moderators'),
    can_add_subscribers_group: only(org.other),
  })
  expect(await shown(id)).toMatchObject({
    can_send_message_group: group('role:moderators'),
    can_add_subscribers_group: only(org.other),
  })
  for (const setting of [
    'can_administer_channel_group',
    'can_subscribe_group',
    'can_add_subscribers_group',
  ]) {
    for (const value of [group('role:everyone'), group('role:internet'), 99_999]) {
      refused(
        await org.owner.post('/channels/create', { name: fresh('never'), subscribers: [], [setting]: value }),
      )
    }
  }
})

test('CHAN-09: A rejected channel is not created, and no event is sent.', async () => {
  const queue = await org.owner.listen(ofStreams)
  refused(
    await org.owner.post('/channels/create', { name: 'Half done', subscribers: [org.member.id, 99_999] }),
  )
  refused(await org.owner.post('/channels/create', { name: 'Half done', subscribers: [], folder_id: 99_999 }))
  refused(await org.owner.get('/get_stream_id', { stream: 'Half done' }))
  expect(await queue.events()).toEqual([])
})

test('CHAN-10: A new name is sent to all users together with the old one.', async () => {
  const id = await made(org.member, { name: 'Before' })
  const queue = await org.other.listen(ofStreams)
  succeeded(await org.member.patch(`/streams/${id}`, { new_name: 'After' }))
  expect(await queue.events()).toEqual(updates(id, 'Before', { property: 'name', value: 'After' }))
  expect(await shown(id)).toMatchObject({ name: 'After' })
  const taken = await made(org.member)
  refused(await org.member.patch(`/streams/${taken}`, { new_name: 'AFTER' }))
  succeeded(await org.member.patch(`/streams/${id}`, { new_name: 'AFTER' }))
})

test('CHAN-11: A description is one line of at most 1024 characters, and is sent with its HTML.', async () => {
  const id = await made(org.member, { name: 'Described' })
  const queue = await org.other.listen(ofStreams)
  succeeded(await org.member.patch(`/streams/${id}`, { description: 'One\ntwo' }))
  expect(await queue.events()).toEqual(
    updates(id, 'Described', {
      property: 'description',
      value: 'One two',
      rendered_description: '<p>One two</p>',
    }),
  )
  refused(await org.member.patch(`/streams/${id}`, { description: 'x'.repeat(1_025) }))
})

test('CHAN-12: A change of visibility is one event; users who gain access get a create event, and users who lose it get a delete event.', async () => {
  const id = await made(org.owner, { name: 'Moving', subscribers: [org.owner.id, org.member.id] })
  const [member, other] = [await org.member.listen(ofStreams), await org.other.listen(ofStreams)]
  succeeded(await org.owner.patch(`/streams/${id}`, { is_private: true }))
  const change = { property: 'invite_only', is_web_public: false }
  expect(await member.events()).toEqual(
    updates(id, 'Moving', { ...change, value: true, history_public_to_subscribers: false }),
  )
  expect(await other.events()).toEqual([
    { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] },
  ])
  succeeded(await org.owner.patch(`/streams/${id}`, { is_private: false }))
  expect(await member.events()).toEqual(
    updates(id, 'Moving', { ...change, value: false, history_public_to_subscribers: true }),
  )
  expect((await other.events())[0]).toMatchObject({ op: 'create', streams: [{ stream_id: id }] })
})

test('CHAN-13: Only owners set message retention: a number of days, the organization’s default or unlimited.', async () => {
  const id = await made(org.member, { name: 'Kept' })
  refused(await org.admin.patch(`/streams/${id}`, { message_retention_days: 30 }), 'UNAUTHORIZED_PRINCIPAL')
  refused(
    await org.admin.post('/channels/create', {
      name: fresh('never'),
      subscribers: [],
      message_retention_days: 30,
    }),
    'UNAUTHORIZED_PRINCIPAL',
  )
  const queue = await org.member.listen(ofStreams)
  for (const [wish, kept] of [
    [30, 30],
    ['unlimited', -1],
    ['realm_default', null],
  ] as const) {
    // Clients write the words as JSON text or plain.
    const fields = { message_retention_days: typeof wish === 'string' ? JSON.stringify(wish) : wish }
    succeeded(await org.owner.patch(`/streams/${id}`, fields))
    expect(await shown(id)).toMatchObject({ message_retention_days: kept })
    expect(await queue.events()).toEqual(
      updates(id, 'Kept', { property: 'message_retention_days', value: kept }),
    )
  }
  refused(await org.owner.patch(`/streams/${id}`, { message_retention_days: 0 }))
})

test('CHAN-14: Setting the topics policy requires can_set_topics_policy_group, and empty_topic_only requires that no named topic exists.', async () => {
  const id = await made(org.member, { subscribers: [org.member.id] })
  refused(await org.member.patch(`/streams/${id}`, { topics_policy: 'whatever' }))
  succeeded(await org.member.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' }))
  succeeded(await org.member.patch(`/streams/${id}`, { topics_policy: 'disable_empty_topic' }))
  expect(await shown(id)).toMatchObject({ topics_policy: 'disable_empty_topic' })
  await org.member.send(id, 'a topic', 'Hello')
  refused(await org.member.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' }))
  const { db } = org.service.workspace
  setRealmPermission(db, 'can_set_topics_policy_group', group('role:administrators'))
  refused(await org.member.patch(`/streams/${id}`, { topics_policy: 'allow_empty_topic' }))
  succeeded(await org.member.patch(`/streams/${id}`, { topics_policy: 'inherit' }))
  setRealmPermission(db, 'can_set_topics_policy_group', group('role:members'))
})

test('CHAN-15: Every permission of a channel can be changed to a new value, provided that old matches the current value.', async () => {
  const id = await made(org.owner, { name: 'Held' })
  for (const setting of [
    'can_add_subscribers_group',
    'can_remove_subscribers_group',
    'can_administer_channel_group',
    'can_delete_any_message_group',
    'can_delete_own_message_group',
    'can_send_message_group',
    'can_subscribe_group',
    'can_move_messages_out_of_channel_group',
    'can_move_messages_within_channel_group',
    'can_resolve_topics_group',
  ]) {
    const before = (await shown(id))[setting]
    const queue = await org.member.listen(ofStreams)
    const wish = (fields: Fields) => org.owner.patch(`/streams/${id}`, { [setting]: fields })
    refused(await wish({ new: only(org.member), old: only(org.other) }), 'EXPECTATION_MISMATCH')
    refused(await wish({ new: group('role:internet') }))
    refused(await wish({ old: before }))
    expect((await shown(id))[setting]).toEqual(before)
    expect(await queue.events()).toEqual([])
    succeeded(await wish({ new: only(org.member), old: before }))
    expect((await shown(id))[setting]).toEqual(only(org.member))
    const heard = await queue.events()
    expect(heard).toContainEqual(updates(id, 'Held', { property: setting, value: only(org.member) })[0])
  }
})

test('CHAN-16: A change of who may send messages also sends the legacy posting policy.', async () => {
  const id = await made(org.owner, { name: 'Announcements' })
  const queue = await org.member.listen(ofStreams)
  const value = group('role:administrators')
  succeeded(await org.owner.patch(`/streams/${id}`, { can_send_message_group: { new: value } }))
  expect(await queue.events()).toEqual(
    updates(
      id,
      'Announcements',
      { property: 'can_send_message_group', value },
      { property: 'stream_post_policy', value: 2 },
      { property: 'is_announcement_only', value: true },
    ),
  )
})

test('CHAN-17: A channel can be changed by administrators and by users with can_administer_channel_group.', async () => {
  const id = await made(org.member)
  const wish = { description: 'Changed' }
  for (const who of [org.other, org.moderator, org.bot]) refused(await who.patch(`/streams/${id}`, wish))
  for (const who of [org.member, org.admin, org.owner]) succeeded(await who.patch(`/streams/${id}`, wish))
  succeeded(
    await org.member.patch(`/streams/${id}`, { can_administer_channel_group: { new: only(org.other) } }),
  )
  succeeded(await org.other.patch(`/streams/${id}`, { description: 'Again' }))
  refused(await org.member.patch(`/streams/${id}`, wish))
})

test('CHAN-18: A user who cannot read a private channel can change neither its visibility nor who may subscribe or be added.', async () => {
  const id = await made(org.owner, { invite_only: true, subscribers: [org.owner.id] })
  succeeded(await org.admin.patch(`/streams/${id}`, { description: 'Administered' }))
  for (const fields of [
    { is_private: false },
    { history_public_to_subscribers: true },
    { can_subscribe_group: { new: only(org.admin) } },
    { can_add_subscribers_group: { new: only(org.admin) } },
  ]) {
    refused(await org.admin.patch(`/streams/${id}`, fields))
  }
  succeeded(await org.owner.patch(`/streams/${id}`, { can_subscribe_group: { new: only(org.admin) } }))
  succeeded(await org.admin.patch(`/streams/${id}`, { is_private: false }))
})

test('CHAN-19: Only users with can_set_delete_message_policy_group can set who may delete messages.', async () => {
  const id = await made(org.member)
  const wish = { can_delete_own_message_group: { new: group('role:everyone') } }
  refused(await org.member.patch(`/streams/${id}`, wish))
  refused(
    await org.member.post('/channels/create', {
      name: fresh('never'),
      subscribers: [],
      can_delete_own_message_group: group('role:everyone'),
    }),
  )
  succeeded(await org.admin.patch(`/streams/${id}`, wish))
})

test('CHAN-20: A channel the user may not know of is rejected like one that does not exist.', async () => {
  const id = await made(org.owner, { invite_only: true })
  const wish = { description: 'x' }
  const answer = refused(await org.other.patch(`/streams/${id}`, wish))
  expect(answer).toEqual(refused(await org.other.patch('/streams/99999', wish)))
  expect(refused(await org.other.delete(`/streams/${id}`))).toEqual(answer)
})

test('CHAN-21: An archived channel keeps its name and messages, and accepts no new messages.', async () => {
  const id = await made(org.member, { name: 'Old', subscribers: [org.member.id] })
  const message = await org.member.send(id, 'topic', 'Kept')
  succeeded(await org.member.delete(`/streams/${id}`))
  expect(await shown(id)).toMatchObject({ name: 'Old', is_archived: true })
  succeeded(await org.member.get(`/messages/${message}`))
  refused(await org.member.post('/messages', { type: 'stream', to: id, topic: 't', content: 'No' }))
  refused(await org.member.delete(`/streams/${id}`))
})

test('CHAN-22: Clients with archived_channels get archiving and unarchiving as updates.', async () => {
  const id = await made(org.member, { name: 'Ways' })
  const queue = await org.other.listen(ofStreams)
  succeeded(await org.member.delete(`/streams/${id}`))
  succeeded(await org.member.patch(`/streams/${id}`, { is_archived: false }))
  expect(await queue.events()).toEqual(
    updates(id, 'Ways', { property: 'is_archived', value: true }, { property: 'is_archived', value: false }),
  )
})

test('CHAN-23: Clients without archived_channels get a delete event on archiving and a create event on unarchiving.', async () => {
  const id = await made(org.member, { name: 'Lost and found' })
  const capabilities = { ...allCapabilities, archived_channels: false }
  const queue = await org.other.listen({ ...ofStreams, client_capabilities: capabilities })
  succeeded(await org.member.delete(`/streams/${id}`))
  expect(await queue.events()).toEqual([
    { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] },
  ])
  succeeded(await org.member.patch(`/streams/${id}`, { description: 'Nobody hears this' }))
  expect(await queue.events()).toEqual([])
  succeeded(await org.member.patch(`/streams/${id}`, { is_archived: false }))
  expect(await queue.events()).toEqual([
    { type: 'stream', op: 'create', streams: [await shown(id, org.other)] },
  ])
})

test('CHAN-24: Passing is_archived=true changes nothing.', async () => {
  const id = await made(org.member)
  succeeded(await org.member.patch(`/streams/${id}`, { is_archived: true }))
  expect(await shown(id)).toMatchObject({ is_archived: false })
})

test('CHAN-25: Administrators choose the default channels, and all users except guests get an event.', async () => {
  const id = await made(org.member)
  const types = { event_types: ['default_streams'] }
  const [member, guest] = [await org.member.listen(types), await org.guest.listen(types)]
  refused(await org.member.post('/default_streams', { stream_id: id }), 'UNAUTHORIZED_PRINCIPAL')
  succeeded(await org.admin.post('/default_streams', { stream_id: id }))
  expect(await member.events()).toEqual([
    { type: 'default_streams', default_streams: expect.arrayContaining([id]) },
  ])
  expect((await org.member.listen()).state['realm_default_streams']).toContain(id)
  refused(await org.member.delete('/default_streams', { stream_id: id }), 'UNAUTHORIZED_PRINCIPAL')
  succeeded(await org.admin.delete('/default_streams', { stream_id: id }))
  const [removed] = await member.events()
  expect(removed?.['default_streams']).not.toContain(id)
  expect(await guest.events()).toEqual([])
})

test('CHAN-26: A private or archived channel cannot be a default channel, and a default channel stops being one when archived.', async () => {
  const secret = await made(org.owner, { invite_only: true })
  refused(await org.owner.post('/default_streams', { stream_id: secret }))
  refused(await org.owner.patch(`/streams/${secret}`, { is_default_stream: true }))
  const id = await made(org.owner, { is_default_stream: true })
  refused(await org.owner.patch(`/streams/${id}`, { is_private: true }))
  succeeded(await org.owner.delete(`/streams/${id}`))
  expect((await org.owner.listen()).state['realm_default_streams']).not.toContain(id)
  refused(await org.owner.post('/default_streams', { stream_id: id }))
})

test('CHAN-27: The organization’s permissions decide who can create which kind of channel.', async () => {
  const wish = (who: Person, fields: Fields) =>
    who.post('/channels/create', { name: fresh('channel'), subscribers: [], ...fields })
  refused(await wish(org.guest, {}))
  refused(await wish(org.admin, { is_web_public: true }))
  succeeded(await wish(org.owner, { is_web_public: true }))
  const { db } = org.service.workspace
  setRealmPermission(db, 'can_create_public_channel_group', group('role:moderators'))
  setRealmPermission(db, 'can_create_private_channel_group', group('role:administrators'))
  refused(await wish(org.member, {}))
  succeeded(await wish(org.moderator, {}))
  refused(await wish(org.moderator, { invite_only: true }))
  succeeded(await wish(org.admin, { invite_only: true }))
  setRealmPermission(db, 'can_create_public_channel_group', group('role:members'))
  setRealmPermission(db, 'can_create_private_channel_group', group('role:members'))
})

test('CHAN-28: Converting a channel to another kind requires the permission to create that kind.', async () => {
  const id = await made(org.member, { subscribers: [org.member.id] })
  refused(await org.member.patch(`/streams/${id}`, { is_web_public: true }))
  succeeded(await org.owner.patch(`/streams/${id}`, { is_web_public: true }))
  expect(await shown(id)).toMatchObject({ is_web_public: true })
  succeeded(await org.member.patch(`/streams/${id}`, { is_private: true }))
  expect(await shown(id)).toMatchObject({ is_web_public: false, invite_only: true })
})

test('CHAN-29: Joining a group that may subscribe to a private channel makes the channel visible.', async () => {
  const { group_id } = succeeded(
    await org.owner.post('/user_groups/create', { name: fresh('group'), description: '', members: [] }),
  )
  const outer = succeeded(
    await org.owner.post('/user_groups/create', {
      name: fresh('group'),
      description: '',
      members: [],
      subgroups: [group_id],
    }),
  ).group_id
  const id = await made(org.owner, { invite_only: true, can_subscribe_group: outer })
  const queue = await org.other.listen(ofStreams)
  succeeded(await org.owner.post(`/user_groups/${group_id}/members`, { add: [org.other.id] }))
  expect(await queue.events()).toMatchObject([{ op: 'create', streams: [{ stream_id: id }] }])
  succeeded(
    await org.other.post('/users/me/subscriptions', { subscriptions: [{ name: (await shown(id)).name }] }),
  )
  succeeded(await org.other.delete('/users/me/subscriptions', { subscriptions: [(await shown(id)).name] }))
  await queue.events()
  succeeded(await org.owner.post(`/user_groups/${group_id}/members`, { delete: [org.other.id] }))
  expect(await queue.events()).toMatchObject([{ op: 'delete', stream_ids: [id] }])
})

test('CHAN-30: Adding other users to a new channel requires the permission to add subscribers; a private channel cannot be a default channel.', async () => {
  const { db } = org.service.workspace
  const create = (fields: Fields, by: Person = org.member) =>
    by.post('/channels/create', { name: fresh('channel'), subscribers: [org.member.id], ...fields })
  setRealmPermission(db, 'can_add_subscribers_group', group('role:administrators'))
  refused(await create({ subscribers: [org.member.id, org.other.id] }))
  succeeded(await create({}))
  succeeded(await create({ subscribers: [org.other.id] }, org.admin))
  setRealmPermission(db, 'can_add_subscribers_group', group('role:members'))
  succeeded(await create({ subscribers: [org.member.id, org.other.id] }))
  refused(await create({ invite_only: true, is_default_stream: true }, org.admin))
})

test('CHAN-31: A visible channel has an empty email address, as incoming mail is not supported; a sender other than the user or their own bots is rejected.', async () => {
  const ask = (id: number, sender_id?: number) =>
    org.member.get(`/streams/${id}/email_address`, { sender_id })
  for (const sender of [undefined, org.member.id, org.bot.id])
    expect(succeeded(await ask(org.plaza, sender)).email).toBe('')
  for (const sender of [org.other.id, 99_999]) refused(await ask(org.plaza, sender))
  const hidden = await made(org.owner, { invite_only: true })
  const over = await made(org.member)
  succeeded(await org.owner.delete(`/streams/${over}`))
  for (const id of [hidden, over, 99_999]) refused(await ask(id))
})
