import { beforeAll, expect, test } from 'vitest'
import {
  deactivateOrganization,
  reactivateOrganization,
} from '../../../src-server/organization/deactivation.ts'
import { organization, succeeded, type Answer, type Person } from '../../support/organization.ts'
import { webhookReceiver } from '../../support/webhook-receiver.ts'

const org = organization({ configuration: { allowPrivateWebhooks: true } })
const receiver = webhookReceiver()

/** Ids of the bot that speaks the specification's form, and of one that speaks the other. */
let echo = 0
let slack = 0
beforeAll(async () => {
  const make = async (full_name: string, interface_type: number): Promise<number> =>
    succeeded(
      await org.member.post('/bots', {
        full_name,
        short_name: full_name.toLowerCase(),
        bot_type: 3,
        interface_type,
        payload_url: receiver.url,
      }),
    ).user_id
  echo = await make('Echo', 1)
  slack = await make('Slacker', 2)
})

const tell = async (who: Person, content: string): Promise<number> => {
  receiver.received.length = 0
  return who.send(org.plaza, 'bots', content)
}
const tellDirectly = async (who: Person, ids: number[], content: string): Promise<number> => {
  receiver.received.length = 0
  return succeeded(await who.post('/messages', { type: 'direct', to: ids, content })).id
}
const answerWith = (body: unknown, status = 200) =>
  (receiver.answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) })
const arrived = (count = 1) => expect.poll(() => receiver.received.length).toBe(count)
const payload = (index = 0): Answer['body'] => JSON.parse(receiver.received[index]?.body ?? '')
const newest = async (who: Person, narrow: object[] = []): Promise<Answer['body']> =>
  succeeded(
    await who.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow,
      apply_markdown: false,
    }),
  ).messages[0]
const inPlaza = [{ operator: 'channel', operand: 'plaza' }]
const saidInPlaza = () => expect.poll(async () => (await newest(org.other, inPlaza)).content)
const jobs = () => org.service.workspace.db.all('SELECT * FROM webhook_jobs').length
const settled = () => expect.poll(jobs).toBe(0)
const nothingSent = async () => {
  await settled()
  expect(receiver.received).toEqual([])
}
const noticeToOwner = () =>
  expect.poll(async () => (await newest(org.member, [{ operator: 'is', operand: 'dm' }])).content)

test('HOOK-01: A mention in a channel is posted as JSON with bot, content, trigger, token and message.', async () => {
  answerWith({})
  const id = await tell(org.other, '@**Echo** *hello*')
  await arrived()
  const [request] = receiver.received
  expect(request?.path).toBe('/hook')
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/OutgoingWebhook\/\d/),
  })
  const { message, ...rest } = payload()
  expect(rest).toEqual({
    bot_email: expect.stringMatching(/^echo-bot@/),
    bot_full_name: 'Echo',
    data: '@**Echo** *hello*',
    trigger: 'mention',
    token: expect.stringMatching(/^[A-Za-z0-9]+$/),
  })
  expect(message).toMatchObject({
    id,
    type: 'stream',
    stream_id: org.plaza,
    display_recipient: 'plaza',
    subject: 'bots',
    sender_id: org.other.id,
    content: '@**Echo** *hello*',
    content_type: 'text/x-markdown',
    rendered_content: expect.stringContaining('<em>hello</em>'),
  })
  expect(message).not.toHaveProperty('flags')
  await settled()
})

test('HOOK-02: A direct message to the bot is posted too, with the trigger direct_message.', async () => {
  answerWith({})
  await tellDirectly(org.other, [echo], 'psst')
  await arrived()
  expect(payload()).toMatchObject({ trigger: 'direct_message', data: 'psst', message: { type: 'private' } })
  await settled()
})

test('HOOK-03: The token is the same in every request.', async () => {
  answerWith({})
  await tellDirectly(org.other, [echo], 'one')
  await arrived()
  const { token } = payload()
  await settled()
  await tell(org.other, '@**Echo** two')
  await arrived()
  expect(payload().token).toBe(token)
  await settled()
})

test('HOOK-04: Other messages, silent mentions, wildcard mentions and messages from bots trigger nothing.', async () => {
  await tell(org.other, 'Echo')
  await tell(org.other, '@_**Echo** quiet')
  await tell(org.admin, '@**all** listen')
  await tell(org.bot, '@**Echo** from a bot')
  await nothingSent()
})

test('HOOK-05: An answer with content is posted by the bot in the conversation where it was called.', async () => {
  answerWith({ content: 'You **called**?' })
  await tell(org.other, '@**Echo** hi')
  await saidInPlaza().toBe('You **called**?')
  expect(await newest(org.other, inPlaza)).toMatchObject({ sender_id: echo, subject: 'bots' })
  await tellDirectly(org.other, [echo, org.admin.id], 'hi')
  await expect.poll(async () => (await newest(org.admin)).content).toBe('You **called**?')
  expect((await newest(org.admin)).display_recipient).toHaveLength(3)
})

test('HOOK-06: An answer that asks for no reply, or has no content, posts nothing.', async () => {
  const before = (await newest(org.other, inPlaza)).id
  for (const body of [{ response_not_required: true, content: 'x' }, {}, '""', { content: '  ' }]) {
    answerWith(body)
    const id = await tell(org.other, '@**Echo** quiet please')
    await arrived()
    await settled()
    expect((await newest(org.other, inPlaza)).id).toBe(id)
  }
  expect(before).toBeGreaterThan(0)
})

test('HOOK-07: The older name of the content field is accepted, and takes precedence over the newer one.', async () => {
  answerWith({ response_string: 'old', content: 'new' })
  await tell(org.other, '@**Echo** hi')
  await saidInPlaza().toBe('old')
})

test('HOOK-08: An error status is reported in the conversation, and to the owner with the status.', async () => {
  answerWith('out of order', 503)
  await tell(org.other, '@**Echo** hi')
  await saidInPlaza().toContain('could not answer')
  await noticeToOwner().toContain('503')
  await settled()
  expect(receiver.received).toHaveLength(1)
})

test('HOOK-09: An answer that is not a valid JSON object counts as a failure too.', async () => {
  for (const body of ['<html>', '[1]', '7', '{"content": 7}']) {
    answerWith(body)
    const id = await tell(org.other, '@**Echo** hi')
    await arrived()
    await expect.poll(async () => (await newest(org.other, inPlaza)).id).toBeGreaterThan(id)
    await saidInPlaza().toContain('could not answer')
    await settled()
  }
})

test('HOOK-10: Redirects are not followed.', async () => {
  receiver.answer = { status: 302, body: '' }
  await tell(org.other, '@**Echo** hi')
  await noticeToOwner().toContain('302')
  expect(receiver.received).toHaveLength(1)
})

test('HOOK-11: If a server drops the connection, the request is retried three times, with increasing delays.', async () => {
  receiver.answer = 'drop'
  const id = await tell(org.other, '@**Echo** are you there?')
  for (const [tries, pauseMs] of [
    [1, 5_000],
    [2, 15_000],
    [3, 45_000],
  ] as const) {
    await arrived(tries)
    await expect.poll(() => org.clock.waits).toContain(pauseMs)
    await org.clock.advance(pauseMs - 1)
    expect(receiver.received).toHaveLength(tries)
    await org.clock.advance(1)
  }
  await arrived(4)
  await expect.poll(async () => (await newest(org.other, inPlaza)).id).toBeGreaterThan(id)
  await noticeToOwner().toContain('four times')
  await settled()
})

test('HOOK-12: A server that does not answer within ten seconds counts as unavailable; the answer to a later attempt is posted.', async () => {
  receiver.answer = 'hang'
  await tell(org.other, '@**Echo** slow?')
  await arrived()
  await org.clock.advance(10_000)
  answerWith({ content: 'back again' })
  await expect.poll(() => org.clock.waits).toContain(5_000)
  await org.clock.advance(5_000)
  await saidInPlaza().toBe('back again')
})

test('HOOK-13: Requests still pending when the service stops are sent after it restarts.', async () => {
  receiver.answer = 'drop'
  await tell(org.other, '@**Echo** remember me')
  await arrived()
  await expect.poll(() => org.clock.waits).toContain(5_000)
  await org.service.stop()
  answerWith({ content: 'remembered' })
  await org.service.start()
  await org.clock.advance(5_000)
  await saidInPlaza().toBe('remembered')
  expect(receiver.received).toHaveLength(2)
})

test('HOOK-14: The Slack-compatible interface sends a form with Slack’s field names and reads a text from the answer.', async () => {
  answerWith({ text: 'form read' })
  const id = await tell(org.other, '@**Slacker** deploy')
  await arrived()
  expect(receiver.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(receiver.received[0]?.body))).toEqual({
    token: expect.any(String),
    team_id: 'T1',
    team_domain: new URL(org.service.baseUrl).host,
    channel_id: `C${org.plaza}`,
    channel_name: 'plaza',
    thread_ts: String(id),
    timestamp: String(Math.floor(org.clock.now() / 1000)),
    user_id: `U${org.other.id}`,
    user_name: org.other.name,
    text: '@**Slacker** deploy',
    trigger_word: 'mention',
    service_id: String(slack),
  })
  await saidInPlaza().toBe('form read')
  receiver.received.length = 0
  await tellDirectly(org.other, [slack], 'psst')
  await expect.poll(async () => (await newest(org.other)).content).toContain('could not answer')
  expect(receiver.received).toEqual([])
})

test('HOOK-15: A mention in a private channel reaches a bot only if it or its owner may read the channel.', async () => {
  answerWith({})
  receiver.received.length = 0
  await org.owner.send(org.cellar, 'secret', '@**Echo** owned by a member of this channel')
  await arrived()
  await settled()
  succeeded(await org.admin.patch(`/bots/${echo}`, { bot_owner_id: org.other.id }))
  receiver.received.length = 0
  await org.owner.send(org.cellar, 'secret', '@**Echo** nobody here owns you')
  await nothingSent()
})

test('HOOK-19: While the organization is deactivated, no requests are sent and no answers are posted; pending requests are sent again after reactivation.', async () => {
  receiver.answer = 'hang'
  const id = await tell(org.other, '@**Slacker** the last word?')
  await arrived()
  deactivateOrganization(org.service.workspace)
  receiver.release({ text: 'too late' })
  await org.clock.advance(120_000)
  await org.service.stop()
  await org.service.start()
  await org.clock.advance(120_000)
  expect(receiver.received).toHaveLength(1)
  expect(org.service.workspace.db.all('SELECT 1 FROM messages WHERE message_id > ?', id)).toEqual([])
  answerWith({ text: 'in time' })
  reactivateOrganization(org.service.workspace)
  await org.service.stop()
  await org.service.start()
  await saidInPlaza().toBe('in time')
  expect(receiver.received).toHaveLength(2)
})

test('HOOK-20: A bot that is deactivated, or whose owner is, is no longer called and posts nothing.', async () => {
  const { db } = org.service.workspace
  const off = (id: number) => db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', id)
  const on = (id: number) => db.run('UPDATE users SET is_active = 1 WHERE user_id = ?', id)
  for (const gone of [slack, org.member.id]) {
    receiver.answer = 'drop'
    const id = await tell(org.other, '@**Slacker** are you there?')
    await arrived()
    await expect.poll(() => org.clock.waits).toContain(5_000)
    off(gone)
    await org.clock.advance(5_000)
    await settled()
    expect(receiver.received).toHaveLength(1)
    on(gone)
    receiver.answer = 'hang'
    await tell(org.other, '@**Slacker** and now?')
    await arrived()
    off(gone)
    receiver.release({ text: 'a word of nobody' })
    await settled()
    on(gone)
    expect((await newest(org.other, inPlaza)).id).toBe(id + 1)
  }
})
