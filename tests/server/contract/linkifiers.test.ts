import { expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

const org = organization()
const jsonOf = async () => succeeded(await org.member.get('/realm/linkifiers')).linkifiers
const add = async (pattern: string, url_template: string) =>
  succeeded(await org.admin.post('/realm/filters', { pattern, url_template })).id
const rendered = async (content: string, topic = 'links') => {
  const id = await org.member.send(org.plaza, topic, content)
  return succeeded(await org.member.get(`/messages/${id}`, { apply_markdown: true })).message
}

test('LINKIFIER-01: A new linkifier is listed with id, pattern and URL template.', async () => {
  const id = await add('TIDE-(?P<id>[0-9]+)', 'https://tides.example/{id}')
  expect(await jsonOf()).toContainEqual({
    id,
    pattern: 'TIDE-(?P<id>[0-9]+)',
    url_template: 'https://tides.example/{id}',
  })
})

test('LINKIFIER-02: Matches in messages become links, with the matched group in place of its variable in the template.', async () => {
  await add('WADER-(?P<bird>[a-z]+)', 'https://birds.example/see/{bird}')
  expect((await rendered('Saw WADER-dunlin today')).content).toContain(
    '<a href="https://birds.example/see/dunlin">WADER-dunlin</a>',
  )
})

test('LINKIFIER-03: Matches in topics become topic links.', async () => {
  await add('BUOY-(?P<n>[0-9]+)', 'https://buoys.example/{n}')
  expect((await rendered('x', 'Lost BUOY-12 again')).topic_links).toEqual([
    { text: 'BUOY-12', url: 'https://buoys.example/12' },
  ])
})

test('LINKIFIER-04: Templates support the operators of RFC 6570.', async () => {
  await add('FIND-(?P<what>[a-zé/]+)', 'https://find.example/search{?what}')
  expect((await rendered('FIND-é/a')).content).toContain('href="https://find.example/search?what=%C3%A9%2Fa"')
  await add('PATH-(?P<path>[a-z/]+)', 'https://find.example/{+path}')
  expect((await rendered('PATH-a/b')).content).toContain('href="https://find.example/a/b"')
})

test('LINKIFIER-05: An update replaces pattern and template for later messages.', async () => {
  const id = await add('OLD-(?P<n>[0-9]+)', 'https://old.example/{n}')
  succeeded(
    await org.admin.patch(`/realm/filters/${id}`, {
      pattern: 'NEW-(?P<m>[0-9]+)',
      url_template: 'https://new.example/{m}',
    }),
  )
  expect(await jsonOf()).toContainEqual({
    id,
    pattern: 'NEW-(?P<m>[0-9]+)',
    url_template: 'https://new.example/{m}',
  })
  expect((await rendered('NEW-1 OLD-1')).content).toBe(
    '<p><a href="https://new.example/1">NEW-1</a> OLD-1</p>',
  )
})

test('LINKIFIER-06: An update requires both pattern and template.', async () => {
  const id = await add('REQ-(?P<n>[0-9]+)', 'https://req.example/{n}')
  refused(await org.admin.patch(`/realm/filters/${id}`, { pattern: 'a' }), 'REQUEST_VARIABLE_MISSING')
  refused(await org.admin.patch(`/realm/filters/${id}`, { url_template: 'a' }), 'REQUEST_VARIABLE_MISSING')
})

test('LINKIFIER-07: A pattern that is not a valid regular expression is rejected, with the reason for each field.', async () => {
  for (const pattern of ['(unclosed', 'a**', '(?P<n>[0-9]+', ')(', '', '(?=ahead)', '(a)\\1', 'a)(b']) {
    const body = refused(
      await org.admin.post('/realm/filters', { pattern, url_template: 'https://a.example/' }),
    )
    expect(body.errors.pattern).toHaveLength(1)
  }
})

test('LINKIFIER-08: An invalid template, or one that names other groups than the pattern, is rejected.', async () => {
  const pattern = 'T-(?P<n>[0-9]+)'
  for (const url_template of [
    'https://a.example/{n',
    'https://a.example/{n}}',
    'https://a.example/{n n}',
    'https://a.example/{m}',
    'no scheme {n}',
    'javascript:alert({n})',
  ]) {
    const body = refused(await org.admin.post('/realm/filters', { pattern, url_template }))
    expect(body.errors.url_template).toHaveLength(1)
  }
  const unused = refused(
    await org.admin.post('/realm/filters', { pattern, url_template: 'https://a.example/' }),
  )
  expect(unused.errors.pattern).toHaveLength(1)
})

test('LINKIFIER-09: A duplicate pattern is rejected.', async () => {
  const id = await add('TWICE', 'https://twice.example/')
  refused(await org.admin.post('/realm/filters', { pattern: 'TWICE', url_template: 'https://b.example/' }))
  succeeded(
    await org.admin.patch(`/realm/filters/${id}`, { pattern: 'TWICE', url_template: 'https://b.example/' }),
  )
})

test('LINKIFIER-10: A pattern with catastrophic backtracking does not block the service.', async () => {
  const id = await add('(?P<n>(a|a|aa)+)+b$', 'https://slow.example/{n}')
  const letters = 'a'.repeat(9_000)
  expect((await rendered(letters)).content).toBe(`<p>${letters}</p>`)
  succeeded(await org.admin.delete(`/realm/filters/${id}`))
})

test('LINKIFIER-11: Only administrators may add, change, order and remove linkifiers.', async () => {
  const id = await add('ONLY', 'https://only.example/')
  for (const person of [org.moderator, org.member, org.guest]) {
    const fields = { pattern: 'P', url_template: 'https://p.example/' }
    refused(await person.post('/realm/filters', fields), 'UNAUTHORIZED_PRINCIPAL')
    refused(await person.patch(`/realm/filters/${id}`, fields), 'UNAUTHORIZED_PRINCIPAL')
    refused(await person.delete(`/realm/filters/${id}`), 'UNAUTHORIZED_PRINCIPAL')
    refused(
      await person.patch('/realm/linkifiers', { ordered_linkifier_ids: [id] }),
      'UNAUTHORIZED_PRINCIPAL',
    )
  }
  expect(await jsonOf()).toContainEqual(expect.objectContaining({ id, pattern: 'ONLY' }))
})

test('LINKIFIER-12: A removed linkifier no longer exists; the id of a linkifier that does not exist is rejected.', async () => {
  const id = await add('GONE', 'https://gone.example/')
  succeeded(await org.admin.delete(`/realm/filters/${id}`))
  expect(await jsonOf()).not.toContainEqual(expect.objectContaining({ id }))
  refused(await org.admin.delete(`/realm/filters/${id}`))
  refused(await org.admin.patch(`/realm/filters/${id}`, { pattern: 'a', url_template: 'https://a.example/' }))
})

test('LINKIFIER-13: The order decides which of two linkifiers matches a text, and is set with all ids.', async () => {
  const first = await add('RANK-(?P<n>[0-9]+)', 'https://first.example/{n}')
  const second = await add('RANK-(?P<n>[0-9])', 'https://second.example/{n}')
  expect((await rendered('RANK-1')).content).toContain('first.example')
  const ids = (await jsonOf()).map((one: { id: number }) => one.id)
  const swapped = [second, ...ids.filter((id: number) => id !== second)]
  refused(await org.admin.patch('/realm/linkifiers', { ordered_linkifier_ids: [first, second] }))
  refused(await org.admin.patch('/realm/linkifiers', { ordered_linkifier_ids: [...swapped, first] }))
  refused(await org.admin.patch('/realm/linkifiers', { ordered_linkifier_ids: swapped.map(() => first) }))
  succeeded(await org.admin.patch('/realm/linkifiers', { ordered_linkifier_ids: swapped }))
  expect((await jsonOf()).map((one: { id: number }) => one.id)).toEqual(swapped)
  expect((await rendered('RANK-1')).content).toContain('second.example')
})

test('LINKIFIER-14: realm_linkifiers is sent, in state and events, only to clients that support URL templates.', async () => {
  const types = { event_types: ['realm_linkifiers'] }
  const able = await org.member.register({ ...types, client_capabilities: { linkifier_url_template: true } })
  const unable = await org.member.register(types)
  expect(able.state.realm_linkifiers).toEqual(await jsonOf())
  expect(unable.state.realm_linkifiers).toEqual([])
  await add('EVENT-(?P<n>[0-9]+)', 'https://event.example/{n}')
  expect(await able.events()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: await jsonOf() }])
  expect(await unable.events()).toEqual([])
})

const playground = {
  name: 'Shell bench',
  pygments_language: 'Bash',
  url_template: 'https://bench.example/?run={code}',
}
const playgrounds = async () =>
  (await org.member.register({ fetch_event_types: ['realm_playgrounds'] })).state.realm_playgrounds

test('PLAYGROUND-01: A new playground has an id and is in the answer to a registration.', async () => {
  const { id } = succeeded(await org.admin.post('/realm/playgrounds', playground))
  expect(await playgrounds()).toContainEqual({ id, ...playground })
})

test('PLAYGROUND-02: Name, language and template are all required.', async () => {
  for (const name of ['name', 'pygments_language', 'url_template']) {
    const body = refused(
      await org.admin.post('/realm/playgrounds', { ...playground, [name]: undefined }),
      'REQUEST_VARIABLE_MISSING',
    )
    expect(body.var_name).toBe(name)
  }
  refused(await org.admin.post('/realm/playgrounds', { ...playground, name: ' ' }))
  refused(await org.admin.post('/realm/playgrounds', { ...playground, pygments_language: '<b>' }))
})

test('PLAYGROUND-03: The template contains exactly one variable, named code.', async () => {
  for (const url_template of [
    'https://bench.example/',
    'https://bench.example/{text}',
    'https://bench.example/{code}/{name}',
    'https://bench.example/{code,name}',
    'https://bench.example/{code',
    'javascript:{code}',
  ]) {
    refused(await org.admin.post('/realm/playgrounds', { ...playground, name: 'Other', url_template }))
  }
  for (const [index, url_template] of ['https://b.example/{?code}', 'https://b.example/#{+code}'].entries()) {
    succeeded(
      await org.admin.post('/realm/playgrounds', { ...playground, name: `Good ${index}`, url_template }),
    )
  }
})

test('PLAYGROUND-04: Only administrators may add and remove playgrounds.', async () => {
  const [first] = await playgrounds()
  for (const person of [org.moderator, org.member, org.guest]) {
    refused(await person.post('/realm/playgrounds', playground), 'UNAUTHORIZED_PRINCIPAL')
    refused(await person.delete(`/realm/playgrounds/${first.id}`), 'UNAUTHORIZED_PRINCIPAL')
  }
})

test('PLAYGROUND-05: Adding or removing a playground sends an event with the whole list.', async () => {
  const queue = await org.member.register({ event_types: ['realm_playgrounds'] })
  const before = await playgrounds()
  const added = { ...playground, name: 'For a while' }
  const { id } = succeeded(await org.admin.post('/realm/playgrounds', added))
  succeeded(await org.admin.delete(`/realm/playgrounds/${id}`))
  expect(await queue.events()).toMatchObject([
    { type: 'realm_playgrounds', realm_playgrounds: [...before, { id, ...added }] },
    { type: 'realm_playgrounds', realm_playgrounds: before },
  ])
  refused(await org.admin.delete(`/realm/playgrounds/${id}`))
})

test('PLAYGROUND-06: A name is unique for each language; a name has at most 100 characters, a language at most 40.', async () => {
  const create = (name: string, pygments_language: string) =>
    org.admin.post('/realm/playgrounds', {
      name,
      pygments_language,
      url_template: 'https://play.example/{code}',
    })
  succeeded(await create('Twice', 'Rust'))
  refused(await create('Twice', 'Rust'))
  succeeded(await create('Twice', 'Zig'))
  refused(await create('x'.repeat(101), 'Rust'))
  refused(await create('Long', 'x'.repeat(41)))
  succeeded(await create('x'.repeat(100), 'x'.repeat(40)))
})
