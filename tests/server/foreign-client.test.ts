import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'zulip-js'
import { foundIn, spawnService } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// A client that others wrote for servers of this interface, against the service in a process of its own: whatever it
// does works without a word about it in the service.

const folder = temporaryFolder(afterAll)

const password = 'tide tables'
let service: Awaited<ReturnType<typeof spawnService>>
let channel: number
let zulip: typeof import('zulip-js').default
let mara: Client
let otto: Client
// The client puts a form of its own in the place of the platform's, for everybody in the process.
const { FormData: platformForm } = globalThis
afterAll(() => void (globalThis.FormData = platformForm))
beforeAll(async () => {
  zulip = (await import('zulip-js')).default
  const found = foundIn(folder, 2, password)
  channel = found.channel
  service = await spawnService(folder)
  const realm = service.baseUrl.replace(/\/api\/v1$/, '')
  const signIn = (index: number) => zulip({ username: found.writers[index]?.email ?? '', password, realm })
  ;[mara, otto] = [await signIn(0), await signIn(1)]
})
afterAll(() => service.kill())

const done = async (answer: Promise<Record<string, unknown>>) => {
  const body = await answer
  expect(body).toMatchObject({ result: 'success', msg: '' })
  // Read field by field.
  return body as Awaited<ReturnType<Client['callEndpoint']>>
}

const send = async (who: Client, content: string): Promise<number> =>
  (await done(who.messages.send({ type: 'stream', to: 'load', topic: 'Foreign', content }))).id

/** A queue that is polled as the client polls: each question waits for what comes. */
async function listen(who: Client, event_types: readonly string[]) {
  const { queue_id, last_event_id } = await done(who.queues.register({ event_types }))
  let last = last_event_id
  return {
    id: queue_id,
    async next() {
      const { events } = await done(who.events.retrieve({ queue_id, last_event_id: last }))
      last = events.at(-1).id
      return events
    },
  }
}

test('It signs in with a password and knows who it is and whom it talks to', async () => {
  expect(mara.config.apiKey).toMatch(/^\w{16,}$/)
  expect(await done(mara.users.me.getProfile())).toMatchObject({ full_name: 'Writer 0', is_bot: false })
  expect(await done(mara.server.settings())).toMatchObject({ zulip_feature_level: 420 })
  expect((await done(mara.users.retrieve())).members.length).toBeGreaterThan(2)
  const wrong = zulip({ username: mara.config.username, password: 'wrong', realm: mara.config.realm })
  expect((await wrong).config.apiKey).toBeUndefined()
})

test('What one writes comes to another over a poll that waits', async () => {
  const queue = await listen(otto, ['message', 'update_message', 'reaction', 'delete_message'])
  let waiting = queue.next()
  const id = await send(mara, 'an *otter* at low tide')
  expect(await waiting).toMatchObject([
    { type: 'message', message: { id, content: 'an *otter* at low tide', display_recipient: 'load' } },
  ])

  waiting = queue.next()
  await done(mara.messages.update({ message_id: id, content: 'two otters at low tide' }))
  expect(await waiting).toMatchObject([{ type: 'update_message', content: 'two otters at low tide' }])

  waiting = queue.next()
  await done(mara.messages.update({ message_id: id, topic: 'Otters', propagate_mode: 'change_all' }))
  expect((await waiting)[0]).toMatchObject({ type: 'update_message', subject: 'Otters' })

  waiting = queue.next()
  await done(otto.reactions.add({ message_id: id, emoji_name: 'tada' }))
  expect((await waiting).at(-1)).toMatchObject({ type: 'reaction', op: 'add', emoji_code: '1f389' })
  await done(otto.reactions.remove({ message_id: id, emoji_name: 'tada' }))

  const { message } = await done(otto.messages.getById({ message_id: id }))
  expect(message).toMatchObject({ subject: 'Otters', content: '<p>two otters at low tide</p>' })
  const { message_history } = await done(otto.messages.getHistoryById({ message_id: id }))
  expect(message_history.length).toBeGreaterThan(1)
  expect(await mara.queues.deregister({ queue_id: queue.id })).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  await done(otto.queues.deregister({ queue_id: queue.id }))
  const all = await done(otto.queues.register())
  expect(all).toMatchObject({ zulip_version: expect.any(String), realm_users: expect.any(Array) })
})

test('It finds messages again: by words, by channel and topic, and those that are unread or starred', async () => {
  const id = await send(mara, 'a heron among reeds')
  const find = async (narrow: readonly object[], more: object = {}) => {
    const page = { anchor: 'newest', num_before: 20, num_after: 0, narrow, ...more }
    const { messages } = await done(otto.messages.retrieve(page))
    return messages.map((one: { id: number }) => one.id)
  }
  expect(await find([{ operator: 'search', operand: 'heron' }])).toEqual([id])
  expect(
    await find([
      { operator: 'stream', operand: 'load' },
      { operator: 'topic', operand: 'Foreign' },
    ]),
  ).toContain(id)
  expect(await find([{ operator: 'is', operand: 'unread' }])).toContain(id)
  await done(otto.messages.flags.add({ flag: 'starred', messages: [id] }))
  await done(otto.messages.flags.add({ flag: 'read', messages: [id] }))
  expect(await find([{ operator: 'is', operand: 'starred' }])).toEqual([id])
  expect(await find([{ operator: 'is', operand: 'unread' }])).not.toContain(id)
  expect(await find([{ operator: 'search', operand: 'heron' }], { apply_markdown: false })).toEqual([id])
})

test('It uploads a file, shows it in a message and fetches its bytes', async () => {
  const path = join(folder, 'tides.txt')
  writeFileSync(path, 'high at noon')
  const { url } = await done(mara.callEndpoint('/user_uploads', 'POST', { file: createReadStream(path) }))
  const id = await send(mara, `[tides](${url})`)
  const { message } = await done(otto.messages.getById({ message_id: id }))
  expect(message.content).toContain(url)
  const authorization = `Basic ${btoa(`${otto.config.username}:${otto.config.apiKey}`)}`
  const bytes = await fetch(`${otto.config.realm}${url}`, { headers: { authorization } })
  expect(await bytes.text()).toBe('high at noon')
  const { attachments } = await done(mara.callEndpoint('/attachments'))
  expect(attachments).toMatchObject([{ name: 'tides.txt', messages: [{ id }] }])
})

test('Channels, topics, typing, emoji and marks answer it as well', async () => {
  await send(mara, 'something to see')
  expect((await done(mara.streams.retrieve())).streams.map((one: { name: string }) => one.name)).toContain(
    'load',
  )
  expect(await done(mara.streams.getStreamId('load'))).toMatchObject({ stream_id: channel })
  expect((await done(mara.streams.topics.retrieve({ stream_id: channel }))).topics).not.toEqual([])
  const { subscriptions } = await done(mara.streams.subscriptions.retrieve())
  expect(subscriptions).toMatchObject([{ name: 'load' }])
  const tides = JSON.stringify([{ name: 'tides' }])
  expect(await done(mara.users.me.subscriptions.add({ subscriptions: tides }))).toHaveProperty('subscribed')
  const left = mara.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['tides']) })
  expect(await done(left)).toMatchObject({ removed: ['tides'] })
  expect(await done(mara.users.me.alertWords.retrieve())).toMatchObject({ alert_words: [] })
  expect(await done(mara.emojis.retrieve())).toHaveProperty('emoji')
  const { user_id } = await done(otto.users.me.getProfile())
  const self = (await done(mara.users.me.getProfile())).user_id
  const queue = await listen(otto, ['typing'])
  const waiting = queue.next()
  await done(mara.typing.send({ to: [user_id, self], op: 'start' }))
  expect(await waiting).toMatchObject([{ type: 'typing', op: 'start', sender: { user_id: self } }])
  expect(await done(mara.messages.render('**tide**'))).toMatchObject({
    rendered: '<p><strong>tide</strong></p>',
  })
  const id = await send(mara, 'soon gone')
  await done(mara.messages.deleteById({ message_id: id }))
  expect(await mara.messages.getById({ message_id: id })).toMatchObject({
    result: 'error',
    code: 'BAD_REQUEST',
  })
})

test('A direct message in the older words for it arrives as a conversation', async () => {
  const queue = await listen(otto, ['message'])
  const waiting = queue.next()
  await done(mara.messages.send({ type: 'private', to: otto.config.username, content: 'just you' }))
  expect(await waiting).toMatchObject([{ message: { type: 'private', content: 'just you' } }])
  await done(mara.messages.send({ type: 'stream', to: 'load', subject: 'Older words', content: 'a subject' }))
  const { topics } = await done(mara.streams.topics.retrieve({ stream_id: channel }))
  expect(topics[0]).toMatchObject({ name: 'Older words' })
})
