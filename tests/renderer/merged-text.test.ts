import { describe, expect, test } from 'vitest'
import { endOf, mergedText } from '../../src-renderer/views/drafts/merged-text.ts'

describe('mergedText', () => {
  const pieces = [
    { kind: 'joined', text: 'light until ', from: null, replaced: '' },
    { kind: 'conflict', number: 1, base: '17:30', local: '17:10', remote: 'dusk' },
    { kind: 'joined', text: ' today', from: null, replaced: '' },
  ] as const

  test('takes what was chosen, and both when both were', () => {
    expect(mergedText(pieces, { 1: 'local' })).toBe('light until 17:10 today')
    expect(mergedText(pieces, { 1: 'remote' })).toBe('light until dusk today')
    expect(mergedText(pieces, { 1: 'both' })).toBe('light until 17:10 dusk today')
  })
  test('knows the punctuation that ends an overlap, and takes no words or signs of formatting for it', () => {
    const endBefore = (text: string, from: 'local' | null = null) =>
      endOf([pieces[1], { kind: 'joined', text, from, replaced: '' }], 0)
    expect(endBefore('.')).toBe('.')
    expect(endBefore('?! Then home.')).toBe('?!')
    expect(endBefore(' today.')).toBe('')
    expect(endBefore('**bold**')).toBe('')
    expect(endBefore('.', 'local')).toBe('')
    expect(endOf(pieces, 0)).toBe('')
    expect(endOf([pieces[1]], 0)).toBe('')
  })
})
