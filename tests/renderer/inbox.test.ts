import { expect, test } from 'vitest'
import type { Inbox } from '../../src-shared/bridge/queries.ts'
import { cutAtMentions, firstLines, inboxGroups } from '../../src-renderer/views/inbox/inbox-groups.ts'

test('the inbox is counted by channel and by group, and empty groups are left out', () => {
  const row = (unreadCount: number) => ({ unreadCount })
  // Only what is counted is looked at.
  const inbox = {
    directs: [],
    folders: [
      {
        key: 'f1',
        name: 'Fieldwork',
        channels: [
          { channel: { channelId: 1 }, topics: [row(2), row(1)] },
          { channel: { channelId: 2 }, topics: [row(4)] },
        ],
      },
    ],
    hasMore: false,
  } as unknown as Inbox
  const groups = inboxGroups(inbox)
  expect(groups.map(({ name, unreadCount }) => [name, unreadCount])).toEqual([['Fieldwork', 7]])
  expect(groups[0]?.parts.map(({ unreadCount }) => unreadCount)).toEqual([3, 4])
  const withDirects = inboxGroups({ ...inbox, directs: [row(5)] as unknown as Inbox['directs'] })
  expect(withDirects.map(({ key, unreadCount }) => [key, unreadCount])).toEqual([
    ['directs', 5],
    ['f1', 7],
  ])
})

test('the first rows of an inbox come with their headings, and what is folded up takes no room', () => {
  const row = (unreadCount: number) => ({ unreadCount })
  const topics = (count: number) => Array.from({ length: count }, () => row(1))
  // Only what is counted is looked at.
  const inbox = {
    directs: [],
    folders: [
      { key: 'f1', name: 'Fieldwork', channels: [{ channel: { channelId: 1 }, topics: topics(30) }] },
      {
        key: 'f2',
        name: 'Harbour',
        channels: [
          { channel: { channelId: 2 }, topics: topics(5) },
          { channel: { channelId: 3 }, topics: topics(5) },
          { channel: { channelId: 4 }, topics: topics(5) },
        ],
      },
    ],
    hasMore: false,
  } as unknown as Inbox
  const drawn = firstLines(inboxGroups(inbox), (key) => key === 'f1', 7)
  expect(drawn.map(({ key, unreadCount }) => [key, unreadCount])).toEqual([
    ['f1', 30],
    ['f2', 15],
  ])
  expect(drawn[1]?.parts.map(({ rows }) => rows.length)).toEqual([5, 2])
})

test('a text is cut around the own name, every other piece being the mention', () => {
  expect(cutAtMentions('hear @Maren Aske, and @Maren Aske', 'Maren Aske')).toEqual([
    'hear ',
    '@Maren Aske',
    ', and ',
    '@Maren Aske',
    '',
  ])
  expect(cutAtMentions('@', '')).toEqual(['@'])
})
