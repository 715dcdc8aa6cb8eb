import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import { LastAnswer } from '../../src-renderer/state/data/last-answer.svelte.ts'

/** An answer that these tests give, as a component sees its last one; `shown` is what the component drew each time. */
function watching(first: string | undefined) {
  let present = $state.raw(first)
  const shown: (string | null)[] = []
  const end = $effect.root(() => {
    const last = new LastAnswer(() => present)
    // What the first drawing shows, before any effect ran.
    shown.push(last.current)
    $effect(() => {
      if (shown.at(-1) !== last.current) shown.push(last.current)
    })
  })
  const give = (next: string | undefined) => {
    present = next
    flushSync()
  }
  flushSync()
  return { shown, give, end }
}

test('there is nothing until the first answer', () => {
  const { shown, give, end } = watching(undefined)
  expect(shown).toEqual([null])
  give('one')
  expect(shown).toEqual([null, 'one'])
  end()
})

test('an answer that is known already is there in the first drawing', () => {
  const { shown, end } = watching('one')
  expect(shown).toEqual(['one'])
  end()
})

test('the last answer stays until the next one arrives', () => {
  const { shown, give, end } = watching('one')
  give(undefined)
  expect(shown).toEqual(['one'])
  give('two')
  expect(shown).toEqual(['one', 'two'])
  end()
})

test('once its component is gone, nothing changes any more', () => {
  const { shown, give, end } = watching('one')
  end()
  give('two')
  expect(shown).toEqual(['one'])
})

test('nothing is drawn with a new answer and the one before it', () => {
  let present = $state.raw<string>()
  const drawn: unknown[] = []
  const end = $effect.root(() => {
    const last = new LastAnswer(() => present)
    // Components draw in effects of this kind, in the order in which they were made.
    $effect.pre(() => void drawn.push([present, last.current]))
  })
  flushSync()
  flushSync(() => (present = 'one'))
  expect(drawn).toEqual([
    [undefined, null],
    ['one', 'one'],
  ])
  end()
})
