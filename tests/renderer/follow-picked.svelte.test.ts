import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import { accountId, channelId, draftId } from '../../src-shared/ids.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { route } from '../../src-renderer/state/navigation/route.svelte.ts'
import { followPicked } from '../../src-renderer/state/writing/follow-picked.svelte.ts'
import { pickedDrafts } from '../../src-renderer/state/writing/picked-drafts.svelte.ts'

const topic = (name: string) => topicConversation(channelId(1), name)
/** Tells what is watched now, by the draft, and what becomes of one. */
function drafts() {
  const watched = new Set<{ readonly id: string; readonly onValue: (draft: unknown) => void }>()
  const bridge = {
    watch: (_name: string, { draftId: id }: { draftId: string }, onValue: (draft: unknown) => void) => {
      const watch = { id, onValue }
      watched.add(watch)
      return () => watched.delete(watch)
    },
  } as unknown as Bridge
  const tell = (id: string, draft: unknown) => {
    for (const watch of [...watched]) if (watch.id === id) watch.onValue(draft)
    flushSync()
  }
  const moves = (id: string, to: string) => tell(id, { id, recipient: topic(to) })
  return { bridge, watched, moves, ends: (id: string) => tell(id, null) }
}

test('the choice of a draft follows it to where its topic moves while another place is open', () => {
  const { bridge, watched, moves } = drafts()
  pickedDrafts.pick('a', topic('drift'), draftId('d1'))
  pickedDrafts.pick('a', topic('gauge'), draftId('d2'))
  pickedDrafts.pick('a', topic('sent'), 'new')
  pickedDrafts.pick('b', topic('drift'), draftId('d3'))
  const stop = followPicked(bridge, 'a')
  flushSync()
  expect([...watched].map(({ id }) => id)).toEqual(['d1', 'd2'])
  moves('d1', 'drift')
  expect(pickedDrafts.of('a', topic('drift'))).toBe('d1')
  moves('d1', 'leeway')
  expect([pickedDrafts.of('a', topic('leeway')), pickedDrafts.of('a', topic('drift'))]).toEqual([
    'd1',
    'newest',
  ])
  // A topic that was there before has its own choice.
  moves('d1', 'gauge')
  expect([pickedDrafts.of('a', topic('gauge')), pickedDrafts.of('a', topic('leeway'))]).toEqual([
    'd2',
    'newest',
  ])
  // The open feed takes the choice along itself, with all that is open in it.
  route.current = { view: 'feed', accountId: accountId('a'), narrow: topic('gauge'), near: null }
  moves('d2', 'tide')
  expect([pickedDrafts.of('a', topic('gauge')), pickedDrafts.of('a', topic('tide'))]).toEqual([
    'd2',
    'newest',
  ])
  pickedDrafts.follow('a', topic('gauge'), topic('tide'))
  route.current = { ...route.current, narrow: topic('tide') }
  flushSync()
  moves('d2', 'tide')
  expect([pickedDrafts.of('a', topic('gauge')), pickedDrafts.of('a', topic('tide'))]).toEqual([
    'newest',
    'd2',
  ])
  stop()
  flushSync()
  expect(watched.size).toBe(0)
  expect(pickedDrafts.of('b', topic('drift'))).toBe('d3')
  route.current = null
})

test('a chosen draft that was sent or deleted is watched no longer, unless its feed is open', () => {
  const { bridge, watched, ends } = drafts()
  for (const [name, id] of [
    ['drift', 'd1'],
    ['gauge', 'd2'],
  ] as const)
    pickedDrafts.pick('c', topic(name), draftId(id))
  const stop = followPicked(bridge, 'c')
  flushSync()
  route.current = { view: 'feed', accountId: accountId('c'), narrow: topic('gauge'), near: null }
  ends('d1')
  ends('d2')
  expect([pickedDrafts.of('c', topic('drift')), pickedDrafts.of('c', topic('gauge'))]).toEqual([
    'newest',
    'd2',
  ])
  expect([...watched].map(({ id }) => id)).toEqual(['d2'])
  stop()
  route.current = null
})
