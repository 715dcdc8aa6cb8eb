import { afterEach, expect, test } from 'vitest'
import {
  channelObstacle,
  directObstacle,
  obstacleIn,
  topicObstacle,
} from '../../src-renderer/views/compose/obstacles.ts'
import { noteSent } from '../../src-renderer/views/compose/sent-note.ts'
import { lastSent } from '../../src-renderer/state/writing/last-sent.svelte.ts'
import { newMessage } from '../../src-renderer/state/writing/new-message.svelte.ts'
import { draftIn, pickedDrafts } from '../../src-renderer/state/writing/picked-drafts.svelte.ts'
import { toasts } from '../../src-renderer/state/toast.svelte.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { channelId, draftId, localId, userId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'

// Nothing is typed in these, so that nothing is asked.
const bridge = {} as Bridge
const topic = (channel: number, name: string): Conversation => ({
  kind: 'topic',
  channelId: channelId(channel),
  topic: name,
})
const direct: Conversation = { kind: 'direct', userIds: [userId(7)] }
/** Answers queries with what is listed by their names. */
const answering = (answers: Readonly<Record<string, unknown>>): Bridge => ({
  call: () => Promise.reject(new Error('Nothing is called.')),
  watch: (name, _params, onValue) => {
    queueMicrotask(() => onValue(answers[name] as never))
    return () => {}
  },
  opening: () => null,
  reconnect: () => {},
})
const elsewhere = (...all: Conversation[]) => all.map((one) => newMessage.isElsewhere(one))

test('whether a topic needs a name is said where it matters', () => {
  const said = (topics: 'optional' | 'required' | 'none') =>
    ['', ' ', 'drift'].map((name) => topicObstacle({ topics }, name))
  expect(said('optional')).toEqual([null, null, null])
  expect(said('required')).toEqual(['A topic is required.', 'A topic is required.', null])
  expect(said('none')).toEqual([null, null, 'This channel has no topics.'])
  expect(topicObstacle(undefined, '')).toBe(null)
})

test('that a channel is gone is said once it is known', () => {
  expect(channelObstacle(null)).toBe('This channel no longer exists, or you can’t see it.')
  expect(channelObstacle(undefined)).toBe(null)
  expect(channelObstacle({ canPost: true, isArchived: false })).toBe(null)
  expect(channelObstacle({ canPost: false, isArchived: true })).toMatch(/archived/)
  expect(channelObstacle({ canPost: false, isArchived: false })).toBe('You can’t post in this channel.')
})

test('why a direct message cannot be sent is said in words', () => {
  const left = (...names: string[]) => directObstacle({ kind: 'deactivated', names })
  expect(left('Runa')).toBe('You can’t write to Runa. The account is deactivated.')
  expect(left('Runa', 'Ines')).toBe('You can’t write to Runa and Ines. The accounts are deactivated.')
  expect(directObstacle({ kind: 'not-allowed' })).toMatch(/doesn’t allow direct messages/)
  expect(directObstacle({ kind: 'not-begun' })).toMatch(/can’t start direct conversations/)
  expect([directObstacle(null), directObstacle(undefined)]).toEqual([null, null])
})

test('a draft that is too long or has no place is not sent from the list', async () => {
  const asked = answering({
    'account-settings': { maxMessageLength: 5 },
    'direct-refusal': null,
    channel: { topics: 'required', canPost: true, isArchived: false },
  })
  const obstacle = (to: Conversation, words: string) => obstacleIn(asked, 'a', to, words)
  expect([await obstacle(direct, 'tides'), await obstacle(topic(1, 'drift'), '🌊🌊🌊🌊🌊')]).toEqual([
    null,
    null,
  ])
  expect(await obstacle(direct, 'tides 🌊')).toBe('2 characters too long')
  expect(await obstacle(topic(1, ''), 'tides')).toBe('A topic is required.')
})

afterEach(() => newMessage.close())

test('nothing is elsewhere while nobody is written to', () => {
  expect(elsewhere(topic(1, 'drift'), direct)).toEqual([false, false])
  newMessage.open(bridge, 'a', { kind: 'topic', channelId: null, topic: '' })
  expect(elsewhere(topic(1, 'drift'), direct)).toEqual([false, false])
  newMessage.open(bridge, 'a', { kind: 'direct', people: [] })
  expect(elsewhere(topic(1, 'drift'), direct)).toEqual([false, false])
})

test('elsewhere is what a new message does not go to', async () => {
  const places = [topic(1, 'Drift'), topic(1, 'rota'), topic(2, 'drift'), direct]
  newMessage.open(bridge, 'a', { kind: 'topic', channelId: channelId(1), topic: '' })
  expect(elsewhere(...places)).toEqual([false, false, true, true])
  newMessage.open(bridge, 'a', { kind: 'topic', channelId: channelId(1), topic: 'drift' })
  expect(elsewhere(...places)).toEqual([false, true, true, true])
  await newMessage.close()
  expect(elsewhere(...places)).toEqual([false, false, false, false])
})

test('what is said of a message that was sent elsewhere: what became of it, what is allowed, nothing late', async () => {
  const drift = topic(1, 'drift')
  const told = async (state: string | null, isAllowed: boolean, meanwhile = () => {}) => {
    const outbox = state === null ? [] : [{ localId: 'l1', state: { state, reason: 'No such channel.' } }]
    const answers = { outbox, permissions: { messages: { deleteAny: false, deleteOwn: { isAllowed } } } }
    const engine: Bridge = {
      call: async () => null as never,
      watch: (name, _, show) => {
        queueMicrotask(() => show(answers[name as keyof typeof answers] as never))
        return () => {}
      },
      opening: () => null,
      reconnect: () => {},
    }
    lastSent.note('a', drift, localId('l1'))
    const noted = noteSent(engine, 'a', drift, true)
    meanwhile()
    await noted
    lastSent.forget(localId('another'))
    expect(lastSent.in('a', drift)).toBe('l1')
    lastSent.forget(localId('l1'))
    const { words, undo, to } = toasts.current ?? {}
    toasts.close()
    return [words, undo != null, to?.view]
  }
  expect(await told(null, true)).toEqual(['Sent', true, 'feed'])
  expect(await told(null, false)).toEqual(['Sent', false, 'feed'])
  expect(await told('refused', true)).toEqual(['Not sent. No such channel.', false, 'drafts'])
  const newer = () => toasts.show({ words: 'Link copied', undo: null })
  expect(await told(null, true, newer)).toEqual(['Link copied', false, undefined])
})

test('it opens with the draft that was asked for, also in place of another to the same people', async () => {
  const drafts: Record<string, string> = { d1: 'for now', d2: 'for later' }
  const one = ({ draftId: id }: { draftId?: string }) => ({ id: id ?? 'd1', content: drafts[id ?? 'd1'] })
  const engine: Bridge = {
    call: async () => null as never,
    watch: (_, params, show) => {
      // The two queries for a draft: of a conversation, and by its id.
      queueMicrotask(() => show(one(params as { draftId?: string }) as never))
      return () => {}
    },
    opening: () => null,
    reconnect: () => {},
  }
  const drift = topic(1, 'drift')
  const shown = () => [newMessage.text?.draftId, newMessage.text?.text]
  await newMessage.answer(engine, 'a', drift, draftId('d2'))
  expect(shown()).toEqual(['d2', 'for later'])
  await newMessage.answer(engine, 'a', drift)
  expect(shown()).toEqual(['d2', 'for later'])
  await newMessage.answer(engine, 'a', drift, draftId('d1'))
  expect(shown()).toEqual(['d1', 'for now'])
  expect(await newMessage.close()).toBe('d1')
})

test('the topic without a name can be written to by the name under which it is shown', () => {
  newMessage.emptyTopicName = 'general chat'
  newMessage.open(bridge, 'a', { kind: 'topic', channelId: channelId(1), topic: '' })
  for (const typed of ['general chat ', '(no topic)', ' ']) {
    newMessage.topic = typed
    expect(newMessage.conversation).toEqual(topic(1, ''))
  }
  newMessage.topic = ' general chats'
  expect(newMessage.conversation).toEqual(topic(1, 'general chats'))
  newMessage.topic = ''
})

test('it gives way to the box of another conversation, and stays if it is addressed to this one', async () => {
  newMessage.open(bridge, 'a', { kind: 'topic', channelId: channelId(1), topic: 'drift' })
  await newMessage.giveWayTo(topic(1, 'Drift'))
  expect(newMessage.isOpen).toBe(true)
  await newMessage.giveWayTo(topic(1, 'rota'))
  expect(newMessage.isOpen).toBe(false)
  // Addressed to nobody yet, it is not for this conversation.
  newMessage.open(bridge, 'a', { kind: 'direct', people: [] })
  await newMessage.giveWayTo(direct)
  expect(newMessage.isOpen).toBe(false)
})

test('words are added to the draft that was chosen for a conversation, unless it went elsewhere since', async () => {
  const chosen = { id: draftId('d1'), recipient: topic(1, 'drift'), content: 'chosen' }
  const newest = { id: draftId('d2'), recipient: topic(1, 'drift'), content: 'newest' }
  const answers: Record<string, unknown> = { draft: chosen, 'conversation-draft': newest }
  const asked = answering(answers)
  const at = (picked: Parameters<typeof draftIn>[3]) => draftIn(asked, 'a', topic(1, 'Drift'), picked)
  expect([await at(chosen.id), await at('newest'), await at('new')]).toEqual([chosen, newest, null])
  // Its topic has another name now, and a new topic the old one.
  answers['draft'] = { ...chosen, recipient: topic(1, 'leeway') }
  expect(await at(chosen.id)).toEqual(newest)
  answers['draft'] = null
  expect(await at(chosen.id)).toEqual(newest)
})

test('a topic that takes the place of another takes its choice among drafts along, also that for the newest', () => {
  const [from, to] = [topic(1, 'drift'), topic(1, 'drift, gauge 4')]
  pickedDrafts.pick('a', from, draftId('d1'))
  pickedDrafts.follow('a', from, to)
  expect(pickedDrafts.of('a', to)).toBe('d1')
  pickedDrafts.pick('a', from, 'newest')
  pickedDrafts.follow('a', from, to)
  expect(pickedDrafts.of('a', to)).toBe('newest')
})
