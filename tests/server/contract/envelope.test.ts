import assert from 'node:assert/strict'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

const org = organization({ configuration: { allowedHosts: ['chat.example.org'] } })
const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` })

async function raw(path: string, init: RequestInit = {}) {
  const response = await fetch(`${org.service.baseUrl}${path}`, init)
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

test('ENV-01: A success contains result, an empty msg and the fields of the endpoint.', async () => {
  const answer = await org.member.get('/users/me')
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ result: 'success', msg: '', user_id: org.member.id })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.body).not.toHaveProperty('ignored_parameters_unsupported')
})

test('ENV-02: Unknown parameters are listed, each once, and have no effect.', async () => {
  const answer = await org.member.post('/typing', {
    op: 'start',
    to: [org.other.id],
    flavour: 'mint',
    colour: 'green',
  })
  expect(succeeded(answer).ignored_parameters_unsupported).toEqual(['flavour', 'colour'])
  const twice = await raw('/users/me?flavour=a&flavour=b', {
    headers: basic(`${org.member.email}:${org.member.row.api_key}`),
  })
  expect(succeeded(twice).ignored_parameters_unsupported).toEqual(['flavour'])
  // Also one that every object knows, where fields have older names.
  const sent = await org.member.post('/messages', {
    ...{ type: 'direct', to: [org.other.id], content: 'mint' },
    constructor: 'green',
  })
  expect(succeeded(sent).ignored_parameters_unsupported).toEqual(['constructor'])
})

test('ENV-03: An error contains result, msg and code and has status 400.', async () => {
  const body = refused(await org.member.get('/messages/999999'))
  expect(Object.keys(body).sort()).toEqual(['code', 'msg', 'result'])
})

test('ENV-04: A missing required parameter is named with REQUEST_VARIABLE_MISSING.', async () => {
  expect(
    refused(
      await org.member.post('/messages', { type: 'stream', to: org.plaza, topic: 'a' }),
      'REQUEST_VARIABLE_MISSING',
    ).var_name,
  ).toBe('content')
  expect(refused(await org.member.post('/typing', {}), 'REQUEST_VARIABLE_MISSING').var_name).toBe('op')
})

test('ENV-05: A parameter of the wrong type is rejected with BAD_REQUEST.', async () => {
  refused(await org.member.get('/messages', { anchor: 'newest', num_before: 'many', num_after: 0 }))
  refused(await org.member.post('/typing', { op: 'dance', to: [org.other.id] }))
  refused(await org.member.get('/users', { user_ids: '{"a":1' }))
})

test('ENV-06: Booleans must be exactly true or false.', async () => {
  for (const text of ['1', 'True', 'yes', '"true"']) {
    refused(await org.member.get('/users', { client_gravatar: text }))
  }
  succeeded(await org.member.get('/users', { client_gravatar: 'true' }))
})

test('ENV-07: An unknown path is answered with 404 and an error envelope.', async () => {
  refused(await org.member.get('/no/such/thing'), 'BAD_REQUEST', 404)
  refused(await org.member.get('/messages/abc'), 'BAD_REQUEST', 404)
  refused(await org.member.get('/messages/99999999999999999999'), 'BAD_REQUEST', 404)
  refused(await org.member.get('/messages/'), 'BAD_REQUEST', 404)
})

test('ENV-08: A wrong method is answered with 405, the Allow header and the allowed methods, even without credentials.', async () => {
  const answer = await org.nobody.delete('/users/me/presence')
  expect(refused(answer, 'BAD_REQUEST', 405)['allowed_methods']).toEqual(['POST'])
  expect(answer.headers.get('allow')).toBe('POST')
  const drafts = await org.member.patch('/drafts')
  expect(refused(drafts, 'BAD_REQUEST', 405)['allowed_methods']).toEqual(['GET', 'POST'])
})

test('ENV-09: The form field method turns a POST into another method.', async () => {
  const id = succeeded(
    await org.member.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'to be gone' }] }),
  ).ids[0]
  succeeded(await org.member.post(`/drafts/${id}`, { method: 'DELETE' }))
  const { drafts } = succeeded(await org.member.get('/drafts'))
  expect(drafts.map((draft: { id: number }) => draft.id)).not.toContain(id)
})

test('ENV-10: Non-ASCII fields arrive unchanged.', async () => {
  const topic = 'Grüße aus København ✈️ & co=?#%'
  const id = await org.member.send(org.plaza, topic, 'naïve + 100% "quoted" 日本語')
  const { message } = succeeded(await org.member.get(`/messages/${id}`, { apply_markdown: false }))
  expect(message).toMatchObject({ subject: topic, content: 'naïve + 100% "quoted" 日本語' })
})

test('ENV-11: A body above the size limit is rejected with 413 and an error envelope.', async () => {
  const answer = await org.member.post('/messages', {
    type: 'stream',
    to: org.plaza,
    topic: 'long',
    content: 'x'.repeat(3 * 1024 * 1024),
  })
  refused(answer, 'BAD_REQUEST', 413)
})

test('ENV-12: Two names for the same parameter in one request are rejected with REQUEST_CONFUSING_VAR.', async () => {
  const body = refused(
    await org.member.post('/messages', {
      type: 'stream',
      to: org.plaza,
      topic: 'a',
      subject: 'b',
      content: 'x',
    }),
    'REQUEST_CONFUSING_VAR',
  )
  expect([body.var_name1, body.var_name2].sort()).toEqual(['subject', 'topic'])
  const id = succeeded(
    await org.member.post('/messages', {
      type: 'stream',
      to: org.plaza,
      subject: 'legacy name',
      content: 'x',
    }),
  ).id
  expect(succeeded(await org.member.get(`/messages/${id}`)).message.subject).toBe('legacy name')
})

test('ENV-19: An internal error is also returned as an error with a code, and reveals no internal details.', async () => {
  const { db, log } = org.service.workspace
  const logged: string[] = []
  Object.assign(org.service.workspace, {
    log: (line: string) => logged.push(line),
    db: { ...db, all: () => assert.fail('a secret of the inside') },
  })
  const answer = await org.member.get('/users')
  Object.assign(org.service.workspace, { db, log })
  expect(JSON.stringify(refused(answer, 'INTERNAL_SERVER_ERROR', 500))).not.toContain('secret')
  expect(logged.join()).toContain('a secret of the inside')
  succeeded(await org.member.get('/users'))
})

/** What a browser sends; `fetch` allows no other name. */
function sendAs(
  headers: Record<string, string>,
  path = '/api/v1/server_settings',
  method = 'GET',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(org.service.baseUrl)
    request({ hostname, port, path, method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

test('ENV-22: The service answers only to host names of the local machine and those that the operator allows.', async () => {
  for (const host of [
    '127.0.0.1:1',
    'localhost',
    'LOCALHOST:80',
    '[::1]:9991',
    'chat.localhost',
    'chat.example.org',
  ])
    expect(await sendAs({ host })).toBe(200)
  for (const host of [
    'evil.example',
    'chat.example.org.evil.example',
    '127.0.0.1.evil.example',
    '192.168.0.1',
  ])
    for (const path of ['/api/v1/server_settings', '/join/nothing/', '/avatar/1', '/nowhere'])
      expect(await sendAs({ host }, path)).toBe(403)
})

test('ENV-23: Without credentials, a page from another origin cannot change anything; signing in from allowed origins remains possible.', async () => {
  const { host } = new URL(org.service.baseUrl)
  const signIn = (headers: Record<string, string>) =>
    sendAs({ host, ...headers }, '/api/v1/fetch_api_key', 'POST')
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `https://${host}.evil.example`])
    expect(await signIn({ origin })).toBe(403)
  // Refused for what it lacks.
  for (const headers of [{}, { origin: `http://${host}` }, { origin: 'https://chat.example.org' }])
    expect(await signIn(headers)).toBe(400)
  const own = basic(`${org.member.email}:${org.member.row.api_key}`)
  expect(await sendAs({ host, origin: 'https://evil.example', ...own }, '/api/v1/typing', 'POST')).toBe(400)
  expect(await sendAs({ host, origin: 'https://evil.example' })).toBe(200)
})
