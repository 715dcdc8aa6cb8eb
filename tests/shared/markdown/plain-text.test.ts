import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createParser } from '../../../src-shared/markdown/parser.ts'
import { parsingOf } from '../../../src-shared/markdown/plain-text.ts'
import { renderMarkdown } from '../../../src-shared/markdown/render.ts'
import { openScope } from '../../../src-shared/markdown/scope.ts'
import { acme } from './acme.ts'

const parser = createParser()
const pieces = [
  ...['*', '**', '*word*', '**two words**', ' ', ' '],
  ...' .,;:!?()[]{}<>"\'`~*_#@$%^&|/\\+-=0123456789',
  ...['a', 'B', 'ß', 'é', 'Ж', '中', '—', '…', '\u00a0', '\u200d', '\n', '\t', '\r', '©', '™', '☺', '👍'],
  ...[
    'word',
    'such as',
    'example.org',
    'www.',
    'http',
    '//',
    ':)',
    ';)',
    '(:',
    '<3',
    '/me ',
    '1. ',
    '- ',
    '...',
  ],
]
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''))

test('a text that needs no parser, or a part of it, is shown as the parser would show it', () => {
  const seen = { nothing: 0, stars: 0, all: 0 }
  fc.assert(
    fc.property(fc.constantFrom('', 'a', 'Word '), texts, fc.boolean(), (start, end, translateEmoticons) => {
      const source = start + end
      const context = acme({ linkifiers: [], translateEmoticons })
      seen[parsingOf(source, context)]++
      const { env } = openScope(context)
      expect(renderMarkdown(source, context).html).toBe(parser.render(source, env).trim())
    }),
    { numRuns: 2_000 },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10)
})

test('what people write most needs no parser; linkifiers may find anything in it', () => {
  const context = acme({ linkifiers: [] })
  for (const text of ['ok', 'Yes, tomorrow. I will be late!', "That's fine (for me)...", 'Größer als 3/4?'])
    expect(parsingOf(text, context)).toBe('nothing')
  expect(parsingOf('Not *so* fast.', context)).toBe('stars')
  expect(parsingOf('ok', acme())).toBe('all')
  expect(parsingOf('fine ;)', acme({ linkifiers: [], translateEmoticons: true }))).toBe('all')
})

test('a long text is looked through in time that grows with its length alone', () => {
  const context = acme({ linkifiers: [] })
  const long = `a${' '.repeat(10_000)}`
  expect(parsingOf(`${long}.b`, context)).toBe('all')
  expect(parsingOf(long, context)).toBe('all')
  expect(parsingOf(`${long}b`, context)).toBe('nothing')
})
