import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, userId } from '../../src-shared/ids.ts'
import { actionsFor, mayResolve, type Permissions } from '../../src-shared/model/permissions.ts'
import { openDevice, type Device } from '../support/device.ts'
import {
  found,
  fresh,
  succeeded,
  type Answer,
  type Organization,
  type Person,
} from '../support/organization.ts'

// Compares the permissions that the device shows with what the service allows.

let org: Organization
const devices = new Map<Person, Device>()

beforeAll(async () => {
  org = await found({})
  for (const person of [org.owner, org.moderator, org.member, org.guest]) {
    const device = await openDevice(org.service.baseUrl, { email: person.email, apiKey: person.row.api_key })
    devices.set(person, device)
    await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
  }
})
afterAll(async () => {
  for (const device of devices.values()) await device.close()
  await org.service.close()
})

const deviceOf = (person: Person) => devices.get(person)!

/** The permissions of a person in a channel, once they are as expected. */
function permissions(
  person: Person,
  channel: number | null,
  isWanted: (value: Permissions) => boolean = () => true,
): Promise<Permissions> {
  const { until, accountId } = deviceOf(person)
  const narrow = channel === null ? null : ({ kind: 'channel', channelId: channelId(channel) } as const)
  return until('permissions', { accountId, narrow }, isWanted)
}

const isDone = ({ status }: Answer) => status === 200

/** What the service allows a person in a channel, found out by trying. */
async function tried(person: Person, channel: number): Promise<Record<string, boolean>> {
  const topic = () => fresh('topic')
  // Both are in every channel, or may write there.
  const writer = person === org.owner ? org.member : org.owner
  const foreign = (name: string) => writer.send(channel, name, 'words of somebody else')
  const patch = (id: number, fields: object) => person.patch(`/messages/${id}`, { ...fields })
  const resolved = topic()
  return {
    read: isDone(
      await person.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: channel }],
      }),
    ),
    post: isDone(
      await person.post('/messages', { type: 'stream', to: channel, topic: topic(), content: 'x' }),
    ),
    administer: isDone(await person.patch(`/streams/${channel}`, { description: fresh('about') })),
    resolve: isDone(await patch(await foreign(resolved), { topic: `✔ ${resolved}` })),
    changeTopic: isDone(await patch(await foreign(topic()), { topic: topic() })),
    deleteAny: isDone(await person.delete(`/messages/${await foreign(topic())}`)),
  }
}

test.each(['owner', 'moderator', 'member', 'guest'] as const)(
  'what is said of the %s in every kind of channel is what the service does',
  async (who) => {
    const person = org[who]
    for (const name of ['plaza', 'lobby', 'cellar'] as const) {
      const { channel, messages } = await permissions(person, org[name])
      const done = await tried(person, org[name])
      if (channel === null) {
        // The person may not know of this channel: nothing is offered, and nothing works.
        expect([name, done]).toEqual([name, Object.fromEntries(Object.keys(done).map((key) => [key, false]))])
        continue
      }
      const said = {
        read: channel.read,
        post: channel.post,
        administer: channel.administer,
        resolve: messages.resolve && channel.read,
        changeTopic: messages.changeTopic.isAllowed && channel.read,
        deleteAny: messages.deleteAny,
      }
      expect([name, said]).toEqual([name, done])
    }
  },
)

test.each([true, false])(
  'who may come into a private channel is offered to write where the service lets them (shared history: %s)',
  async (isShared) => {
    const { id } = succeeded(
      await org.owner.post('/channels/create', {
        ...{ name: fresh('closed'), subscribers: [org.owner.id], invite_only: true },
        history_public_to_subscribers: isShared,
        can_subscribe_group: { direct_members: [org.member.id], direct_subgroups: [] },
      }),
    )
    const { channel } = await permissions(org.member, id, (value) => value.channel !== null)
    const words = { type: 'stream', to: id, topic: fresh('topic'), content: 'x' }
    expect(isDone(await org.member.post('/messages', words))).toBe(isShared)
    expect(channel).toMatchObject({ read: true, post: isShared })
  },
)

test.each(['owner', 'moderator', 'member', 'guest'] as const)(
  'what is said of the %s everywhere is what the service does',
  async (who) => {
    const person = org[who]
    const { organization, role } = await permissions(person, null)
    expect(role).toBe(who)
    const create = async (fields: object) =>
      isDone(await person.post('/channels/create', { name: fresh('channel'), subscribers: [], ...fields }))
    expect({
      createPublicChannels: organization.createPublicChannels,
      createPrivateChannels: organization.createPrivateChannels,
      createGroups: organization.createGroups,
      inviteByLink: organization.inviteByLink,
      administer: organization.administer,
    }).toEqual({
      createPublicChannels: await create({}),
      createPrivateChannels: await create({ invite_only: true, subscribers: [person.id] }),
      createGroups: isDone(
        await person.post('/user_groups/create', { name: fresh('group'), description: '', members: [] }),
      ),
      inviteByLink: isDone(await person.post('/invites/multiuse', { invite_as: 600 })),
      administer: isDone(await person.patch('/realm', { description: fresh('about us') })),
    })
  },
)

test('a permission that is given to a group within a group reaches its members, and leaves with them', async () => {
  const group = async (name: string, fields: object) =>
    succeeded(await org.owner.post('/user_groups/create', { name, description: '', members: [], ...fields }))
      .group_id as number
  const inner = await group(fresh('inner'), { members: [org.member.id] })
  const middle = await group(fresh('middle'), { subgroups: [inner] })
  const outer = await group(fresh('outer'), { subgroups: [middle] })
  const may = ({ messages }: Permissions) => messages.deleteAny
  expect(may(await permissions(org.member, org.lobby))).toBe(false)
  succeeded(await org.owner.patch('/realm', { can_delete_any_message_group: { new: outer } }))
  expect(may(await permissions(org.member, org.lobby, may))).toBe(true)
  succeeded(await org.owner.post(`/user_groups/${inner}/members`, { delete: [org.member.id] }))
  expect(may(await permissions(org.member, org.lobby, (value) => !may(value)))).toBe(false)
  const byName = { direct_members: [org.member.id], direct_subgroups: [] }
  succeeded(await org.owner.patch('/realm', { can_delete_any_message_group: { new: byName } }))
  expect(may(await permissions(org.member, org.lobby, may))).toBe(true)
  const groups = (await org.owner.get('/user_groups')).body.user_groups
  const admins = groups.find(({ name }: { name: string }) => name === 'role:administrators').id
  succeeded(await org.owner.patch('/realm', { can_delete_any_message_group: { new: admins } }))
  await permissions(org.member, org.lobby, (value) => !may(value))
})

test('a channel that only some may write in says so to the others, offline too, and a new role is heard of', async () => {
  const groups = (await org.owner.get('/user_groups')).body.user_groups
  const idOf = (name: string) => groups.find((group: { name: string }) => group.name === name).id
  const device = deviceOf(org.member)
  const canPost = (isWanted: boolean) =>
    device.until(
      'channel',
      { accountId: device.accountId, channelId: channelId(org.plaza) },
      (channel) => channel?.canPost === isWanted,
    )
  await canPost(true)
  succeeded(
    await org.owner.patch(`/streams/${org.plaza}`, {
      can_send_message_group: { new: idOf('role:moderators') },
    }),
  )
  await canPost(false)
  const isOffered = async () =>
    (
      await device.ask('suggestions', {
        accountId: device.accountId,
        request: { kind: 'channel', text: 'plaza', toWriteIn: true },
        limit: 5,
      })
    ).length
  expect(await isOffered()).toBe(0)
  await device.restart()
  await canPost(false)
  succeeded(await org.owner.patch(`/users/${org.member.id}`, { role: 300 }))
  await canPost(true)
  expect(await isOffered()).toBe(1)
  expect((await permissions(org.member, org.plaza)).role).toBe('moderator')
  succeeded(await org.owner.patch(`/users/${org.member.id}`, { role: 400 }))
  await canPost(false)
  succeeded(
    await org.owner.patch(`/streams/${org.plaza}`, {
      can_send_message_group: { new: idOf('role:everyone') },
    }),
  )
  await canPost(true)
})

test('who becomes a member or a guest again is heard of where only full members may write', async () => {
  const groups = (await org.owner.get('/user_groups')).body.user_groups
  const idOf = (name: string) => groups.find((group: { name: string }) => group.name === name).id
  const setPosting = async (name: string) =>
    succeeded(await org.owner.patch(`/streams/${org.lobby}`, { can_send_message_group: { new: idOf(name) } }))
  const mayPost = (isWanted: boolean) =>
    permissions(org.guest, org.lobby, ({ channel }) => channel?.post === isWanted)
  await setPosting('role:fullmembers')
  await mayPost(false)
  for (const role of [400, 600]) {
    succeeded(await org.owner.patch(`/users/${org.guest.id}`, { role }))
    await mayPost(role === 400)
  }
  await setPosting('role:everyone')
  await mayPost(true)
})

test('time limits count from the moment a message was sent; for moving they do not bind moderators', async () => {
  succeeded(
    await org.owner.patch('/realm', {
      message_content_edit_limit_seconds: 60,
      message_content_delete_limit_seconds: 120,
      move_messages_within_stream_limit_seconds: 180,
    }),
  )
  const isSet = ({ messages }: Permissions) =>
    messages.editOwn.withinMs === 60_000 && messages.deleteOwn.withinMs === 120_000
  const { messages } = await permissions(org.member, org.lobby, isSet)
  expect(messages.changeTopic).toEqual({ isAllowed: true, withinMs: 180_000 })
  expect((await permissions(org.moderator, org.plaza, isSet)).messages.changeTopic.withinMs).toBe(null)
  const own = userId(org.member.id)
  const at = (age: number, senderId = own) =>
    actionsFor(messages, { senderId, sentAt: 1_000_000 }, own, 1_000_000 + age)
  expect(at(60_000)).toMatchObject({ edit: true, delete: true, changeTopic: true, report: false })
  expect(at(60_001)).toMatchObject({ edit: false, delete: true })
  expect(at(120_001)).toMatchObject({ delete: false, changeTopic: true })
  expect(at(180_001)).toMatchObject({ changeTopic: false })
  expect(at(0, userId(org.other.id))).toMatchObject({ edit: false, delete: false })
  expect(at(0, userId(org.bot.id))).toMatchObject({ edit: false, delete: true })
  succeeded(
    await org.owner.patch('/realm', {
      message_content_edit_limit_seconds: 'unlimited',
      allow_message_editing: false,
      enable_read_receipts: false,
      message_edit_history_visibility_policy: 'moves',
    }),
  )
  const after = await permissions(org.member, org.lobby, (value) => value.messages.seeHistory === 'moves')
  expect(after.messages).toMatchObject({ editOwn: { isAllowed: false }, seeReaders: false })
  expect(actionsFor(after.messages, { senderId: own, sentAt: 5 }, own, 6).edit).toBe(false)
})

test('messages are reported where moderators have a channel for that', async () => {
  const { messages } = await permissions(org.member, org.lobby)
  expect(messages).toMatchObject({ report: false, remind: true })
  succeeded(await org.owner.patch('/realm', { moderation_request_channel_id: org.cellar }))
  const after = await permissions(org.member, org.lobby, (value) => value.messages.report)
  const message = { senderId: userId(org.other.id), sentAt: 0 }
  expect(actionsFor(after.messages, message, userId(org.member.id), 1).report).toBe(true)
})

test('only who is in a channel marks its messages as unread', async () => {
  const mayMark = async (channel: number | null) =>
    (await permissions(org.moderator, channel)).messages.markUnread
  expect(await mayMark(org.plaza)).toBe(true)
  expect(await mayMark(org.lobby)).toBe(false)
  expect(await mayMark(null)).toBe(true)
})

test('direct messages are neither moved nor resolved', async () => {
  const { messages, channel } = await permissions(org.owner, null)
  expect(channel).toBe(null)
  expect(messages).toMatchObject({
    changeTopic: { isAllowed: false },
    changeChannel: { isAllowed: false },
    resolve: false,
  })
})

test('a topic without a name is not resolved, and nothing is named where no topic has a name', async () => {
  const { messages } = await permissions(org.member, org.plaza)
  expect(messages).toMatchObject({ resolve: true, nameTopics: true })
  expect(mayResolve(messages, 'drift')).toBe(true)
  expect(mayResolve(messages, '')).toBe(false)
  const { id } = succeeded(
    await org.owner.post('/channels/create', {
      name: 'one topic',
      subscribers: [org.member.id],
      topics_policy: 'empty_topic_only',
    }),
  ) as unknown as { id: number }
  const after = await permissions(org.member, id, (value) => value.channel !== null)
  expect(mayResolve(after.messages, 'drift')).toBe(false)
  const message = { senderId: userId(org.other.id), sentAt: Date.now() }
  expect(actionsFor(after.messages, message, userId(org.member.id), Date.now()).changeTopic).toBe(false)
})

test('who may change the own name and address is what the service does, before and after it is left to administrators', async () => {
  const rules = (isOn: boolean) => ({ name_changes_disabled: isOn, email_changes_disabled: isOn })
  for (const isLeft of [false, true]) {
    succeeded(await org.owner.patch('/realm', rules(isLeft)))
    for (const person of [org.owner, org.member, org.guest]) {
      const change = async (fields: object) => isDone(await person.patch('/settings', { ...fields }))
      const done = {
        changeOwnName: await change({ full_name: fresh(person.name) }),
        changeOwnEmail: await change({ email: `${fresh('new').replace(' ', '-')}@example.org` }),
      }
      expect(done.changeOwnName).toBe(!isLeft || person === org.owner)
      const { organization } = await permissions(
        person,
        null,
        (value) => value.organization.changeOwnName === done.changeOwnName,
      )
      expect(organization).toMatchObject({ ...done, changeOwnPicture: true, changeOwnPassword: true })
    }
  }
  succeeded(await org.owner.patch('/realm', rules(false)))
})
