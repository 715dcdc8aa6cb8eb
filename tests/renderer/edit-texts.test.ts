import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  followEdits,
  isOutdated,
  keepChange,
  keepEdit,
  keptEdit,
} from '../../src-renderer/state/edit-texts.ts'

/** A storage whose keys are its own properties, as in a browser. */
const storage = (): Record<string, unknown> =>
  Object.create({
    getItem(this: Record<string, unknown>, key: string) {
      return this[key] ?? null
    },
    setItem(this: Record<string, unknown>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, unknown>, key: string) {
      delete this[key]
    },
  })
beforeEach(() => vi.stubGlobal('localStorage', storage()))
afterEach(() => vi.unstubAllGlobals())

test('the unsaved edit of what waited follows when the server has it, and stays with its account', () => {
  const edit = { text: 'Low water at six, bring oars.', previous: 'Low water at six. ' }
  keepEdit('a', 'scheduled l1', edit)
  keepEdit('a', 'snippet l1', edit)
  keepEdit('b', 'scheduled l1', edit)
  const waiting = { id: 'l1', text: 'Low water at six. ', mark: 'drift 9:00' }
  const there = { id: 'scheduled-5', text: 'Low water at six.', mark: 'drift 9:00' }
  expect(followEdits('a', 'scheduled', [waiting, { ...there, id: 'scheduled-4' }])).toEqual([])
  expect(keptEdit('a', 'scheduled l1')).toEqual(edit)
  expect(followEdits('a', 'scheduled', [{ ...there, id: 'scheduled-4', text: 'Tea.' }, there])).toEqual([])
  expect(keptEdit('a', 'scheduled scheduled-5')).toEqual(edit)
  expect(keptEdit('a', 'scheduled l1')).toBe(null)
  expect([keptEdit('a', 'snippet l1'), keptEdit('b', 'scheduled l1')]).toEqual([edit, edit])
  // The message was sent or deleted.
  expect(followEdits('a', 'scheduled', [{ ...there, id: 'scheduled-6', text: 'Tea.' }])).toEqual([
    'scheduled-5',
  ])
  expect(keptEdit('a', 'scheduled scheduled-5')).toEqual(edit)
})

test('an unsaved edit goes to nothing that only has the same text', () => {
  const text = 'Low water at six.'
  const others = [
    { id: 'scheduled-8', text, mark: 'drift 11:00' },
    { id: 'scheduled-7', text, mark: 'drift 9:00' },
    { id: 'l2', text, mark: 'drift 9:00' },
  ]
  const edit = { text: 'Low water at seven.', previous: text }
  // What the server had does not get another id: it was sent or deleted.
  keepEdit('a', 'scheduled scheduled-6', edit)
  keepEdit('a', 'snippet 6', edit)
  expect(followEdits('a', 'scheduled', others)).toEqual(['scheduled-6'])
  expect(followEdits('a', 'snippet', [{ id: '7', text, mark: 'Tides' }])).toEqual(['6'])
  // What waited goes to the same place at the same time.
  keepChange('a', 'scheduled l1', edit.text, text, text, 'drift 9:00')
  expect(followEdits('a', 'scheduled', others)).toEqual(['scheduled-6'])
  expect(keptEdit('a', 'scheduled scheduled-7')).toEqual({ ...edit, mark: 'drift 9:00' })
  keepChange('a', 'scheduled l3', edit.text, text, text, 'drift 10:00')
  expect(followEdits('a', 'scheduled', others)).toEqual(['scheduled-6', 'l3'])
})

test('an unsaved edit knows the text that it is based on, also when that is no longer the text', () => {
  keepChange('a', 'scheduled 5', 'Tea at five.', 'Tea at four.')
  expect(isOutdated(keptEdit('a', 'scheduled 5'), 'Tea at four. ')).toBe(false)
  const kept = keptEdit('a', 'scheduled 5')
  expect(isOutdated(kept, 'Tea at six.')).toBe(true)
  keepChange('a', 'scheduled 5', 'Tea at five, sharp.', 'Tea at six.', kept?.previous)
  expect(keptEdit('a', 'scheduled 5')).toEqual({ text: 'Tea at five, sharp.', previous: 'Tea at four.' })
  keepChange('a', 'scheduled 5', 'Tea at six.', 'Tea at six.')
  expect(keptEdit('a', 'scheduled 5')).toBe(null)
  expect(isOutdated(null, 'Tea at six.')).toBe(false)
})
