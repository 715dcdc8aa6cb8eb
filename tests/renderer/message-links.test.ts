import { expect, test } from 'vitest'
import { linkGoal } from '../../src-renderer/state/navigation/message-links.ts'
import { shortLink } from '../../src-renderer/views/compose/smart-paste.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { accountId } from '../../src-shared/ids.ts'

// Where the links lead that stand in messages.

const here = accountId('here')
const there = accountId('there')
const second = accountId('second')
const answers: Readonly<Record<string, unknown>> = {
  accounts: [
    { id: second, baseUrl: 'https://kelp.example/api/v1', userId: 8 },
    { id: here, baseUrl: 'https://kelp.example/api/v1', userId: 7 },
    { id: there, baseUrl: 'https://tern.example:8443/api/v1', userId: 9 },
  ],
  'channel-topics': { topics: [{ topic: 'Known' }, { topic: 'gauge 4', newestMessageId: null }] },
  'direct-people': [{ fullName: 'Keiko Tamura' }],
  channel: { channelId: 9, name: 'tide-gauges' },
}
/** The messages on this device, by id, and those that only the server has: the topic of each. */
const onDevice: Record<string, string> = { 'id:214': 'gauge 4 (moved)', 'id:5': '' }
const onServer: Record<string, string> = { 'id:77': 'gauge 4 (moved)' }
const found = (topics: Record<string, string>, text: string) => ({
  results:
    topics[text] === undefined
      ? []
      : [{ conversation: { kind: 'topic', channelId: 9, topic: topics[text] } }],
})
const bridge = {
  watch(name: string, { text }: { text: string }, onValue: (value: unknown) => void) {
    queueMicrotask(() => onValue(name === 'search' ? found(onDevice, text) : answers[name]))
    return () => {}
  },
  async call(_name: string, { text }: { text: string }) {
    if (onServer[text] === undefined) throw new Error('no connection')
    return found(onServer, text)
  },
} as unknown as Bridge
const goal = (href: string) => linkGoal(href, bridge, here)
const feed = (narrow: object, near: number | null = null, account = here) => ({
  kind: 'place',
  route: { view: 'feed', accountId: account, narrow, near },
})
const search = (text: string) => ({ kind: 'place', route: { view: 'search', accountId: here, text } })
const topic = { kind: 'topic', channelId: 9, topic: 'gauge 4' }

test('a conversation opens in the organization that the link names', async () => {
  const path = '#narrow/channel/9-tide-gauges/topic/gauge.204/near/214'
  expect(await goal(path)).toEqual(feed(topic, 214))
  expect(await goal(`/${path}`)).toEqual(feed(topic, 214))
  expect(await goal(`https://kelp.example/${path}`)).toEqual(feed(topic, 214))
  expect(await goal(`https://tern.example:8443/${path}`)).toEqual(feed(topic, 214, there))
  expect(await goal('#narrow/dm/10,12-group')).toEqual(feed({ kind: 'direct', userIds: [10, 12] }))
  expect(await goal('#narrow/channel/4-maps')).toEqual({ kind: 'channel', accountId: here, channelId: 4 })
})

test('a link to a direct conversation may name the reader too, and its people in any order', async () => {
  expect(await goal('#narrow/dm/12,7,10,12-group')).toEqual(feed({ kind: 'direct', userIds: [10, 12] }))
  expect(await goal('#narrow/dm/7-dm')).toEqual(feed({ kind: 'direct', userIds: [] }))
  const elsewhere = await goal('https://tern.example:8443/#narrow/dm/7,9-dm')
  expect(elsewhere).toEqual(feed({ kind: 'direct', userIds: [7] }, null, there))
})

test('a link of an organization that nobody is signed in to goes to the browser', async () => {
  for (const url of [
    'https://other.example/#narrow/channel/4-maps',
    'https://tern.example/#narrow/channel/4-maps',
    'https://kelp.example/help/',
    'https://example.org/',
    'mailto:keiko@kelp.example',
    'tel:+4940123456',
  ])
    expect(await goal(url)).toEqual({ kind: 'outside', url })
  expect(await goal('/help/emoji')).toEqual({ kind: 'outside', url: 'https://kelp.example/help/emoji' })
  expect(await goal('#organization/general')).toEqual({
    kind: 'outside',
    url: 'https://kelp.example/#organization/general',
  })
  expect(await goal('javascript:alert(1)')).toBeNull()
})

test('what is no conversation leads to the view, the search or the card that shows it', async () => {
  expect(await goal('#narrow/is/starred')).toEqual(feed({ kind: 'starred' }))
  expect(await goal('#narrow/is/mentioned')).toEqual(feed({ kind: 'mentions' }))
  expect(await goal('#narrow/is/dm')).toEqual(feed({ kind: 'directs' }))
  expect(await goal('#narrow/is/resolved')).toEqual(search('is:resolved'))
  expect(await goal('#narrow/-is/starred')).toEqual(search('-is:starred'))
  expect(await goal('#narrow/sender/12-Keiko-Tamura')).toEqual(search('sender:"Keiko Tamura"'))
  expect(await goal('#narrow/dm-including/12-Keiko-Tamura')).toEqual(search('dm-including:"Keiko Tamura"'))
  expect(await goal('#narrow/-mentions/12-Keiko-Tamura/is/private')).toEqual(
    search('-mentions:"Keiko Tamura" is:dm'),
  )
  expect(await goal('#narrow/streams/public/in/home/is/muted')).toEqual(
    search('channels:public in:home is:muted'),
  )
  expect(await goal('#narrow/near/214/search/low.20water')).toEqual(search('near:214 low water'))
  expect(await goal('#narrow/in/nowhere')).toEqual({
    kind: 'outside',
    url: 'https://kelp.example/#narrow/in/nowhere',
  })
  expect(await goal('#narrow/channel/4-maps/search/low.20water')).toEqual(search('channel:4 low water'))
  expect(await goal('#inbox')).toEqual({ kind: 'place', route: { view: 'inbox', accountId: here } })
  expect(await goal('#recent')).toEqual({ kind: 'place', route: { view: 'recent', accountId: here } })
  expect(await goal('#user/12')).toEqual({ kind: 'card', subject: { kind: 'person', userId: 12 } })
  expect(await goal('#groups/12/divers')).toEqual({ kind: 'card', subject: { kind: 'group', groupId: 12 } })
  expect(await goal('#search-operators')).toEqual(search(''))
})

test('what other clients have at an address opens here if we have it, and otherwise in the browser', async () => {
  const view = (route: object) => ({ kind: 'place', route: { ...route, accountId: here } })
  const channels = (rest: object) =>
    view({ view: 'channels', list: 'all', channelId: null, tab: 'general', ...rest })
  expect(await goal('#channels')).toEqual(channels({}))
  expect(await goal('#channels/all')).toEqual(channels({}))
  expect(await goal('#channels/subscribed')).toEqual(channels({ list: 'subscribed' }))
  expect(await goal('#streams/available')).toEqual(channels({ list: 'available' }))
  expect(await goal('#channels/new')).toEqual(channels({ creates: true }))
  expect(await goal('#channels/4/maps')).toEqual(channels({ channelId: 4 }))
  expect(await goal('#channels/4/maps/personal')).toEqual(channels({ channelId: 4, tab: 'personal' }))
  expect(await goal('#channels/4/maps/subscribers')).toEqual(channels({ channelId: 4, tab: 'people' }))
  const settings = (page: string) => view({ view: 'settings', page, row: null })
  expect(await goal('#settings')).toEqual(settings('appearance'))
  expect(await goal('#settings/preferences')).toEqual(settings('appearance'))
  expect(await goal('https://kelp.example/#settings/notifications')).toEqual(settings('notifications'))
  expect(await goal('#settings/account-and-privacy')).toEqual(settings('privacy'))
  expect(await goal('#keyboard-shortcuts')).toEqual(settings('keyboard'))
  expect(await goal('#message-formatting')).toEqual({ kind: 'formatting-help' })
  for (const part of ['#settings/uploaded-files', '#organization/general', '#groups/all', '#invite'])
    expect(await goal(part)).toEqual({ kind: 'outside', url: `https://kelp.example/${part}` })
})

test('a link to a topic opens it as any topic, where the message is now that the link names', async () => {
  const base = '#narrow/channel/9-tide-gauges/topic'
  const moved = feed({ ...topic, topic: 'gauge 4 (moved)' })
  expect(await goal(`${base}/gauge.204/with/214`)).toEqual(moved)
  expect(await goal(`${base}/gauge.204/with/77`)).toEqual(moved)
  // Neither this device nor the server knows the message, or this device knows the topic well enough.
  expect(await goal(`${base}/gauge.204/with/78`)).toEqual(feed(topic))
  expect(await goal(`${base}/known/with/77`)).toEqual(feed({ ...topic, topic: 'known' }))
})

test('a link can leave out the name of the empty topic', async () => {
  const base = '#narrow/channel/9-tide-gauges/topic'
  const empty = { ...topic, topic: '' }
  expect(await goal(`${base}/with/5`)).toEqual(feed(empty))
  expect(await goal(`${base}//with/5`)).toEqual(feed(empty))
  expect(await goal(`${base}/near/5`)).toEqual(feed(empty, 5))
  expect(await goal(`${base}//near/5`)).toEqual(feed(empty, 5))
  expect(await goal(`${base}/with`)).toEqual(feed({ ...topic, topic: 'with' }))
  expect(await goal(`${base}/with/near/5`)).toEqual(feed({ ...topic, topic: 'with' }, 5))
})

test('a pasted permanent link to a topic becomes a link to the name that the topic has now', async () => {
  const short = (path: string) => shortLink(`https://kelp.example/${path}`, bridge, here)
  const topicPath = '#narrow/channel/9-tide-gauges/topic/gauge.204'
  expect(await short(topicPath)).toBe('#**tide-gauges>gauge 4**')
  expect(await short(`${topicPath}/with/214`)).toBe('#**tide-gauges>gauge 4 (moved)**')
  expect(await short(`${topicPath}/with/77`)).toBe('#**tide-gauges>gauge 4 (moved)**')
  expect(await short(`${topicPath}/near/214`)).toBe('#**tide-gauges>gauge 4@214**')
})
