import { expect, test } from 'vitest'
import { channelId, localId, messageId } from '../../src-shared/ids.ts'
import type { ActionName } from '../../src-shared/bridge/actions.ts'
import type { OutboxItem } from '../../src-shared/bridge/queries.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import type { SendState } from '../../src-shared/model/outbox.ts'
import { queueRows } from '../../src-renderer/views/main-window/queue-rows.ts'
import { untried } from '../support/send-state.ts'

let made = 0
function item(
  action: ActionName,
  more: Partial<OutboxItem> = {},
  state: Partial<SendState> = {},
): OutboxItem {
  return {
    localId: localId(`local-${++made}`),
    action,
    title: `${action} ${made}`,
    count: 1,
    conversation: topicConversation(channelId(1), 'rota'),
    label: null,
    contentMarkdown: null,
    beyondTitle: null,
    messageId: null,
    movableCount: null,
    createdAt: made,
    ...more,
    state: { ...untried, ...state },
  }
}
const elsewhere = topicConversation(channelId(2), 'tides')
const told = (items: OutboxItem[], isAway = false) =>
  queueRows(items, isAway).map(({ kind, title, state }) => `${kind}: ${title}, ${state}`)

test('messages keep their order, changes of a kind are one row at the place of the first, and what is stuck is last', () => {
  made = 0
  const items = [
    item('send-message', { title: 'First' }, { attempts: 2 }),
    item('react', { messageId: messageId(7) }),
    item('send-message', { title: 'Refused' }, { state: 'refused', reason: 'No.' }),
    item(
      'send-message',
      { title: 'A photo', contentMarkdown: '[p](/user_uploads/1/p.png)' },
      { isBehindAnother: true, attempts: 1 },
    ),
    item('mark-read', { count: 30 }),
    item('react', { conversation: elsewhere }),
    item('mark-read', { count: 1, conversation: elsewhere }),
    item('send-message', { title: 'On its way' }, { state: 'sending' }),
    item('send-message', { title: 'In doubt' }, { state: 'unsure', reason: 'undecided' }),
    item('send-message', { title: 'Looked for' }, { state: 'unsure' }),
  ]
  expect(told(items)).toEqual([
    'message: First, trying',
    'reactions: 2 reactions, queued',
    'file: A photo, queued',
    'markedRead: 31 messages marked read, queued',
    'message: On its way, trying',
    'message: Looked for, checking',
    'message: Refused, needsYou',
    'message: In doubt, needsYou',
  ])
  // While the server is away, what was tried before waits as everything does, and nothing can be looked for.
  const whileAway = told(items, true)
  expect(whileAway.slice(0, 2)).toEqual(['message: First, queued', 'reactions: 2 reactions, queued'])
  expect(whileAway).toContain('message: Looked for, queued')
})

test('a row leads to its place, and says how many conversations it is in', () => {
  made = 0
  const [alone, several, nowhere] = queueRows(
    [
      item('react', { messageId: messageId(7) }),
      item('star-message'),
      item('star-message', { conversation: elsewhere }),
      item('update-setting', { conversation: null }),
    ],
    false,
  )
  expect(alone).toMatchObject({ title: 'react 1', conversationCount: null, place: { messageId: 7 } })
  expect(several).toMatchObject({ place: null, conversationCount: 2 })
  expect(nowhere).toMatchObject({ place: null, conversationCount: null })
  const unknown = queueRows([item('react'), item('react', { conversation: null })], false)
  expect(unknown).toMatchObject([{ place: null, conversationCount: null }])
})

test('a refused change of a kind does not hide in the row of the others', () => {
  made = 0
  expect(
    told([item('react'), item('react', {}, { state: 'refused' }), item('react', {}, { state: 'sending' })]),
  ).toEqual(['reactions: 2 reactions, trying', 'reactions: react 2, needsYou'])
})
