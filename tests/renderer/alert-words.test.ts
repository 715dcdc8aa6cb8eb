import { expect, test } from 'vitest'
import { alertPattern } from '../../src-renderer/views/feed/alert-marks.ts'

const found = (words: readonly string[], text: string) =>
  [...text.matchAll(alertPattern(words) ?? /$^/g)].map(([word]) => word)

test('a word is found where it stands by itself, in any case', () => {
  expect(found(['Ebb'], 'ebb, EBB! (ebb) ebbing _ebb Ebb2')).toEqual(['ebb', 'EBB', 'ebb'])
  expect(found(['ébb', 'möwe'], 'Ébb und MÖWE, möwen')).toEqual(['Ébb', 'MÖWE'])
})

test('a phrase is found over the end of a line, and the longest of several wins', () => {
  expect(found(['low water', 'low'], 'low\n  water is low')).toEqual(['low\n  water', 'low'])
})

test('what means something in patterns means itself', () => {
  expect(found(['c++', '(a|b)', 'x.y', '#4-7', '🐦'], 'c++ (a|b) xzy x.y #4-7 🐦')).toEqual([
    'c++',
    '(a|b)',
    'x.y',
    '#4-7',
    '🐦',
  ])
  for (const odd of ['\\', '[', '^$', '{2}', '/', '*', '-'])
    expect(found([odd], `is ${odd} here`)).toEqual([odd])
})

test('no words, no pattern', () => {
  expect(alertPattern([])).toBeNull()
  expect(alertPattern(['', '  '])).toBeNull()
})
