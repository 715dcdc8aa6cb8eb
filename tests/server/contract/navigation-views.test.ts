import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const listOf = async (who: Person) => succeeded(await who.get('/navigation_views')).navigation_views
const at = (fragment: string) => `/navigation_views/${encodeURIComponent(fragment)}`
const topic = 'narrow/channel/1-plaza/topic/tide.20tables'

test('NAVIGATION-01: A new view is listed, sent to all of its owner’s clients, and included in the state of a new queue; other users do not see it.', async () => {
  const queue = await org.member.listen({ event_types: ['navigation_view'] })
  const asState = await org.member.listen({ event_types: ['navigation_views'] })
  const others = await org.other.listen({ event_types: ['navigation_view'] })
  const view = { fragment: topic, is_pinned: true, name: 'Tides' }
  succeeded(await org.member.post('/navigation_views', view))
  expect(await listOf(org.member)).toEqual([view])
  const told = [{ type: 'navigation_view', op: 'add', navigation_view: view }]
  expect(await queue.events()).toEqual(told)
  expect(await asState.events()).toEqual(told)
  const { state } = await org.member.listen({ fetch_event_types: ['navigation_views'] })
  expect(state['navigation_views']).toEqual([view])
  expect(await others.events()).toEqual([])
  expect(await listOf(org.other)).toEqual([])
})

test('NAVIGATION-02: Built-in views have no name; all other views must have one.', async () => {
  for (const fragment of ['inbox', 'narrow/has/reaction/sender/me']) {
    refused(await org.moderator.post('/navigation_views', { fragment, is_pinned: true, name: 'Mine' }))
    succeeded(await org.moderator.post('/navigation_views', { fragment, is_pinned: false }))
    refused(await org.moderator.patch(at(fragment), { name: 'Mine' }))
  }
  refused(await org.moderator.post('/navigation_views', { fragment: topic, is_pinned: true }))
  refused(await org.moderator.post('/navigation_views', { fragment: topic, is_pinned: true, name: ' ' }))
  succeeded(await org.moderator.post('/navigation_views', { fragment: topic, is_pinned: true, name: ' a ' }))
  refused(await org.moderator.patch(at(topic), { name: '' }))
  expect(await listOf(org.moderator)).toEqual([
    { fragment: 'inbox', is_pinned: false, name: null },
    { fragment: 'narrow/has/reaction/sender/me', is_pinned: false, name: null },
    { fragment: topic, is_pinned: true, name: 'a' },
  ])
})

test('NAVIGATION-03: A second view of the same place is rejected; another user may have their own.', async () => {
  const view = { fragment: 'narrow/near/1', is_pinned: true, name: 'One' }
  succeeded(await org.admin.post('/navigation_views', view))
  refused(await org.admin.post('/navigation_views', { ...view, name: 'Two' }), 'BAD_REQUEST')
  succeeded(await org.guest.post('/navigation_views', view))
  expect(await listOf(org.admin)).toEqual([view])
})

test('NAVIGATION-04: An edit changes whether a view is pinned, its name or both, and its event has only the changes.', async () => {
  const { owner } = org
  succeeded(await owner.post('/navigation_views', { fragment: topic, is_pinned: false, name: 'Before' }))
  const queue = await owner.listen({ event_types: ['navigation_view'] })
  succeeded(await owner.patch(at(topic), { is_pinned: true, name: 'Before' }))
  succeeded(await owner.patch(at(topic), { name: 'After' }))
  succeeded(await owner.patch(at(topic)))
  const told = { type: 'navigation_view', op: 'update', fragment: topic }
  expect(await queue.events()).toEqual([
    { ...told, data: { is_pinned: true } },
    { ...told, data: { name: 'After' } },
  ])
  expect(await listOf(owner)).toEqual([{ fragment: topic, is_pinned: true, name: 'After' }])
})

test('NAVIGATION-05: Removing a view sends an event; a view that does not exist is rejected with status 404.', async () => {
  const { bot } = org
  succeeded(await bot.post('/navigation_views', { fragment: 'drafts', is_pinned: true }))
  const queue = await bot.listen({ event_types: ['navigation_view'] })
  // A fragment may be in the path as it is, too.
  succeeded(await bot.delete('/navigation_views/drafts'))
  expect(await queue.events()).toEqual([{ type: 'navigation_view', op: 'remove', fragment: 'drafts' }])
  expect(await listOf(bot)).toEqual([])
  refused(await bot.delete('/navigation_views/drafts'), 'BAD_REQUEST', 404)
  refused(await bot.patch('/navigation_views/drafts', { is_pinned: true }), 'BAD_REQUEST', 404)
})

test('NAVIGATION-06: A fragment has 1 to 1000 characters, a name at most 100; null bytes are rejected.', async () => {
  const { other } = org
  const add = (fragment: string, name: string) =>
    other.post('/navigation_views', { fragment, is_pinned: true, name })
  for (const fragment of ['', ' ', 'a\0b', 'a'.repeat(1001)]) refused(await add(fragment, 'Name'))
  for (const name of ['a\0b', 'a'.repeat(101)]) refused(await add('somewhere', name))
  succeeded(await add('a'.repeat(1000), '🦦'.repeat(100)))
  succeeded(await other.delete(at('a'.repeat(1000))))
})
