import { expect, test, vi } from 'vitest'
import { organization, refused, succeeded, type Fields, type Person } from '../../support/organization.ts'

const org = organization()
const flag = (person: Person, op: string, name: string, messages: number[]) =>
  person.post('/messages/flags', { op, flag: name, messages })
const flagsOf = async (person: Person, id: number): Promise<string[]> =>
  succeeded(await person.get(`/messages/${id}`))['message'].flags
const listen = (person: Person) =>
  person.register({ event_types: ['update_message_flags'], fetch_event_types: [] })
const three = async (topic: string) => [
  await org.other.send(org.plaza, topic, 'one'),
  await org.other.send(org.plaza, topic, 'two'),
  await org.other.send(org.plaza, topic, 'three'),
]

test('FLAG-01: read, starred and collapsed can be set and removed, for the user alone.', async () => {
  const ids = await three('Marks')
  for (const name of ['read', 'starred', 'collapsed']) {
    expect(succeeded(await flag(org.member, 'add', name, ids))['messages']).toEqual(ids)
    for (const id of ids) expect(await flagsOf(org.member, id)).toContain(name)
    expect(await flagsOf(org.admin, ids[0] ?? 0)).toEqual([])
    succeeded(await flag(org.member, 'remove', name, ids))
    for (const id of ids) expect(await flagsOf(org.member, id)).not.toContain(name)
  }
})

test('FLAG-02: Flags set by the service cannot be changed by clients.', async () => {
  const ids = await three('Fixed')
  for (const name of ['mentioned', 'has_alert_word', 'historical', 'stream_wildcard_mentioned', 'colour'])
    refused(await flag(org.member, 'add', name, ids))
  refused(await flag(org.member, 'toggle', 'read', ids))
})

test('FLAG-03: All queues of the user get one event, with changed messages only; other users get none.', async () => {
  const ids = await three('Told')
  succeeded(await flag(org.member, 'add', 'starred', ids.slice(0, 1)))
  const queues = [await listen(org.member), await listen(org.member), await listen(org.admin)]
  succeeded(await flag(org.member, 'add', 'starred', ids))
  succeeded(await flag(org.member, 'add', 'starred', ids))
  const event = {
    id: 0,
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'starred',
    messages: ids.slice(1),
    all: false,
  }
  expect(await queues[0]?.events()).toEqual([event])
  expect(await queues[1]?.events()).toEqual([event])
  expect(await queues[2]?.events()).toEqual([])
})

test('FLAG-04: Marking as unread reports where each message is, whether its topic is unmuted, and whether it mentions the user.', async () => {
  const { member, other, plaza } = org
  const place = await other.send(plaza, 'Details', `@**${member.name}**`)
  const quiet = await other.send(plaza, 'Muted details', 'quiet')
  const direct = await other.send([member, org.admin], '', 'to you two')
  const note = await member.send([member], '', 'note')
  succeeded(
    await member.post('/user_topics', { stream_id: plaza, topic: 'Muted details', visibility_policy: 1 }),
  )
  const ids = [place, quiet, direct, note]
  succeeded(await flag(member, 'add', 'read', ids))
  const queue = await listen(member)
  succeeded(await flag(member, 'remove', 'read', ids))
  const [event] = await queue.events()
  expect(event?.['message_details']).toEqual({
    [place]: {
      type: 'stream',
      stream_id: plaza,
      topic: 'Details',
      unmuted_stream_msg: true,
      mentioned: true,
    },
    [quiet]: { type: 'stream', stream_id: plaza, topic: 'Muted details', unmuted_stream_msg: false },
    [direct]: { type: 'private', user_ids: [other.id, org.admin.id].sort((a, b) => a - b) },
    [note]: { type: 'private', user_ids: [] },
  })
})

test('FLAG-05: Older messages can be starred; in a channel the user is not subscribed to, nothing becomes unread, and the response reports this.', async () => {
  const id = await org.guest.send(org.lobby, 'History', 'before you')
  expect(await flagsOf(org.other, id)).toEqual(['read', 'historical'])
  succeeded(await flag(org.other, 'add', 'starred', [id]))
  expect(await flagsOf(org.other, id)).toEqual(['read', 'starred', 'historical'])
  const answer = succeeded(await flag(org.other, 'remove', 'read', [id]))
  expect(answer['ignored_because_not_subscribed_channels']).toEqual([org.lobby])
  expect(await flagsOf(org.other, id)).toContain('read')
})

test('FLAG-06: If a message cannot be read by the user, the request is rejected and no message is changed.', async () => {
  const hidden = await org.owner.send(org.cellar, 'Hidden', 'x')
  const ids = await three('Together')
  refused(await flag(org.admin, 'add', 'starred', [...ids, hidden]))
  expect(await flagsOf(org.admin, ids[0] ?? 0)).toEqual([])
  // One that is named twice counts once.
  const [first = 0] = ids
  refused(await flag(org.admin, 'add', 'starred', [first, first, hidden, 99_999]))
  const answer = succeeded(await flag(org.admin, 'add', 'starred', [...ids, first]))
  expect(answer['messages']).toEqual([...ids, first])
  expect(await flagsOf(org.admin, first)).toEqual(['starred'])
  // However many are named, the database is asked once which of them may be read.
  const asked = vi.spyOn(org.service.workspace.db, 'get')
  succeeded(await flag(org.admin, 'remove', 'starred', Array.from({ length: 100 }, () => ids).flat()))
  expect(asked.mock.calls.length).toBeLessThan(100)
  asked.mockRestore()
})

const narrow = (topic: string) => [
  { operator: 'channel', operand: org.plaza },
  { operator: 'topic', operand: topic },
]
const forNarrow = (topic: string, fields: Fields) =>
  org.member.post('/messages/flags/narrow', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    narrow: narrow(topic),
    op: 'add',
    flag: 'read',
    ...fields,
  })

test('FLAG-07: The messages of a narrow are marked page by page; the response reports the range, and whether there are more.', async () => {
  const ids = await three('Pages')
  succeeded(await flag(org.member, 'add', 'read', ids.slice(1, 2)))
  const first = succeeded(await forNarrow('Pages', { num_after: 2 }))
  expect(first).toMatchObject({
    processed_count: 2,
    updated_count: 1,
    first_processed_id: ids[0],
    last_processed_id: ids[1],
    found_oldest: true,
    found_newest: false,
    ignored_because_not_subscribed_channels: [],
  })
  const rest = succeeded(await forNarrow('Pages', { anchor: ids[1], include_anchor: false, num_after: 2 }))
  expect(rest).toMatchObject({
    processed_count: 1,
    updated_count: 1,
    last_processed_id: ids[2],
    found_newest: true,
  })
  expect(await Promise.all(ids.map((id) => flagsOf(org.member, id)))).toEqual([['read'], ['read'], ['read']])
})

test('FLAG-08: A narrow without messages processes nothing.', async () => {
  expect(succeeded(await forNarrow('Nothing here', {}))).toMatchObject({
    processed_count: 0,
    updated_count: 0,
    first_processed_id: null,
    last_processed_id: null,
    found_oldest: true,
    found_newest: true,
  })
})

test('FLAG-09: Marking can start at the first unread message; a page larger than the limit is silently truncated.', async () => {
  const ids = await three('Unread')
  succeeded(await flag(org.member, 'add', 'read', ids.slice(0, 1)))
  const answer = succeeded(
    await forNarrow('Unread', { anchor: 'first_unread', num_before: 0, num_after: 9_000 }),
  )
  expect(answer).toMatchObject({ processed_count: 2, updated_count: 2 })
})

test('FLAG-10: An invalid anchor, flag or narrow is rejected.', async () => {
  refused(await forNarrow('Pages', { anchor: 'there' }))
  refused(await forNarrow('Pages', { flag: 'mentioned' }))
  refused(await forNarrow('Pages', { narrow: [{ operator: 'x', operand: 'y' }] }), 'BAD_NARROW')
})

test('FLAG-11: A whole topic can be marked as read; one that does not exist is rejected.', async () => {
  const ids = await three('Whole topic')
  const aside = await org.other.send(org.plaza, 'Another topic', 'stays unread')
  const queue = await listen(org.member)
  const mark = (fields: Fields) => org.member.post('/mark_topic_as_read', fields)
  succeeded(await mark({ stream_id: org.plaza, topic_name: 'whole TOPIC' }))
  expect(await queue.events()).toMatchObject([{ op: 'add', flag: 'read', messages: ids, all: false }])
  expect(await flagsOf(org.member, aside)).toEqual([])
  succeeded(await mark({ stream_id: org.plaza, topic_name: 'Whole topic' }))
  expect(await queue.events()).toEqual([])
  refused(await mark({ stream_id: org.plaza, topic_name: 'Never spoken of' }))
  refused(await mark({ stream_id: 9_999, topic_name: 'Whole topic' }))
})

test('FLAG-12: A whole channel can be marked as read.', async () => {
  const id = await org.guest.send(org.lobby, 'A', 'one')
  const other = await org.guest.send(org.lobby, 'B', 'two')
  const queue = await listen(org.member)
  succeeded(await org.member.post('/mark_stream_as_read', { stream_id: org.lobby }))
  const [event] = await queue.events()
  expect(event?.['messages']).toEqual(expect.arrayContaining([id, other]))
  refused(await org.other.post('/mark_stream_as_read', { stream_id: org.cellar }))
})

test('FLAG-13: Marking everything as read sends one event that lists no messages.', async () => {
  const id = await org.other.send([org.member], '', 'unread')
  const queue = await listen(org.member)
  expect(succeeded(await org.member.post('/mark_all_as_read'))['complete']).toBe(true)
  expect(await queue.events()).toMatchObject([{ op: 'add', flag: 'read', messages: [], all: true }])
  expect(await flagsOf(org.member, id)).toEqual(['read'])
  expect(await flagsOf(org.other, id)).toEqual(['read'])
  succeeded(await org.member.post('/mark_all_as_read'))
  expect(await queue.events()).toEqual([])
})
