import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  dayFrom,
  operatorsBegunIn,
  parseSearch,
  searchOperators,
  searchText,
  typedSearch,
  wordsBefore,
} from '../../src-shared/model/search.ts'

test('conditions are taken out of the words, quoted ones with their spaces', () => {
  expect(parseSearch('drift sender:"Keiko Tamura" -has:image "six hours"')).toEqual({
    terms: [
      { operator: 'sender', operand: 'Keiko Tamura', isNegated: false },
      { operator: 'has', operand: 'image', isNegated: true },
    ],
    words: 'drift "six hours"',
  })
})

test('names that other clients use mean the same', () => {
  const text = 'stream:maps streams:public subject:tides from:me pm-with:me dm-with:me is:private'
  expect(searchText(parseSearch(text))).toBe(
    'channel:maps channels:public topic:tides sender:me dm:me dm-including:me is:dm',
  )
})

test('what only looks like a condition stays a word', () => {
  for (const text of [
    'http://example.org',
    'note:this',
    'a:b',
    'is:',
    ':gull:',
    'std::map',
    'constructor:x',
  ]) {
    expect(parseSearch(text), text).toEqual({ terms: [], words: text })
  }
})

test('the topic without a name is written as empty quotation marks; nothing else is without one', () => {
  const unnamed = { operator: 'topic', operand: '', isNegated: false }
  expect(parseSearch('drift topic:""')).toEqual({ terms: [unnamed], words: 'drift' })
  expect(parseSearch('-topic:"" drift')).toEqual({ terms: [{ ...unnamed, isNegated: true }], words: 'drift' })
  expect(searchText(parseSearch('topic:"" drift'))).toBe('topic:"" drift')
  expect(typedSearch('drift topic:""')).toMatchObject({ finished: [unnamed], unfinished: null })
  expect(typedSearch('topic:"')).toMatchObject({ finished: [], unfinished: { operand: '' } })
  for (const text of ['topic:', 'channel:""', 'sender:""'])
    expect(parseSearch(text), text).toEqual({ terms: [], words: text })
})

test('in an exact phrase there are no conditions, also before its closing quote is typed', () => {
  const sender = { operator: 'sender', operand: 'Keiko Tamura', isNegated: false }
  const phrase = '"write topic:foo in has:link"'
  expect(parseSearch(`${phrase} sender:"Keiko Tamura"`)).toEqual({ terms: [sender], words: phrase })
  expect(parseSearch(`sender:"Keiko Tamura" ${phrase}`)).toEqual({ terms: [sender], words: phrase })
  for (let end = 1; end <= phrase.length; end++) {
    const text = phrase.slice(0, end)
    expect(typedSearch(text), text).toEqual({ finished: [], rest: text, unfinished: null })
    expect(operatorsBegunIn(text).operators, text).toEqual([])
  }
  const closed = '"write topic:"'
  expect(typedSearch(closed)).toEqual({ finished: [], rest: closed, unfinished: null })
  expect(typedSearch(`${phrase} topic:dri`)).toMatchObject({ unfinished: { operand: 'dri' } })
  expect(operatorsBegunIn(`${phrase} -top`).operators).toEqual(['topic'])
  // A quote inside a word begins none.
  expect(parseSearch('5" has:link')).toMatchObject({ terms: [{ operand: 'link' }], words: '5"' })
})

test('every search reads back as itself', () => {
  const word = fc.stringMatching(/^[a-zäß0-9_.-]{1,12}$/)
  const operand = fc.array(fc.stringMatching(/^[a-zäß0-9_#✔-]{1,8}$/), { minLength: 1, maxLength: 3 })
  const term = fc.record({
    operator: fc.constantFrom(...searchOperators),
    operand: operand.map((words) => words.join(' ')),
    isNegated: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), fc.array(word, { maxLength: 3 }), (terms, words) => {
      const search = { terms, words: words.join(' ') }
      expect(parseSearch(searchText(search))).toEqual(search)
    }),
  )
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      parseSearch(text)
      wordsBefore(typedSearch(text))
    }),
  )
})

test('a name that is being typed is no condition yet, spaces and all', () => {
  const typed = typedSearch('drift sender:Keiko Ta')
  expect(typed.finished).toEqual([])
  expect(typed.unfinished).toEqual({ operator: 'sender', operand: 'Keiko Ta', isNegated: false })
  expect(wordsBefore(typed)).toBe('drift')
})

test('a closing quote ends a name, a space ends what has no spaces', () => {
  expect(typedSearch('drift sender:"Keiko Tamura"')).toMatchObject({
    finished: [{ operator: 'sender', operand: 'Keiko Tamura' }],
    unfinished: null,
  })
  expect(typedSearch('sender:me ')).toMatchObject({ finished: [{ operand: 'me' }], unfinished: null })
  expect(typedSearch('sender:mei ')).toMatchObject({ finished: [], unfinished: { operand: 'mei ' } })
  expect(typedSearch('is:starred ')).toMatchObject({ finished: [{ operand: 'starred' }], unfinished: null })
  expect(typedSearch('is:star')).toMatchObject({ finished: [], unfinished: { operand: 'star' } })
})

test('the beginning of a condition is known by its first letters, also turned around', () => {
  expect(operatorsBegunIn('drift dm')).toEqual({
    before: 'drift ',
    operators: ['dm', 'dm-including'],
  })
  expect(operatorsBegunIn('-cha')).toEqual({ before: '-', operators: ['channel', 'channels'] })
  expect(operatorsBegunIn('drift ').operators).toEqual([])
  expect(operatorsBegunIn('drifting').operators).toEqual([])
})

test('a day begins at midnight here; what is no day is none', () => {
  expect(dayFrom('2026-02-03')).toBe(new Date(2026, 1, 3).getTime())
  expect(dayFrom('2026-02-31')).toBeNull()
  expect(dayFrom('yesterday')).toBeNull()
})
