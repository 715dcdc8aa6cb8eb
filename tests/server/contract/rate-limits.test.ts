import { expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

const org = organization({ rateLimit: 5 })

test('RATE-01: Every answer states how many requests are left and when the limit resets.', async () => {
  const first = await org.member.get('/users/me')
  succeeded(first)
  expect(first.headers.get('x-ratelimit-limit')).toBe('5')
  expect(first.headers.get('x-ratelimit-remaining')).toBe('4')
  expect(Number(first.headers.get('x-ratelimit-reset'))).toBe(Math.ceil(org.clock.now() / 1000) + 60)
  const second = await org.member.get('/messages/12345')
  refused(second)
  expect(second.headers.get('x-ratelimit-remaining')).toBe('3')
})

test('RATE-02: Beyond the limit, a request is answered with RATE_LIMIT_HIT, status 429, retry-after and Retry-After, and has no effect.', async () => {
  for (let request = 0; request < 5; request++) succeeded(await org.other.get('/users/me'))
  const answer = await org.other.post('/messages', {
    type: 'stream',
    to: org.plaza,
    topic: 'limits',
    content: 'not this',
  })
  expect(refused(answer, 'RATE_LIMIT_HIT', 429)['retry-after']).toBe(60)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
  const { topics } = succeeded(await org.moderator.get(`/users/me/${org.plaza}/topics`))
  expect(topics).toEqual([])
})

test('RATE-03: The requests of a user do not count toward the limit of another.', async () => {
  for (let request = 0; request < 6; request++) await org.admin.get('/users/me')
  refused(await org.admin.get('/users/me'), 'RATE_LIMIT_HIT', 429)
  succeeded(await org.owner.get('/users/me'))
})

test('RATE-04: Requests are accepted again after a minute.', async () => {
  for (let request = 0; request < 6; request++) await org.guest.get('/users/me')
  refused(await org.guest.get('/users/me'), 'RATE_LIMIT_HIT', 429)
  await org.clock.advance(60_000)
  succeeded(await org.guest.get('/users/me'))
})

test('RATE-05: Requests without credentials are counted by address, and missing credentials are reported before the limit.', async () => {
  await org.clock.advance(60_000)
  for (let request = 0; request < 5; request++) succeeded(await org.nobody.get('/server_settings'))
  refused(await org.nobody.get('/server_settings'), 'RATE_LIMIT_HIT', 429)
  refused(await org.nobody.get('/users/me'), 'UNAUTHORIZED', 401)
  succeeded(await org.moderator.get('/users/me'))
})

test('RATE-06: The invitation page is rate-limited too, both for opening it and for joining.', async () => {
  await org.clock.advance(60_000)
  const { invite_link: link } = succeeded(await org.owner.post('/invites/multiuse'))
  for (let request = 0; request < 4; request++) expect((await fetch(link)).status).toBe(200)
  const join = () => fetch(link, { method: 'POST', body: new URLSearchParams({ full_name: '' }) })
  expect((await join()).status).toBe(400)
  for (const answer of [await join(), await fetch(link)]) {
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('60')
  }
})
