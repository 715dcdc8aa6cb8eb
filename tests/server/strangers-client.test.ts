import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

// A client that a stranger writes who has read nothing but the public description of the interface: `fetch`, Basic
// authentication, forms and JSON. Nothing of this repository is imported; the service runs as its owner runs it.

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- read field by field

const folder = temporaryFolder(afterAll)
let service: ChildProcess
let base: string
let password: string
beforeAll(async () => {
  const main = resolve(import.meta.dirname, '../../src-server/main.ts')
  service = spawn(process.execPath, [main, '--data-dir', folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  const { stdout, stderr } = service
  if (stdout === null || stderr === null) throw new Error('the service says nothing')
  const line = (from: NodeJS.ReadableStream) =>
    new Promise<string>((done) => createInterface({ input: from }).once('line', done))
  const [told, greeted] = await Promise.all([line(stdout), line(stderr)])
  base = JSON.parse(told).base_url
  password = /password (\S+)/.exec(greeted)?.[1] ?? ''
})
afterAll(() => {
  service.kill('SIGKILL')
})

/** One request as the description has it: strings as they are, all else as JSON, in the query or in a form. */
function client(email: string, key: string) {
  const call = async (method: string, path: string, fields: Json = {}): Promise<Json> => {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    const response = await fetch(`${base}${path}${method === 'GET' ? `?${form}` : ''}`, {
      method,
      headers: key === '' ? {} : { Authorization: `Basic ${btoa(`${email}:${key}`)}` },
      ...(method === 'GET' ? {} : { body: form }),
    })
    const body = (await response.json()) as Json
    expect(body, `${method} ${path}`).toMatchObject({ result: 'success', msg: '' })
    expect(response.status).toBe(200)
    expect(body, 'the service knows every parameter').not.toHaveProperty('ignored_parameters_unsupported')
    return body
  }
  return { call, email, key }
}
type Client = ReturnType<typeof client>

async function signIn(username: string, secret: string): Promise<Client> {
  const { api_key, email } = await client('', '').call('POST', '/fetch_api_key', {
    username,
    password: secret,
  })
  return client(email, api_key)
}

/** A queue, and its events one after another; every poll waits until there is something. */
async function listen({ call }: Client, fields: Json = {}) {
  const { queue_id, last_event_id, ...state } = await call('POST', '/register', fields)
  let last: number = last_event_id
  const waiting: Json[] = []
  const next = async (): Promise<Json> => {
    while (waiting.length === 0) {
      const { events } = await call('GET', '/events', { queue_id, last_event_id: last })
      for (const event of events) {
        expect(event.id).toBeGreaterThan(last)
        last = event.id
        if (event.type !== 'heartbeat') waiting.push(event)
      }
    }
    return waiting.shift() ?? {}
  }
  return { queue_id, state, next }
}

test('A client by somebody who knows only the public interface and Basic authentication signs in, registers, polls, writes, edits, reacts, uploads and searches', async () => {
  const settings = await client('', '').call('GET', '/server_settings')
  expect(settings['zulip_feature_level']).toBeGreaterThanOrEqual(1)
  expect(settings['authentication_methods'].password).toBe(true)
  const owner = await signIn('owner@localhost', password)
  const guest = { email: 'stranger@example.org', password: 'tide tables', full_name: 'Stella Stranger' }
  const { user_id } = await owner.call('POST', '/users', guest)
  const stranger = await signIn(guest.email, guest.password)
  expect((await stranger.call('GET', '/users/me'))['user_id']).toBe(user_id)

  const queue = await listen(stranger, {
    event_types: ['subscription', 'message', 'update_message', 'reaction'],
    apply_markdown: true,
    client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
  })
  expect(queue.state['subscriptions']).toEqual([])

  // The poll waits before there is anything to hear.
  const heard = queue.next()
  await owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'tides', description: 'High and low' }],
    principals: [user_id],
  })
  const joined = await heard
  expect(joined).toMatchObject({ type: 'subscription', op: 'add', subscriptions: [{ name: 'tides' }] })
  const { stream_id } = joined['subscriptions'][0]

  const to = { type: 'stream', to: stream_id, topic: 'Today' }
  const { id } = await stranger.call('POST', '/messages', { ...to, content: 'The **ebb** begins' })
  let event = await queue.next()
  // Whoever puts somebody into a channel may be told to them before.
  while (event['type'] !== 'message' || event['message'].id !== id) event = await queue.next()
  expect(event['message']).toMatchObject({
    sender_id: user_id,
    stream_id,
    subject: 'Today',
    content: '<p>The <strong>ebb</strong> begins</p>',
  })

  const prev_content_sha256 = createHash('sha256').update('The **ebb** begins').digest('hex')
  await stranger.call('PATCH', `/messages/${id}`, { content: 'The **flood** begins', prev_content_sha256 })
  expect(await queue.next()).toMatchObject({
    type: 'update_message',
    message_id: id,
    rendered_content: '<p>The <strong>flood</strong> begins</p>',
  })

  await owner.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  expect(await queue.next()).toMatchObject({
    type: 'reaction',
    op: 'add',
    message_id: id,
    emoji_name: 'tada',
  })
  await owner.call('DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  expect(await queue.next()).toMatchObject({ type: 'reaction', op: 'remove', message_id: id })

  const file = new FormData()
  file.append('file', new Blob(['time,height\n06:12,4.1\n'], { type: 'text/csv' }), 'tides.csv')
  const authorization = `Basic ${btoa(`${stranger.email}:${stranger.key}`)}`
  const uploaded = (await (
    await fetch(`${base}/user_uploads`, { method: 'POST', body: file, headers: { authorization } })
  ).json()) as Json
  expect(uploaded).toMatchObject({ result: 'success', filename: 'tides.csv' })
  const link = `[tides.csv](${uploaded['url']})`
  const { id: withFile } = await stranger.call('POST', '/messages', { ...to, content: `Table: ${link}` })
  const { url } = await owner.call('GET', uploaded['url'])
  const opened = await fetch(new URL(url, settings['realm_url']))
  expect(await opened.text()).toBe('time,height\n06:12,4.1\n')

  const find = async (...narrow: Json[]): Promise<number[]> => {
    const page = { anchor: 'newest', num_before: 20, num_after: 0, narrow }
    const { messages } = await owner.call('GET', '/messages', page)
    return messages.map((message: Json) => message['id'])
  }
  expect(await find({ operator: 'search', operand: 'floods' })).toEqual([id])
  expect(await find({ operator: 'search', operand: 'ebb' })).toEqual([])
  expect(
    await find({ operator: 'channel', operand: 'tides' }, { operator: 'has', operand: 'attachment' }),
  ).toEqual([withFile])
  const ofToday = [
    { operator: 'stream', operand: stream_id },
    { operator: 'topic', operand: 'today' },
  ]
  expect(await find(...ofToday, { operator: 'sender', operand: user_id })).toEqual([id, withFile])
  expect(await find(...ofToday, { operator: 'has', operand: 'link', negated: true })).toEqual([id])
  await stranger.call('DELETE', '/events', { queue_id: queue.queue_id })
})
