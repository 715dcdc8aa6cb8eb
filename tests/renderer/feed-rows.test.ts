import { describe, expect, test } from 'vitest'
import { localId, messageId, userId } from '../../src-shared/ids.ts'
import type { FeedMessage, WaitingMessage } from '../../src-shared/model/message.ts'
import { barInView, emptyState, feedRows } from '../../src-renderer/views/feed/feed-rows.ts'
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

test('a feed is said to be empty only where that is known', () => {
  const said = (
    before: Parameters<typeof emptyState>[0]['before'],
    isOnline: boolean,
    problem: string | null,
  ) => emptyState({ before }, { isOnline, problem })
  expect(said('beginning', true, null)).toBe('nothing')
  expect(said('beginning', false, null)).toBe('nothing')
  expect(said('on-server', false, null)).toBe('not-here')
  // The plan hides what is older, which the note above says.
  expect(said('limited', true, null)).toBe(null)
  // The server did not answer.
  expect(said('on-server', true, 'The server didn’t answer in time.')).toBe('failed')
})

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
      widget: null,
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
