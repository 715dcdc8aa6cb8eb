import { renderToString } from 'katex'
import { expect, test } from 'vitest'
import { textFromHtml, wordsFromHtml } from '../../../src-main/store/words.ts'

const html =
  '<p>Low water <span aria-label="ocean" class="emoji emoji-1f30a" role="img" title="ocean">:ocean:</span> at six' +
  '<br>or <img class="emoji" alt=":skerry:" src="/x.png"> later</p><p>and <span class="emoji">:gone:</span></p>'

test('emoji are read as pictures and found by their names', () => {
  expect(textFromHtml(html)).toBe('Low water 🌊 at six or :skerry: later and :gone:')
  expect(wordsFromHtml(html)).toBe('Low water :ocean: at six or :skerry: later and :gone:')
})

test('formulas are read once, blocks and lines apart', () => {
  const math =
    '<p>so <span class="katex"><math>x</math><span class="katex-html"><span>x</span></span></span></p><p>y</p>'
  expect(textFromHtml(math)).toBe('so x y')
})

test('a formula is read as it was written', () => {
  const formula = renderToString(String.raw`\frac{3}{2} = 1.5`, { throwOnError: true })
  expect(textFromHtml(`<p>half of ${formula} is</p><p>less</p>`)).toBe(
    String.raw`half of \frac{3}{2} = 1.5 is less`,
  )
})

test('a moment is read in this zone, and found as it is written', () => {
  const moment = '<p>low water <time datetime="2026-11-21T22:20:00Z">2026-11-21T22:20:00Z</time>.</p>'
  expect(textFromHtml(moment)).toMatch(/^low water \w+,? \d+ Nov,? \d\d:\d\d\.$/)
  expect(wordsFromHtml(moment)).toContain('2026-11-21T22:20:00Z')
  expect(textFromHtml('<p>at <time datetime="soon">soon</time></p>')).toBe('at soon')
})
