import { beforeEach, expect, test } from 'vitest'
import { channelId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { noteMove, ownMove } from '../../src-renderer/state/own-move.ts'

const place = (topic: string, channel = 1) => ({ channelId: channelId(channel), topic })

beforeEach(() => noteMove({ from: place('elsewhere', 9), to: place('elsewhere', 8) }))

test('a topic that is renamed and resolved while it waits goes where both bring it', () => {
  noteMove({ from: place('drift'), to: place('drift south') })
  noteMove({ from: place('drift'), to: place('✔ drift') })
  expect(ownMove.to).toEqual(topicConversation(1, '✔ drift south'))
  // Whoever saw where both lead goes on from there.
  noteMove({ from: place('✔ drift south'), to: place('drift south') })
  expect(ownMove.to).toEqual(topicConversation(1, 'drift south'))
  noteMove({ from: place('drift'), to: place('✔ drift') })
  expect(ownMove.to).toEqual(topicConversation(1, '✔ drift south'))
  noteMove({ from: place('drift'), to: place('clamp', 2) })
  expect(ownMove.to).toEqual(topicConversation(2, '✔ clamp'))
})

test('what happens to another topic does not count', () => {
  noteMove({ from: place('drift'), to: place('drift south') })
  noteMove({ from: place('rota'), to: place('✔ rota') })
  expect(ownMove.to).toEqual(topicConversation(1, '✔ rota'))
})
