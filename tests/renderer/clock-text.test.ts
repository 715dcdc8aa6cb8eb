import { expect, test } from 'vitest'
import { clockFromText, clockText } from '../../src-renderer/parts/clock-text.ts'

test.each([
  ['14:02', '14:02'],
  [' 9 ', '09:00'],
  ['1402', '14:02'],
  ['930', '09:30'],
  ['14.02', '14:02'],
  ['14h02', '14:02'],
  ['2:02 pm', '14:02'],
  ['2:02 p.m.', '14:02'],
  ['12 am', '00:00'],
  ['12:30PM', '12:30'],
  ['24:00', null],
  ['13 pm', null],
  ['0 am', null],
  ['9:60', null],
  ['noon', null],
  ['', null],
])('the time of day in “%s” is %s', (text, time) => {
  expect(clockFromText(text)).toBe(time)
})

test('a time of day that passes midnight goes on in the next day', () => {
  expect([clockText(0), clockText(1_450), clockText(-15)]).toEqual(['00:00', '00:10', '23:45'])
})
