import { expect, test } from 'vitest'
import { renderMarkdown } from '../../../src-shared/markdown/render.ts'
import { acme } from './acme.ts'
import { elementsOf } from './tree.ts'

const moment = (typed: string): string | undefined =>
  elementsOf(renderMarkdown(`<time:${typed}>`, acme()).html)[1]?.attributes['datetime']

test.each([
  ['2024-05-01', '2024-05-01T00:00:00Z'],
  ['2024-05-01 14:00', '2024-05-01T14:00:00Z'],
  ['2024-05-01T14:00:30.250Z', '2024-05-01T14:00:30Z'],
  ['2024-05-01T14:00-0530', '2024-05-01T19:30:00Z'],
  ['20240501T140000Z'.replace('T140000Z', ' 14:00Z'), '2024-05-01T14:00:00Z'],
  ['1 May 2024 2pm', '2024-05-01T14:00:00Z'],
  ['Wed, 01 May 2024 14:00:00 GMT', '2024-05-01T14:00:00Z'],
  ['May 1st, 2024 at 12:15 am', '2024-05-01T00:15:00Z'],
  ['Wednesday May 1 2024 14:00 UTC+02:00', '2024-05-01T12:00:00Z'],
  ['5/1/2024 14:00', '2024-05-01T14:00:00Z'],
  ['0', undefined],
  ['1714572000.9', '2024-05-01T14:00:00Z'],
  ['-86400', '1969-12-31T00:00:00Z'],
])('%s', (typed, expected) => {
  expect(moment(typed)).toBe(expected)
})

test.each([
  '',
  'soon',
  '2024-02-30',
  '2024-05-01 25:00',
  '14:00',
  'May 2024',
  '2024-05-01 14:00 pm x',
  '99999999999999',
  '13 pm 1 May 2024',
])('%j is no time', (typed) => {
  expect(moment(typed)).toBeUndefined()
})
