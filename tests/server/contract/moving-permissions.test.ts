import { afterEach, expect, test } from 'vitest'
import { fresh, organization, refused, succeeded, type Person } from '../../support/organization.ts'

// Who may move what, where two channels or two limits have a say (specification, PATCH /messages/{id}).

const org = organization()
const silent = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
const only = (...people: readonly Person[]) => ({
  direct_members: people.map(({ id }) => id),
  direct_subgroups: [],
})
const permission = (kind: string, id: number, setting: string, value: unknown) =>
  org.service.workspace.db.run(
    'INSERT OR REPLACE INTO permission_values VALUES (?, ?, ?, ?)',
    kind,
    id,
    setting,
    JSON.stringify(value),
  )
const move = (who: Person, id: number, fields: object) =>
  who.patch(`/messages/${id}`, { ...silent, ...fields })
const said = () => org.member.send(org.plaza, fresh('Talk'), 'Something to move')

afterEach(() => void org.service.workspace.db.run('DELETE FROM permission_values'))

test('MOVE-22: For a move to another channel, the permission to change topics in either channel is sufficient.', async () => {
  permission('realm', 0, 'can_move_messages_between_topics_group', only())
  const fields = { stream_id: org.lobby, topic: 'Renamed on the way' }
  refused(await move(org.other, await said(), fields))
  permission('channel', org.lobby, 'can_move_messages_within_channel_group', only(org.other))
  succeeded(await move(org.other, await said(), fields))
  refused(await move(org.other, await said(), { topic: 'Renamed where it is' }))
})

test('MOVE-23: When topic and channel change together, the shorter of the two time limits applies.', async () => {
  const limits = (within: number, between: number) =>
    org.owner.patch('/realm', {
      move_messages_within_stream_limit_seconds: within,
      move_messages_between_streams_limit_seconds: between,
    })
  for (const [within, between] of [
    [100, 1_000],
    [1_000, 100],
  ] as const) {
    succeeded(await limits(within, between))
    const [first, second, third] = [await said(), await said(), await said()]
    await org.clock.advance(500_000)
    refused(await move(org.member, first, { stream_id: org.lobby, topic: 'Both' }))
    const [topicAlone, channelAlone] = [
      await move(org.member, second, { topic: fresh('Alone') }),
      await move(org.member, third, { stream_id: org.lobby }),
    ]
    expect([topicAlone.status, channelAlone.status]).toEqual(within === 100 ? [400, 200] : [200, 400])
  }
  succeeded(await limits(604_800, 604_800))
})

test('MOVE-24: Adding the resolved mark while moving a topic to another channel does not count as resolving and needs no permission for it.', async () => {
  permission('realm', 0, 'can_resolve_topics_group', only())
  const topic = fresh('Talk')
  const id = await org.member.send(org.plaza, topic, 'Something to move')
  refused(await move(org.other, id, { topic: `✔ ${topic}` }))
  succeeded(await move(org.other, id, { topic: `✔ ${topic}`, stream_id: org.lobby }))
})

test('MOVE-25: Without shared history, newcomers cannot move earlier messages, and get no events about where those are moved.', async () => {
  const topic = fresh('Plans')
  const before = await org.owner.send(org.cellar, topic, 'Before')
  const newcomer = org.join('Nora Newcomer')
  succeeded(
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'cellar' }],
      principals: [newcomer.id],
    }),
  )
  org.service.workspace.db.run('UPDATE channels SET has_shared_history = 0 WHERE channel_id = ?', org.cellar)
  const since = await org.owner.send(org.cellar, topic, 'Since')
  succeeded(await move(newcomer, since, { topic: 'Mine', propagate_mode: 'change_all' }))
  const topicOf = async (id: number) => succeeded(await org.owner.get(`/messages/${id}`)).message.subject
  expect([await topicOf(before), await topicOf(since)]).toEqual([topic, 'Mine'])
  const queue = await newcomer.listen({ event_types: ['update_message'], fetch_event_types: [] })
  succeeded(await move(org.owner, before, { stream_id: org.lobby }))
  expect(await queue.events()).toEqual([])
  succeeded(await move(org.owner, since, { stream_id: org.lobby }))
  expect(await queue.events()).toMatchObject([{ type: 'update_message', message_id: since }])
  // Of a move that names what they did not receive they hear as far as it is about what they did.
  const [old, recent] = [
    await org.owner.send(org.cellar, topic, 'Not for newcomers'),
    await org.owner.send(org.cellar, topic, 'For newcomers too'),
  ]
  org.service.workspace.db.run(
    'DELETE FROM user_messages WHERE user_id = ? AND message_id = ?',
    newcomer.id,
    old,
  )
  const owner = await org.owner.listen({ event_types: ['update_message'], fetch_event_types: [] })
  await queue.events()
  for (const [named, words] of [
    [old, { content: 'Still not for newcomers' }],
    [recent, {}],
  ] as const) {
    succeeded(
      await move(org.owner, named, { topic: fresh('All of it'), propagate_mode: 'change_all', ...words }),
    )
    const [heard, ...more] = await queue.events()
    expect([heard, more]).toMatchObject([{ message_id: recent, message_ids: [recent] }, []])
    expect(heard).not.toHaveProperty('content')
    expect(await owner.events()).toMatchObject([{ message_id: named, message_ids: [old, recent] }])
  }
})
