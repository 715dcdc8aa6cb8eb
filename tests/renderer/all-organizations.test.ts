import { expect, test } from 'vitest'
import type { Sidebar } from '../../src-shared/model/sidebar.ts'
import { accountId, channelId, messageId, userId } from '../../src-shared/ids.ts'
import type { Account } from '../../src-shared/model/account.ts'
import type { InboxRow, RecentRow } from '../../src-shared/model/conversation-lists.ts'
import type { FeedMessage } from '../../src-shared/model/message.ts'
import {
  messageRows,
  recipientsOf,
  rowsByTime,
} from '../../src-renderer/views/all-organizations/conversation-rows.ts'
import {
  pageCounts,
  type OrganizationFacts,
} from '../../src-renderer/views/all-organizations/organizations.ts'
import { plainMessage } from './plain-message.ts'

const account = (id: string, unreadCount: number): Account => ({
  id: accountId(id),
  baseUrl: 'http://127.0.0.1:9991',
  email: 'maren@skerry.example',
  userId: userId(1),
  fullName: 'Maren',
  organizationName: id,
  organizationIconUrl: null,
  title: id,
  isDemo: false,
  unreadCount,
  mentionCount: 0,
  personalCount: 0,
})

const counts = (some: Partial<Sidebar>): Sidebar => ({
  inboxCount: 0,
  mentionCount: 0,
  starredCount: 0,
  draftCount: 0,
  outboxCount: 0,
  scheduledCount: 0,
  reminderCount: 0,
  needsYouCount: 0,
  directs: [],
  furtherDirects: { count: 0, unreadCount: 0 },
  folders: [],
  ...some,
})
const organization = (
  id: string,
  unreadCount: number,
  some: Partial<Sidebar> | undefined,
  starredCounts = true,
): OrganizationFacts => ({
  account: account(id, unreadCount),
  sync: undefined,
  settings: {
    starredCounts,
    ownFullName: 'Maren',
    ownAvatarUrl: null,
    maxMessageLength: 10_000,
    emojiSet: 'google',
  },
  counts: some === undefined ? undefined : counts(some),
})

test('the numbers beside the pages are sums, by the rules of each organization', () => {
  const coast = { mentionCount: 2, starredCount: 5, draftCount: 1, outboxCount: 2, scheduledCount: 1 }
  const numbers = (organizations: readonly OrganizationFacts[]) =>
    Object.entries(pageCounts(organizations)).map(([page, count]) => [page, count?.count, count?.kind])
  const kelp = { mentionCount: 1, starredCount: 4, draftCount: 3 }
  expect(numbers([organization('coast', 17, coast), organization('kelp', 5, kelp, false)])).toEqual([
    ['inbox', 22, ''],
    ['recent', undefined, undefined],
    ['mentions', 3, 'at'],
    // The second account does not count its starred messages.
    ['starred', 5, 'plain'],
    ['drafts', 6, 'plain'],
    ['scheduled', 1, 'plain'],
  ])
  // What needs the person in one organization comes before the drafts of all.
  const refused = { draftCount: 3, needsYouCount: 1 }
  expect(
    pageCounts([organization('coast', 0, coast), organization('kelp', 0, refused)]).drafts,
  ).toMatchObject({
    count: 1,
    kind: 'cau',
  })
  expect(pageCounts([organization('coast', 4, undefined)])).toMatchObject({
    inbox: { count: 4 },
    mentions: { count: 0 },
  })
})

const row = (topic: string, newestAt: number): InboxRow => ({
  conversation: { kind: 'topic', channelId: channelId(1), topic },
  label: {
    kind: 'topic',
    channelId: channelId(1),
    channelName: 'gauges',
    channelColor: 'tide',
    channelPrivacy: 'public',
    topic,
    isEmptyTopic: false,
    visibility: 'none',
    channelIsMuted: false,
  },
  unreadCount: 0,
  hasMention: false,
  newestMessageId: messageId(1),
  newestAt,
  newestSender: 'Keiko',
  newestText: 'x',
  people: [{ userId: userId(2), name: 'Keiko', avatarUrl: '/keiko.png' }],
})
const recent = (topic: string, newestAt: number, hasNewest = true): RecentRow => ({
  ...row(topic, newestAt),
  messageCount: hasNewest ? 1 : 0,
  isWhole: hasNewest,
  hasNewest,
  peopleCount: 1,
  hasDraft: false,
  waitingCount: 0,
})

test('conversations of several organizations are by time, and one that is not here yet keeps its place', () => {
  const rows = rowsByTime([
    {
      account: account('coast', 0),
      rows: [recent('drift', 0, false), recent('rota', 40), recent('door', 10)],
    },
    { account: account('kelp', 0), rows: [recent('loans', 50), recent('transects', 20)] },
  ])
  expect(
    rows.map(({ account: { id }, row: { label } }) => [id, label.kind === 'topic' && label.topic]),
  ).toEqual([
    ['kelp', 'loans'],
    ['coast', 'drift'],
    ['coast', 'rota'],
    ['kelp', 'transects'],
    ['coast', 'door'],
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(5)
})

test('a direct conversation has pictures of at most two people', () => {
  expect(recipientsOf(recent('drift', 1))).toEqual([])
  const direct: RecentRow = {
    ...recent('', 1),
    label: {
      kind: 'direct',
      names: ['Ines', 'Keiko', 'Tomasz'],
      userIds: [userId(4), userId(2), userId(5)],
      avatarUrl: null,
    },
  }
  expect(recipientsOf(direct)).toEqual([
    { userId: 4, fullName: 'Ines', avatarUrl: null },
    { userId: 2, fullName: 'Keiko', avatarUrl: '/keiko.png' },
  ])
})

test('messages are rows with their own words, the newest first, without those of muted people', () => {
  const { conversation, label } = row('drift', 0)
  const message = (id: number, some: Partial<FeedMessage>): FeedMessage => ({
    ...plainMessage,
    id: messageId(id),
    conversation,
    recipient: label,
    sentAt: id * 1_000,
    isMentioned: true,
    ...some,
  })
  const rows = messageRows(
    [
      message(1, {}),
      message(2, { senderIsMuted: true }),
      message(3, { isUnread: true, contentHtml: 'long' }),
    ],
    (html) => (html === 'long' ? 'a'.repeat(1_000) : 'read'),
  )
  expect(
    rows.map(({ newestMessageId, unreadCount, hasMention, newestAt }) => [
      newestMessageId,
      unreadCount,
      hasMention,
      newestAt,
    ]),
  ).toEqual([
    [3, 1, true, 3_000],
    [1, 0, false, 1_000],
  ])
  expect(rows[0]?.newestText.length).toBeLessThan(1_000)
  expect(rows[1]?.newestText).toBe('read')
})
