import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { accountId, channelId, messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { feed } from '../../../src-main/queries/feed.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import type { ModelDevice } from './device.ts'
import { silence } from './silence.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// What a person changes in a channel that they are not in, from which no events come.

let world: World
let device: ModelDevice
let far: number

afterEach(() => world.close())

async function open() {
  world = await createWorld(1)
  device = deviceOf(world)
  far = createChannel(world.workspace, world.other, { name: 'far', description: '' }).channel_id
  silence(world, far)
  const write = (content: string, by = world.user) =>
    world.ask(
      'POST',
      '/messages',
      `type=stream&to=${far}&topic=drift&content=${encodeURIComponent(content)}`,
      by,
    )
  await write('low')
  await write('/poll Boat\nskiff\nketch', world.other)
  await write('high', world.other)
  await world.pass(3_000)
  await device.account.sync.loadOlder({ kind: 'channel', channelId: channelId(far) }, null)
  await world.settle()
}

/** What the topic shows: each message's words, or the votes of its poll. */
function shown(topic = 'drift'): string[] {
  const narrow = topicConversation(far, topic)
  const params = { accountId: accountId('model'), narrow, around: 'newest', before: 10, after: 0 } as const
  return feed(device.account.queryContext(), params).messages.map(({ widget, contentHtml }) =>
    widget?.widget.kind === 'poll'
      ? widget.widget.options.map(({ text, voterIds }) => `${text}: ${voterIds.length}`).join(', ')
      : contentHtml.replaceAll(/<[^>]+>/g, ''),
  )
}

test.each<[string, Action, string[]]>([
  [
    'a vote',
    { name: 'widget-step', messageId: messageId(2), step: { type: 'vote', key: 'canned,1', vote: 1 } },
    ['low', 'skiff: 0, ketch: 1', 'high'],
  ],
  [
    'an edit',
    {
      name: 'edit-message',
      messageId: messageId(1),
      content: 'lower',
      previousContent: 'low',
    },
    ['lower', 'skiff: 0, ketch: 0', 'high'],
  ],
])('%s is on screen as soon as the server has it', async (_what, action, expected) => {
  await open()
  device.account.outbox.enqueue(action)
  await world.settle()
  expect(outboxRows(device.store.db)).toEqual([])
  expect(shown()).toEqual(expected)
})

test('a topic is in its new place as soon as the server has moved it', async () => {
  await open()
  world.workspace.db.run('UPDATE users SET role = 200 WHERE user_id = ?', world.user.user_id)
  const from = { channelId: channelId(far), topic: 'drift' }
  const to = { ...from, topic: 'lee' }
  device.account.outbox.enqueue({ name: 'move-messages', messageId: messageId(3), which: 'all', from, to })
  await world.settle()
  expect(outboxRows(device.store.db)).toEqual([])
  expect(shown()).toEqual([])
  expect(shown('lee').slice(0, 3)).toEqual(['low', 'skiff: 0, ketch: 0', 'high'])
})
