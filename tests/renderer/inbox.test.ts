import { expect, test } from 'vitest'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { Inbox, InboxRow } from '../../src-shared/model/conversation-lists.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import { rowAt, rowPlace } from '../../src-renderer/state/navigation/row-place.ts'
import { rowFor } from '../../src-renderer/state/keys/list-keys.ts'
import { toasts } from '../../src-renderer/state/toast.svelte.ts'
import { InboxActs } from '../../src-renderer/views/inbox/inbox-acts.ts'
import {
  cutAtMentions,
  firstLines,
  inboxGroups,
  rowsWithin,
} from '../../src-renderer/views/inbox/inbox-groups.ts'

test('the inbox is counted as the engine counts it, also where only its beginning is here; empty groups are left out', () => {
  const row = (unreadCount: number) => ({ unreadCount })
  // Only what is counted is looked at.
  const inbox = {
    directs: [],
    directUnreadCount: 0,
    folders: [
      {
        key: 'f1',
        name: 'Fieldwork',
        unreadCount: 12,
        channels: [
          { channel: { channelId: 1 }, unreadCount: 3, topics: [row(2), row(1)] },
          { channel: { channelId: 2 }, unreadCount: 8, topics: [row(4)] },
        ],
      },
    ],
    rowCount: 5,
    hasMore: false,
  } as unknown as Inbox
  const groups = inboxGroups(inbox)
  expect(groups.map(({ name, unreadCount }) => [name, unreadCount])).toEqual([['Fieldwork', 12]])
  expect(groups[0]?.parts.map(({ unreadCount }) => unreadCount)).toEqual([3, 8])
  const withDirects = inboxGroups({
    ...inbox,
    directs: [row(5)] as unknown as Inbox['directs'],
    directUnreadCount: 5,
  })
  expect(withDirects.map(({ key, unreadCount }) => [key, unreadCount])).toEqual([
    ['directs', 5],
    ['f1', 12],
  ])
})

/** Rows of an inbox in folders; only what is counted is looked at. */
function groupsOf(folders: Readonly<Record<string, readonly number[]>>) {
  const inbox = {
    directs: [],
    folders: Object.entries(folders).map(([key, channels]) => ({
      key,
      name: key,
      unreadCount: channels.reduce((sum, count) => sum + count, 0),
      channels: channels.map((count, index) => ({
        channel: { channelId: index },
        unreadCount: count,
        topics: Array.from({ length: count }, () => ({ unreadCount: 1 })),
      })),
    })),
  } as unknown as Inbox
  return inboxGroups(inbox)
}
const isF1 = (key: string) => key === 'f1'

test('the first rows of an inbox come with their headings, and what is folded up takes no room', () => {
  const drawn = firstLines(groupsOf({ f1: [30], f2: [5, 5, 5] }), isF1, 7)
  expect(drawn.map(({ key, unreadCount }) => [key, unreadCount])).toEqual([
    ['f1', 30],
    ['f2', 15],
  ])
  expect(drawn[1]?.parts.map(({ rows }) => rows.length)).toEqual([5, 2])
})

test('as many rows are drawn at first as fill the view with their headings, and not many more', () => {
  expect(rowsWithin(groupsOf({ f1: [300] }), () => false, 900)).toBe(24)
  // Each row has a heading of its own.
  const scattered = groupsOf({ f2: Array.from({ length: 300 }, () => 1) })
  expect(rowsWithin(scattered, () => false, 900)).toBe(14)
  expect(rowsWithin(groupsOf({ f1: [300], f2: [3, 2] }), isF1, 900)).toBe(5)
  expect(rowsWithin([], () => false, 900)).toBe(0)
})

test('a text is cut around the own name and names for everybody, every other piece being the mention', () => {
  expect(cutAtMentions('hear @Maren Aske, and @Maren Aske', 'Maren Aske')).toEqual([
    'hear ',
    '@Maren Aske',
    ', and ',
    '@Maren Aske',
    '',
  ])
  expect(cutAtMentions('@all: @Maren (2) and @everyone', 'Maren (2)')).toEqual([
    ...['', '@all', ': ', '@Maren (2)', ' and ', '@everyone', ''],
  ])
  // Neither an address nor a longer name.
  expect(cutAtMentions('write to me@all, @allan or @Maren Askeland', 'Maren Aske')).toHaveLength(1)
  expect(cutAtMentions('@', '')).toEqual(['@'])
})

test('what stands in the place of a row that went is the next one, at the end the one above', () => {
  const place = rowPlace(['a', 'b', 'c', 'd'], 'c')
  expect(rowAt(place, ['a', 'b', 'c', 'd'])).toBe('c')
  expect(rowAt(place, ['a', 'new', 'd', 'b'])).toBe('d')
  expect(rowAt(place, ['a', 'b'])).toBe('b')
  expect(rowAt(place, ['other'])).toBe(null)
  expect(rowAt(null, ['a'])).toBe(null)
})

test('keys lead from row to row, by pages and to the ends of a list, and never beyond', () => {
  const list = { count: 20, pageRows: 8 }
  expect(rowFor('next-row', 3, list)).toBe(4)
  expect(rowFor('previous-row', 0, list)).toBe(0)
  expect(rowFor('next-row', -1, list)).toBe(0)
  // One row of the page before stays in view.
  expect(rowFor('next-rows', 3, list)).toBe(10)
  expect(rowFor('next-rows', 18, list)).toBe(19)
  expect(rowFor('previous-rows', 10, list)).toBe(3)
  expect(rowFor('first-row', 12, list)).toBe(0)
  expect(rowFor('last-row', -1, list)).toBe(19)
  expect(rowFor('mute-row', 3, list)).toBeNull()
})

/** A row of the inbox in a channel; calls of `acts` are recorded. */
function rowAndActs(label: { visibility: TopicVisibility; channelIsMuted: boolean }) {
  const done: unknown[] = []
  const left: unknown[] = []
  const answers: Readonly<Record<string, unknown>> = {
    'unread-ids': [4, 70],
    permissions: { messages: { markUnread: true } },
  }
  const bridge = {
    watch(name: string, _params: object, onValue: (value: unknown) => void) {
      queueMicrotask(() => onValue(answers[name]))
      return () => {}
    },
    async call(_name: string, { action }: { action: unknown }) {
      done.push(action)
      return { localId: 'change' }
    },
  } as unknown as Bridge
  const row = {
    conversation: { kind: 'topic', channelId: 9, topic: 'drift' },
    label: { kind: 'topic', channelName: 'gauges', topic: 'drift', ...label },
    newestMessageId: 4,
  } as unknown as InboxRow
  const onLeave = (leaves: (one: InboxRow) => boolean) => left.push(leaves(row))
  let hidesMuted = true
  const acts = new InboxActs({
    ...{ bridge, accountId: 'here', onProblem: () => {}, onLeave },
    hidesMuted: () => hidesMuted,
  })
  const listMuted = () => (hidesMuted = false)
  return { acts, row, done, left, listMuted }
}
const ended = () => expect.poll(() => toasts.current).not.toBeNull()

test('a channel is marked read as a whole, also while only some of its conversations are listed', async () => {
  const { acts, row, done } = rowAndActs({ visibility: 'none', channelIsMuted: false })
  acts.markChannelRead(row)
  await ended()
  expect(done).toEqual([{ name: 'mark-narrow-read', narrow: { kind: 'channel', channelId: 9 }, upTo: 70 }])
  expect(toasts.current?.words).toBe('Marked read: gauges')
  toasts.close()
})

test('whatever mutes a topic of the inbox can be undone, and the focus goes on to the next row', async () => {
  const set = (visibility: TopicVisibility) => ({
    name: 'set-topic-visibility',
    ...{ channelId: 9, topic: 'drift', visibility },
  })
  const { acts, row, done, left, listMuted } = rowAndActs({ visibility: 'followed', channelIsMuted: true })
  acts.setVisibility(row, 'unmuted')
  expect([done, left]).toEqual([[set('unmuted')], []])
  acts.setVisibility(row, 'none')
  await ended()
  expect(left).toEqual([true])
  toasts.current?.undo?.()
  expect(done.slice(1)).toEqual([set('none'), set('followed')])
  toasts.close()
  // Where muted topics are listed too, the row stays, and so does the focus.
  listMuted()
  acts.setVisibility(row, 'muted')
  expect(left).toEqual([true])
  await ended()
  toasts.close()
})
