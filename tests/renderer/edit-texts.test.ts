import { expect, test } from 'vitest'
import { FailureError } from '../../src-shared/failure.ts'
import type { Edited, EditText } from '../../src-shared/model/unsaved-edit.ts'
import { isOutdated, UnsavedEdits } from '../../src-renderer/state/writing/edit-texts.ts'
import { calledBridge } from './called-bridge.ts'

/** The engine's end, on a disk that may have no room. */
function engine() {
  const disk = { hasRoom: true, edits: {} as Record<string, string | null> }
  const bridge = calledBridge(async (_name, input) => {
    const { edited, edit } = input as unknown as { edited: Edited; edit: EditText | null }
    if (!disk.hasRoom)
      throw new FailureError({ kind: 'device', code: 'disk-full', message: 'The disk is full.' })
    disk.edits[edited] = edit?.text ?? null
    return null as never
  })
  return { disk, bridge }
}
const editsOf = (accountId: string) => new UnsavedEdits(engine().bridge, accountId)

test('an edit is handed to the engine at its first key, soon after others, at once when it ends, and again if the device has no room', async () => {
  const { disk, bridge } = engine()
  const edits = new UnsavedEdits(bridge, 'a', 5)
  edits.keep('message 12', { text: 'low', previous: 'Low water.' })
  edits.keep('message 12', { text: 'low water at', previous: 'Low water.' })
  expect(disk.edits).toEqual({ 'message 12': 'low' })
  await expect.poll(() => disk.edits).toEqual({ 'message 12': 'low water at' })
  disk.hasRoom = false
  edits.keep('message 12', { text: 'low water at six', previous: 'Low water.' })
  await edits.save()
  expect(edits.problem).toBe('Not saved on this device yet. The words stay while this window is open.')
  expect(edits.of('message 12')?.text).toBe('low water at six')
  disk.hasRoom = true
  await expect.poll(() => disk.edits).toEqual({ 'message 12': 'low water at six' })
  await expect.poll(() => edits.problem).toBe(null)
  edits.keep('message 12', null)
  expect(disk.edits).toEqual({ 'message 12': null })
  expect(edits.of('message 12')).toBe(null)
})

test('the unsaved edit of what waited follows when the server has it', () => {
  const edits = editsOf('a')
  const edit = { text: 'Low water at six, bring oars.', previous: 'Low water at six. ' }
  edits.keep('scheduled l1', edit)
  edits.keep('snippet l1', edit)
  const waiting = { id: 'l1', text: 'Low water at six. ', mark: 'drift 9:00' }
  const there = { id: 'scheduled-5', text: 'Low water at six.', mark: 'drift 9:00' }
  expect(edits.follow('scheduled', [waiting, { ...there, id: 'scheduled-4' }])).toEqual([])
  expect(edits.of('scheduled l1')).toEqual(edit)
  expect(edits.follow('scheduled', [{ ...there, id: 'scheduled-4', text: 'Tea.' }, there])).toEqual([])
  expect(edits.of('scheduled scheduled-5')).toEqual(edit)
  expect(edits.of('scheduled l1')).toBe(null)
  expect(edits.of('snippet l1')).toEqual(edit)
  // The message was sent or deleted.
  expect(edits.follow('scheduled', [{ ...there, id: 'scheduled-6', text: 'Tea.' }])).toEqual(['scheduled-5'])
  expect(edits.of('scheduled scheduled-5')).toEqual(edit)
})

test('an unsaved edit goes to nothing that only has the same text', () => {
  const edits = editsOf('a')
  const text = 'Low water at six.'
  const others = [
    { id: 'scheduled-8', text, mark: 'drift 11:00' },
    { id: 'scheduled-7', text, mark: 'drift 9:00' },
    { id: 'l2', text, mark: 'drift 9:00' },
  ]
  const edit = { text: 'Low water at seven.', previous: text }
  // What the server had does not get another id: it was sent or deleted.
  edits.keep('scheduled scheduled-6', edit)
  edits.keep('snippet 6', edit)
  expect(edits.follow('scheduled', others)).toEqual(['scheduled-6'])
  expect(edits.follow('snippet', [{ id: '7', text, mark: 'Tides' }])).toEqual(['6'])
  // What waited goes to the same place at the same time.
  edits.keepChange('scheduled l1', edit.text, text, text, 'drift 9:00')
  expect(edits.follow('scheduled', others)).toEqual(['scheduled-6'])
  expect(edits.of('scheduled scheduled-7')).toEqual({ ...edit, mark: 'drift 9:00' })
  edits.keepChange('scheduled l3', edit.text, text, text, 'drift 10:00')
  expect(edits.follow('scheduled', others)).toEqual(['scheduled-6', 'l3'])
})

test('an unsaved edit knows the text that it is based on, also when that is no longer the text', () => {
  const edits = editsOf('a')
  edits.keepChange('scheduled 5', 'Tea at five.', 'Tea at four.')
  expect(isOutdated(edits.of('scheduled 5'), 'Tea at four. ')).toBe(false)
  const kept = edits.of('scheduled 5')
  expect(isOutdated(kept, 'Tea at six.')).toBe(true)
  edits.keepChange('scheduled 5', 'Tea at five, sharp.', 'Tea at six.', kept?.previous)
  expect(edits.of('scheduled 5')).toEqual({ text: 'Tea at five, sharp.', previous: 'Tea at four.' })
  edits.keepChange('scheduled 5', 'Tea at six.', 'Tea at six.')
  expect(edits.of('scheduled 5')).toBe(null)
  expect(isOutdated(null, 'Tea at six.')).toBe(false)
})
