import { afterEach, expect, test } from 'vitest'
import { toasts } from '../../src-renderer/state/toast.svelte.ts'
import { tellConflicts } from '../../src-renderer/state/writing/tell-conflicts.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'

// What is said when another device changes a draft too.

afterEach(() => toasts.close())

const topicDraft = (id: string, topic: string) => ({
  id,
  label: { kind: 'topic', channelName: 'gauges', topic },
})

/** What was said after each answer; null for nothing. */
function said(...answers: readonly object[][]): (string | null)[] {
  let answer: (drafts: object[]) => void = () => {}
  const bridge = {
    watch(_name: string, _params: object, onValue: typeof answer) {
      answer = onValue
      return () => {}
    },
  } as unknown as Bridge
  tellConflicts(bridge, 'here')
  return answers.map((drafts) => {
    toasts.close()
    answer(drafts)
    return toasts.current?.words ?? null
  })
}

test('each draft that comes into conflict is named once, with the way to it', () => {
  const rota = topicDraft('1', 'rota')
  const words = 'Your draft for “rota, gauges” was edited on two devices. Both versions are safe.'
  expect(said([], [rota], [rota], [], [rota])).toEqual([null, words, null, null, null])
  said([], [rota])
  expect(toasts.current?.to).toEqual({ view: 'drafts', accountId: 'here' })
})

test('those of the last time are not told again, several at once are counted, and one may have no recipient', () => {
  const [rota, clamp, lost] = [topicDraft('1', 'rota'), topicDraft('2', 'clamp'), { id: '3', label: null }]
  expect(said([rota], [rota, clamp, lost])).toEqual([
    null,
    '2 drafts were edited on two devices. All versions are safe.',
  ])
  expect(said([], [lost])).toEqual([null, 'A draft was edited on two devices. Both versions are safe.'])
})
