import { beforeAll, expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()
const ids: number[] = []
const topic = 'Reading'
const narrow = () => [
  { operator: 'channel', operand: org.plaza },
  { operator: 'topic', operand: topic },
]
const id = (index: number) => ids.at(index) ?? 0

/** The places, in the order of sending, of the messages of a page; and what is said about it. */
async function page(fields: object, person: Person = org.member) {
  const body = succeeded(
    await person.get('/messages', { narrow: narrow(), num_before: 0, num_after: 0, ...fields }),
  )
  return {
    at: body['messages'].map((message: { id: number }) => ids.indexOf(message.id)),
    anchor: body['anchor'],
    found: [body['found_oldest'], body['found_anchor'], body['found_newest']],
  }
}

beforeAll(async () => {
  for (let number = 0; number < 6; number++)
    ids.push(await org.other.send(org.plaza, topic, `**number** ${number}`))
  succeeded(await org.member.post('/messages/flags', { op: 'add', flag: 'read', messages: ids.slice(0, 3) }))
})

test('READ-01: An id as anchor returns the messages before and after it, and the anchor itself, which is not counted.', async () => {
  expect(await page({ anchor: id(2), num_before: 1, num_after: 2 })).toEqual({
    at: [1, 2, 3, 4],
    anchor: id(2),
    found: [false, true, false],
  })
})

test('READ-02: An end of the narrow is reported as found when that side has fewer messages than requested.', async () => {
  expect((await page({ anchor: id(2), num_before: 3, num_after: 4 })).found).toEqual([true, true, true])
  expect((await page({ anchor: id(2), num_before: 2, num_after: 3 })).found).toEqual([false, true, false])
})

test('READ-03: An anchor between messages marks a position, and is reported as not found.', async () => {
  const other = await org.other.send(org.plaza, 'Another topic', 'in between')
  expect(await page({ anchor: other, num_before: 1, num_after: 1 })).toEqual({
    at: [5],
    anchor: other,
    found: [false, false, true],
  })
})

test('READ-04: newest is the end, has nothing after it, and is returned as a number above every id.', async () => {
  expect(await page({ anchor: 'newest', num_before: 2, num_after: 5 })).toEqual({
    at: [4, 5],
    anchor: 10 ** 16,
    found: [false, false, true],
  })
})

test('READ-05: oldest and negative ids mark the beginning.', async () => {
  const first = { at: [0, 1], anchor: 0, found: [true, false, false] }
  expect(await page({ anchor: 'oldest', num_after: 2 })).toEqual(first)
  expect(await page({ anchor: -7, num_after: 2 })).toEqual(first)
})

test('READ-06: first_unread is the first unread message of the narrow.', async () => {
  expect(await page({ anchor: 'first_unread', num_before: 1, num_after: 1 })).toEqual({
    at: [2, 3, 4],
    anchor: id(3),
    found: [false, true, false],
  })
  expect((await page({ use_first_unread_anchor: true, num_before: 1 })).at).toEqual([2, 3])
})

test('READ-07: With no unread messages, first_unread is newest.', async () => {
  expect(await page({ anchor: 'first_unread', num_before: 1, num_after: 1 }, org.other)).toEqual({
    at: [5],
    anchor: 10 ** 16,
    found: [false, false, true],
  })
})

test('READ-08: first_unread skips muted topics unless the narrow names the topic.', async () => {
  const muted = { stream_id: org.plaza, topic, visibility_policy: 1 }
  succeeded(await org.member.post('/user_topics', muted))
  const later = await org.other.send(org.plaza, 'Loud', 'after all that')
  const everywhere = { anchor: 'first_unread', narrow: [{ operator: 'sender', operand: org.other.id }] }
  const body = succeeded(await org.member.get('/messages', { ...everywhere, num_before: 0, num_after: 0 }))
  expect(body['anchor']).toBeGreaterThan(id(5))
  expect(body['anchor']).toBeLessThanOrEqual(later)
  expect((await page({ anchor: 'first_unread' })).at).toEqual([3])
  succeeded(await org.member.post('/user_topics', { ...muted, visibility_policy: 0 }))
})

test('READ-09: include_anchor=false omits the anchor, and is allowed only at an end of the range.', async () => {
  expect(await page({ anchor: id(2), num_after: 2, include_anchor: false })).toEqual({
    at: [3, 4],
    anchor: id(2),
    found: [false, false, false],
  })
  expect((await page({ anchor: id(2), num_before: 2, include_anchor: false })).at).toEqual([0, 1])
  refused(
    await org.member.get('/messages', { anchor: id(2), num_before: 1, num_after: 1, include_anchor: false }),
  )
})

test('READ-10: A missing anchor, and an anchor that is neither an id nor a known name, are rejected.', async () => {
  for (const anchor of [undefined, 'somewhere', '', '1.5', true])
    refused(await org.member.get('/messages', { anchor, num_before: 1, num_after: 0 }))
})

test('READ-11: More than 5000 messages at once, and a negative number, are rejected.', async () => {
  refused(await org.member.get('/messages', { anchor: 'newest', num_before: 5_000, num_after: 1 }))
  refused(await org.member.get('/messages', { anchor: 'newest', num_before: -1, num_after: 0 }))
  succeeded(await org.member.get('/messages', { anchor: 'newest', num_before: 5_000, num_after: 0 }))
})

test('READ-12: message_ids returns those of the messages that the user may read, without an anchor.', async () => {
  const hidden = await org.owner.send(org.cellar, 'Plans', 'not for the other')
  const body = succeeded(
    await org.other.get('/messages', { message_ids: [id(4), id(1), hidden, 999_999, id(1)] }),
  )
  expect(body['messages'].map((message: { id: number }) => message.id)).toEqual([id(1), id(4)])
  expect(body).not.toHaveProperty('anchor')
  expect([body['found_oldest'], body['found_anchor'], body['found_newest'], body['history_limited']]).toEqual(
    [false, false, false, false],
  )
})

test('READ-13: message_ids can be combined with a narrow, but not with an anchor.', async () => {
  const starred = [{ operator: 'is', operand: 'unread' }]
  const body = succeeded(await org.member.get('/messages', { message_ids: ids, narrow: starred }))
  expect(body['messages'].map((message: { id: number }) => ids.indexOf(message.id))).toEqual([3, 4, 5])
  const refusal = refused(
    await org.member.get('/messages', { message_ids: ids, anchor: 'newest', num_before: 1 }),
  )
  expect(refusal['parameters']).toEqual(['message_ids', 'anchor', 'num_before'])
})

test('READ-14: apply_markdown selects HTML or Markdown, and content_type states which is returned.', async () => {
  const one = async (fields: object) => {
    const { messages } = succeeded(await org.member.get('/messages', { message_ids: [id(0)], ...fields }))
    return [messages[0].content, messages[0].content_type]
  }
  const html = ['<p><strong>number</strong> 0</p>', 'text/html']
  expect(await one({})).toEqual(html)
  expect(await one({ apply_markdown: true })).toEqual(html)
  expect(await one({ apply_markdown: false })).toEqual(['**number** 0', 'text/x-markdown'])
})

test('READ-15: With or without client_gravatar, every user has an avatar hosted by the service.', async () => {
  for (const client_gravatar of [true, false]) {
    const { messages } = succeeded(
      await org.member.get('/messages', { message_ids: [id(0)], client_gravatar }),
    )
    const url = new URL(messages[0].avatar_url, org.service.baseUrl)
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//)
  }
})

test('READ-16: The empty topic is returned as its display name unless the client allows empty names.', async () => {
  const empty = await org.other.send(org.plaza, '', 'nothing above me')
  const subject = async (fields: object) =>
    succeeded(await org.member.get('/messages', { message_ids: [empty], ...fields }))['messages'][0].subject
  expect(await subject({})).toBe('general chat')
  expect(await subject({ allow_empty_topic_name: false })).toBe('general chat')
  expect(await subject({ allow_empty_topic_name: true })).toBe('')
})

test('READ-17: A channel message has every field of the specification.', async () => {
  const { messages } = succeeded(await org.member.get('/messages', { message_ids: [id(5)] }))
  expect(messages[0]).toEqual({
    id: id(5),
    type: 'stream',
    content: '<p><strong>number</strong> 5</p>',
    content_type: 'text/html',
    timestamp: Math.floor(org.clock.now() / 1000),
    sender_id: org.other.id,
    sender_email: org.other.email,
    sender_full_name: org.other.name,
    sender_realm_str: '',
    avatar_url: expect.stringMatching(/^\//),
    client: 'Contract',
    display_recipient: 'plaza',
    stream_id: org.plaza,
    subject: topic,
    recipient_id: expect.any(Number),
    is_me_message: false,
    flags: [],
    reactions: [],
    submessages: [],
    topic_links: [],
  })
})

test('READ-18: A direct message names all participants, and has an empty subject and no channel.', async () => {
  const direct = await org.other.send([org.member], '', '/me waves')
  const { messages } = succeeded(await org.member.get('/messages', { message_ids: [direct] }))
  expect(messages[0]).toMatchObject({ type: 'private', subject: '', is_me_message: true, topic_links: [] })
  expect(messages[0]).not.toHaveProperty('stream_id')
  const people = [org.member, org.other].map(({ id: person, email, name }) => ({
    id: person,
    email,
    full_name: name,
    is_mirror_dummy: false,
  }))
  expect(messages[0].display_recipient).toEqual(people.sort((a, b) => a.id - b.id))
})

test('READ-19: Both sides of a conversation have the same recipient id, and no other conversation has it.', async () => {
  const there = await org.other.send([org.member], '', 'there')
  const back = await org.member.send([org.other], '', 'back')
  const aside = await org.member.send([org.admin], '', 'aside')
  const { messages } = succeeded(
    await org.member.get('/messages', { message_ids: [there, back, aside, id(0)] }),
  )
  const of = (wanted: number) =>
    messages.find((message: { id: number }) => message.id === wanted)?.recipient_id
  expect(of(there)).toBe(of(back))
  expect(new Set([of(there), of(aside), of(id(0))]).size).toBe(3)
})

test('READ-20: wildcard_mentioned accompanies each of the two flags that replaced it.', async () => {
  await org.member.send(org.plaza, 'Wildcards', 'taking part')
  for (const [who, flag] of [
    ['all', 'stream_wildcard_mentioned'],
    ['topic', 'topic_wildcard_mentioned'],
  ]) {
    const called = await org.admin.send(org.plaza, 'Wildcards', `@**${who}** look`)
    const { messages } = succeeded(await org.member.get('/messages', { message_ids: [called] }))
    expect(messages[0].flags.sort()).toEqual([flag, 'wildcard_mentioned'])
  }

  // A mention of the topic is for those who wrote or reacted in it.
  const begun = await org.member.send(org.plaza, 'Participants', 'hello')
  const called = await org.admin.send(org.plaza, 'Participants', '@**topic** look')
  const flags = async (person: Person) => {
    const { messages } = succeeded(await person.get('/messages', { message_ids: [called] }))
    return messages[0].flags.filter((flag: string) => flag !== 'read').sort()
  }
  expect(await flags(org.member)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned'])
  expect(await flags(org.other)).toEqual([])
  succeeded(await org.other.post(`/messages/${begun}/reactions`, { emoji_name: 'octopus' }))
  succeeded(await org.admin.patch(`/messages/${called}`, { content: '@**topic** look again' }))
  expect(await flags(org.other)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned'])
})

test('READ-21: Addresses and linkifier matches in a topic are its links.', async () => {
  const linked = await org.other.send(org.plaza, 'see https://example.com/x', 'links')
  const { messages } = succeeded(await org.member.get('/messages', { message_ids: [linked] }))
  expect(messages[0].topic_links).toEqual([{ text: 'https://example.com/x', url: 'https://example.com/x' }])
})

test('READ-22: GET /messages/{id} returns the message and its Markdown.', async () => {
  const body = succeeded(await org.member.get(`/messages/${id(0)}`))
  expect(body['message']).toMatchObject({ id: id(0), content: '<p><strong>number</strong> 0</p>' })
  expect(body['raw_content']).toBe('**number** 0')
  const plain = succeeded(await org.member.get(`/messages/${id(0)}`, { apply_markdown: false }))
  expect(plain['message']).toMatchObject({ content: '**number** 0', content_type: 'text/x-markdown' })
})

test('READ-23: A message that does not exist and a hidden one are rejected in the same way.', async () => {
  const hidden = await org.owner.send([org.admin], '', 'between us')
  const missing = refused(await org.member.get('/messages/999999'))
  expect(refused(await org.member.get(`/messages/${hidden}`))).toEqual(missing)
})

test('READ-24: POST /messages/render returns the HTML of Markdown and sends nothing.', async () => {
  const queue = await org.member.register({ event_types: ['message'], fetch_event_types: [] })
  const { rendered } = succeeded(await org.member.post('/messages/render', { content: '*so* it is' }))
  expect(rendered).toBe('<p><em>so</em> it is</p>')
  expect(await queue.events()).toEqual([])
  refused(await org.member.post('/messages/render', {}), 'REQUEST_VARIABLE_MISSING')
})

test('READ-25: Read receipts list the users who read a message, except its sender, and respect the settings of users and organization.', async () => {
  const message = await org.other.send(org.plaza, topic, 'who reads me')
  const readers = async () =>
    succeeded(await org.other.get(`/messages/${message}/read_receipts`))['user_ids'].sort()
  expect(await readers()).toEqual([])
  const read = { op: 'add', flag: 'read', messages: [message] }
  succeeded(await org.member.post('/messages/flags', read))
  succeeded(await org.admin.post('/messages/flags', read))
  expect(await readers()).toEqual([org.admin.id, org.member.id].sort())
  succeeded(await org.admin.patch('/settings', { send_read_receipts: false }))
  expect(await readers()).toEqual([org.member.id])
  refused(await org.guest.get(`/messages/${message}/read_receipts`))
  org.service.workspace.db.run(`INSERT OR REPLACE INTO realm VALUES ('enable_read_receipts', 'false')`)
  refused(await org.other.get(`/messages/${message}/read_receipts`))
})

test('READ-26: A single message has the display name of the empty topic unless the client allows empty names.', async () => {
  const empty = await org.other.send(org.plaza, '', 'nothing above me either')
  const subject = async (fields: object) =>
    succeeded(await org.member.get(`/messages/${empty}`, { ...fields }))['message'].subject
  expect(await subject({})).toBe('general chat')
  expect(await subject({ allow_empty_topic_name: false })).toBe('general chat')
  expect(await subject({ allow_empty_topic_name: true })).toBe('')
})

test('READ-27: More than 5000 message ids are rejected, both for reading and for matching a narrow.', async () => {
  // Written as short as it can be, for an address is not of any length.
  const ids = (count: number) => `[${Array(count).fill(1).join()}]`
  const get = async (path: string) => {
    const response = await fetch(`${org.service.baseUrl}${path}`, {
      headers: { authorization: `Basic ${btoa(`${org.member.email}:${org.member.row.api_key}`)}` },
    })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
  for (const path of ['/messages?message_ids=', '/messages/matches_narrow?narrow=[]&msg_ids=']) {
    refused(await get(`${path}${ids(5_001)}`))
    succeeded(await get(`${path}${ids(5_000)}`))
  }
})
