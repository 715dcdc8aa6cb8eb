import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, userId } from '../../src-shared/ids.ts'
import { openDevice, type Device } from '../support/device.ts'
import { found, succeeded, type Organization } from '../support/organization.ts'

// Facts about others and the organization, available offline.

let org: Organization
let device: Device
let groupId: number
let messageId: number

beforeAll(async () => {
  org = await found({})
  const { owner, member, other } = org
  const field = async (fields: object) =>
    succeeded(await owner.post('/realm/profile_fields', { ...fields })).id as number
  const craft = await field({ field_type: 1, name: 'Craft', display_in_profile_summary: true })
  const watch = await field({
    field_type: 3,
    name: 'Watch',
    field_data: { a: { text: 'Morning', order: '1' }, b: { text: 'Night', order: '2' } },
  })
  const mentor = await field({ field_type: 6, name: 'Learns from' })
  const code = await field({
    field_type: 7,
    name: 'Code',
    field_data: { subtype: 'custom', url_pattern: 'https://code.example/%(username)s' },
  })
  succeeded(
    await other.patch('/users/me/profile_data', {
      data: [
        { id: craft, value: '**cook**' },
        { id: watch, value: 'b' },
        { id: mentor, value: [member.id] },
        { id: code, value: 'ot to' },
      ],
    }),
  )
  succeeded(await other.post('/users/me/status', { status_text: 'at sea', emoji_name: 'wave' }))
  groupId = succeeded(
    await owner.post('/user_groups/create', {
      name: 'divers',
      description: 'who go below',
      members: [member.id, other.id],
    }),
  ).group_id
  succeeded(
    await owner.post('/realm/filters', { pattern: '#(?P<n>[0-9]+)', url_template: 'https://x.example/{n}' }),
  )
  succeeded(
    await owner.post('/realm/playgrounds', {
      name: 'Try it',
      pygments_language: 'Rust',
      url_template: 'https://x.example/{code}',
    }),
  )
  succeeded(await owner.post('/channel_folders/create', { name: 'Sea', description: 'all that floats' }))
  succeeded(await member.post('/users/me/alert_words', { alert_words: ['storm'] }))
  succeeded(await member.post(`/users/me/muted_users/${org.moderator.id}`))
  messageId = await other.send(org.plaza, 'ebb', 'remember this')
  succeeded(
    await member.post('/reminders', {
      message_id: messageId,
      scheduled_delivery_timestamp: Math.floor(org.clock.now() / 1_000) + 3_600,
    }),
  )
  device = await openDevice(org.service.baseUrl, { email: member.email, apiKey: member.row.api_key })
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
  await org.service.stop()
  await device.restart()
})
afterAll(async () => {
  await device.close()
  await org.service.close()
})

const account = () => ({ accountId: device.accountId })

test('a person is shown with what they say of themselves', async () => {
  const profile = await device.ask('profile', { ...account(), userId: userId(org.other.id) })
  expect(profile).toMatchObject({
    person: {
      fullName: 'Otto Other',
      status: { text: 'at sea', emoji: { name: 'wave', code: '1f44b', type: 'unicode_emoji' } },
    },
    role: 'member',
    isMuted: false,
    botOwner: null,
    groups: [{ groupId, name: 'divers' }],
    values: [
      { name: 'Craft', kind: 'text', text: '**cook**', isInSummary: true },
      { name: 'Watch', kind: 'choice', text: 'Night', url: null },
      { name: 'Learns from', kind: 'people', text: 'Mara Member' },
      { name: 'Code', kind: 'account', text: 'ot to', url: 'https://code.example/ot%20to' },
    ],
  })
  expect(profile?.joinedAt).toBeGreaterThan(0)
  expect(await device.ask('profile', { ...account(), userId: userId(999) })).toBe(null)
})

test('a bot is shown with whose it is, and somebody muted as muted', async () => {
  const bot = await device.ask('profile', { ...account(), userId: userId(org.bot.id) })
  expect(bot).toMatchObject({ person: { isBot: true }, botOwner: { fullName: 'Mara Member', isSelf: true } })
  const muted = await device.ask('profile', { ...account(), userId: userId(org.moderator.id) })
  expect(muted).toMatchObject({ isMuted: true, role: 'moderator', values: [] })
})

test('groups say who is in them and what one may do with them', async () => {
  const groups = await device.ask('groups', account())
  const divers = groups.find(({ name }) => name === 'divers')
  expect(divers).toMatchObject({
    groupId,
    description: 'who go below',
    memberIds: [org.member.id, org.other.id],
    isSystem: false,
    isOwn: true,
    may: { manage: false, addMembers: false, removeMembers: false, join: false, leave: true, mention: true },
  })
  const owners = groups.find(({ name }) => name === 'role:owners')
  expect(owners).toMatchObject({ isSystem: true, isOwn: false, may: { leave: false, mention: false } })
  expect(groups.find(({ name }) => name === 'role:members')?.isOwn).toBe(true)
})

test('linkifiers, playgrounds, profile fields, bots and folders are known after the first sync', async () => {
  expect(await device.ask('lists', account())).toMatchObject({
    linkifiers: [{ pattern: '#(?P<n>[0-9]+)', urlTemplate: 'https://x.example/{n}' }],
    playgrounds: [{ name: 'Try it', language: 'Rust' }],
    profileFields: [
      { name: 'Craft', kind: 'text' },
      { kind: 'choice' },
      { kind: 'people' },
      { kind: 'account' },
    ],
    bots: [{ name: 'Bertie Bot', isActive: true }],
    folders: [{ name: 'Sea', description: 'all that floats', isArchived: false }],
  })
})

test('reminders are there, and what belongs to a channel', async () => {
  expect(await device.ask('reminders', account())).toMatchObject([
    { messageId, remindAt: Math.floor(org.clock.now() / 1_000 + 3_600) * 1_000, hasFailed: false },
  ])
  const channel = await device.ask('channel', { ...account(), channelId: channelId(org.plaza) })
  expect(channel).toMatchObject({
    creatorId: org.owner.id,
    hasSharedHistory: true,
    folderId: null,
    notifications: { desktop: null, push: null, wildcardMentions: null },
  })
  expect(channel?.createdAt).toBeGreaterThan(0)
})
