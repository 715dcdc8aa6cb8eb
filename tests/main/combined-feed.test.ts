import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { plainChannel } from '../../bench/workload.ts'
import { feed } from '../../src-main/queries/feed.ts'
import { putChannel } from '../../src-main/store/channels.ts'
import { conversationId, recountUnread } from '../../src-main/store/conversations.ts'
import { putUnread } from '../../src-main/store/flags.ts'
import { setTopicVisibility } from '../../src-main/store/topic-visibility.ts'
import { openStore } from '../../src-main/store/database.ts'
import { putMessage } from '../../src-main/store/messages.ts'
import { accountId, channelId, userId } from '../../src-shared/ids.ts'
import {
  directConversation,
  topicConversation,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { messageFields } from '../support/message-fields.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The combined feed has everything that is not muted, for every combination of muting.

const directory = temporaryFolder(afterAll)
const store = openStore(join(directory, 'account.db'), () => {})
afterAll(() => store.close())

const ownUserId = userId(1)
const channels = [1, 2, 3]
const topics = ['tides', 'Würmer', '']
const places = channels.flatMap((channel) => topics.map((topic) => ({ channel, topic })))
const visibilities = ['none', 'muted', 'unmuted', 'followed'] as const

const write = (id: number, conversation: ReturnType<typeof topicConversation>) =>
  store.write((db) => putMessage(db, messageFields({ id, conversation, isRead: id % 2 === 0 }), 1))
places.forEach(({ channel, topic }, index) => write(index + 1, topicConversation(channel, topic)))
const direct = places.length + 1
write(direct, directConversation([2], ownUserId))

test('the combined feed leaves out what is muted, and only that, at both sides of an anchor', () => {
  const muting = fc.record({
    mutedChannels: fc.subarray(channels),
    chosen: fc.array(fc.constantFrom(...visibilities), {
      minLength: places.length,
      maxLength: places.length,
    }),
    around: fc.constantFrom('newest' as const, 'opening' as const, 5 as never),
  })
  fc.assert(
    fc.property(muting, ({ mutedChannels, chosen, around }) => {
      store.write((db) => {
        for (const id of channels)
          putChannel(db, { ...plainChannel(id), isSubscribed: true, isMuted: mutedChannels.includes(id) })
        places.forEach(({ channel, topic }, index) =>
          setTopicVisibility(db, channel, topic, chosen[index] ?? 'none'),
        )
      })
      const wanted = places.flatMap(({ channel }, index) => {
        const visibility = chosen[index] ?? 'none'
        const isMuted = visibility === 'muted' || (mutedChannels.includes(channel) && visibility === 'none')
        return isMuted ? [] : [index + 1]
      })
      const { messages, firstUnreadId } = feed(
        { db: store.db, ownUserId, now: 0 },
        { accountId: accountId('a'), narrow: { kind: 'combined' }, around, before: 20, after: 20 },
      )
      expect(messages.map(({ id }) => id)).toEqual([...wanted, direct])
      expect(firstUnreadId).toBe(wanted.find((id) => id % 2 === 1) ?? null)
    }),
    { numRuns: 60 },
  )
})

test('what is not muted is found however much is muted between, at both sides of an anchor', () => {
  const own = openStore(join(temporaryFolder(onTestFinished), 'account.db'), () => {})
  onTestFinished(() => own.close())
  const noise = 9
  const conversations: Conversation[] = [
    ...places.map(({ channel, topic }) => topicConversation(channel, topic)),
    directConversation([2], ownUserId),
    directConversation([3], ownUserId),
  ]
  const last = 1_400
  /** Which conversation a message is in; undefined for the noise. */
  const homeOf = (id: number) => (id % 60 < 3 ? Math.floor(id / 37) % conversations.length : undefined)
  own.write((db) => {
    for (let id = 1; id <= last; id++) {
      const home = conversations[homeOf(id) ?? -1]
      putMessage(db, messageFields({ id, conversation: home ?? topicConversation(noise, `${id % 5}`) }), 1)
    }
  })
  const muting = fc.record({
    muted: fc.subarray(places.map((_, index) => index)),
    around: fc.oneof(
      fc.constantFrom('newest' as const, 'oldest' as const),
      fc.integer({ min: 1, max: last }).map((id) => id as never),
    ),
    before: fc.integer({ min: 1, max: 4 }),
    after: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(muting, ({ muted, around, before, after }) => {
      own.write((db) => {
        for (const id of [...channels, noise])
          putChannel(db, { ...plainChannel(id), isSubscribed: true, isMuted: true })
        places.forEach(({ channel, topic }, index) =>
          setTopicVisibility(db, channel, topic, muted.includes(index) ? 'none' : 'followed'),
        )
      })
      const shown = Array.from({ length: last }, (_, index) => index + 1).filter((id) => {
        const home = homeOf(id)
        return home !== undefined && !muted.includes(home)
      })
      const anchor = around === 'newest' ? last + 1 : around === 'oldest' ? 0 : around
      const older = shown.filter((id) => id < anchor)
      const newer = shown.filter((id) => id >= anchor)
      const answer = feed(
        { db: own.db, ownUserId, now: 0 },
        { accountId: accountId('a'), narrow: { kind: 'combined' }, around, before, after },
      )
      expect(answer.messages.map(({ id }) => id)).toEqual([...older.slice(-before), ...newer.slice(0, after)])
      expect(answer.before === 'here').toBe(older.length > before)
      expect(answer.after === 'here').toBe(newer.length > after)
    }),
    { numRuns: 200 },
  )
})

test('the first unread message of a channel, or of all direct messages, is the first whose text is here', () => {
  const own = openStore(join(temporaryFolder(onTestFinished), 'account.db'), () => {})
  onTestFinished(() => own.close())
  const put = (id: number, conversation: Conversation, isRead: boolean) =>
    own.write((db) => putMessage(db, messageFields({ id, conversation, isRead }), 1))
  const known = (id: number, conversation: Conversation) =>
    own.write((db) => {
      const home = conversationId(db, conversation)
      putUnread(db, id, home, false)
      recountUnread(db, [home])
    })
  const first = (narrow: Narrow) =>
    feed(
      { db: own.db, ownUserId, now: 0 },
      { accountId: accountId('a'), narrow, around: 'newest', before: 5, after: 0 },
    ).firstUnreadId
  const channel = (id: number): Narrow => ({ kind: 'channel', channelId: channelId(id) })
  put(1, topicConversation(1, 'ebb'), true)
  put(2, directConversation([2], ownUserId), true)
  known(3, topicConversation(1, 'flow'))
  known(4, directConversation([3], ownUserId))
  expect([first(channel(1)), first(channel(2)), first({ kind: 'directs' })]).toEqual([null, null, null])
  put(5, topicConversation(2, 'ebb'), false)
  put(6, directConversation([4], ownUserId), false)
  put(7, directConversation([3], ownUserId), false)
  put(8, topicConversation(1, 'flow'), false)
  put(9, topicConversation(1, 'ebb'), false)
  expect([first(channel(1)), first(channel(2)), first({ kind: 'directs' })]).toEqual([8, 5, 6])
})
