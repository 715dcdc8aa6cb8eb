import { expect, test } from 'vitest'
import { png, sendFile } from '../../support/files.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
} from '../../support/organization.ts'

const org = organization()
const post = (person: Person, fields: Fields) => person.post('/messages', { content: 'a message', ...fields })
const toPlaza = (fields: Fields = {}) => ({ type: 'stream', to: org.plaza, topic: 'Sending', ...fields })
const shown = async (person: Person, id: number) =>
  succeeded(await person.get(`/messages/${id}`, { apply_markdown: false, allow_empty_topic_name: true }))[
    'message'
  ]
const permission = (setting: string, value: unknown) =>
  org.service.workspace.db.run(
    `INSERT OR REPLACE INTO permission_values VALUES ('realm', 0, ?, ?)`,
    setting,
    JSON.stringify(value),
  )
const only = (...people: Person[]) => ({ direct_members: people.map(({ id }) => id), direct_subgroups: [] })
const forget = () => org.service.workspace.db.run('DELETE FROM permission_values')

test('SEND-01: A channel is named by id, by name, or by a list with one of them; channel and stream are the same type.', async () => {
  for (const to of [org.plaza, String(org.plaza), 'plaza', 'PLAZA', ['plaza'], [org.plaza]]) {
    for (const type of ['stream', 'channel']) {
      const { id } = succeeded(await post(org.member, toPlaza({ type, to })))
      expect(await shown(org.other, id)).toMatchObject({
        type: 'stream',
        stream_id: org.plaza,
        subject: 'Sending',
      })
    }
  }
  for (const to of [[], [org.plaza, org.lobby], ['plaza', 'lobby']])
    refused(await post(org.member, toPlaza({ to })))
})

test('SEND-02: Recipients are named by ids, addresses or comma-separated addresses; duplicates and the sender make no difference.', async () => {
  const { member, other, admin } = org
  const wanted = [member, other, admin].map(({ id }) => id).sort((a, b) => a - b)
  for (const to of [
    [other.id, admin.id],
    [admin.id, other.id, member.id, admin.id],
    [other.email, admin.email],
    `${other.email}, ${admin.email}`,
  ]) {
    for (const type of ['private', 'direct']) {
      const { id } = succeeded(await post(member, { type, to }))
      const { display_recipient, type: kind } = await shown(admin, id)
      expect(kind).toBe('private')
      expect(display_recipient.map((one: { id: number }) => one.id)).toEqual(wanted)
    }
  }
})

test('SEND-03: A message to the sender alone is a note; a message without recipients is rejected.', async () => {
  const { id } = succeeded(await post(org.member, { type: 'direct', to: [org.member.id] }))
  expect((await shown(org.member, id)).display_recipient).toHaveLength(1)
  refused(await post(org.member, { type: 'direct', to: [] }))
})

test('SEND-04: Unknown and deactivated users cannot be recipients.', async () => {
  const left = org.join('Lena Left')
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', left.id)
  refused(await post(org.member, { type: 'direct', to: [9_999] }))
  refused(await post(org.member, { type: 'direct', to: 'nobody@example.org' }))
  refused(await post(org.member, { type: 'direct', to: [left.id] }))
})

test('SEND-05: An unknown channel is STREAM_DOES_NOT_EXIST, with the name or id that was sent.', async () => {
  expect(refused(await post(org.member, toPlaza({ to: 9_999 })), 'STREAM_DOES_NOT_EXIST')['stream_id']).toBe(
    9_999,
  )
  expect(refused(await post(org.member, toPlaza({ to: 'attic' })), 'STREAM_DOES_NOT_EXIST')['stream']).toBe(
    'attic',
  )
})

test('SEND-06: Sending to a hidden, archived or closed channel is rejected.', async () => {
  const { db } = org.service.workspace
  // What is hidden is refused as what is not there.
  refused(await post(org.other, toPlaza({ to: org.cellar })), 'STREAM_DOES_NOT_EXIST')
  refused(await post(org.guest, toPlaza()), 'STREAM_DOES_NOT_EXIST')
  db.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', org.lobby)
  refused(await post(org.member, toPlaza({ to: org.lobby })))
  db.run('UPDATE channels SET is_archived = 0 WHERE channel_id = ?', org.lobby)
})

test('SEND-07: A topic is required; it is trimmed, truncated at the limit, and must not contain control characters.', async () => {
  refused(await post(org.member, toPlaza({ topic: undefined })), 'REQUEST_VARIABLE_MISSING')
  const topicOf = async (topic: string) =>
    (await shown(org.member, succeeded(await post(org.member, toPlaza({ topic })))['id'])).subject
  expect(await topicOf('  trimmed ')).toBe('trimmed')
  expect(await topicOf('x'.repeat(60))).toBe('x'.repeat(60))
  expect(await topicOf('ü'.repeat(61))).toBe(`${'ü'.repeat(57)}...`)
  for (const unprintable of ['\u0007', '\u0085', '\ufffe'])
    refused(await post(org.member, toPlaza({ topic: `a${unprintable}b` })))
})

test('SEND-08: The empty topic has several names.', async () => {
  for (const topic of ['', '  ', '(no topic)', 'general chat']) {
    const { id } = succeeded(await post(org.member, toPlaza({ topic })))
    expect((await shown(org.member, id)).subject).toBe('')
  }
})

test('SEND-09: subject is the older name of topic; sending both is REQUEST_CONFUSING_VAR.', async () => {
  const { id } = succeeded(await post(org.member, toPlaza({ topic: undefined, subject: 'By the old name' })))
  expect((await shown(org.member, id)).subject).toBe('By the old name')
  const refusal = refused(await post(org.member, toPlaza({ subject: 'And' })), 'REQUEST_CONFUSING_VAR')
  expect(refusal).toMatchObject({ var_name1: 'topic', var_name2: 'subject' })
})

test("SEND-10: A channel's topics policy is enforced, and the error holds the display name of the empty topic.", async () => {
  const policy = (name: string) =>
    org.service.workspace.db.run(
      'UPDATE channels SET topics_policy = ? WHERE channel_id = ?',
      name,
      org.lobby,
    )
  const send = (topic: string) => post(org.member, toPlaza({ to: org.lobby, topic }))
  policy('disable_empty_topic')
  expect(refused(await send(''))['empty_topic_display_name']).toBe('general chat')
  succeeded(await send('named'))
  policy('empty_topic_only')
  expect(refused(await send('named'))['empty_topic_display_name']).toBe('general chat')
  succeeded(await send(''))
  policy('inherit')
})

test('SEND-11: Leading blank lines and trailing whitespace are removed; empty content and null bytes are rejected, and long content is truncated with a note.', async () => {
  const contentOf = async (content: string) =>
    (await shown(org.member, succeeded(await post(org.member, toPlaza({ content })))['id'])).content
  expect(await contentOf('\n  \n  kept \n\n')).toBe('  kept')
  expect(await contentOf('a'.repeat(10_000))).toBe('a'.repeat(10_000))
  const note = '\n[message truncated]'
  expect(await contentOf('a'.repeat(10_001))).toBe('a'.repeat(10_000 - note.length) + note)
  for (const content of ['', ' \n ', 'nul\0byte']) refused(await post(org.member, toPlaza({ content })))
})

test("SEND-12: local_message_id is in the event of the sender's own queue and of no other.", async () => {
  const messages = { event_types: ['message'], fetch_event_types: [] }
  const [mine, second, theirs] = await Promise.all([
    org.member.register(messages),
    org.member.register(messages),
    org.other.register(messages),
  ])
  const { id } = succeeded(await post(org.member, toPlaza({ queue_id: mine.id, local_id: '17.5' })))
  expect(await mine.events()).toMatchObject([{ message: { id }, local_message_id: '17.5' }])
  for (const queue of [second, theirs]) {
    const events = await queue.events()
    expect(events).toMatchObject([{ message: { id } }])
    expect(events[0]).not.toHaveProperty('local_message_id')
  }
})

test('SEND-13: By default, messages are marked as read for senders who are human users, but not for bots.', async () => {
  const flags = async (person: Person, fields: Fields = {}) =>
    (await shown(person, succeeded(await post(person, toPlaza(fields)))['id'])).flags
  expect(await flags(org.member)).toEqual(['read'])
  expect(await flags(org.member, { read_by_sender: false })).toEqual([])
  expect(await flags(org.bot)).toEqual([])
  expect(await flags(org.bot, { read_by_sender: true })).toEqual(['read'])
})

test('SEND-14: The client of a message is the part of the User-Agent before the slash.', async () => {
  const { id } = succeeded(await post(org.member, toPlaza()))
  expect((await shown(org.other, id)).client).toBe('Contract')
})

test('SEND-15: A permission of the organization decides who can exchange direct messages; bots can always be written to.', async () => {
  const { member, other, bot } = org
  permission('direct_message_permission_group', only())
  refused(await post(member, { type: 'direct', to: [other.id] }))
  succeeded(await post(member, { type: 'direct', to: [bot.id] }))
  permission('direct_message_permission_group', only(other))
  succeeded(await post(member, { type: 'direct', to: [other.id] }))
  forget()
})

test('SEND-16: A permission decides who can start a direct conversation; a reply is always possible.', async () => {
  const { moderator, other } = org
  permission('direct_message_initiator_group', only(moderator))
  refused(await post(other, { type: 'direct', to: [moderator.id] }))
  succeeded(await post(moderator, { type: 'direct', to: [other.id] }))
  succeeded(await post(other, { type: 'direct', to: [moderator.id] }))
  forget()
})

test('SEND-17: Wildcard mentions in a large channel or topic require a permission.', async () => {
  const all = (person: Person, content: string) => post(person, toPlaza({ topic: 'Calls', content }))
  succeeded(await all(org.member, '@**all** few of us'))
  const crowd = Array.from({ length: 16 }, (_, number) => org.join(`Crowd ${number}`))
  succeeded(
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'plaza' }],
      principals: crowd.map(({ id }) => id),
    }),
  )
  refused(await all(org.member, '@**all** many of us'), 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  succeeded(await all(org.member, '@**topic** few of us'))
  for (const person of crowd) succeeded(await all(person, 'here too'))
  refused(await all(org.member, '@**topic** many of us'), 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  succeeded(await all(org.admin, '@**all** and @**topic**'))
  succeeded(await all(org.member, '@_**all** silently'))
})

test('SEND-18: Mentioning a group requires a permission; mentioning a system group notifies no user.', async () => {
  const { db } = org.service.workspace
  const { lastId } = db.run(
    `INSERT INTO user_groups (name, members, creator_id) VALUES ('divers', ?, ?)`,
    JSON.stringify([org.other.id]),
    org.owner.id,
  )
  const call = (content: string) => post(org.member, toPlaza({ content }))
  const { id } = succeeded(await call('@*divers*'))
  expect((await shown(org.other, id)).flags).toEqual(['group_mentioned'])
  db.run(
    `INSERT INTO permission_values VALUES ('group', ?, 'can_mention_group', ?)`,
    lastId,
    JSON.stringify(only(org.admin)),
  )
  refused(await call('@*divers*'))
  const system = succeeded(await call('@*role:members*'))['id']
  expect((await shown(org.other, system)).flags).toEqual([])
  const { rendered } = succeeded(
    await org.member.post('/messages/render', { content: '@*role:fullmembers*' }),
  )
  expect(rendered).toContain('>Full members</span>')
  succeeded(await call('@_*divers* and @_*role:members*'))
  forget()
})

test('SEND-19: By default, starting a topic follows it and reports this; a policy set earlier is kept.', async () => {
  const queue = await org.admin.register({ event_types: ['user_topic'], fetch_event_types: [] })
  const send = async (topic: string) => succeeded(await post(org.admin, toPlaza({ topic })))
  expect(await send('Begun by me')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await queue.events()).toMatchObject([{ topic_name: 'Begun by me', visibility_policy: 3 }])
  expect(await send('Begun by me')).not.toHaveProperty('automatic_new_visibility_policy')
  await org.other.send(org.plaza, 'Begun by another', 'first')
  expect(await send('Begun by another')).not.toHaveProperty('automatic_new_visibility_policy')
  const decision = { stream_id: org.plaza, topic: 'Muted before', visibility_policy: 1 }
  succeeded(await org.admin.post('/user_topics', decision))
  expect(await send('Muted before')).not.toHaveProperty('automatic_new_visibility_policy')
})

test('SEND-20: Settings decide whether sending to a topic follows it, unmutes it in a muted channel, or does neither.', async () => {
  const settings = (follow: number, unmute: number) =>
    org.moderator.patch('/settings', {
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
    })
  let topics = 0
  const policyAfter = async () => {
    const topic = `Decided ${topics++}`
    await org.other.send(org.plaza, topic, 'first')
    return succeeded(await post(org.moderator, toPlaza({ topic })))['automatic_new_visibility_policy']
  }
  const mute = async (value: boolean) =>
    succeeded(
      await org.moderator.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: org.plaza, property: 'is_muted', value }],
      }),
    )
  succeeded(await settings(2, 4))
  expect(await policyAfter()).toBe(3)
  succeeded(await settings(4, 2))
  expect(await policyAfter()).toBeUndefined()
  await mute(true)
  expect(await policyAfter()).toBe(2)
  succeeded(await settings(4, 4))
  expect(await policyAfter()).toBeUndefined()
  await mute(false)
})

test('SEND-21: By default, a mentioned user follows the topic; a setting turns this off.', async () => {
  const queue = await org.other.register({ event_types: ['user_topic'], fetch_event_types: [] })
  const call = (topic: string) => post(org.member, toPlaza({ topic, content: `@**${org.other.name}**` }))
  succeeded(await call('Named here'))
  expect(await queue.events()).toMatchObject([{ topic_name: 'Named here', visibility_policy: 3 }])
  succeeded(await org.other.patch('/settings', { automatically_follow_topics_where_mentioned: false }))
  succeeded(await call('Named there'))
  expect(await queue.events()).toEqual([])
})

const reaction = { emoji_name: 'tada' }

test('REACT-01: A reaction is an event to all users who have the message, with the user and the emoji.', async () => {
  const id = await org.member.send(org.plaza, 'Reactions', 'look')
  const queue = await org.other.register({ event_types: ['reaction'], fetch_event_types: [] })
  succeeded(await org.admin.post(`/messages/${id}/reactions`, reaction))
  succeeded(await org.admin.delete(`/messages/${id}/reactions`, reaction))
  const one = {
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
    user_id: org.admin.id,
  }
  const user = { user_id: org.admin.id, email: org.admin.email, full_name: org.admin.name }
  expect(await queue.events()).toEqual([
    { id: 0, type: 'reaction', op: 'add', message_id: id, ...one, user },
    { id: 1, type: 'reaction', op: 'remove', message_id: id, ...one, user },
  ])
})

test('REACT-02: Adding a reaction twice and removing one that does not exist are rejected with their own codes.', async () => {
  const id = await org.member.send(org.plaza, 'Reactions', 'look')
  succeeded(await org.admin.post(`/messages/${id}/reactions`, reaction))
  refused(await org.admin.post(`/messages/${id}/reactions`, reaction), 'REACTION_ALREADY_EXISTS')
  refused(await org.other.delete(`/messages/${id}/reactions`, reaction), 'REACTION_DOES_NOT_EXIST')
  succeeded(await org.other.post(`/messages/${id}/reactions`, reaction))
  expect((await shown(org.member, id)).reactions).toHaveLength(2)
})

test('REACT-03: An unknown emoji, and a code that does not match the name, are rejected.', async () => {
  const id = await org.member.send(org.plaza, 'Reactions', 'look')
  const react = (fields: Fields) => org.other.post(`/messages/${id}/reactions`, fields)
  refused(await react({ emoji_name: 'no_such_emoji' }))
  refused(await react({ emoji_name: 'tada', emoji_code: '1f600' }))
  refused(await react({ emoji_name: 'tada', emoji_code: 'x', reaction_type: 'realm_emoji' }))
  refused(await react({ emoji_name: 'tada', reaction_type: 'sticker' }))
  refused(await react({}), 'REQUEST_VARIABLE_MISSING')
})

test('REACT-04: A reaction with the same emoji takes the name of the existing one, whatever name is sent.', async () => {
  const id = await org.member.send(org.plaza, 'Reactions', 'look')
  succeeded(await org.admin.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  succeeded(await org.other.post(`/messages/${id}/reactions`, { emoji_name: 'party', emoji_code: '1f389' }))
  expect(
    (await shown(org.member, id)).reactions.map((one: { emoji_name: string }) => one.emoji_name),
  ).toEqual(['tada', 'tada'])
})

test('REACT-05: A user cannot react to a message they cannot read; reacting to an older message adds it to the user’s history.', async () => {
  const hidden = await org.owner.send(org.cellar, 'Reactions', 'hidden')
  refused(await org.other.post(`/messages/${hidden}/reactions`, reaction))
  const old = await org.guest.send(org.lobby, 'Reactions', 'history')
  succeeded(await org.other.post(`/messages/${old}/reactions`, reaction))
  expect((await shown(org.other, old)).flags).toEqual(['read', 'historical'])
  succeeded(await org.other.post('/messages/flags', { op: 'add', flag: 'collapsed', messages: [old] }))
  expect((await shown(org.other, old)).flags).toContain('collapsed')
})

test('REACT-06: The code of a reaction depends on its namespace: code points, the id of the custom emoji, or a name.', async () => {
  succeeded(await sendFile(org.service, org.member, '/realm/emoji/dunlin', ['dunlin.png', png]))
  const { emoji } = succeeded(await org.member.get('/realm/emoji'))
  const [custom = ''] = Object.keys(emoji)
  for (const [emoji_name, emoji_code, reaction_type] of [
    ['tada', '1f389', 'unicode_emoji'],
    ['de', '1f1e9-1f1ea', 'unicode_emoji'],
    ['dunlin', custom, 'realm_emoji'],
    ['zulip', 'zulip', 'service_extra_emoji'],
  ] as const) {
    const own = { emoji_name, emoji_code, reaction_type, user_id: org.other.id }
    for (const fields of [{ emoji_name }, { emoji_name, emoji_code, reaction_type }]) {
      const id = await org.member.send(org.plaza, 'Reactions', 'look')
      succeeded(await org.other.post(`/messages/${id}/reactions`, fields))
      expect((await shown(org.member, id)).reactions).toEqual([own])
    }
  }
  // Real servers spell the last namespace differently.
  const spelled = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
  const id = await org.member.send(org.plaza, 'Reactions', 'look')
  succeeded(await org.other.post(`/messages/${id}/reactions`, spelled))
  succeeded(await org.other.delete(`/messages/${id}/reactions`, spelled))
  expect((await shown(org.member, id)).reactions).toEqual([])
})

test('SEND-22: If posting in a channel is restricted, other subscribers are rejected, and a bot can post where its owner can.', async () => {
  const write = (who: Person) =>
    who.post('/messages', { type: 'stream', to: org.plaza, topic: 'Announced', content: 'x' })
  const allow = (value: unknown) =>
    org.owner.patch(`/streams/${org.plaza}`, { can_send_message_group: { new: value } })
  const { state } = await org.owner.register({ fetch_event_types: ['realm_user_groups'] })
  const everyone = state.realm_user_groups.find((one: { name: string }) => one.name === 'role:everyone').id
  succeeded(await allow({ direct_members: [org.member.id], direct_subgroups: [] }))
  succeeded(await write(org.member))
  succeeded(await write(org.bot))
  for (const who of [org.other, org.owner]) refused(await write(who))
  succeeded(await allow(everyone))
  succeeded(await write(org.other))
  // Where its owner is, a bot also writes in a private channel, which it does not see itself; another's bot does not.
  const inside = { type: 'stream', to: org.cellar, topic: 'From a bot', content: 'x' }
  const stranger = org.joinBot(fresh('Stranger'), org.other)
  const queue = await org.owner.listen({ event_types: ['message'], fetch_event_types: [] })
  succeeded(await org.bot.post('/messages', inside))
  refused(await stranger.post('/messages', inside), 'STREAM_DOES_NOT_EXIST')
  const later = { ...inside, scheduled_delivery_timestamp: Math.floor(org.clock.now() / 1000) + 60 }
  succeeded(await org.bot.post('/scheduled_messages', later))
  refused(await stranger.post('/scheduled_messages', later), 'STREAM_DOES_NOT_EXIST')
  await org.clock.advance(61_000)
  expect((await queue.events()).map(({ message }) => [message.sender_id, message.stream_id])).toEqual([
    [org.bot.id, org.cellar],
    [org.bot.id, org.cellar],
  ])
})

test('SEND-23: All subscribers of a channel of any size get the message, unread except for the sender, with their own flags.', async () => {
  for (const size of [9, 10, 11, 25]) {
    const people = Array.from({ length: size }, () => org.join(fresh('Throng')))
    const [sender, called] = [people[0]!, people.at(-1)!]
    const channel = org.service.createChannel(
      fresh('throng'),
      people.map(({ id }) => id),
    )
    const id = await sender.send(channel, 'all', `For @**${called.name}** and all`)
    for (const one of people) {
      const { flags } = succeeded(await one.get(`/messages/${id}`)).message
      expect(flags).toEqual(one === sender ? ['read'] : one === called ? ['mentioned'] : [])
    }
  }
})
