import { expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

const org = organization()

async function withHeader(authorization: string | undefined, path = '/users/me') {
  const response = await fetch(`${org.service.baseUrl}${path}`, {
    headers: authorization === undefined ? {} : { Authorization: authorization },
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test('AUTH-01: An API email and API key in HTTP Basic authentication identify the caller.', async () => {
  const answer = await withHeader(basic(`${org.member.email}:${org.member.row.api_key}`))
  expect(succeeded(answer).user_id).toBe(org.member.id)
})

test('AUTH-02: Bots authenticate with their own email and key.', async () => {
  expect(succeeded(await org.bot.get('/users/me'))).toMatchObject({ user_id: org.bot.id, is_bot: true })
})

test('AUTH-03: A missing header, another scheme, a malformed header, an unknown name and a wrong key are all rejected alike with 401.', async () => {
  const { email, row } = org.member
  const wrong = [
    undefined,
    '',
    'Basic',
    'Basic !!!',
    `Bearer ${row.api_key}`,
    basic(email),
    basic(`${email}:`),
    basic(`${email}:${row.api_key}x`),
    basic(`${email}:${'a'.repeat(32)}`),
    basic(`stranger@example.org:${row.api_key}`),
    basic(`:${row.api_key}`),
  ]
  const words = new Set<string>()
  for (const header of wrong) {
    const answer = await withHeader(header)
    words.add(refused(answer, 'UNAUTHORIZED', 401).msg)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
  }
  expect([...words], 'the words do not tell whether a name is known').toHaveLength(1)
})

test('AUTH-04: The name is compared case-insensitively.', async () => {
  const answer = await withHeader(basic(`${org.member.email.toUpperCase()}:${org.member.row.api_key}`))
  expect(succeeded(answer).user_id).toBe(org.member.id)
})

test('AUTH-05: Only GET /server_settings and POST /fetch_api_key are answered without credentials.', async () => {
  succeeded(await org.nobody.get('/server_settings'))
  refused(
    await org.nobody.post('/fetch_api_key', { username: 'a', password: 'b' }),
    'AUTHENTICATION_FAILED',
    401,
  )
  refused(await org.nobody.get('/users'), 'UNAUTHORIZED', 401)
  refused(await org.nobody.post('/messages', { type: 'stream' }), 'UNAUTHORIZED', 401)
})

test('AUTH-06: A deactivated account is rejected with 401, even with its valid key.', async () => {
  const gone = org.join('Gustav Gone')
  succeeded(await gone.get('/users/me'))
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  refused(await gone.get('/users/me'), 'UNAUTHORIZED', 401)
})

test('AUTH-07: A password is exchanged for the API key, the email and the user id.', async () => {
  const answer = await org.nobody.post('/fetch_api_key', {
    username: org.member.email,
    password: 'correct horse battery',
  })
  expect(succeeded(answer)).toMatchObject({
    api_key: org.member.row.api_key,
    email: org.member.email,
    user_id: org.member.id,
  })
  expect(answer.body['api_key']).toMatch(/^[A-Za-z0-9]{32}$/)
})

test('AUTH-08: A wrong password and an unknown name are both rejected with AUTHENTICATION_FAILED.', async () => {
  const wrong = refused(
    await org.nobody.post('/fetch_api_key', { username: org.other.email, password: 'wrong' }),
    'AUTHENTICATION_FAILED',
    401,
  )
  const unknown = refused(
    await org.nobody.post('/fetch_api_key', { username: 'stranger@example.org', password: 'wrong' }),
    'AUTHENTICATION_FAILED',
    401,
  )
  expect(wrong.msg).toBe(unknown.msg)
})

test('AUTH-09: The correct password of a deactivated account is rejected with USER_DEACTIVATED.', async () => {
  const gone = org.join('Gerda Gone')
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  refused(
    await org.nobody.post('/fetch_api_key', { username: gone.email, password: 'correct horse battery' }),
    'USER_DEACTIVATED',
    401,
  )
})

test('AUTH-10: After five failed attempts, sign-in for that name is locked for half an hour; a success before that resets the count.', async () => {
  const person = org.join('Theo Tried')
  const attempt = (password: string) =>
    org.nobody.post('/fetch_api_key', { username: person.email, password })
  for (let failures = 0; failures < 4; failures++)
    refused(await attempt('wrong'), 'AUTHENTICATION_FAILED', 401)
  succeeded(await attempt('correct horse battery'))
  for (let failures = 0; failures < 5; failures++)
    refused(await attempt('wrong'), 'AUTHENTICATION_FAILED', 401)
  const limited = await attempt('correct horse battery')
  refused(limited, 'RATE_LIMIT_HIT', 429)
  expect(Number(limited.headers.get('retry-after'))).toBe(1800)
  await org.clock.advance(30 * 60_000)
  succeeded(await attempt('correct horse battery'))
})

test('AUTH-12: An overlong name or password is rejected like a wrong one, and does not lock any account.', async () => {
  const person = org.join('Lena Long')
  const attempt = (fields: object) =>
    org.nobody.post('/fetch_api_key', { username: person.email, password: 'wrong', ...fields })
  const long = 'x'.repeat(1_000_000)
  for (let failures = 0; failures < 6; failures++) {
    refused(await attempt({ username: long }), 'AUTHENTICATION_FAILED', 401)
    refused(await attempt({ password: long }), 'AUTHENTICATION_FAILED', 401)
  }
  succeeded(await attempt({ password: 'correct horse battery' }))
})

test('AUTH-11: A new key replaces the old one immediately.', async () => {
  const person = org.join('Nora New')
  const { api_key } = succeeded(await person.post('/users/me/api_key/regenerate'))
  expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/)
  refused(await person.get('/users/me'), 'UNAUTHORIZED', 401)
  expect(succeeded(await withHeader(basic(`${person.email}:${api_key}`))).user_id).toBe(person.id)
})
