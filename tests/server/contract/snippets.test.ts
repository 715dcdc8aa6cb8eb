import { expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

const org = organization()

const listOf = async (who: 'member' | 'other') =>
  succeeded(await org[who].get('/saved_snippets')).saved_snippets
const create = async (title: string, content: string) =>
  succeeded(await org.member.post('/saved_snippets', { title, content })).saved_snippet_id

test('SNIPPET-01: A new snippet is listed with id, title, content and date.', async () => {
  const id = await create('Greeting', 'Hello **there**')
  expect(await listOf('member')).toContainEqual({
    id,
    title: 'Greeting',
    content: 'Hello **there**',
    date_created: Math.floor(org.clock.now() / 1000),
  })
})

test('SNIPPET-02: Only its owner can see and change a snippet.', async () => {
  const id = await create('Mine', 'secret')
  expect(await listOf('other')).toEqual([])
  refused(await org.other.patch(`/saved_snippets/${id}`, { title: 'Yours' }), 'BAD_REQUEST', 404)
  refused(await org.other.delete(`/saved_snippets/${id}`), 'BAD_REQUEST', 404)
  expect(await listOf('member')).toContainEqual(expect.objectContaining({ id, title: 'Mine' }))
})

test('SNIPPET-03: An edit changes the title, the content or both, and keeps the rest.', async () => {
  const id = await create('Before', 'old')
  succeeded(await org.member.patch(`/saved_snippets/${id}`, { title: 'After' }))
  expect(await listOf('member')).toContainEqual(
    expect.objectContaining({ id, title: 'After', content: 'old' }),
  )
  succeeded(await org.member.patch(`/saved_snippets/${id}`, { content: 'new' }))
  expect(await listOf('member')).toContainEqual(
    expect.objectContaining({ id, title: 'After', content: 'new' }),
  )
  succeeded(await org.member.patch(`/saved_snippets/${id}`, { title: 'Last', content: 'newest' }))
  expect(await listOf('member')).toContainEqual(
    expect.objectContaining({ id, title: 'Last', content: 'newest' }),
  )
})

test('SNIPPET-04: An edit without title and content succeeds and changes nothing.', async () => {
  const id = await create('Same', 'same')
  const queue = await org.member.register({ event_types: ['saved_snippets'] })
  succeeded(await org.member.patch(`/saved_snippets/${id}`))
  expect(await listOf('member')).toContainEqual(
    expect.objectContaining({ id, title: 'Same', content: 'same' }),
  )
  expect(await queue.events()).toEqual([])
})

test('SNIPPET-05: A snippet that does not exist is rejected with BAD_REQUEST.', async () => {
  refused(await org.member.patch('/saved_snippets/99999', { title: 'x' }), 'BAD_REQUEST', 404)
  refused(await org.member.delete('/saved_snippets/99999'), 'BAD_REQUEST', 404)
  // Nor does one that was deleted, whatever was saved since.
  const id = await create('Old', 'old')
  succeeded(await org.member.delete(`/saved_snippets/${id}`))
  await create('New', 'new')
  refused(await org.member.patch(`/saved_snippets/${id}`, { title: 'x' }), 'BAD_REQUEST', 404)
  refused(await org.member.delete(`/saved_snippets/${id}`), 'BAD_REQUEST', 404)
})

test('SNIPPET-06: Title and content are required, must not be blank, and are trimmed.', async () => {
  refused(await org.member.post('/saved_snippets', { content: 'x' }), 'REQUEST_VARIABLE_MISSING')
  refused(await org.member.post('/saved_snippets', { title: 'x' }), 'REQUEST_VARIABLE_MISSING')
  refused(await org.member.post('/saved_snippets', { title: '  ', content: 'x' }))
  refused(await org.member.post('/saved_snippets', { title: 'x', content: ' \n ' }))
  const id = await create('  Trimmed ', '\n text \n')
  expect(await listOf('member')).toContainEqual(
    expect.objectContaining({ id, title: 'Trimmed', content: 'text' }),
  )
  refused(await org.member.patch(`/saved_snippets/${id}`, { title: ' ' }))
})

test('SNIPPET-07: A title has at most 60 characters, the content at most 10000.', async () => {
  await create('ü'.repeat(60), '🐦'.repeat(10_000))
  refused(await org.member.post('/saved_snippets', { title: 'x'.repeat(61), content: 'x' }))
  refused(await org.member.post('/saved_snippets', { title: 'x', content: 'x'.repeat(10_001) }))
})

test('SNIPPET-08: Every change is an event in all queues of the owner and in no others.', async () => {
  const queue = await org.member.register({ event_types: ['saved_snippets'] })
  const others = await org.other.register({ event_types: ['saved_snippets'] })
  const id = await create('Event', 'one')
  succeeded(await org.member.patch(`/saved_snippets/${id}`, { content: 'two' }))
  succeeded(await org.member.delete(`/saved_snippets/${id}`))
  const events = await queue.events()
  expect(events).toMatchObject([
    { type: 'saved_snippets', op: 'add', saved_snippet: { id, title: 'Event', content: 'one' } },
    { type: 'saved_snippets', op: 'update', saved_snippet: { id, title: 'Event', content: 'two' } },
    { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
  ])
  expect(await others.events()).toEqual([])
})

test('SNIPPET-09: The register response holds the snippets if requested.', async () => {
  const id = await create('Registered', 'x')
  const { state } = await org.member.register({ fetch_event_types: ['saved_snippets'] })
  expect(state.saved_snippets).toContainEqual(expect.objectContaining({ id, title: 'Registered' }))
  const without = await org.member.register({ fetch_event_types: ['drafts'] })
  expect(without.state).not.toHaveProperty('saved_snippets')
})

test('SNIPPET-10: Title and content cannot contain null bytes.', async () => {
  for (const fields of [
    { title: 'a\0b', content: 'c' },
    { title: 'a', content: 'b\0c' },
  ])
    refused(await org.member.post('/saved_snippets', fields))
})
