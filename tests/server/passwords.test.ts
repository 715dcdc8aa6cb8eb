import { scryptSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  hashPassword,
  needsRehash,
  isPassword,
  usualPasswordCost,
} from '../../src-server/people/passwords.ts'
import { startService, type TestService } from '../support/service.ts'

const cheap = { log2N: 10, passes: 1 }
let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const storedOf = (userId: number) =>
  service.workspace.db.get<{ password_hash: string }>(
    'SELECT password_hash FROM users WHERE user_id = ?',
    userId,
  )?.password_hash ?? ''
const signIn = async (username: string, password: string) => {
  const response = await fetch(`${service.baseUrl}/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  })
  return response.status
}

test('a password matches its own hash alone, which differs each time and says what it cost', async () => {
  const [one, other] = [hashPassword('a long password', cheap), hashPassword('a long password', cheap)]
  expect(one).not.toBe(other)
  expect(one).toMatch(/^scrypt:10:1:/)
  expect(await isPassword('a long password', one)).toBe(true)
  expect(await isPassword('a long passwore', one)).toBe(false)
  for (const none of [null, '', 'scrypt:10:1:', 'plain']) expect(await isPassword('', none)).toBe(false)
})

test('hashing a password takes 32 MiB, three times', async () => {
  const hash = hashPassword('secret', usualPasswordCost)
  expect(hash).toMatch(/^scrypt:15:3:/)
  expect(await isPassword('secret', hash)).toBe(true)
})

test('a hash of less work is made anew when its person signs in, and no other time', async () => {
  const { userId, email, password } = service.createUser('Maren Aske')
  const salt = '00ff'
  const old = `${salt}:${scryptSync(password, salt, 32, { N: 4096 }).toString('hex')}`
  expect(needsRehash(old, cheap)).toBe(true)
  service.workspace.db.run('UPDATE users SET password_hash = ? WHERE user_id = ?', old, userId)
  expect(await signIn(email, 'something else')).toBe(401)
  expect(storedOf(userId)).toBe(old)
  expect(await signIn(email, password)).toBe(200)
  const renewed = storedOf(userId)
  expect(renewed).toMatch(/^scrypt:10:1:/)
  expect(await signIn(email, password)).toBe(200)
  expect(storedOf(userId)).toBe(renewed)
})

test('passwords that are tried side by side are counted before they are checked', async () => {
  const { email } = service.createUser('Amaru Quispe')
  const answers = await Promise.all(Array.from({ length: 40 }, (_, guess) => signIn(email, `guess ${guess}`)))
  const checked = answers.filter((status) => status === 401).length
  expect(checked).toBeLessThanOrEqual(5)
  expect(answers.filter((status) => status === 429)).toHaveLength(40 - checked)
})

test('others are served while a password is hashed: at a sign-in, when it is changed, and for a new account', async () => {
  const hard = { ...usualPasswordCost }
  const begun = performance.now()
  hashPassword('secret', hard)
  const hashMs = performance.now() - begun
  const busy = await startService({ configuration: { passwordCost: hard } })
  try {
    const { email, apiKey, password } = busy.createUser('Maren Aske')
    busy.workspace.db.run('UPDATE users SET password_hash = ?', hashPassword(password, cheap))
    let [last, longest] = [performance.now(), 0]
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const post = (path: string, method: string, form: Record<string, string>, who = { email, apiKey }) =>
      fetch(`${busy.baseUrl}${path}`, {
        method,
        headers: { authorization: `Basic ${btoa(`${who.email}:${who.apiKey}`)}` },
        body: new URLSearchParams(form),
      })
    const stranger = await post('/fetch_api_key', 'POST', { username: 'nobody@example.org', password })
    const known = await post('/fetch_api_key', 'POST', { username: email, password })
    const changed = await post('/settings', 'PATCH', { old_password: password, new_password: 'other words' })
    const owner = { email: busy.owner.delivery_email, apiKey: busy.owner.api_key }
    const made = await post('/users', 'POST', { email: 'bo@example.org', password, full_name: 'Bo' }, owner)
    const invited = await post('/invites/multiuse', 'POST', {}, owner)
    const { invite_link: link } = (await invited.json()) as { invite_link: string }
    const joined = await fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ email: 'cy@example.org', password, full_name: 'Cy' }),
    })
    clearInterval(timer)
    const statuses = [stranger, known, changed, made, joined].map(({ status }) => status)
    expect(statuses).toEqual([401, 200, 200, 200, 200])
    expect(longest).toBeLessThan(hashMs / 2)
  } finally {
    await busy.close()
  }
})
