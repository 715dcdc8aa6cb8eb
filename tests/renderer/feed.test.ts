import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { accountId, channelId, messageId, userId } from '../../src-shared/ids.ts'
import { renderMarkdown } from '../../src-shared/markdown/render.ts'
import type { Account } from '../../src-shared/model/account.ts'
import type { FeedMessage, TopicVisibility, WaitingMessage } from '../../src-shared/model/message.ts'
import type { SendState } from '../../src-shared/model/outbox.ts'
import { placeFromLink } from '../../src-shared/model/message-link.ts'
import { withWords } from '../../src-renderer/state/writing/added-words.ts'
import { toggleMute, topicChoices } from '../../src-renderer/state/reading/mute-topic.ts'
import { isSeen, ReadMarks } from '../../src-renderer/state/reading/read-marks.ts'
import { route } from '../../src-renderer/state/navigation/route.svelte.ts'
import { keptPlace } from '../../src-renderer/state/navigation/scroll-place.ts'
import { toasts } from '../../src-renderer/state/toast.svelte.ts'
import type { KeyFacts } from '../../src-renderer/state/keys/chord.ts'
import { FeedActs } from '../../src-renderer/views/feed/feed-acts.svelte.ts'
import { actOnMessage, topicWords } from '../../src-renderer/views/feed/feed-commands.ts'
import { feedKey } from '../../src-renderer/views/feed/feed-keys.ts'
import { PlaceKeeper } from '../../src-renderer/views/feed/place-keeper.ts'
import { FeedWalk } from '../../src-renderer/views/feed/feed-walk.svelte.ts'
import {
  acrossHole,
  grownNewer,
  grownOlder,
  newestSpan,
  openingSpan,
  settled,
} from '../../src-renderer/views/feed/feed-span.ts'
import type { FeedRow } from '../../src-renderer/views/feed/feed-rows.ts'
import {
  firstRows,
  grownPart,
  keptPart,
  nearPart,
  rowsOfPart,
  type RowsPart,
} from '../../src-renderer/views/feed/rows-part.ts'
import { reactionNames, readyEmoji } from '../../src-renderer/views/feed/message-reactions.ts'
import { momentText } from '../../src-renderer/views/feed/message-content.ts'
import { remindTimes } from '../../src-renderer/views/feed/remind-times.ts'
import { hasLateUnread, unreadAround } from '../../src-renderer/views/feed/unread-around.ts'
import { acme } from '../shared/markdown/acme.ts'
import { plainMessage } from './plain-message.ts'
import { fenceFor, messageLink, quoteText } from '../../src-renderer/views/feed/quote-text.ts'

// A stretch is judged by the ids of its messages alone.
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: messageId(from + index) }) as FeedMessage)

describe('what is unread above and below', () => {
  const unreadFrom = (from: number) => (all: readonly FeedMessage[]) =>
    all.map((message) => ({ ...message, isUnread: message.id >= from }))
  const around = (
    firstUnread: number | null,
    unreadCount: number,
    from: number,
    to: number,
    view: [number, number],
  ) =>
    unreadAround(
      {
        firstUnreadId: firstUnread === null ? null : messageId(firstUnread),
        unreadCount,
        messages: unreadFrom(firstUnread ?? Infinity)(messages(from, to)),
      },
      { first: view[0], last: view[1] },
    )

  test('is nothing where all is read', () =>
    expect(around(null, 0, 1, 50, [1, 9])).toEqual({ above: 0, below: 0 }))
  test('is below, also where it is not loaded', () => {
    expect(around(100, 70, 1, 50, [40, 50])).toEqual({ above: 0, below: 70 })
    // 20 to 50 are unread and loaded, 51 to 89 unread and not loaded.
    expect(around(20, 70, 1, 50, [20, 29])).toEqual({ above: 0, below: 60 })
    expect(around(20, 70, 1, 50, [25, 29])).toEqual({ above: 5, below: 60 })
  })
  test('is above, also where it is not loaded', () => {
    expect(around(1, 100, 51, 100, [91, 100])).toEqual({ above: 90, below: 0 })
    expect(around(1, 100, 51, 100, [81, 90])).toEqual({ above: 80, below: 10 })
  })
})

describe('what was unread and came late', () => {
  const feed = (firstUnread: number | null, sentAt: number) => ({
    firstUnreadId: firstUnread === null ? null : messageId(firstUnread),
    messages: messages(1, 50).map((message) => ({ ...message, sentAt })),
  })
  const opened = { unreadFrom: null, openedAt: 100_000, now: 101_000 }

  test('is where a feed begins', () => {
    expect(hasLateUnread(feed(45, 90_000), opened)).toBe(true)
    expect(hasLateUnread(feed(60, 90_000), opened)).toBe(true)
    expect(hasLateUnread(feed(45, 90_000), { ...opened, unreadFrom: messageId(48) })).toBe(true)
  })
  test('is not what was sent since, what it began at, or what is changed much later', () => {
    expect(hasLateUnread(feed(null, 90_000), opened)).toBe(false)
    expect(hasLateUnread(feed(45, 100_500), opened)).toBe(false)
    expect(hasLateUnread(feed(45, 90_000), { ...opened, unreadFrom: messageId(45) })).toBe(false)
    expect(hasLateUnread(feed(45, 90_000), { ...opened, now: 200_000 })).toBe(false)
  })
})

describe('the rows of the first paint', () => {
  const sizes = { width: 1_440, height: 900 }
  const message = (index: number, contentHtml = '<p>Ebb at six.</p>') =>
    ({ kind: 'message', key: String(index), isGrouped: true, message: { contentHtml } }) as FeedRow
  const rows = Array.from({ length: 100 }, (_, index) => message(index))
  const long = Array.from({ length: 100 }, (_, index) => message(index, `<p>${'low water '.repeat(80)}</p>`))
  const at = (key: string, place: 'top' | 'middle' | number) => ({ kind: 'row', key, at: place }) as const

  test('are those at the end, or around the row that is gone to', () => {
    const last = firstRows(rows, { kind: 'end' }, sizes)
    expect(last?.to).toBe(100)
    // Each is one line of 26 pixels.
    expect(last?.from).toBe(100 - Math.ceil(1_000 / 26))
    const around = firstRows(rows, at('50', 'middle'), sizes)
    expect(around).toEqual({ from: 50 - Math.ceil(550 / 26), to: 50 + Math.ceil(450 / 26) })
    expect(firstRows(rows, at('50', 'top'), sizes)).toEqual({ from: 46, to: 50 + Math.ceil(900 / 26) })
  })

  test('are fewer where the texts are long', () => {
    expect(firstRows(long, { kind: 'end' }, sizes)).toEqual({ from: 90, to: 100 })
  })

  test('fill the view also near one of the ends', () => {
    expect(firstRows(rows, at('98', 'top'), sizes)?.from).toBe(100 - Math.ceil(1_000 / 26))
    expect(firstRows(rows, at('1', 'middle'), sizes)).toEqual({ from: 0, to: 1 + Math.ceil((900 - 26) / 26) })
  })

  test('are all where there are few, or the row is not there', () => {
    expect(firstRows(rows.slice(0, 12), { kind: 'end' }, sizes)).toBe(null)
    expect(firstRows(rows, at('gone', 'top'), sizes)).toBe(null)
  })
})

describe('rows that come while a feed is read', () => {
  const message = (key: number) => ({ kind: 'message', key: String(key) }) as FeedRow
  const bar = { kind: 'recipient', key: 'to-tides' } as FeedRow
  const day = (key: number) => ({ kind: 'day', key: `day-${key}` }) as FeedRow
  const rowsFrom = (first: number, last: number) => [
    ...[bar, day(first)],
    ...Array.from({ length: last - first + 1 }, (_, index) => message(first + index)),
  ]
  const before = { rows: rowsFrom(100, 140), part: null }
  const everywhere = { above: true, below: true }

  test('are left for the next frames where they are far out of view', () => {
    const older = rowsFrom(76, 130)
    // What was drawn, without the day line, which has moved.
    expect(keptPart(before, older, everywhere)).toEqual({ from: 26, to: older.length })
    const newer = rowsFrom(110, 164)
    expect(keptPart(before, newer, everywhere)).toEqual({ from: 0, to: 33 })
  })

  test('are left, but for the nearest, where the reader is near them', () => {
    const older = rowsFrom(76, 130)
    const newer = rowsFrom(110, 164)
    expect(keptPart(before, older, { above: false, below: true })).toEqual({ from: 16, to: older.length })
    expect(keptPart(before, newer, { above: true, below: false })).toEqual({ from: 0, to: 43 })
    expect(nearPart({ from: 16, to: 57 }, 57, { above: false, below: true })).toEqual({ from: 6, to: 57 })
    expect(nearPart({ from: 6, to: 57 }, 57, { above: false, below: true })).toBe(null)
  })

  test('are drawn at once where they come in the place of others', () => {
    const across = { rows: [...rowsFrom(1, 20), ...rowsFrom(100, 120)], part: null }
    expect(keptPart(across, rowsFrom(1, 60), everywhere)).toBe(null)
    expect(keptPart(across, rowsFrom(60, 120), everywhere)).toBe(null)
  })

  test('leave what waits to be sent where it is', () => {
    const waiting = Array.from({ length: 10 }, (_, n) => ({ kind: 'waiting', key: `w${n}` }) as FeedRow)
    const rows = [...rowsFrom(100, 140), ...waiting]
    expect(keptPart({ rows, part: null }, rows, everywhere)).toBe(null)
  })

  test('are drawn at once where they are few, or nothing of what was drawn is there', () => {
    expect(keptPart(before, rowsFrom(98, 142), everywhere)).toBe(null)
    expect(keptPart(before, rowsFrom(1, 50), everywhere)).toBe(null)
  })

  test('leave out what was left out before them', () => {
    const part = { from: 22, to: 43 }
    expect(keptPart({ rows: rowsFrom(100, 140), part }, rowsFrom(76, 140), everywhere)).toEqual({
      from: 46,
      to: 67,
    })
  })

  test('are all drawn after some frames', () => {
    let part: RowsPart | null = { from: 20, to: 50 }
    const froms: number[] = []
    while (part !== null) {
      froms.push(part.from)
      part = grownPart(part, 58)
    }
    expect(froms).toEqual([20, 14, 8, 2])
  })

  test('stand below the bar that says where they were sent', () => {
    const rows = rowsFrom(1, 9)
    expect(rowsOfPart(rows, { from: 5, to: 8 }).map(({ key }) => key)).toEqual(['to-tides', '4', '5', '6'])
    expect(rowsOfPart(rows, { from: 0, to: 3 })).toEqual(rows.slice(0, 3))
    expect(rowsOfPart(rows, null)).toBe(rows)
  })
})

describe('the stretch of a feed', () => {
  test('opens at a link or at what is unread, and is then named by a message', () => {
    expect(openingSpan(null).around).toBe('opening')
    expect(openingSpan(messageId(7)).around).toBe(7)
    const feed = { anchorId: messageId(20), messages: messages(1, 50) }
    const span = settled(openingSpan(null), feed)
    expect(span.around).toBe(20)
    // All that is on screen stays in it.
    expect(span.before).toBeGreaterThanOrEqual(19)
    expect(span.after).toBeGreaterThanOrEqual(31)
    expect(settled(span, feed)).toBe(span)
    // What a link leads to may not be here: what lies between is still to come.
    const elsewhere = { anchorId: messageId(20), messages: messages(40, 60) }
    expect(settled(openingSpan(messageId(20)), elsewhere).around).toBe(40)
    const beyond = { anchorId: messageId(70), messages: messages(40, 60) }
    expect(settled(openingSpan(messageId(70)), beyond)).toMatchObject({ around: 60, before: 20 })
    expect(settled(openingSpan(messageId(70)), { ...beyond, messages: [] }).around).toBe(70)
  })

  test('grows at its beginning and lets go of what is far below', () => {
    const span = grownOlder(messages(101, 300), messageId(180))
    expect(span.around).toBe(101)
    expect(span.before).toBeGreaterThan(0)
    expect(span.after).toBe(80)
  })

  test('lets go of nothing that is near, and leaves room for what comes', () => {
    const span = grownOlder(messages(101, 150), messageId(150))
    expect(span.after).toBeGreaterThan(50)
  })

  test('grows at its end and lets go of what is far above', () => {
    const span = grownNewer(messages(101, 300), messageId(250))
    expect(span.around).toBe(300)
    expect(span.before).toBe(50)
    expect(span.after).toBeGreaterThan(1)
  })

  test('is named by what the reader looks at once a hole lies in between', () => {
    const feed = { messages: [...messages(1, 3), ...messages(90, 92)], gapsAfter: [messageId(3)] }
    const span = { around: messageId(2), before: 20, after: 20 }
    expect(acrossHole(span, feed, messageId(3))).toBeNull()
    expect(acrossHole(span, feed, messageId(90))).toEqual({ around: 90, before: 3, after: 3 })
    expect(acrossHole({ ...span, around: messageId(91) }, feed, messageId(3))).toEqual({
      around: 3,
      before: 2,
      after: 4,
    })
    expect(acrossHole({ ...span, around: messageId(91) }, feed, messageId(90))).toBeNull()
    // What is not in it any more names nothing.
    expect(acrossHole(span, feed, messageId(50))).toBeNull()
  })

  test('never asks for more than the engine answers', () => {
    expect(grownOlder(messages(1, 900), messageId(900)).after).toBeLessThanOrEqual(400)
    expect(grownNewer(messages(1, 900), messageId(1)).before).toBeLessThanOrEqual(400)
    expect(grownOlder([], messageId(1))).toBe(newestSpan)
  })
})

describe('keys of a feed', () => {
  const press = (key: string, code: string, more: Partial<KeyFacts> = {}) =>
    feedKey({ key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more })

  test('letters count by their place, signs by what they are', () => {
    expect(press('о', 'KeyJ')).toEqual({ kind: 'step', by: 1 })
    expect(press('K', 'KeyK', { shiftKey: true })).toEqual({ kind: 'page', by: -1 })
    expect(press('>', 'IntlBackslash', { shiftKey: true })).toEqual({ kind: 'command', name: 'quote' })
    expect(press('+', 'BracketRight')).toEqual({ kind: 'command', name: 'thumbs-up' })
    expect(press('U', 'KeyU', { shiftKey: true })).toEqual({ kind: 'command', name: 'unread-from-here' })
    expect(press('u', 'KeyU')).toEqual({ kind: 'command', name: 'profile' })
  })

  test('leaves alone what belongs to the window', () => {
    expect(press('s', 'KeyS', { ctrlKey: true })).toEqual({ kind: 'command', name: 'star' })
    expect(press('r', 'KeyR', { ctrlKey: true })).toBeNull()
    expect(press('ArrowLeft', 'ArrowLeft', { altKey: true })).toBeNull()
  })
})

test('the last own message is the one that waits, as long as it can be taken back', () => {
  vi.stubGlobal('Element', class {})
  vi.stubGlobal('HTMLElement', class {})
  vi.stubGlobal('document', { body: null, querySelector: () => null })
  const done: string[] = []
  const pressed = (state: SendState) => {
    const walk = new FeedWalk({
      // Only what is named is used.
      scroller: () => ({ getElementsByClassName: () => [] }) as unknown as HTMLElement,
      shown: () => ({ messages: [plainMessage], waiting: [{ localId: 'w', state } as WaitingMessage] }),
      acts: {
        edit: () => done.push('edit'),
        words: { takeBack: () => done.push('take back') },
      } as unknown as ConstructorParameters<typeof FeedWalk>[0]['acts'],
      ownUserId: () => plainMessage.senderId,
      uses24HourClock: () => true,
      toFirst() {},
      toLast() {},
    })
    const key = { key: 'ArrowLeft', code: 'ArrowLeft', target: null, preventDefault() {} }
    return walk.onKey(key as unknown as KeyboardEvent)
  }
  const sent = {
    attempts: 0,
    isBehindAnother: false,
    isBehindCreation: false,
    nextAttemptAt: null,
    reason: null,
  }
  expect(pressed({ state: 'waiting', ...sent })).toBe(true)
  expect(pressed({ state: 'sending', ...sent })).toBe(true)
  expect(done).toEqual(['take back', 'edit'])
  vi.unstubAllGlobals()
})

test('what the known permissions allow happens at once, and the engine is asked before anything is refused', async () => {
  const always = { isAllowed: true, withinMs: null }
  const messages = { editOwn: always, deleteOwn: always, deleteAny: false, ownBotIds: [], nameTopics: true }
  const may = { ...messages, changeTopic: always, changeChannel: always, report: true }
  let asked = 0
  const actsWith = (known: object | undefined) =>
    new FeedActs({
      before: null,
      bridge: {
        opening: () => (known === undefined ? null : { value: { messages: known }, fingerprint: '' }),
        watch: (_name: string, _params: unknown, onValue: (value: unknown) => void) => {
          asked++
          queueMicrotask(() => onValue({ messages: may }))
          return () => {}
        },
      } as unknown as Bridge,
      accountId: 'a',
      narrow: { kind: 'combined' },
      account: () => ({ userId: plainMessage.senderId }) as Account,
      isOnline: () => true,
      whenBack: () => '',
      uses24HourClock: () => true,
      onUnreadFrom: () => {},
      moving: () => [],
    })
  const knowing = actsWith(may)
  knowing.askToDelete(plainMessage)
  knowing.open('move', plainMessage)
  knowing.edit(plainMessage)
  expect([knowing.deleting, knowing.dialog?.kind, knowing.editing?.mayChange, asked]).toEqual([
    ...[plainMessage, 'move', true, 0],
  ])
  for (const acts of [
    actsWith(undefined),
    actsWith({ ...may, deleteOwn: { ...always, isAllowed: false } }),
  ]) {
    acts.askToDelete(plainMessage)
    expect(acts.deleting).toBe(null)
    await vi.waitFor(() => expect(acts.deleting).toBe(plainMessage))
  }
  expect(asked).toBe(2)
})

test('a reminder is confirmed with its day, also one that is months away', async () => {
  const acts = new FeedActs({
    before: null,
    bridge: { call: async () => ({ localId: 'l' }), opening: () => null } as unknown as Bridge,
    accountId: 'a',
    narrow: { kind: 'combined' },
    account: () => ({ userId: plainMessage.senderId }) as Account,
    isOnline: () => true,
    whenBack: () => '',
    uses24HourClock: () => true,
    onUnreadFrom: () => {},
    moving: () => [],
  })
  void acts.remind(plainMessage, new Date(2099, 1, 15, 9).getTime())
  await vi.waitFor(() => expect(toasts.current?.words).toMatch(/: Sun,? 15 Feb 2099, 09:00$/))
  toasts.close()
})

test('what ends the mute of a topic depends on its channel, and so does what is offered', () => {
  const topic = (visibility: TopicVisibility, channelIsMuted: boolean): FeedMessage => {
    const { recipient } = plainMessage
    if (recipient.kind !== 'topic') throw new Error('not a topic')
    return { ...plainMessage, recipient: { ...recipient, visibility, channelIsMuted } }
  }
  const pressed = (...facts: Parameters<typeof topic>) => {
    const message = topic(...facts)
    const set: TopicVisibility[] = []
    const bridge = {
      async call(_: string, { action }: { action: { visibility: TopicVisibility } }) {
        set.push(action.visibility)
        return { localId: 'change' }
      },
    } as unknown as Bridge
    const acts = {
      toggleMute: (...[place, label]: Parameters<FeedActs['toggleMute']>) =>
        void toggleMute(bridge, 'here', place, label),
    }
    actOnMessage(acts as unknown as Parameters<typeof actOnMessage>[0], 'visibility', message, null)
    return [topicWords('visibility', message, null), ...set]
  }
  expect(pressed('none', false)).toEqual(['Mute this topic', 'muted'])
  expect(pressed('muted', false)).toEqual(['Unmute this topic', 'none'])
  expect(pressed('none', true)).toEqual(['Unmute this topic', 'unmuted'])
  expect(pressed('muted', true)).toEqual(['Unmute this topic', 'unmuted'])
  expect(pressed('unmuted', true)).toEqual(['Mute this topic', 'none'])
  const { recipient } = topic('none', false)
  if (recipient.kind === 'topic') expect(topicChoices(recipient)).toEqual(['followed', 'none', 'muted'])
})

describe('words about a message', () => {
  const account = { baseUrl: 'https://chat.example.org/api/v1', userId: userId(3) }
  const message = {
    id: messageId(214),
    conversation: { kind: 'topic', channelId: channelId(9), topic: 'gauge 4 (new). 50%' },
    recipient: {
      kind: 'topic',
      channelId: channelId(9),
      channelName: 'tide gauges',
      channelColor: 'tide',
      channelPrivacy: 'public',
      topic: 'gauge 4 (new). 50%',
      isEmptyTopic: false,
      visibility: 'none',
      channelIsMuted: false,
    },
    senderName: 'Keiko',
    senderId: userId(8),
  } as const

  test('a link to it leads back to it', () => {
    const link = messageLink(account, message)
    expect(link).toMatch(/^https:\/\/chat\.example\.org\/#narrow\/channel\/9-tide-gauges\/topic\//)
    expect(link).not.toMatch(/[%() ]/)
    expect(placeFromLink(link)).toEqual({ narrow: message.conversation, near: 214, topicOf: null })
  })

  test('links to direct messages, also to oneself', () => {
    const direct = (userIds: number[]) =>
      messageLink(account, { ...message, conversation: { kind: 'direct', userIds: userIds.map(userId) } })
    expect(direct([8])).toContain('#narrow/dm/8-dm/near/214')
    expect(direct([8, 9])).toContain('#narrow/dm/8,9-group/near/214')
    expect(direct([])).toContain('#narrow/dm/3-dm/near/214')
  })

  test('a quote is not closed by the fences in it', () => {
    expect(fenceFor('no code')).toBe('```')
    expect(fenceFor('a\n````py\nx\n````')).toBe('`````')
    expect(quoteText(message, 'a\n```\nx\n```\n', 'LINK')).toBe(
      '@_**Keiko|8** [said](LINK):\n````quote\na\n```\nx\n```\n````',
    )
    // What is open in the quoted text would take in the answer.
    const whole = (markdown: string) =>
      renderMarkdown(`${quoteText(message, markdown, 'LINK')}\nanswer`, acme()).html
    for (const open of ['```py\nx', '```quote\na\n~~~spoiler b\n````\nc', '* a\n  ```\n  b'])
      expect(whole(open)).toMatch(/<\/blockquote>\n<p>answer<\/p>$/)
    expect(whole('```py\nx')).toBe(whole('```py\nx\n```'))
    expect(withWords('I think\n', 'Q\nR')).toBe('I think\n\nQ\nR\n')
    expect(withWords('', 'Q\nR')).toBe('Q\nR\n')
    expect(withWords('I think', '@Maren ')).toBe('I think @Maren ')
    expect(withWords('I think\n', '@Maren ')).toBe('I think\n@Maren ')
  })

  test('says who chose an emoji', () => {
    expect(reactionNames(['you'], 1)).toBe('you')
    expect(reactionNames(['you', 'Ines'], 2)).toBe('you and Ines')
    expect(reactionNames(['you', 'Ines', 'Odhran'], 4)).toBe('you, Ines, Odhran and 1 other')
    expect(reactionNames(['you'], 9)).toBe('you and 8 others')
  })

  test('two emoji stand ready, the usual ones first', () => {
    const wave = { name: 'wave', code: '1f44b', type: 'unicode_emoji' } as const
    const own = { name: 'tide', code: '7', type: 'realm_emoji' } as const
    expect(readyEmoji([]).map(({ name }) => name)).toEqual(['+1', 'eyes'])
    expect(readyEmoji([{ emoji: own }, { emoji: wave }]).map(({ name }) => name)).toEqual(['wave', '+1'])
  })

  test('times in it are in the zone of the reader', () => {
    const now = new Date(2026, 4, 12, 9).getTime()
    expect(momentText(new Date(2026, 4, 12, 15, 36).getTime(), now, true)).toBe('Today 15:36')
    expect(momentText(new Date(2026, 4, 13, 4, 30).getTime(), now, true)).toBe('Tomorrow 04:30')
    expect(momentText(new Date(2026, 4, 15, 4, 30).getTime(), now, true)).toBe('Fri 04:30')
    expect(momentText(new Date(2026, 4, 19, 4, 30).getTime(), now, true)).toMatch(/^Tue.* 19 May, 04:30$/)
    expect(momentText(new Date(2026, 4, 11, 4, 30).getTime(), now, true)).toMatch(/^Mon.* 11 May, 04:30$/)
    expect(momentText(new Date(2026, 4, 8, 15, 36).getTime(), now, true)).toMatch(/^Fri.* 8 May, 15:36$/)
    expect(momentText(new Date(2025, 4, 8, 15, 36).getTime(), now, true)).toContain('2025')
  })
})

test('a reminder comes later today or in the morning of a coming day', () => {
  const saturday = new Date(2026, 4, 9, 14, 20).getTime()
  const words = remindTimes(saturday).map(({ name, at }) => [name, new Date(at).toString().slice(0, 21)])
  expect(words).toEqual([
    ['oneHour', 'Sat May 09 2026 15:20'],
    ['threeHours', 'Sat May 09 2026 17:20'],
    ['tomorrow', 'Sun May 10 2026 09:00'],
    ['monday', 'Mon May 11 2026 09:00'],
  ])
  const monday = new Date(2026, 4, 11, 8).getTime()
  expect(remindTimes(monday).at(-1)?.at).toBe(new Date(2026, 4, 18, 9).getTime())
  const sunday = new Date(2026, 4, 10, 14).getTime()
  expect(remindTimes(sunday).map(({ name }) => name)).toEqual(['oneHour', 'threeHours', 'tomorrow'])
})

describe('reading', () => {
  test('what is to stay unread is not marked, although it is in view', () => {
    const marks = new ReadMarks()
    const [one, two] = [messageId(1), messageId(2)]
    marks.keepUnread(two)
    marks.see([one, two], 0)
    expect(marks.see([one, two], 900)).toEqual([one])
  })

  test('a message counts once its end is in view, also one that is taller than the window', () => {
    const view = { top: 100, bottom: 500 }
    expect(isSeen({ bottom: 300 }, view)).toBe(true)
    expect(isSeen({ bottom: 900 }, view)).toBe(false)
    expect(isSeen({ bottom: 90 }, view)).toBe(false)
  })
})

test('the place of whoever leaves before the feed rests is kept', async () => {
  const kept: unknown[] = []
  const entry = { state: null as unknown, replaceState: (state: unknown) => (entry.state = state) }
  vi.stubGlobal('history', entry)
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  const keeper = new PlaceKeeper({
    bridge: {
      call: async (_: string, { place }: { place: unknown }) => kept.push(place),
    } as unknown as Bridge,
    accountId: 'a',
    narrow: { kind: 'combined' },
    place: () => ({ key: '7', top: 40 }),
  })
  const stop = keeper.start()
  keeper.scrolled()
  route.go({ view: 'inbox', accountId: accountId('a') })
  expect(kept).toEqual([{ messageId: 7, top: 40 }])
  expect(keptPlace(entry.state)).toEqual({ key: '7', top: 40 })
  stop()
  vi.unstubAllGlobals()
})

test('a place is taken from the history only when it has the form of one', () => {
  expect(keptPlace({ feedPlace: { key: '7', top: 60 } })).toEqual({ key: '7', top: 60 })
  for (const state of [null, 7, {}, { feedPlace: null }, { feedPlace: { key: 7, top: 1 } }])
    expect(keptPlace(state)).toBeNull()
})
