import { dayMs } from '../src-shared/durations.ts'
import { directConversation, topicConversation } from '../src-shared/model/conversation.ts'
import { userId } from '../src-shared/ids.ts'
import type { MessageFields } from '../src-main/store/messages.ts'

/** The size of an account. */
export interface Size {
  readonly users: number
  readonly channels: number
  readonly topics: number
  readonly messages: number
}

/** A large organization, scaled: people, channels and topics grow with the number of messages. */
export const sizeOf = (messages: number): Size => ({
  users: Math.max(50, messages / 100),
  channels: Math.max(10, messages / 500),
  topics: Math.max(50, messages / 20),
  messages,
})

/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Picks from 0 to n - 1, low numbers far more often, as with people, topics and words (Zipf, exponent 1). */
export function zipf(n: number, random: () => number): () => number {
  // An exponential is close enough to the inverse of the harmonic sum.
  const logarithm = Math.log(n + 1)
  return () => Math.min(n - 1, Math.floor(Math.exp(random() * logarithm)) - 1)
}

const syllables = 'ba de fi go hu ka le mi no pu ra se ti vo wu za el or an is'.split(' ')

/** A word of an invented language by its rank; frequent words are short. */
export function word(rank: number): string {
  let text = ''
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / syllables.length)) {
    text += syllables[rest % syllables.length] ?? ''
  }
  return text
}

const words = 30_000
export const ownUserId = userId(1)

/** Messages of an account in the order in which they were written; ids start at 1. */
export function* workload(size: Size, seed = 1): Generator<MessageFields> {
  const random = randomFrom(seed)
  const anyUser = zipf(size.users, random)
  const anyTopic = zipf(size.topics, random)
  const anyWord = zipf(words, random)
  const start = Date.UTC(2025, 10, 21)
  const stepMs = Math.floor((365 * dayMs) / size.messages)
  for (let id = 1; id <= size.messages; id++) {
    const senderId = anyUser() + 1
    const topic = anyTopic()
    const isUnread = id > size.messages * 0.95 && random() < 0.2
    const length = Math.floor(40 + 200 * random() ** 3)
    const text = Array.from({ length }, () => word(anyWord())).join(' ')
    yield {
      id,
      conversation:
        random() < 0.05
          ? directConversation([senderId === 1 ? 2 : senderId], ownUserId)
          : topicConversation((topic % size.channels) + 1, `topic ${topic}`),
      senderId,
      senderName: `Person ${senderId}`,
      sentAt: start + id * stepMs,
      editedAt: null,
      movedAt: null,
      contentHtml: `<p>${text.slice(0, 300)} <strong>${word(anyWord())}</strong>${text.slice(300)}</p>`,
      isMeMessage: false,
      isRead: !isUnread,
      isStarred: random() < 0.001,
      isMentioned: isUnread && random() < 0.02,
      isOnlyByWildcard: false,
      isCollapsed: false,
      hasAlertWord: false,
      submessages: [],
      changes: [],
      reactions:
        random() < 0.05
          ? [{ type: 'unicode_emoji', code: '1f44d', name: 'thumbs_up', userId: senderId }]
          : [],
    }
  }
}

/** The same messages; most of them contain something nearly unique: a number, a key, a link, a name. */
export function* withRareWords(messages: Iterable<MessageFields>, seed = 3): Generator<MessageFields> {
  const random = randomFrom(seed)
  const below = (n: number) => Math.floor(random() * n)
  const kinds = [
    () => String(below(1e7)),
    () => below(2 ** 40).toString(16),
    () => word(below(words)) + word(below(words)),
    () => `https://example.org/${word(below(words))}/${word(below(words))}${below(1_000)}`,
  ]
  for (const message of messages) {
    const kind = kinds[below(kinds.length)]
    yield kind === undefined || random() > 0.6
      ? message
      : { ...message, contentHtml: message.contentHtml.replace('</p>', ` ${kind()}</p>`) }
  }
}

/** An ordinary person. */
export const plainUser = (id: number) => ({
  id,
  email: `p${id}@example.org`,
  fullName: `Person ${id}`,
  role: 400,
  isBot: false,
  isActive: true,
  avatarUrl: null,
  timezone: '',
  botOwnerId: null,
  joinedAt: null,
  deliveryEmail: null,
  profile: '{}',
})

/** An ordinary channel. */
export const plainChannel = (id: number) => ({
  id,
  name: `channel ${id}`,
  description: '',
  color: '#76ce90',
  isPrivate: false,
  isWebPublic: false,
  isArchived: false,
  hasSharedHistory: true,
  folderId: null,
  topicsPolicy: 'inherit',
  permissions: '{}',
  subscriberCount: 10,
  firstMessageId: 1,
  isMuted: false,
  isPinned: false,
  desktopNotifications: null,
  audibleNotifications: null,
  wildcardMentionsNotify: null,
  pushNotifications: null,
  emailNotifications: null,
  creatorId: null,
  createdAt: null,
  retentionDays: null,
  weeklyTraffic: null,
  isRecentlyActive: true,
})
