import { describe, expect, test } from 'vitest'
import type { ActionName } from '../../src-shared/bridge/actions.ts'
import { localId, messageId, userId } from '../../src-shared/ids.ts'
import type { FeedMessage, WaitingMessage } from '../../src-shared/model/message.ts'
import { endOf, mergedText } from '../../src-renderer/views/drafts/merged-text.ts'
import { barInView, feedRows } from '../../src-renderer/views/feed/feed-rows.ts'
import { outboxWords, sendWords } from '../../src-renderer/views/feed/send-words.ts'
import { byReach } from '../../src-renderer/state/group-words.ts'
import { matchesFilter } from '../../src-renderer/state/matches-filter.ts'
import { historyWords } from '../../src-renderer/state/history-words.ts'
import { ReadMarks } from '../../src-renderer/state/reading/read-marks.ts'
import { presenceLine } from '../../src-renderer/views/feed/presence-words.ts'
import type { DirectPerson } from '../../src-shared/model/user.ts'
import { clockTime, dayName, fullMoment, isoTime, listTime, shortDayName } from '../../src-renderer/time.ts'
import { untried } from '../support/send-state.ts'
import { plainMessage as base } from './plain-message.ts'

const own = userId(1)

const at = (id: number, minutes: number, change: Partial<FeedMessage> = {}): FeedMessage => ({
  ...base,
  id: messageId(id),
  sentAt: base.sentAt + minutes * 60_000,
  ...change,
})

const feedOf = (messages: FeedMessage[], more: Partial<Parameters<typeof feedRows>[0]> = {}) => ({
  messages,
  waiting: [],
  gapsAfter: [],
  after: 'end' as const,
  ...more,
})
const namesOf = (rows: ReturnType<typeof feedRows>) =>
  rows.map((row) => (row.kind === 'message' ? `${row.message.id}${row.isGrouped ? 'g' : ''}` : row.kind))

describe('feedRows', () => {
  test('groups a sender within ten minutes, and not across the unread line', () => {
    const rows = feedRows(feedOf([at(1, 0), at(2, 5), at(3, 6), at(4, 30)]), messageId(3), own)
    expect(namesOf(rows)).toEqual(['recipient', 'day', '1', '2g', 'unread', '3', '4'])
  })

  test('the bar of a topic is the same one when older messages arrive above it', () => {
    const bar = (...ids: number[]) => feedRows(feedOf(ids.map((id) => at(id, id))), null, own)[0]?.key
    expect(bar(1, 5, 6)).toBe(bar(5, 6))
  })

  test('groups nobody over midnight, nor what somebody does', () => {
    const midnight = (new Date(2026, 4, 13).getTime() - base.sentAt) / 60_000
    expect(namesOf(feedRows(feedOf([at(1, midnight - 2), at(2, midnight + 2)]), null, own))).toEqual([
      'recipient',
      'day',
      '1',
      'day',
      '2',
    ])
    const told = feedOf([at(1, 0), at(2, 1, { isMeMessage: true }), at(3, 2)])
    expect(namesOf(feedRows(told, null, own)).slice(2)).toEqual(['1', '2', '3'])
  })

  test('the bar that stays in view names the day of the first message below it', () => {
    const [first, later] = [at(1, 0), at(2, 3 * 24 * 60)]
    const elsewhere = { kind: 'direct', userIds: [userId(9)] } as const
    const other = at(3, 4 * 24 * 60, { conversation: elsewhere })
    const rows = feedRows(feedOf([first, later, other]), null, own)
    expect(barInView(rows, 1)).toEqual({ key: 'to-1', at: first.sentAt })
    expect(barInView(rows, 2)).toEqual({ key: 'to-1', at: later.sentAt })
    expect(barInView(rows, 3)).toEqual({ key: 'to-3', at: other.sentAt })
    expect(barInView(rows, 4)).toBe(null)
  })

  describe('what waits', () => {
    const waitingAt = (minutes: number, change: Partial<WaitingMessage> = {}): WaitingMessage => ({
      localId: localId(`waiting-${minutes}`),
      conversation: base.conversation,
      recipient: base.recipient,
      contentMarkdown: 'Later.',
      contentHtml: '<p>Later.</p>',
      isMeMessage: false,
      writtenAt: base.sentAt + minutes * 60_000,
      state: untried,
      ...change,
    })
    const elsewhere = { conversation: { kind: 'direct', userIds: [userId(5)] } } as const
    const rowsOf = (messages: FeedMessage[], ...waiting: WaitingMessage[]) =>
      feedRows(feedOf(messages, { waiting }), null, own)
        .slice(2)
        .map((row) => (row.kind === 'waiting' && row.isGrouped ? 'waiting, grouped' : row.kind))

    test('stands under one name within ten minutes', () => {
      const rows = rowsOf([], waitingAt(0), waitingAt(5), waitingAt(20))
      expect(rows).toEqual(['waiting', 'waiting, grouped', 'waiting'])
    })

    test('goes on below one’s own last message, not below one of another', () => {
      expect(rowsOf([at(1, 0, { senderId: own })], waitingAt(2))).toEqual(['message', 'waiting, grouped'])
      expect(rowsOf([at(1, 0)], waitingAt(2))).toEqual(['message', 'waiting'])
    })

    test('begins a bar where it goes elsewhere, and a line where it is another day', () => {
      const rows = rowsOf([at(1, 0)], waitingAt(1, elsewhere), waitingAt(2), waitingAt(24 * 60))
      expect(rows).toEqual(['message', 'recipient', 'waiting', 'recipient', 'waiting', 'day', 'waiting'])
    })

    test('is not joined to a message over what is missing between them', () => {
      const known = feedOf([at(1, 0, { senderId: own })], { waiting: [waitingAt(1)], after: 'on-server' })
      expect(feedRows(known, null, own).at(-1)).toMatchObject({ kind: 'waiting', isGrouped: false })
    })
  })

  test('begins a new bar whenever the conversation changes', () => {
    const other = { kind: 'direct', userIds: [userId(5)] } as const
    const rows = feedRows(feedOf([at(1, 0), at(2, 1, { conversation: other }), at(3, 2)]), null, own)
    expect(rows.filter((row) => row.kind === 'recipient')).toHaveLength(3)
  })

  test('shows where messages are missing, in the middle and at the end', () => {
    const messages = [at(1, 0), at(2, 1), at(3, 2)]
    expect(namesOf(feedRows(feedOf(messages, { gapsAfter: [messageId(2)] }), null, own))).toEqual([
      'recipient',
      'day',
      '1',
      '2g',
      'gap',
      '3',
    ])
    // One does not hide another.
    const several = feedOf(messages, { gapsAfter: [messageId(1), messageId(2)] })
    expect(namesOf(feedRows(several, null, own)).slice(2)).toEqual(['1', 'gap', '2', 'gap', '3'])
    const onServer = { after: 'on-server' } as const
    expect(namesOf(feedRows(feedOf(messages, onServer), null, own)).at(-1)).toBe('gap')
    const gapAtEnd = feedOf(messages, { ...onServer, gapsAfter: [messageId(3)] })
    expect(namesOf(feedRows(gapAtEnd, null, own)).slice(-2)).toEqual(['3g', 'gap'])
    expect(namesOf(feedRows(feedOf(messages, { after: 'here' }), null, own)).at(-1)).toBe('3g')
  })

  test('keeps the keys of messages when older ones come before them', () => {
    const keys = (messages: FeedMessage[]) =>
      feedRows(feedOf(messages), null, own).flatMap((row) => (row.kind === 'message' ? [row.key] : []))
    expect(keys([at(1, 0), at(2, 1), at(3, 2)]).slice(1)).toEqual(keys([at(2, 1), at(3, 2)]))
  })
})

describe('mergedText', () => {
  const pieces = [
    { kind: 'joined', text: 'light until ', from: null, replaced: '' },
    { kind: 'conflict', number: 1, base: '17:30', local: '17:10', remote: 'dusk' },
    { kind: 'joined', text: ' today', from: null, replaced: '' },
  ] as const

  test('takes what was chosen, and both when both were', () => {
    expect(mergedText(pieces, { 1: 'local' })).toBe('light until 17:10 today')
    expect(mergedText(pieces, { 1: 'remote' })).toBe('light until dusk today')
    expect(mergedText(pieces, { 1: 'both' })).toBe('light until 17:10 dusk today')
  })
  test('knows the punctuation that ends an overlap, and takes no words or signs of formatting for it', () => {
    const endBefore = (text: string, from: 'local' | null = null) =>
      endOf([pieces[1], { kind: 'joined', text, from, replaced: '' }], 0)
    expect(endBefore('.')).toBe('.')
    expect(endBefore('?! Then home.')).toBe('?!')
    expect(endBefore(' today.')).toBe('')
    expect(endBefore('**bold**')).toBe('')
    expect(endBefore('.', 'local')).toBe('')
    expect(endOf(pieces, 0)).toBe('')
    expect(endOf([pieces[1]], 0)).toBe('')
  })
})

test('system groups are offered by how many people they reach, before the others', () => {
  const names = ['role:administrators', '@data', 'role:fullmembers', 'role:members', '@boats', 'role:owners']
  expect(
    names
      .map((name) => ({ name }))
      .sort(byReach)
      .map(({ name }) => name),
  ).toEqual(['role:members', 'role:fullmembers', 'role:administrators', 'role:owners', '@data', '@boats'])
})

describe('sendWords', () => {
  test('says what is true now', () => {
    expect(sendWords(untried, true).text).toBe('Queued, sends when you’re back online')
    // Being online is not enough while the server no longer accepts the key.
    expect(sendWords(untried, true, null, true).text).toBe('Queued, sends once you sign in')
    expect(sendWords({ ...untried, isBehindAnother: true, isBehindCreation: true }, true).text).toBe(
      'Queued, sends after the channel is created',
    )
    expect(sendWords({ ...untried, isBehindAnother: true }, true).text).toBe(
      'Queued, sends after the message above',
    )
    expect(sendWords({ ...untried, attempts: 2 }, false).text).toBe('Trying to send, attempt 3')
    expect(sendWords({ ...untried, state: 'refused', reason: 'Only moderators can post.' }, false).text).toBe(
      'Not sent. Only moderators can post.',
    )
    expect(sendWords({ ...untried, state: 'unsure' }, false).text).toBe('Checking whether it was sent')
    expect(sendWords({ ...untried, state: 'unsure' }, true)).toEqual({
      kind: 'queued',
      text: 'May have arrived, checked when you’re back online',
    })
  })
  test('says what may be there already, and what to do', () => {
    const told = (action: ActionName) =>
      outboxWords({ action, state: { ...untried, state: 'unsure', reason: 'undecided' } }, false).text
    expect(told('send-message')).toBe('It may have been sent. Check, then retry or discard.')
    expect(told('schedule-message')).toContain('It may be scheduled already')
    expect(told('remind-me')).toContain('It may be set already')
    expect(told('save-snippet')).toContain('It may be saved already')
    const asked = { action: 'save-snippet', state: { ...untried, state: 'unsure' } } as const
    expect(outboxWords(asked, false).text).toBe('Checking whether it was saved')
  })
  test('calls what is no message not sent, but what its reason says', () => {
    const reason = 'Not created. A channel named #tides already exists.'
    const refused = { ...untried, state: 'refused', reason } as const
    expect(outboxWords({ action: 'create-channel', state: refused }, false).text).toBe(reason)
    expect(outboxWords({ action: 'react', state: { ...refused, reason: null } }, false).text).toBe(
      'The server refused this change.',
    )
    expect(outboxWords({ action: 'send-message', state: refused }, false).text).toBe(`Not sent. ${reason}`)
    expect(outboxWords({ action: 'create-channel', state: untried }, true).text).toBe(
      'Queued, sends when you’re back online',
    )
  })
})

test('what comes to this device is said in the order in which it does', () => {
  expect(historyWords({ step: 'newest' })).toMatch(/newest messages come first/)
  expect(historyWords({ step: 'unread', conversations: 12 })).toMatch(/12 conversations to go/)
  expect(historyWords({ step: 'earlier', share: 0.347 })).toMatch(/35%/)
})

describe('ReadMarks', () => {
  test('marks once, after half a second in view, and not what was scrolled past', () => {
    const marks = new ReadMarks()
    const [one, two] = [messageId(1), messageId(2)]
    expect(marks.see([one, two], 0)).toEqual([])
    expect(marks.see([one], 400)).toEqual([])
    expect(marks.see([one, two], 600)).toEqual([one])
    expect(marks.see([one, two], 1_200)).toEqual([two])
    expect(marks.see([one, two], 9_000)).toEqual([])
  })
})

test('lists are filtered without regard to case, accents and blanks around', () => {
  expect(matchesFilter('Odhrán Keane', 'odhran')).toBe(true)
  expect(matchesFilter('Odhran Keane', ' ODHRÁN ')).toBe(true)
  expect(matchesFilter('Ingrid Øst', 'ost')).toBe(true)
  expect(matchesFilter('Keiko Tamura', '')).toBe(true)
  expect(matchesFilter('Keiko Tamura', 'ines')).toBe(false)
})

test('days have names for a week', () => {
  const now = new Date(2026, 4, 12, 12).getTime()
  expect(dayName(now, now)).toBe('Today, 12 May')
  expect(dayName(now - 86_400_000, now)).toBe('Yesterday')
  expect(dayName(new Date(2025, 4, 8).getTime(), now)).toContain('2025')
  expect(shortDayName(new Date(2025, 4, 8).getTime(), now)).toContain('2025')
  const february = new Date(2026, 1, 11).getTime()
  expect([dayName(february, now), shortDayName(february, now)]).toEqual(['11 February', '11 Feb'])
})

test('a moment that no date can hold has no name, and ends nothing', () => {
  const now = Date.now()
  for (const at of [8.64e15 + 1, 1e300, Number.NaN]) {
    expect(isoTime(at)).toBeUndefined()
    expect([dayName(at, now), fullMoment(at, false), clockTime(at, false)]).toEqual(['', '', ''])
    expect(() => listTime(at, now, false)).not.toThrow()
  }
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
})

test('a heading names the people whose presence it tells, unless it is the name of the only one', () => {
  const now = 10 * 86_400_000
  const person = (fullName: string, presence: string, minutesAgo: number | null) =>
    ({
      ...{ fullName, presence, isBot: false, isSelf: false, isActive: true },
      activeAt: minutesAgo === null ? null : now - minutesAgo * 60_000,
    }) as DirectPerson
  const ines = person('Ines', 'active', 0)
  const tomasz = person('Tomasz', 'offline', 12)
  expect(presenceLine([ines, tomasz], now)).toBe('Ines is active, Tomasz was active 12 min ago')
  expect(presenceLine([ines], now)).toBe('Active now')
  expect(presenceLine([tomasz], now)).toBe('Active 12 min ago')
  expect(presenceLine([person('Ines', 'offline', 3 * 60)], now)).toBe('Active 3 h ago')
  expect(presenceLine([person('Ines', 'offline', 50 * 60)], now)).toBe('Active 2 days ago')
  expect(presenceLine([person('Ines', 'idle', null)], now)).toBe('Idle')
  expect(presenceLine([person('Ines', 'offline', null)], now)).toBe('')
})
