import { beforeAll, expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()
const silent = { send_notification_to_new_thread: false }
const changes = { event_types: ['update_message'], fetch_event_types: [] }
let topics = 0
/** A topic with messages of the member, an hour apart; answers its name and the ids. */
async function talk(count = 3, person: Person = org.member): Promise<{ topic: string; ids: number[] }> {
  const topic = `Talk ${topics++}`
  const ids: number[] = []
  for (let number = 0; number < count; number++)
    ids.push(await person.send(org.plaza, topic, `${topic}, number ${number}`))
  return { topic, ids }
}
const placeOf = async (person: Person, id: number) => {
  const { message } = succeeded(await person.get(`/messages/${id}`, { allow_empty_topic_name: true }))
  return [message.stream_id, message.subject]
}
const inTopic = async (person: Person, channel: number, topic: string) =>
  succeeded(
    await person.get('/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      apply_markdown: false,
      narrow: [
        { operator: 'channel', operand: channel },
        { operator: 'topic', operand: topic },
      ],
    }),
  )['messages'] as { id: number; content: string; sender_full_name: string; flags: string[] }[]

const permission = (kind: string, id: number, setting: string, value: unknown) =>
  org.service.workspace.db.run(
    'INSERT OR REPLACE INTO permission_values VALUES (?, ?, ?, ?)',
    kind,
    id,
    setting,
    JSON.stringify(value),
  )
const nobody = { direct_members: [], direct_subgroups: [] }

beforeAll(() => {
  // Topics that are followed by themselves would hide what moves do.
  for (const person of [org.member, org.other, org.admin])
    org.service.workspace.db.run(
      `INSERT INTO user_settings VALUES (?, 'automatically_follow_topics_policy', '4')`,
      person.id,
    )
})

test('MOVE-01: change_one moves one message, change_later also the later ones, change_all the whole topic.', async () => {
  const moved = async (propagate_mode: string | undefined) => {
    const { ids } = await talk()
    const topic = `Elsewhere ${topics++}`
    succeeded(await org.member.patch(`/messages/${ids[1]}`, { topic, propagate_mode, ...silent }))
    return (await inTopic(org.other, org.plaza, topic)).map(({ id }) => ids.indexOf(id))
  }
  expect(await moved(undefined)).toEqual([1])
  expect(await moved('change_one')).toEqual([1])
  expect(await moved('change_later')).toEqual([1, 2])
  expect(await moved('change_all')).toEqual([0, 1, 2])
  const { ids } = await talk(1)
  refused(await org.member.patch(`/messages/${ids[0]}`, { topic: 'x', propagate_mode: 'change_some' }))
})

test('MOVE-02: A move sends one event with all message ids in order, the old and the new topic, and the user’s own flags.', async () => {
  const { topic, ids } = await talk()
  succeeded(await org.other.post('/messages/flags', { op: 'add', flag: 'starred', messages: [ids[1]] }))
  const queue = await org.other.register(changes)
  succeeded(
    await org.member.patch(`/messages/${ids[1]}`, {
      topic: 'Named anew',
      propagate_mode: 'change_all',
      ...silent,
    }),
  )
  expect(await queue.events()).toEqual([
    {
      id: 0,
      type: 'update_message',
      user_id: org.member.id,
      edit_timestamp: Math.floor(org.clock.now() / 1000),
      message_id: ids[1],
      message_ids: ids,
      flags: ['starred'],
      rendering_only: false,
      stream_id: org.plaza,
      stream_name: 'plaza',
      propagate_mode: 'change_all',
      orig_subject: topic,
      subject: 'Named anew',
      topic_links: [],
    },
  ])
})

test('MOVE-03: A moved message states when and from where it was moved; unchanged content does not count as edited.', async () => {
  const { topic, ids } = await talk(1)
  succeeded(await org.member.patch(`/messages/${ids[0]}`, { topic: 'Found', ...silent }))
  const { message } = succeeded(await org.other.get(`/messages/${ids[0]}`))
  expect(message.last_moved_timestamp).toBe(Math.floor(org.clock.now() / 1000))
  expect(message).not.toHaveProperty('last_edit_timestamp')
  expect(message.edit_history).toEqual([
    { user_id: org.member.id, timestamp: expect.any(Number), prev_topic: topic, topic: 'Found' },
  ])
})

test('MOVE-04: The event of a move to another channel names both channels, and the messages are found in the new one.', async () => {
  const { topic, ids } = await talk()
  const queue = await org.member.register(changes)
  succeeded(
    await org.member.patch(`/messages/${ids[0]}`, {
      stream_id: org.lobby,
      propagate_mode: 'change_all',
      ...silent,
    }),
  )
  expect(await queue.events()).toMatchObject([
    { stream_id: org.plaza, new_stream_id: org.lobby, orig_subject: topic, message_ids: ids },
  ])
  expect(await placeOf(org.member, ids[2] ?? 0)).toEqual([org.lobby, topic])
  expect(await inTopic(org.member, org.plaza, topic)).toEqual([])
  const { message } = succeeded(await org.member.get(`/messages/${ids[0]}`))
  expect(message.edit_history).toEqual([
    { user_id: org.member.id, timestamp: expect.any(Number), prev_stream: org.plaza, stream: org.lobby },
  ])
})

test('MOVE-05: Users who cannot read the new channel get a deletion event that does not name it.', async () => {
  const { topic, ids } = await talk()
  // Whoever came afterwards knows the messages from the shared history.
  const newcomer = org.join('Nils Newcomer')
  succeeded(await newcomer.post('/users/me/subscriptions', { subscriptions: [{ name: 'plaza' }] }))
  const losers = [org.other, newcomer]
  const queues = await Promise.all(
    losers.map((one) =>
      one.register({ fetch_event_types: [], client_capabilities: { bulk_message_deletion: true } }),
    ),
  )
  succeeded(
    await org.member.patch(`/messages/${ids[0]}`, {
      stream_id: org.cellar,
      propagate_mode: 'change_all',
      ...silent,
    }),
  )
  const deletion = { message_ids: ids, message_type: 'stream', stream_id: org.plaza, topic }
  for (const queue of queues)
    expect(await queue.events()).toEqual([{ id: 0, type: 'delete_message', ...deletion }])
  for (const one of losers) for (const id of ids) refused(await one.get(`/messages/${id}`))
  expect(await placeOf(org.owner, ids[0] ?? 0)).toEqual([org.cellar, topic])
})

test('MOVE-06: Without shared history, subscribers see messages moved into the channel as historical.', async () => {
  const { service, cellar, lobby, member, owner } = org
  service.workspace.db.run('UPDATE channels SET has_shared_history = 0 WHERE channel_id = ?', cellar)
  const id = await member.send(lobby, 'To the cellar', 'down')
  succeeded(await member.patch(`/messages/${id}`, { stream_id: cellar, ...silent }))
  const [message] = await inTopic(owner, cellar, 'To the cellar')
  expect(message?.flags.sort()).toEqual(['historical', 'read'])
  service.workspace.db.run('UPDATE channels SET has_shared_history = 1 WHERE channel_id = ?', cellar)
})

test('MOVE-07: Direct messages cannot be moved.', async () => {
  const id = await org.member.send([org.other], '', 'stays here')
  refused(await org.member.patch(`/messages/${id}`, { topic: 'there' }))
  refused(await org.member.patch(`/messages/${id}`, { stream_id: org.plaza, topic: 'there' }))
})

test('MOVE-08: Messages cannot be moved to a channel that does not exist, is archived or is not accessible to the user.', async () => {
  const { db } = org.service.workspace
  const { ids } = await talk(1)
  refused(await org.other.patch(`/messages/${ids[0]}`, { stream_id: org.cellar }))
  refused(await org.other.patch(`/messages/${ids[0]}`, { stream_id: 9_999 }))
  db.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', org.lobby)
  refused(await org.member.patch(`/messages/${ids[0]}`, { stream_id: org.lobby }))
  db.run('UPDATE channels SET is_archived = 0 WHERE channel_id = ?', org.lobby)
})

test('MOVE-09: The permission to change topics is set by the organization or by the channel.', async () => {
  const { ids } = await talk(1)
  const rename = () => org.other.patch(`/messages/${ids[0]}`, { topic: `Renamed ${topics++}`, ...silent })
  succeeded(await rename())
  permission('realm', 0, 'can_move_messages_between_topics_group', nobody)
  refused(await rename())
  succeeded(await org.admin.patch(`/messages/${ids[0]}`, { topic: `Renamed ${topics++}`, ...silent }))
  permission('channel', org.plaza, 'can_move_messages_within_channel_group', {
    direct_members: [org.other.id],
    direct_subgroups: [],
  })
  succeeded(await rename())
  org.service.workspace.db.run('DELETE FROM permission_values')
})

test('MOVE-10: The permission to move messages out of a channel is set by the organization or by the channel.', async () => {
  const { ids } = await talk(2)
  const move = (id?: number) => org.other.patch(`/messages/${id}`, { stream_id: org.lobby, ...silent })
  permission('realm', 0, 'can_move_messages_between_channels_group', nobody)
  refused(await move(ids[0]))
  permission('channel', org.plaza, 'can_move_messages_out_of_channel_group', {
    direct_members: [org.other.id],
    direct_subgroups: [],
  })
  succeeded(await move(ids[0]))
  org.service.workspace.db.run('DELETE FROM permission_values')
})

test('MOVE-11: Messages can be moved within the organization’s time limit, which does not apply to moderators.', async () => {
  const { ids } = await talk(1)
  await org.clock.advance(604_801_000)
  refused(await org.member.patch(`/messages/${ids[0]}`, { topic: 'Late', ...silent }))
  refused(await org.member.patch(`/messages/${ids[0]}`, { stream_id: org.lobby, ...silent }))
  succeeded(await org.moderator.patch(`/messages/${ids[0]}`, { topic: 'Late', ...silent }))
})

test('MOVE-12: When only part of a topic may be moved, MOVE_MESSAGES_TIME_LIMIT_EXCEEDED reports the first message that may be.', async () => {
  const { topic, ids } = await talk(2)
  await org.clock.advance(604_801_000)
  const later = [await org.member.send(org.plaza, topic, 'c'), await org.member.send(org.plaza, topic, 'd')]
  const move = (id: number | undefined, propagate_mode: string) =>
    org.member.patch(`/messages/${id}`, { topic: 'Divided', propagate_mode, ...silent })
  const refusal = refused(await move(later[1], 'change_all'), 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')
  expect(refusal).toMatchObject({
    first_message_id_allowed_to_move: later[0],
    total_messages_in_topic: 4,
    total_messages_allowed_to_move: 2,
  })
  expect((await inTopic(org.other, org.plaza, topic)).map(({ id }) => id)).toEqual([...ids, ...later])
  succeeded(await move(refusal['first_message_id_allowed_to_move'], 'change_later'))
  expect((await inTopic(org.other, org.plaza, topic)).map(({ id }) => id)).toEqual(ids)
})

test('MOVE-13: Resolving a topic adds the mark to its name; it does not count as a move, has no time limit and has its own permission.', async () => {
  const { topic, ids } = await talk(2)
  await org.clock.advance(604_801_000)
  const resolve = (name: string) =>
    org.member.patch(`/messages/${ids[0]}`, { topic: name, propagate_mode: 'change_all', ...silent })
  succeeded(await resolve(`✔ ${topic}`))
  expect(succeeded(await org.other.get(`/messages/${ids[0]}`))['message']).not.toHaveProperty(
    'last_moved_timestamp',
  )
  succeeded(await resolve(topic))
  permission('realm', 0, 'can_resolve_topics_group', nobody)
  refused(await resolve(`✔ ${topic}`))
  permission('channel', org.plaza, 'can_resolve_topics_group', {
    direct_members: [org.member.id],
    direct_subgroups: [],
  })
  succeeded(await resolve(`✔ ${topic}`))
  org.service.workspace.db.run('DELETE FROM permission_values')
})

test('MOVE-14: The empty topic can be renamed, and a topic can be renamed to it, but the empty topic cannot be resolved.', async () => {
  const id = await org.member.send(org.plaza, '', 'nameless')
  refused(await org.member.patch(`/messages/${id}`, { topic: '✔ ' }))
  succeeded(await org.member.patch(`/messages/${id}`, { topic: 'Named', ...silent }))
  succeeded(await org.member.patch(`/messages/${id}`, { topic: 'general chat', ...silent }))
  expect(await placeOf(org.member, id)).toEqual([org.plaza, ''])
})

test('MOVE-15: A channel’s topics policy also applies to messages moved there.', async () => {
  const { ids } = await talk(1)
  const policy = (name: string) =>
    org.service.workspace.db.run(
      'UPDATE channels SET topics_policy = ? WHERE channel_id = ?',
      name,
      org.lobby,
    )
  policy('disable_empty_topic')
  const refusal = refused(await org.member.patch(`/messages/${ids[0]}`, { stream_id: org.lobby, topic: '' }))
  expect(refusal['empty_topic_display_name']).toBe('general chat')
  policy('empty_topic_only')
  refused(await org.member.patch(`/messages/${ids[0]}`, { stream_id: org.lobby }))
  succeeded(await org.member.patch(`/messages/${ids[0]}`, { stream_id: org.lobby, topic: '', ...silent }))
  policy('inherit')
})

const policyOf = async (person: Person, topic: string) => {
  const { state } = await person.register({ event_types: ['user_topic'] })
  return (
    state['user_topics'].find((one: { topic_name: string }) => one.topic_name === topic)?.visibility_policy ??
    0
  )
}
const decide = async (person: Person, topic: string, visibility_policy: number) =>
  succeeded(await person.post('/user_topics', { stream_id: org.plaza, topic, visibility_policy }))

test('MOVE-16: When a whole topic moves, the users’ visibility policies move with it, and the users get events.', async () => {
  const { topic, ids } = await talk()
  await decide(org.other, topic, 1)
  await decide(org.admin, topic, 3)
  const queue = await org.other.register({ event_types: ['user_topic'], fetch_event_types: [] })
  succeeded(await org.member.patch(`/messages/${ids[2]}`, { topic: 'A part', ...silent }))
  expect(await queue.events()).toEqual([])
  succeeded(
    await org.member.patch(`/messages/${ids[0]}`, {
      topic: 'The rest',
      propagate_mode: 'change_all',
      ...silent,
    }),
  )
  expect(await queue.events()).toMatchObject([
    { stream_id: org.plaza, topic_name: topic, visibility_policy: 0 },
    { stream_id: org.plaza, topic_name: 'The rest', visibility_policy: 1 },
  ])
  expect([await policyOf(org.admin, topic), await policyOf(org.admin, 'The rest')]).toEqual([0, 3])
})

test('MOVE-17: When topics are merged, following takes precedence over unmuting, unmuting over no policy, and no policy over muting.', async () => {
  const merged = async (one: number, other: number) => {
    const [from, to] = [await talk(1), await talk(1)]
    await decide(org.other, from.topic, one)
    await decide(org.other, to.topic, other)
    const change = { topic: to.topic, propagate_mode: 'change_all', ...silent }
    succeeded(await org.member.patch(`/messages/${from.ids[0]}`, change))
    return policyOf(org.other, to.topic)
  }
  expect(await merged(3, 1)).toBe(3)
  expect(await merged(1, 3)).toBe(3)
  expect(await merged(2, 0)).toBe(2)
  expect(await merged(1, 0)).toBe(0)
  expect(await merged(0, 1)).toBe(0)
  expect(await merged(1, 1)).toBe(1)
})

test('MOVE-18: A move posts a notice in the new topic unless turned off, and in the old topic only if requested.', async () => {
  const notices = async (fields: object, propagate_mode = 'change_all') => {
    const { topic, ids } = await talk(2)
    const to = `To ${topic}`
    succeeded(await org.member.patch(`/messages/${ids[0]}`, { topic: to, propagate_mode, ...fields }))
    const texts = async (name: string) =>
      (await inTopic(org.other, org.plaza, name))
        .filter(({ id }) => !ids.includes(id))
        .map(({ content }) => content)
    return { old: await texts(topic), new: await texts(to), topic, to }
  }
  const who = `@_**${org.member.name}|${org.member.id}**`
  const preset = await notices({})
  expect(preset.old).toEqual([])
  expect(preset.new).toEqual([`This topic was moved here from #**plaza>${preset.topic}** by ${who}.`])
  const both = await notices({ send_notification_to_old_thread: true }, 'change_one')
  expect(both.old).toEqual([`A message was moved from this topic to #**plaza>${both.to}** by ${who}.`])
  expect(both.new).toEqual([`A message was moved here from #**plaza>${both.topic}** by ${who}.`])
  const none = await notices({ send_notification_to_new_thread: false })
  expect([none.old, none.new]).toEqual([[], []])
})

test('MOVE-19: Resolving a topic posts a notice, which is unread for users who follow the topic and read for all others.', async () => {
  const { topic, ids } = await talk(1)
  await decide(org.admin, topic, 3)
  // Followed under the name that it will have, in another spelling.
  await decide(org.moderator, `✔ ${topic.toUpperCase()}`, 3)
  succeeded(
    await org.member.patch(`/messages/${ids[0]}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' }),
  )
  const notice = async (person: Person) => (await inTopic(person, org.plaza, `✔ ${topic}`)).at(-1)
  expect((await notice(org.other))?.content).toBe(
    `@_**${org.member.name}|${org.member.id}** has marked this topic as resolved.`,
  )
  expect((await notice(org.other))?.flags).toEqual(['read'])
  for (const follower of [org.admin, org.moderator]) expect((await notice(follower))?.flags).toEqual([])
  expect((await notice(org.member))?.flags).toEqual(['read'])
})

test('MOVE-20: A search finds moved messages by their new topic.', async () => {
  const { ids } = await talk(1)
  succeeded(await org.member.patch(`/messages/${ids[0]}`, { topic: 'Cormorants', ...silent }))
  const narrow = [{ operator: 'search', operand: 'cormorant' }]
  const { messages } = succeeded(
    await org.other.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow }),
  )
  expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids)
})

test('MOVE-21: propagate_mode applies to moves only: a content edit without a move is rejected with other values than change_one, and nothing changes.', async () => {
  const { ids } = await talk(2)
  const edit = (propagate_mode: string) =>
    org.member.patch(`/messages/${ids[0]}`, { content: 'new words', propagate_mode })
  for (const mode of ['change_later', 'change_all']) refused(await edit(mode))
  const content = async () =>
    succeeded(await org.member.get(`/messages/${ids[0]}`, { apply_markdown: false })).message.content
  expect(await content()).not.toBe('new words')
  succeeded(await edit('change_one'))
  expect(await content()).toBe('new words')
})

test('MOVE-26: Messages moved to a channel are marked as read for users who are not subscribed to it.', async () => {
  const { ids } = await talk()
  const inBoth = org.join('Bea Both')
  const names = [{ name: 'plaza' }, { name: 'lobby' }]
  succeeded(await inBoth.post('/users/me/subscriptions', { subscriptions: names }))
  const { ids: unread } = await talk()
  const [other, both] = await Promise.all(
    [org.other, inBoth].map((one) =>
      one.listen({ event_types: ['update_message', 'update_message_flags'], fetch_event_types: [] }),
    ),
  )
  for (const [id] of [ids, unread])
    succeeded(
      await org.member.patch(`/messages/${id}`, {
        stream_id: org.lobby,
        propagate_mode: 'change_all',
        ...silent,
      }),
    )
  const read = (messages: readonly number[]) => ({
    type: 'update_message_flags',
    op: 'add',
    flag: 'read',
    messages,
  })
  const moved = (message_ids: readonly number[]) => ({ type: 'update_message', message_ids })
  expect(await other?.events()).toMatchObject([moved(ids), read(ids), moved(unread), read(unread)])
  expect(await both?.events()).toMatchObject([moved(ids), moved(unread)])
  const flags = async (person: Person) => succeeded(await person.get(`/messages/${unread[0]}`)).message.flags
  expect([await flags(org.other), await flags(inBoth)]).toEqual([['read'], []])
})
