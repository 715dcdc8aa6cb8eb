import { describe, expect, test } from 'vitest'
import { fileMark, withAddress } from '../../src-renderer/state/writing/attach.ts'
import { channelId, userId } from '../../src-shared/ids.ts'
import { placeFromLink } from '../../src-shared/model/message-link.ts'
import type { ComposeFacts } from '../../src-shared/bridge/suggestion.ts'
import type { Person } from '../../src-shared/model/user.ts'
import {
  channelText,
  complete,
  completeToTopic,
  topicText,
  type Completion,
} from '../../src-renderer/views/compose/completion-text.ts'
import {
  formatted,
  showText,
  type Format,
  type SelectedText,
} from '../../src-renderer/views/compose/format-text.ts'
import { commandOf, commandsFor, languagesFor } from '../../src-renderer/views/compose/known-words.ts'
import { composeNotes, withSilentMentions } from '../../src-renderer/views/compose/notes.ts'
import { isWebAddress, linkedSelection } from '../../src-renderer/views/compose/smart-paste.ts'
import { firstLine } from '../../src-renderer/views/compose/snippet-line.ts'
import { timeMark } from '../../src-renderer/views/compose/time-mark.ts'
import { topicRows } from '../../src-renderer/views/compose/topic-rows.ts'
import { offeredTimes } from '../../src-renderer/views/compose/times.ts'
import { speak } from '../../src-shared/texts/texts.ts'
import { triggerAt } from '../../src-renderer/views/compose/trigger.ts'

/** What is begun where the bar stands. */
const begun = (text: string) => {
  const caret = text.indexOf('|')
  return triggerAt(text.replace('|', ''), caret)
}
const person = (fullName: string, id = 7): Person => ({
  userId: userId(id),
  fullName,
  avatarUrl: null,
  isBot: false,
  isActive: true,
  isGuest: false,
  isSelf: false,
  presence: 'offline',
  status: null,
  timezone: '',
})
const named = (fullName: string, hasNamesake = false): Completion => ({
  kind: 'person',
  person: person(fullName),
  hasNamesake,
  isOutside: false,
})
/** The field after a row is chosen at the bar, with the new caret as a bar. */
const chosen = (text: string, row: Completion, home = { channelId: 9, name: 'tide-gauges' }) => {
  const caret = text.indexOf('|')
  const value = text.replace('|', '')
  const trigger = triggerAt(value, caret)
  if (trigger === null) return null
  const done = complete(value, caret, trigger, row, home)
  return `${done.value.slice(0, done.caret)}|${done.value.slice(done.caret)}`
}

describe('what is begun at the caret', () => {
  test.each([
    ['@|', { kind: 'mention', start: 0, text: '', isSilent: false }],
    ['hello @ke|', { kind: 'mention', start: 6, text: 'ke', isSilent: false }],
    ['hello @_ke|', { kind: 'mention', start: 6, text: 'ke', isSilent: true }],
    ['hello @**Keiko Ta|', { kind: 'mention', start: 6, text: 'Keiko Ta', isSilent: false }],
    ['(@ma|', { kind: 'mention', start: 1, text: 'ma', isSilent: false }],
    ['see #tide|', { kind: 'channel', start: 4, text: 'tide' }],
    ['#**tide-gauges>bat|', { kind: 'topic', start: 0, text: 'bat', channelName: 'tide-gauges' }],
    ['#>bat|', { kind: 'topic', start: 0, text: 'bat', channelName: null }],
    ['ok :thu|', { kind: 'emoji', start: 3, text: 'thu' }],
    ['ok :läch|', { kind: 'emoji', start: 3, text: 'läch' }],
    ['```py|', { kind: 'language', start: 3, text: 'py' }],
    ['> ~~~js|', null],
    ['/po|', { kind: 'command', start: 0, text: 'po', isFirst: true }],
    ['yes\n/ta|', { kind: 'command', start: 4, text: 'ta', isFirst: false }],
    ['/usr/lo|', null],
    ['look /po|', null],
    ['at <time|', { kind: 'time', start: 3, text: '' }],
    ['at <time:15:3|', { kind: 'time', start: 3, text: ':15:3' }],
    ['at <time:2026-05-12> and|', null],
    ['me@exam|', null],
    ['at 12:30|', null],
    ['https://example.org/#frag|', null],
    ['`@ke|', null],
    ['```\n@ke|', null],
    ['```quote\n@ke|', { kind: 'mention', start: 9, text: 'ke', isSilent: false }],
    ['```\ncode\n```\n@ke|', { kind: 'mention', start: 13, text: 'ke', isSilent: false }],
    ["meet @ five o'clock|", null],
    [`@${'x'.repeat(80)}|`, null],
  ])('%s', (text, expected) => expect(begun(text)).toEqual(expected))
})

describe('what a completion writes', () => {
  test.each<[string, Completion, string]>([
    ['hi @ke|', named('Keiko Tanabe'), 'hi @**Keiko Tanabe** |'],
    ['hi @_ke|', named('Keiko Tanabe'), 'hi @_**Keiko Tanabe** |'],
    ['hi @ke|, ok', named('Keiko Tanabe'), 'hi @**Keiko Tanabe**|, ok'],
    ['@ke|', named('Keiko Tanabe', true), '@**Keiko Tanabe|7** |'],
    [
      '@fi|',
      {
        kind: 'group',
        groupId: 3,
        name: 'field team',
        description: '',
        memberCount: 4,
        mayMention: true,
      },
      '@*field team* |',
    ],
    ['@al|', { kind: 'wildcard', name: 'all', reach: 3 }, '@**all** |'],
    [
      'see #>bat|',
      { kind: 'topic', topic: 'battery', displayName: 'battery', isEmptyTopic: false, isResolved: false },
      'see #**tide-gauges>battery** |',
    ],
    [':thu|', { kind: 'emoji', name: 'thumbs_up', characters: '👍', imageUrl: null }, '👍 |'],
    [':dun|', { kind: 'emoji', name: 'dunlin', characters: '', imageUrl: '/x.png' }, ':dunlin: |'],
    ['```py|', { kind: 'language', name: 'python' }, '```python\n|\n```'],
    ['/po|', { kind: 'command', name: 'poll', words: '' }, '/poll |'],
    ['/da|', { kind: 'command', name: 'dark', words: '' }, '|'],
    ['yes\n/ta|', { kind: 'snippet', title: 'Tables', content: 'In the hut.' }, 'yes\nIn the hut. |'],
  ])('%s', (text, row, expected) => expect(chosen(text, row)).toBe(expected))

  test('a channel leads on to its topics', () => {
    const trigger = triggerAt('see #ti', 7)
    expect(trigger && completeToTopic('see #ti now', 7, trigger, 'tide-gauges')).toEqual({
      value: 'see #**tide-gauges> now',
      caret: 19,
      hasGap: false,
    })
  })

  test('a name that would break the short form becomes a link that leads there', () => {
    expect(channelText({ channelId: 9, name: 'plain' })).toBe('#**plain**')
    const odd = channelText({ channelId: 9, name: 'a `b` [c]' })
    expect(odd).toMatch(/^\[#a `b` \[c\]\]\(#narrow\/channel\/9-/)
    const link = /\((#narrow.*)\)$/.exec(
      topicText({ channelId: 9, name: 'x' }, 'why *this* & that? 100%'),
    )?.[1]
    expect(placeFromLink(link ?? '')?.narrow).toEqual({
      kind: 'topic',
      channelId: channelId(9),
      topic: 'why *this* & that? 100%',
    })
  })
})

test('a language is offered by its beginning, and first of all the one that is typed', () => {
  expect(languagesFor('pyt', 8)).toEqual(['python'])
  expect(languagesFor('python', 8)).toEqual(['python'])
  expect(languagesFor('java', 8)).toEqual(['java', 'javascript'])
  expect(languagesFor('c', 3)).toEqual(['c', 'css', 'cpp'])
  expect(languagesFor('r', 2)).toEqual(['r', 'rust'])
  expect(languagesFor('js', 8)).toEqual(['javascript', 'json'])
  expect(languagesFor('ts', 8)).toEqual(['typescript'])
  expect(languagesFor('SH', 8)).toEqual(['bash'])
  expect(languagesFor('klingon', 8)).toEqual([])
})

test('Enter after the name of a language keeps it and begins the line of the code', () => {
  const language = (name: string): Completion => ({ kind: 'language', name })
  expect(chosen('```java|', language('java'))).toBe('```java\n|\n```')
  expect(chosen('```java|\nint x;\n```', language('java'))).toBe('```java\n|\nint x;\n```')
  expect(chosen('```jav|\nint x;\n```', language('java'))).toBe('```java|\nint x;\n```')
})

test('commands are offered by their beginning, and not once they are whole', () => {
  expect(commandsFor('po', true).map(({ name }) => name)).toEqual(['poll'])
  // A whole one is offered where choosing it opens a form.
  expect(commandsFor('poll', true).map(({ name }) => name)).toEqual(['poll'])
  expect(commandsFor('me', true)).toEqual([])
  const all = ['me', 'poll', 'todo', 'dark', 'light', 'ping']
  expect(commandsFor('', true).map(({ name }) => name)).toEqual(all)
  // Another name for the same is offered to those who know it.
  expect(commandsFor('da', true).map(({ name }) => name)).toEqual(['dark', 'day'])
  expect(commandsFor('ni', true).map(({ name }) => name)).toEqual(['night'])
  // What another text is written for stays a message of words.
  expect(commandsFor('', false).map(({ name }) => name)).toEqual(['me'])
})

/** A text with `<` and `>` around the selection, formatted, in the same form. */
function format(text: string, kind: Format): string {
  const start = text.indexOf('‹')
  const end = text.indexOf('›') - 1
  const before: SelectedText = { value: text.replace(/[‹›]/g, ''), start, end }
  const { value, start: from, end: to } = formatted(before, kind)
  return `${value.slice(0, from)}‹${value.slice(from, to)}›${value.slice(to)}`
}

describe('formatting', () => {
  test.each<[Format, string, string]>([
    ['bold', 'a ‹word› b', 'a **‹word›** b'],
    ['bold', 'a **‹word›** b', 'a ‹word› b'],
    ['bold', 'a ‹**word**› b', 'a ‹word› b'],
    ['bold', 'a‹ word ›b', 'a **‹word›** b'],
    ['bold', '‹a\nb\n\nc›', '‹**a**\n**b**\n\n**c**›'],
    ['bold', '‹**a**\n**b**\n\n**c**›', '‹a\nb\n\nc›'],
    ['bold', 'so ‹a\nb› too', 'so ‹**a**\n**b**› too'],
    ['bold', '‹* a\n> b\n12. c›', '‹* **a**\n> **b**\n12. **c**›'],
    ['bold', '‹a\n›b', '‹**a**\n›b'],
    ['italic', '‹* a\n  * b›', '‹* *a*\n  * *b*›'],
    ['italic', '‹* *a*\n  * *b*›', '‹* a\n  * b›'],
    ['bold', '‹**a**\n\nb›', '‹**a**\n\n**b**›'],
    ['italic', '**‹word›**', '***‹word›***'],
    ['italic', '***‹word›***', '**‹word›**'],
    ['italic', '*‹word›*', '‹word›'],
    ['strike', '‹›', '~~‹›~~'],
    ['code', 'a ‹b› c', 'a `‹b›` c'],
    ['code', 'a\n‹b\nc›', 'a\n```\n‹b\nc›\n```'],
    ['code', '‹```\nx\n```\ny›', '````\n‹```\nx\n```\ny›\n````'],
    ['math', 'so ‹x^2›', 'so $$‹x^2›$$'],
    ['quote', '‹a\nb›', '‹> a\n> b›'],
    ['quote', '‹> a\n> b›', '‹a\nb›'],
    ['list', 'one\n‹two\nthree›\nfour', 'one\n‹* two\n* three›\nfour'],
    ['list', '‹a\n\nb›', '‹* a\n\n* b›'],
    ['list', '‹* a\n\n* b›', '‹a\n\nb›'],
    ['list', '‹›', '* ‹›'],
    ['list', '‹a\n›', '‹* a\n›'],
    ['numbered', '‹a\nb›', '‹1. a\n2. b›'],
    ['numbered', '‹a\n\nb›', '‹1. a\n\n2. b›'],
    ['link', 'see ‹this›', 'see [this](‹https://›)'],
    ['link', '‹https://example.org›', '[‹›](https://example.org)'],
    ['spoiler', '‹secret›', '```spoiler ‹Header›\nsecret\n```'],
    ['spoiler', 'it was ‹the gull› of course', 'it was\n```spoiler ‹Header›\nthe gull\n```\nof course'],
    ['spoiler', 'it was‹ the gull ›of course', 'it was\n```spoiler ‹Header›\nthe gull\n```\nof course'],
    ['spoiler', 'a\n```spoiler ‹Header›\nthe gull\n```\nb', 'a\n‹the gull›\nb'],
    ['spoiler', 'a\n```spoiler Who\nthe ‹gull›\n```\nb', 'a\nthe ‹gull›\nb'],
    ['spoiler', '````spoiler Who\n```\nx‹›\n```\n````', '```\nx‹›\n```'],
    ['spoiler', '```spoiler Who\n```\n‹a›', '```spoiler Who\n```\n```spoiler ‹Header›\na\n```'],
    ['code', '```python\nx ‹= 1›\n```', 'x ‹= 1›'],
    ['code', '```spoiler Who\nx ‹= 1›\n```', '```spoiler Who\nx `‹= 1›`\n```'],
    ['math', '```math\n‹›\n```', '‹›'],
  ])('%s: %s', (kind, text, expected) => expect(format(text, kind)).toBe(expected))
})

describe('what to know before sending', () => {
  test('says what matters and nothing else', () => {
    const nothing = {
      facts: undefined,
      isNew: true,
      isResolved: false,
      mayUnresolve: true,
      mayAdd: true,
      channel: { name: 'plaza', isSubscribed: true, isMuted: false },
    }
    const facts = {
      outsiders: [],
      lacksSubscribers: false,
      privateChannels: [],
      crowd: null,
      barredGroups: [],
      guests: [],
      visibility: 'none',
    } as const
    const words = (about: Parameters<typeof composeNotes>[0]) => composeNotes(about).map((note) => note.words)
    expect(words(nothing)).toEqual([])
    const crowd = (of: 'channel' | 'topic', isAllowed: boolean) => ({
      ...nothing,
      facts: { ...facts, crowd: { of, count: 41, isAllowed } },
    })
    expect(words(crowd('channel', true))).toEqual(['This notifies all 41 people in #plaza.'])
    expect(words(crowd('channel', false))).toEqual(['Only some people can notify all 41 people in #plaza.'])
    expect(words(crowd('topic', true))).toEqual(['This notifies all 41 people who wrote in this topic.'])
    expect(words(crowd('topic', false))).toEqual([
      'Only some people can notify all 41 people who wrote in this topic.',
    ])
    const barred = { ...nothing, facts: { ...facts, barredGroups: ['divers', 'cooks'] } }
    expect(words(barred)).toEqual(['You can’t mention the groups divers and cooks.'])
    const linking = (privateChannels: string[]) => ({ ...nothing, facts: { ...facts, privateChannels } })
    expect(words(linking(['vault']))).toEqual([
      '#vault is private. Not everyone here can open it, but everyone sees its name.',
    ])
    expect(words(linking(['vault', 'safe']))).toEqual([
      '#vault and #safe are private. Not everyone here can open them, but everyone sees their names.',
    ])
    const outsiders = ['Ann', 'Bea', 'Cleo'].map((name) => person(name))
    expect(words({ ...nothing, facts: { ...facts, outsiders: outsiders.slice(0, 1) } })).toEqual([
      'Ann is not in #plaza and may not see this.',
    ])
    expect(words({ ...nothing, facts: { ...facts, outsiders } })).toEqual([
      'Ann and 2 others are not in #plaza and may not see this.',
    ])
    expect(words({ ...nothing, facts: { ...facts, guests: [person('Vi')] } })).toEqual(['Vi is a guest.'])
    const muted = ['You muted this, so replies won’t count as unread.']
    expect(words({ ...nothing, facts: { ...facts, visibility: 'muted' } })).toEqual(muted)
    const mutedChannel = { ...nothing, channel: { ...nothing.channel, isMuted: true } }
    expect(words({ ...mutedChannel, facts })).toEqual(muted)
    expect(words({ ...mutedChannel, facts: { ...facts, visibility: 'followed' } })).toEqual([])
    expect(words({ ...nothing, channel: { ...nothing.channel, isSubscribed: false }, facts })).toEqual([
      'You haven’t joined #plaza, so replies won’t be in your inbox.',
    ])
    expect(words({ ...nothing, isResolved: true })).toEqual(['This topic is marked as resolved.'])
    // What can be done about it stands beside it.
    const acts = (about: Parameters<typeof composeNotes>[0]) =>
      composeNotes(about).map((note) => note.act?.kind ?? null)
    expect(acts(crowd('channel', false))).toEqual(['silence'])
    expect(acts({ ...nothing, facts: { ...facts, outsiders } })).toEqual(['add'])
    expect(acts({ ...nothing, mayAdd: false, facts: { ...facts, outsiders } })).toEqual([null])
    expect(acts({ ...nothing, isResolved: true })).toEqual(['unresolve'])
    expect(acts({ ...nothing, isResolved: true, mayUnresolve: false })).toEqual([null])
    expect(acts({ ...mutedChannel, facts })).toEqual(['unmute'])
    expect(acts({ ...nothing, channel: { ...nothing.channel, isSubscribed: false } })).toEqual(['join'])
    expect(acts({ ...nothing, facts: { ...facts, guests: [person('Vi')] } })).toEqual([null])
    // A message that is edited has its place already.
    const edited = { ...mutedChannel, isNew: false, isResolved: true, facts: { ...facts, outsiders } }
    expect(acts(edited)).toEqual(['add'])
  })

  test('its own mentions are made silent, and no others', () => {
    const silent = (about: Parameters<typeof composeNotes>[0], text: string) => {
      const act = composeNotes(about)[0]?.act
      return act?.kind === 'silence' ? withSilentMentions(text, act.marks) : null
    }
    const about = (facts: Partial<ComposeFacts>): Parameters<typeof composeNotes>[0] => ({
      facts: {
        outsiders: [],
        lacksSubscribers: false,
        privateChannels: [],
        crowd: null,
        barredGroups: [],
        guests: [],
        visibility: 'none',
        ...facts,
      },
      isNew: true,
      isResolved: false,
      mayUnresolve: true,
      mayAdd: true,
      channel: { name: 'plaza', isSubscribed: true, isMuted: false },
    })
    const crowd = { count: 41, isAllowed: true }
    expect(
      silent(
        about({ crowd: { of: 'channel', ...crowd } }),
        '@**all** and @_**all**, not @**Ann** or @**topic**',
      ),
    ).toBe('@_**all** and @_**all**, not @**Ann** or @**topic**')
    expect(silent(about({ crowd: { of: 'topic', ...crowd } }), '@**topic** and @**all**')).toBe(
      '@_**topic** and @**all**',
    )
    expect(silent(about({ barredGroups: ['c++ (old)'] }), '@*C++ (old)*, @*cooks*')).toBe(
      '@_*C++ (old)*, @*cooks*',
    )
  })
})

/** The moments that a text offers on Tuesday, 12 May 2026, at 14:20. */
const shortTimes = (text: string) =>
  offeredTimes(`:${text}`, new Date(2026, 4, 12, 14, 20).getTime(), true).map(({ at }) =>
    new Date(at)
      .toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
      .replace(', ', ' '),
  )

test('moments are offered from now on, and from what is typed', () => {
  const now = new Date(2026, 4, 12, 14, 20).getTime()
  const words = (text: string, uses24HourClock = true) =>
    offeredTimes(text, now, uses24HourClock).map((one) => one.words)
  expect(words('')).toEqual([
    expect.stringMatching(/Tuesday,? 12 May.*15:00/),
    expect.stringMatching(/12 May.*18:00/),
    expect.stringMatching(/13 May.*09:00/),
    expect.stringMatching(/13 May.*18:00/),
    expect.stringMatching(/Monday,? 18 May.*09:00/),
  ])
  expect(words(':15:30')[0]).toMatch(/12 May.*15:30/)
  expect(words(':15:30', false)[0]).toMatch(/12 May.*3:30\s?PM/i)
  expect(words(':9')[0]).toMatch(/13 May.*09:00/)
  expect(words(':2026-12-24 18:00')[0]).toMatch(/24 December.*18:00/)
  expect(words(':2026-02-31')).toEqual([])
  expect(words(':soon')).toEqual([])
  expect(words(':25:00')).toEqual([])
})

test.each([
  ['3pm', ['12 May 15:00']],
  ['3:30 PM', ['12 May 15:30']],
  ['12am', ['13 May 00:00']],
  ['13pm', []],
  ['tomorrow 9', ['13 May 09:00']],
  ['9am tomorrow', ['13 May 09:00']],
  ['tomorrow at 9:15 am', ['13 May 09:15']],
  ['tom', ['13 May 09:00', '13 May 18:00']],
  ['today', ['12 May 18:00']],
  ['today 9', ['12 May 09:00']],
  ['fri 14:00', ['15 May 14:00']],
  ['14:00 on Friday', ['15 May 14:00']],
  // Of a weekday that is today, the hours that are left, else a week later.
  ['tuesday 15', ['12 May 15:00']],
  ['tue 14', ['19 May 14:00']],
  ['in 2 hours', ['12 May 16:20']],
  ['in 20 min', ['12 May 14:40']],
  ['in', []],
  ['morgen 9', []],
  ['f', []],
])('%s is a moment', (text, wanted) => {
  expect(shortTimes(text)).toEqual(wanted)
})

test('days are named in the language of the window too', async () => {
  await speak('de')
  try {
    expect(shortTimes('morgen 9')).toEqual(['13 May 09:00'])
    expect(shortTimes('übermorgen um 9 Uhr')).toEqual(['14 May 09:00'])
    expect(shortTimes('heute 15')).toEqual(['12 May 15:00'])
    expect(shortTimes('am Freitag um 14 Uhr')).toEqual(['15 May 14:00'])
    expect(shortTimes('Do 14.30')).toEqual(['14 May 14:30'])
    expect(shortTimes('14:30 Uhr')).toEqual(['12 May 14:30'])
    expect(shortTimes('in 2 Stunden')).toEqual(['12 May 16:20'])
    expect(shortTimes('tomorrow 9')).toEqual(['13 May 09:00'])
  } finally {
    await speak('en')
  }
})

test('a time mark is the same moment in any zone', () => {
  const mark = timeMark('2026-05-12T15:36')
  expect(mark).toMatch(/^<time:2026-05-12T15:36:00(Z|[+-]\d\d:\d\d)>$/)
  expect(new Date(mark?.slice(6, -1) ?? '').getTime()).toBe(new Date(2026, 4, 12, 15, 36).getTime())
  expect(timeMark('')).toBeNull()
})

test.each([
  ['* wind and swell\n* board', 'wind and swell'],
  ['\n\n## Low water\n', 'Low water'],
  ['> 12. said twice', 'said twice'],
  ['-\n- [ ] van', '[ ] van'],
  ['3.5 m of rope, *wet*', '3.5 m of rope, *wet*'],
  ['#tides **now**', '#tides **now**'],
  ['', ''],
])('a snippet %j is listed by its first words', (content, line) => {
  expect(firstLine(content)).toBe(line)
})

test('a file is linked where its server has it', () => {
  const mark = fileMark('a [board].png', 'f1')
  expect(mark).toBe('[a board.png](dunlin-file:f1)')
  const value = `see ${mark} and that`
  expect(withAddress(value, 'f1', '/user_uploads/2/x/$&.png')).toBe(
    'see [a board.png](/user_uploads/2/x/$&.png) and that',
  )
  expect(withAddress(value, 'f', '/x')).toBe(value)
})

test.each([
  ['the t‹›ube', 'Note: the tube', 'Note: the t‹›ube'],
  ['the t‹›ube', 'the tube is wet', 'the t‹›ube is wet'],
  ['see [b](‹dunlin-file:f1) and› that', 'see [b](/x) and that', 'see [b](‹/x) and› that'],
  ['the ‹tube› is wet', 'the is wet', 'the ‹›is wet'],
  ['the old t‹›ube is wet', 'the new one is wet', 'the new o‹›ne is wet'],
  // Where the person ended, they go on.
  ['the tube‹›', 'the tube is wet', 'the tube is wet‹›'],
  ['‹›', 'the tube', 'the tube‹›'],
  ['the tube‹›', '', '‹›'],
])('a text from elsewhere leaves the caret among its words: %s', (before, text, after) => {
  const field = {
    value: before.replace(/[‹›]/g, ''),
    selectionStart: before.indexOf('‹'),
    selectionEnd: before.indexOf('›') - 1,
    selectionDirection: 'none' as const,
    setSelectionRange(start: number | null, end: number | null) {
      Object.assign(field, { selectionStart: start, selectionEnd: end })
    },
  }
  showText(field, text)
  const { value, selectionStart: start, selectionEnd: end } = field
  expect(`${value.slice(0, start)}‹${value.slice(start, end)}›${value.slice(end)}`).toBe(after)
})

test('a command that is done at once is known by itself alone', () => {
  expect(commandOf(' /dark\n')).toBe('dark')
  expect(commandOf('/day')).toBe('day')
  expect(commandOf('/ping')).toBe('ping')
  expect(commandOf('/dark room')).toBeNull()
  expect(commandOf('/me waves')).toBeNull()
  expect(commandOf('/poll')).toBeNull()
})

describe('an address that is pasted', () => {
  const pasted = (text: string, address = 'https://example.org/x') => {
    const [before = '', words = '', after = ''] = text.split('|')
    const selected = {
      value: before + words + after,
      start: before.length,
      end: before.length + words.length,
    }
    return linkedSelection(selected, address)?.value ?? null
  }
  test.each([
    ['see |the log| now', 'see [the log](https://example.org/x) now'],
    ['see |the log |now', 'see [the log](https://example.org/x) now'],
    ['|a [b]|', '[a [b]](https://example.org/x)'],
    ['|a :-[|', '[a :-(](https://example.org/x)'],
    ['see || now', null],
    ['|https://example.org/old|', null],
    ['|two\nlines|', null],
    ['`|the log|`', null],
    ['```\n|the log|\n```', null],
  ])('over %j', (text, expected) => expect(pasted(text)).toBe(expected))

  test('with brackets does not end too early', () => {
    expect(pasted('|it|', 'https://example.org/Sea_(body)')).toBe('[it](https://example.org/Sea_%28body%29)')
    expect(isWebAddress(' https://example.org/a?b#c ')).toBe(true)
    expect(isWebAddress('see https://example.org')).toBe(false)
    expect(isWebAddress('javascript:alert(1)')).toBe(false)
  })

  test('to a message is written shortly, and as a link where the short form would break', () => {
    expect(topicText({ channelId: 9, name: 'plaza' }, 'ebb', 12)).toBe('#**plaza>ebb@12**')
    const odd = topicText({ channelId: 9, name: 'plaza' }, 'ebb & flow', 12)
    expect(odd).toMatch(/^\[#plaza > ebb & flow @ 💬\]\(#narrow\/channel\/9-plaza\/topic\/.*\/near\/12\)$/)
    expect(placeFromLink(/\((#narrow.*)\)$/.exec(odd)?.[1] ?? '')).toMatchObject({
      near: 12,
      narrow: { topic: 'ebb & flow' },
    })
  })
})

test('the typed topic is the first row, also if it is the one without a name', () => {
  const known = (topic: string): Completion => ({
    ...{ kind: 'topic', topic, displayName: topic === '' ? 'general chat' : topic },
    ...{ isEmptyTopic: topic === '', isResolved: false },
  })
  const rows = (typed: string, topics: readonly string[], isRequired = false) =>
    topicRows(topics.map(known), typed, { emptyTopicName: 'general chat', isRequired }).map((row) =>
      row.kind === 'topic' ? row.topic : row.kind === 'new-topic' ? `new: ${row.topic}` : row.kind,
    )
  expect(rows(' maps ', ['Maps', 'old maps'])).toEqual(['Maps', 'old maps'])
  expect(rows('map', ['Maps', 'old maps'])).toEqual(['new: map', 'Maps', 'old maps'])
  expect(rows('', ['', 'maps'])).toEqual(['', 'maps'])
  expect(rows('general chat', ['about the general chat'])).toEqual(['', 'about the general chat'])
  expect(rows('general chat', ['General chat', ''])).toEqual(['', 'General chat'])
  expect(rows('(no topic)', [])).toEqual([''])
  // Where every message needs a topic, no other one is chosen instead.
  expect(rows('', ['', 'maps'], true)).toEqual(['maps'])
  expect(rows('general chat', ['about the general chat'], true)).toEqual([])
})
