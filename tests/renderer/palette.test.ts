import { expect, test } from 'vitest'
import type { JumpTarget, SearchResult } from '../../src-shared/model/search-results.ts'
import { accountId, channelId } from '../../src-shared/ids.ts'
import type { Doable } from '../../src-renderer/state/keys/doable.ts'
import { settingsPages } from '../../src-renderer/state/navigation/settings-pages.ts'
import { cutAt, cutAtNames } from '../../src-renderer/parts/marked-text.ts'
import { doablesOf } from '../../src-renderer/views/compose/box-acts.ts'
import {
  actEntries,
  fromFirstMark,
  messageEntry,
  routeOf,
  scopeOf,
  searchEntries,
  settingEntries,
  targetEntry,
  withChoice,
} from '../../src-renderer/views/quick-switcher/palette-entries.ts'

const acts: readonly Doable[] = [
  { name: 'visibility', words: 'Mute this topic', object: 'gauge 4 offset drift', run: () => {} },
  { name: 'palette', object: '', run: () => {} },
  { name: 'inbox', object: '', run: () => {} },
  { name: 'inbox', object: '', run: () => {} },
  { name: 'new-topic', object: '#tide-gauges', run: () => {} },
  { name: 'reactions', object: '', run: () => {} },
]
const keys = (text: string, often: readonly string[] = [], limit = 10) =>
  actEntries(acts, text, often, limit).map(({ key }) => key)

test('a sign at the beginning says what is looked for', () => {
  expect(scopeOf(' #tide')).toEqual({ scope: 'channels', text: 'tide' })
  expect(scopeOf('@ke')).toEqual({ scope: 'people', text: 'ke' })
  expect(scopeOf('>mute')).toEqual({ scope: 'acts', text: 'mute' })
  expect(scopeOf('a > b')).toEqual({ scope: 'everything', text: 'a > b' })
})

test('actions are found by what they do and what they are done with, once each', () => {
  expect(keys('mute')).toEqual(['act:visibility'])
  expect(keys('gau')).toEqual(['act:visibility', 'act:new-topic'])
  expect(keys('go nowhere')).toEqual([])
  // What only makes sense as keys is not offered; what has an object here comes first.
  expect(keys('')).toEqual(['act:visibility', 'act:new-topic', 'act:inbox', 'act:reactions'])
  expect(keys('', ['act:reactions'])[0]).toBe('act:reactions')
  expect(keys('', [], 2)).toHaveLength(2)
  expect(actEntries(acts, 'gau', [], 1)[0]?.detail).toEqual({ text: 'gauge 4 offset drift', spans: [[0, 3]] })
})

test('what a box for writing can do is offered under the name that it has there', () => {
  const done: string[] = []
  const acts = { poll: () => done.push('poll'), send: () => done.push('send'), bold: undefined } as const
  const box = { isNew: true, isOnline: true, isExpanded: false, mode: 'write' } as const
  const offered = (state: Partial<Parameters<typeof doablesOf>[1]>) =>
    doablesOf({ ...acts, preview: () => {} }, { ...box, ...state }, (act) => {
      done.push('text')
      act()
    })
  const names = (state: Partial<Parameters<typeof doablesOf>[1]> = {}) =>
    actEntries(offered(state), '', [], 9).map(({ name }) => name.text)
  expect(names()).toEqual(['Send', 'Preview', 'Make a poll'])
  expect(names({ isOnline: false })[0]).toBe('Queue')
  expect(names({ isNew: false, mode: 'preview' }).slice(0, 2)).toEqual(['Save', 'Write'])
  offered({})[2]?.run()
  expect(done).toEqual(['text', 'poll'])
})

test('a setting is found by its name, its choices and its page, and leads to its row', () => {
  const first = (text: string) => {
    const [entry] = settingEntries(text, settingsPages, 3)
    return entry === undefined ? null : routeOf(accountId('1'), entry.subject)
  }
  const row = (page: string, name: string | null) => ({ view: 'settings', accountId: '1', page, row: name })
  expect(first('quiet hours')).toEqual(row('notifications', 'quietHours'))
  expect(first('enter sends')).toEqual(row('reading', 'enterSends'))
  expect(first('dark')).toMatchObject({ view: 'settings', page: 'appearance' })
  expect(first('notifications')).toEqual(row('notifications', null))
  expect([first(''), first('go nowhere')]).toEqual([null, null])
  expect(settingEntries('notif', settingsPages, 3)).toHaveLength(3)
  const keys = settingEntries('the', settingsPages, 99).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a saved search is found by its name, and opens', () => {
  const own = { accountId: accountId('1'), name: 'Broken gauges', text: 'gauge is:unread' }
  const [entry, ...others] = searchEntries([own, { ...own, name: 'Boats', text: 'boats' }], ['gau'], 2)
  expect(others).toEqual([])
  expect(entry && routeOf(accountId('1'), entry.subject)).toEqual({
    view: 'search',
    accountId: '1',
    text: 'gauge is:unread',
  })
  expect(searchEntries([own], [], 2)).toEqual([])
})

test('a resolved topic says so, without its mark in the name', () => {
  const target: JumpTarget = {
    kind: 'conversation',
    conversation: { kind: 'topic', channelId: channelId(1), topic: '✔ gauge 2 housing' },
    label: {
      kind: 'topic',
      channelId: channelId(1),
      channelName: 'tide-gauges',
      channelColor: 'tide',
      channelPrivacy: 'public',
      topic: '✔ gauge 2 housing',
      isEmptyTopic: false,
      visibility: 'none',
      channelIsMuted: false,
    },
    people: [],
    unreadCount: 0,
    hasMention: false,
    newestAt: 0,
  }
  const { name, detail } = targetEntry(target, ['hous', 'tide'])
  expect(cutAt(name)).toEqual({ marks: [{ before: 'gauge 2 ', marked: 'hous' }], rest: 'ing' })
  expect(cutAt(detail)).toEqual({ marks: [{ before: '', marked: 'tide' }], rest: '-gauges, resolved' })
})

test('what was chosen counts more each time, and fades while other things are chosen', () => {
  let choices = withChoice([], 'a')
  for (const key of ['b', 'a', 'c']) choices = withChoice(choices, key)
  expect(choices.map(([key]) => key)).toEqual(['a', 'c', 'b'])
  for (let times = 0; times < 100; times++) choices = withChoice(choices, `other ${times}`)
  expect(choices).toHaveLength(60)
  expect(choices.some(([key]) => key === 'b')).toBe(false)
})

test('a long text is shown from a little before what fits', () => {
  const text = 'And photograph the fitting before you open it, of the gauge too'
  const at = text.indexOf('gauge')
  const cut = fromFirstMark({ text, spans: [[at, at + 5]] })
  expect(cutAt(cut).marks[0]?.marked).toBe('gauge')
  expect(cut.text.length).toBeLessThan(35)
  expect(fromFirstMark({ text, spans: [[0, 3]] }).text).toBe(text)
})

test('of a found message, its text comes first, unless only its topic fits', () => {
  const shown = (matches: SearchResult['matches'], topicMatches: SearchResult['matches']) => {
    const label = { kind: 'topic', topic: 'the :tern: boat' }
    const found = { messageId: 1, label, excerpt: 'at low water', matches, topicMatches }
    const { name, detail, subject } = messageEntry(found as unknown as SearchResult)
    return [name.text, detail.text, subject.kind === 'message' && subject.isInTopic]
  }
  expect(shown([[3, 6]], [[11, 15]])).toEqual(['at low water', 'the :tern: boat', false])
  expect(shown([], [[11, 15]])).toEqual(['the :tern: boat', 'at low water', true])
})

test('a name of an emoji is a piece of its own, and a match in it is one of that piece', () => {
  const text = 'a :tern: and tern:'
  const spansOf = (...spans: [number, number][]) => cutAtNames({ text, spans }).map((piece) => piece.spans)
  expect(cutAtNames({ text, spans: [] }).map((piece) => piece.text)).toEqual(['a ', ':tern:', ' and tern:'])
  expect(spansOf([3, 7], [13, 17])).toEqual([[], [[1, 5]], [[5, 9]]])
  // A match may go on over a name.
  expect(spansOf([0, 10])).toEqual([[[0, 2]], [[0, 6]], [[0, 2]]])
})
