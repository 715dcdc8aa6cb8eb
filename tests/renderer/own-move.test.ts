import { beforeEach, expect, test } from 'vitest'
import { channelId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { noteMove, ownMoveOf } from '../../src-renderer/state/reading/own-move.ts'

const place = (topic: string, channel = 1) => ({ channelId: channelId(channel), topic })
const move = (from: ReturnType<typeof place>, to: ReturnType<typeof place>) => noteMove('own', { from, to })
const goalOf = (topic: string, channel = 1) => ownMoveOf('own', place(topic, channel))

beforeEach(() => move(place('elsewhere', 9), place('elsewhere', 8)))

test('a topic that is renamed and resolved while it waits goes where both bring it', () => {
  move(place('drift'), place('drift south'))
  move(place('drift'), place('✔ drift'))
  expect(goalOf('drift')).toEqual(topicConversation(1, '✔ drift south'))
  // Whoever saw where both lead goes on from there.
  move(place('✔ drift south'), place('drift south'))
  expect(goalOf('✔ drift south')).toEqual(topicConversation(1, 'drift south'))
  move(place('drift'), place('✔ drift'))
  expect(goalOf('drift')).toEqual(topicConversation(1, '✔ drift south'))
  move(place('drift'), place('clamp', 2))
  expect(goalOf('drift')).toEqual(topicConversation(2, '✔ clamp'))
})

test('what happens to another topic does not count', () => {
  move(place('drift'), place('drift south'))
  move(place('rota'), place('✔ rota'))
  expect(goalOf('rota')).toEqual(topicConversation(1, '✔ rota'))
})

test('only the feed of the topic that was moved follows, however its name is spelled', () => {
  move(place('drift'), place('drift south'))
  expect(goalOf('Drift')).toEqual(topicConversation(1, 'drift south'))
  expect(goalOf('rota')).toBe(null)
  expect(goalOf('drift', 2)).toBe(null)
  expect(goalOf('drift south')).toBe(null)
  expect(ownMoveOf('another account', place('drift'))).toBe(null)
})

test('the same topic of another account is another topic', () => {
  move(place('drift'), place('✔ drift'))
  noteMove('another account', { from: place('drift'), to: place('clamp') })
  expect(ownMoveOf('another account', place('drift'))).toEqual(topicConversation(1, 'clamp'))
  expect(goalOf('drift')).toBe(null)
})
