import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { messageId, type MessageId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

// Where a feed opens: at the first unread message, else at the reading place, else at the end.

let service: TestService
let isServed = true
let device: Device
let channel: number
let other: ReturnType<TestService['createUser']>
/** The messages of the topic, oldest first; all are read. */
const ids: MessageId[] = []
let drift: Narrow

beforeAll(async () => {
  service = await startService()
  const own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  channel = service.createChannel('gauges', [own.userId, other.userId])
  drift = topicConversation(channel, 'drift')
  for (let index = 0; index < 60; index++)
    ids.push(messageId(service.send(own.userId, channel, 'drift', `Reading ${index}`)))
  // No two places are stored with the same time.
  let last = 0
  device = await openDevice(service.baseUrl, own, undefined, () => (last = Math.max(last + 1, Date.now())))
  // The newest messages arrive first.
  await device.until('feed', opening(drift, ids[0]), (feed) => feed.messages[0]?.id === ids[0])
})

afterAll(async () => {
  await device?.close()
  if (isServed) await service?.close()
})

const opening = (narrow = drift, around: MessageId | 'opening' = 'opening') =>
  ({ accountId: device.accountId, narrow, around, before: 20, after: 20 }) as const
const leave = (at: MessageId | undefined, top = 80, narrow = drift) =>
  device.bridge.call('keep-place', {
    accountId: device.accountId,
    narrow,
    place: at === undefined ? null : { messageId: at, top },
  })
const act = (action: ActionInput) => device.bridge.call('act', { accountId: device.accountId, action })

test('a feed opens where it was left, and at its end when it was left there', async () => {
  expect(await device.ask('feed', opening())).toMatchObject({ anchorId: ids.at(-1), leftAt: null })
  await leave(ids[30], -12)
  const feed = await device.ask('feed', opening())
  expect(feed).toMatchObject({ anchorId: ids[30], leftAt: -12, anchorIsUnread: false })
  expect(feed.messages.map(({ id }) => id)).toEqual(ids.slice(10, 50))
  // Another feed of the same messages has its own place, and a link overrides the place.
  expect(await device.ask('feed', opening({ kind: 'combined' }))).toMatchObject({ leftAt: null })
  expect(await device.ask('feed', opening(drift, ids[5]))).toMatchObject({ anchorId: ids[5], leftAt: null })
  await leave(undefined)
  expect(await device.ask('feed', opening())).toMatchObject({ leftAt: null })
})

test('what is unread comes before it, unless reading marks nothing as read', async () => {
  await leave(ids[30])
  const unread = messageId(service.send(other.userId, channel, 'drift', 'Something new'))
  expect(await device.until('feed', opening(), ({ unreadCount }) => unreadCount === 1)).toMatchObject({
    anchorId: unread,
    anchorIsUnread: true,
    leftAt: null,
  })
  const later = messageId(service.send(other.userId, channel, 'drift', 'Something newer'))
  await device.until('feed', opening(), ({ unreadCount }) => unreadCount === 2)
  await leave(later)
  expect(await device.ask('feed', opening())).toMatchObject({ anchorId: unread, leftAt: null })
  await act({ name: 'update-setting', property: 'markReadOnScroll', value: 'never' })
  expect(await device.ask('feed', opening())).toMatchObject({ anchorId: later, leftAt: 80 })
  // A reader who was above or at the first unread message still has to read it.
  await leave(ids[30])
  expect(await device.ask('feed', opening())).toMatchObject({ anchorId: unread, leftAt: null })
  await act({ name: 'update-setting', property: 'markReadOnScroll', value: 'always' })
  await act({ name: 'mark-read', messageIds: [unread, later] })
  expect(await device.ask('feed', opening())).toMatchObject({ anchorId: ids[30] })
})

test('the place of a message that is not there any more is none', async () => {
  const gone = messageId(service.send(other.userId, channel, 'elsewhere', 'Soon gone'))
  const elsewhere = topicConversation(channel, 'elsewhere')
  await device.until('feed', opening(elsewhere), ({ messages }) => messages.length === 1)
  await leave(gone, 80, drift)
  expect(await device.ask('feed', opening())).toMatchObject({ leftAt: null })
})

test('without the server and after a restart it is still known, of the last 300 feeds', async () => {
  await leave(ids[20])
  for (let index = 0; index < 299; index++)
    await leave(ids[0], 0, topicConversation(channel, `other ${index}`))
  await service.close()
  isServed = false
  await device.restart()
  expect(await device.ask('feed', opening())).toMatchObject({ anchorId: ids[20], leftAt: 80 })
  await leave(ids[0], 0, topicConversation(channel, 'one more'))
  expect(await device.ask('feed', opening())).toMatchObject({ leftAt: null })
})
