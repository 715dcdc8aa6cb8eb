import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ComposeText } from '../../src-renderer/state/writing/compose.svelte.ts'
import { openCompose } from '../../src-renderer/state/writing/open-compose.ts'
import { route, type Route } from '../../src-renderer/state/navigation/route.svelte.ts'
import { attachField, Composer } from '../../src-renderer/views/compose/composer.svelte.ts'
import type { CallInputOf } from '../../src-shared/bridge/calls.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { accountId, channelId, draftId } from '../../src-shared/ids.ts'
import type { Draft } from '../../src-shared/model/draft.ts'
import { calledBridge } from './called-bridge.ts'

const topic = { kind: 'topic', channelId: channelId(7), topic: 'drift' } as const

/** The page and the window, whose events these tests cause. */
let page: EventTarget & { visibilityState: string }
let ownWindow: EventTarget
beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  ownWindow = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', ownWindow)
  vi.stubGlobal('addEventListener', ownWindow.addEventListener.bind(ownWindow))
  vi.stubGlobal('removeEventListener', ownWindow.removeEventListener.bind(ownWindow))
})
afterEach(() => vi.unstubAllGlobals())

/** A conversation's text and its field, and what was saved of it; words that came from elsewhere are merged before it. */
function writing({ elsewhere = '' } = {}) {
  const saved: string[] = []
  /** The draft and the text that each was based on. */
  const based: unknown[] = []
  const bridge = calledBridge(async (name, input) => {
    if (name !== 'save-draft') return null as never
    // What a text sends with this call.
    const { draft, draftId: id, basis } = input as CallInputOf<'save-draft'>
    saved.push(draft.content)
    based.push([id, basis])
    return { draftId: id ?? draftId('d2'), ...draft, content: `${elsewhere}${draft.content}` } as never
  })
  const text = new ComposeText(bridge, 'a', topic)
  const field = { value: '', focus: vi.fn(), setSelectionRange: vi.fn() }
  const begin = ({ goesOn }: { goesOn: boolean }) =>
    attachField(text, {
      field: () => field as unknown as HTMLTextAreaElement,
      focus: async () => field.focus(),
      goesOn,
    })
  const type = (words: string) => {
    text.text = words
    text.typed()
  }
  return { text, field, saved, based, begin, type }
}
/** What happens at once has happened; a pause in typing is much longer. */
const atOnce = () => new Promise((resolve) => setImmediate(resolve))

test('nothing typed waits for a timer when the window is hidden or closes', async () => {
  const { saved, begin, type } = writing()
  const end = begin({ goesOn: false })
  type('the tube')
  page.dispatchEvent(new Event('visibilitychange'))
  await atOnce()
  expect(saved).toEqual([])
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  await atOnce()
  expect(saved).toEqual(['the tube'])
  type('the tube is wet')
  ownWindow.dispatchEvent(new Event('pagehide'))
  await atOnce()
  expect(saved).toEqual(['the tube', 'the tube is wet'])
  end()
})

test('a text is saved when its field goes, unless another field goes on with it', async () => {
  const left = writing()
  const end = left.begin({ goesOn: false })
  left.type('the tube')
  end()
  await atOnce()
  expect(left.saved).toEqual(['the tube'])

  const kept = writing()
  const endKept = kept.begin({ goesOn: true })
  kept.type('the tube')
  endKept()
  await atOnce()
  expect(kept.saved).toEqual([])
  await kept.text.leave()
})

test('a field that has gone hears of nothing', async () => {
  const { saved, text, begin, type } = writing()
  begin({ goesOn: true })()
  type('the tube')
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  ownWindow.dispatchEvent(new Event('pagehide'))
  await atOnce()
  expect(saved).toEqual([])
  expect(openCompose.current).toBe(null)
  await text.leave()
})

test('words from elsewhere go into the newest field, where the person continues after them', async () => {
  const before = writing()
  const endBefore = before.begin({ goesOn: false })
  const { text, field, begin } = writing()
  const end = begin({ goesOn: false })
  field.value = '> quoted'
  openCompose.current?.append('> quoted')
  expect(text.text.trim()).toBe('> quoted')
  expect(before.text.text).toBe('')
  await atOnce()
  expect(field.focus).toHaveBeenCalledOnce()
  expect(field.setSelectionRange).toHaveBeenCalledWith(8, 8)
  expect(before.field.focus).not.toHaveBeenCalled()
  end()
  endBefore()
  await text.leave()
})

test('what was typed while words were waited for stands after them, and the person continues there', async () => {
  const { text, field, begin } = writing()
  const end = begin({ goesOn: false })
  const quote = '```quote\nLow water.\n```'
  text.text = 'So: yes'
  field.value = `So:\n\n${quote}\n yes`
  openCompose.current?.append(quote, { takesFocus: true, beginning: 'So:' })
  expect(text.text).toBe(field.value)
  await atOnce()
  expect(field.setSelectionRange).toHaveBeenCalledWith(field.value.length, field.value.length)
  // The beginning is another by now.
  text.text = 'No'
  openCompose.current?.append(quote, { takesFocus: false, beginning: 'So:' })
  expect(text.text).toBe(`No\n\n${quote}\n`)
  end()
  await text.leave()
})

/** A composer in a component; the tests say what it writes and what the engine has of it. */
function composing({ goesOn }: { goesOn: boolean }) {
  let text = $state.raw<ComposeText | null>(null)
  let draft = $state.raw<Draft | null>()
  let made: Composer | undefined
  const end = $effect.root(() => {
    made = new Composer({ text: () => text, draft: () => draft, goesOn })
  })
  flushSync()
  return {
    composer: made as Composer,
    write: (next: ComposeText | null) => flushSync(() => (text = next)),
    know: (next: Draft | null | undefined) => flushSync(() => (draft = next)),
    end,
  }
}

const draftOf = (content: string) =>
  ({ id: draftId('d1'), recipient: topic, content, conflict: null }) as unknown as Draft

test('a text follows its draft as soon as the draft is known, and as it changes and ends', async () => {
  const { text } = writing()
  const { write, know, end } = composing({ goesOn: true })
  write(text)
  expect(text.text).toBe('')
  know(draftOf('the tube'))
  expect(text.text).toBe('the tube')
  know(undefined)
  expect(text.text).toBe('the tube')
  know(draftOf('the tube is wet'))
  expect(text.text).toBe('the tube is wet')
  know(null)
  expect(text.text).toBe('')
  end()
  know(draftOf('too late'))
  expect(text.text).toBe('')
  await text.leave()
})

test('a text that the person changes does not follow its draft back', async () => {
  const { text } = writing()
  const { write, know, end } = composing({ goesOn: true })
  write(text)
  know(draftOf('the tube'))
  // The field changes the text first, and says afterwards that somebody typed.
  flushSync(() => (text.text = 'the tube is'))
  text.typed()
  expect(text.text).toBe('the tube is')
  end()
  await text.leave()
})

test('words typed before the draft is known are another draft, and that one stays as it is', async () => {
  const { text, type, saved, based } = writing()
  const { write, know, end } = composing({ goesOn: true })
  write(text)
  type('ok')
  know(draftOf('the tube'))
  expect(text.text).toBe('ok')
  await text.save()
  expect([saved, based]).toEqual([['ok'], [[null, null]]])
  expect(text.draftId).toBe('d2')
  end()
  await text.leave()
})

test('words that contain the draft continue it, also if the answer to an earlier save was lost', async () => {
  const { text, type, saved, based } = writing()
  const { write, know, end } = composing({ goesOn: true })
  write(text)
  type('the tube is')
  know(draftOf('the tube'))
  await text.save()
  expect([saved, based]).toEqual([['the tube is'], [['d1', 'the tube']]])
  end()
  await text.leave()
})

test('a word that an input method composes is not interrupted by words from elsewhere', async () => {
  const { text, saved, based } = writing({ elsewhere: 'Note: ' })
  text.text = 'ほ'
  text.typed({ isComposing: true })
  await text.save()
  expect(text.text).toBe('ほ')
  // Nor by a change of the draft that arrives now.
  text.follow(draftOf('Note: ほ'))
  expect(text.text).toBe('ほ')
  text.text = 'ほん'
  text.typed({ isComposing: true })
  text.typed()
  await text.save()
  expect(text.text).toBe('Note: ほん')
  // What was typed is merged with the rest, because the person did not see that yet.
  expect([saved, based]).toEqual([
    ['ほ', 'ほん'],
    [
      [null, null],
      ['d2', 'ほ'],
    ],
  ])
  await text.leave()
})

test('a draft that is known first waits for its text', async () => {
  const { text } = writing()
  const { write, know, end } = composing({ goesOn: true })
  know(draftOf('the tube'))
  write(text)
  expect(text.text).toBe('the tube')
  end()
  await text.leave()
})

test('the text that is written is looked after, and saved when another takes its place or the view ends', async () => {
  const first = writing()
  const second = writing()
  const { write, end } = composing({ goesOn: false })
  expect(openCompose.current).toBe(null)
  write(first.text)
  first.type('the tube')
  openCompose.current?.append('is wet')
  expect(first.text.text).toContain('is wet')
  write(second.text)
  await atOnce()
  expect(first.saved).toEqual([first.text.text])
  openCompose.current?.append('the stilling well')
  expect(second.text.text.trim()).toBe('the stilling well')
  second.type('the stilling well')
  end()
  await atOnce()
  expect(second.saved).toEqual(['the stilling well'])
  expect(openCompose.current).toBe(null)
})

test('neither typing nor a field that appears begins anew', async () => {
  const { saved, text, field, type } = writing()
  const { composer, write, know, end } = composing({ goesOn: false })
  write(text)
  know(null)
  const offered = openCompose.current
  type('the tube')
  composer.field = field as unknown as HTMLTextAreaElement
  flushSync()
  await atOnce()
  expect(openCompose.current).toBe(offered)
  expect(saved).toEqual([])
  offered?.focus()
  expect(field.focus).toHaveBeenCalledOnce()
  end()
  await atOnce()
})

test('the field of the place that is awaited takes the focus, and none elsewhere', async () => {
  const awaited: Route = { view: 'feed', accountId: accountId('a'), narrow: topic, near: null }
  const appears = async () => {
    const focus = vi.fn()
    const stop = openCompose.offer({ focus, isFor: () => true, append: () => {}, text: '' })
    await atOnce()
    stop()
    return focus.mock.calls.length
  }
  const before = route.current
  openCompose.focusAt(awaited)
  route.current = awaited
  expect(await appears()).toBe(1)
  expect(await appears()).toBe(0)
  // Nothing appeared there, and the person went on.
  openCompose.focusAt(awaited)
  route.current = { view: 'feed', accountId: accountId('a'), narrow: { kind: 'directs' }, near: null }
  expect(await appears()).toBe(0)
  route.current = awaited
  expect(await appears()).toBe(0)
  route.current = before
})

test('a text that was passed on to where its topic moved stays, although its old field finds no draft any more', async () => {
  const { text, type } = writing()
  type('in the locker')
  await text.save()
  text.passOn({ ...topic, topic: 'leeway' })
  text.follow(null)
  expect([text.text, text.draftId]).toEqual(['in the locker', 'd2'])
  // The field of the new place has it from then on, and hears when the draft ends.
  expect(ComposeText.open({} as Bridge, 'a', { ...topic, topic: 'leeway' })).toBe(text)
  text.follow(null)
  expect([text.text, text.draftId]).toEqual(['', null])
})
