import fc from 'fast-check'
import { renderToString } from 'katex'
import { afterAll, expect, test } from 'vitest'
import { putSettingValue } from '../../../src-main/store/account-settings.ts'
import { openStore } from '../../../src-main/store/database.ts'
import { closedTextFromHtml, textFromHtml, wordsFromHtml } from '../../../src-main/store/html-text.ts'

const store = openStore(':memory:', () => {})
afterAll(() => store.close())
/** The account's file, in which the person chose a clock. */
const withClock = (uses24HourClock: boolean) => {
  store.write((db) => putSettingValue(db, 'twentyFourHourTime', uses24HourClock))
  return store.db
}
const db = withClock(true)

const html =
  '<p>Low water <span aria-label="ocean" class="emoji emoji-1f30a" role="img" title="ocean">:ocean:</span> at six' +
  '<br>or <img class="emoji" alt=":skerry:" src="/x.png"> later</p><p>and <span class="emoji">:gone:</span></p>'

test('emoji are read as pictures and found by their names', () => {
  expect(textFromHtml(db, html)).toBe('Low water 🌊 at six or :skerry: later and :gone:')
  expect(wordsFromHtml(html)).toBe('Low water :ocean: at six or :skerry: later and :gone:')
})

test('polls and lists are called that, and other messages are not', () => {
  expect(textFromHtml(db, '<p>/poll Which boat?<br>\nTern</p>')).toBe('Poll: Which boat? · Tern')
  expect(textFromHtml(db, '<p>/todo<br>\nOars</p>')).toBe('To-do list: Oars')
  expect(closedTextFromHtml(db, '<p>/todo</p>')).toBe('To-do list')
  for (const text of ['/polls are open', 'a /poll'])
    expect(closedTextFromHtml(db, `<p>${text}</p>`)).toBe(text)
  expect(textFromHtml(db, '<p><code>/poll Which boat?</code></p>')).toBe('/poll Which boat?')
  expect(textFromHtml(db, '<p>/poll<code>Which boat?</code></p>')).toBe('/pollWhich boat?')
})

test('lists and notifications name the author, so what somebody tells of themselves is without its command', () => {
  expect(closedTextFromHtml(db, '<p>/me <strong>waits</strong></p>')).toBe('waits')
  for (const text of ['/mean', 'so /me waits', '/me'])
    expect(closedTextFromHtml(db, `<p>${text}</p>`)).toBe(text)
  expect(textFromHtml(db, '<p>/me waits</p>')).toBe('/me waits')
})

test('formulas are read once, blocks and lines apart', () => {
  const math =
    '<p>so <span class="katex"><math>x</math><span class="katex-html"><span>x</span></span></span></p><p>y</p>'
  expect(textFromHtml(db, math)).toBe('so x y')
})

test('a formula is read as it was written', () => {
  const formula = renderToString(String.raw`\frac{3}{2} = 1.5`, { throwOnError: true })
  expect(textFromHtml(db, `<p>half of ${formula} is</p><p>less</p>`)).toBe(
    String.raw`half of \frac{3}{2} = 1.5 is less`,
  )
})

test('a moment is read in this zone, and found as it is written', () => {
  const moment = '<p>low water <time datetime="2026-11-21T22:20:00Z">2026-11-21T22:20:00Z</time>.</p>'
  expect(textFromHtml(withClock(true), moment)).toMatch(/^low water \w+,? \d+ Nov,? \d\d:\d\d\.$/)
  expect(textFromHtml(withClock(false), moment)).toMatch(/^low water \w+,? \d+ Nov,? \d\d?:\d\d\s[ap]m\.$/i)
  expect(wordsFromHtml(moment)).toContain('2026-11-21T22:20:00Z')
  expect(textFromHtml(db, '<p>at <time datetime="soon">soon</time></p>')).toBe('at soon')
})

test('a link to a place is read as it looks in a message', () => {
  const link = '<a class="stream-topic" href="#narrow">#gauges &gt; a &gt; b</a>'
  expect(textFromHtml(db, `<p>1 &gt; 0, see ${link}.</p>`)).toBe('1 > 0, see #gauges › a > b.')
  expect(textFromHtml(db, '<p><a class="message-link" href="#narrow">#gauges &gt; drift @ 💬</a></p>')).toBe(
    '#gauges › drift @ 💬',
  )
})

test('links to places that are nested or never closed lose no text', () => {
  const begin = '<a class="stream-topic" href="#narrow">#a &gt; b'
  expect(textFromHtml(db, `<p>see ${begin} and ${begin}</a> now</p>`)).toBe('see #a › b and #a › b now')
  expect(textFromHtml(db, `<p>see ${begin}`)).toBe('see #a › b')
})

test('the time for a text with many links to places grows with its length only', () => {
  const link = '<a class="stream-topic" href="#narrow">#gauges &gt; drift</a> '
  const timeOf = (count: number) => {
    const long = `<p>${link.repeat(count)}</p>`
    const from = performance.now()
    expect(textFromHtml(db, long)).toContain('#gauges › drift')
    return performance.now() - from
  }
  timeOf(1_000)
  // It takes a tenth of a second. When each link copied the text before it, it took five to fifteen.
  expect(timeOf(14_000)).toBeLessThan(3_000)
})

test('the time for a text that nests very deeply grows with its length only', () => {
  const deep = (count: number) =>
    `<p>low ${'<b>'.repeat(count)}water${'</i>'.repeat(count)} at <i>six</i></p>`
  const from = performance.now()
  expect(wordsFromHtml(deep(100))).toBe('low water at six')
  expect(wordsFromHtml(deep(140_000))).toBe('low water at six')
  expect(wordsFromHtml(`${'<b>'.repeat(199)}${'</i>'.repeat(240_000)}dry`)).toBe('dry')
  expect(wordsFromHtml(`${'<b>'.repeat(200)}one<br>two <i>three</i>`)).toBe('one two three')
  expect(wordsFromHtml(`${'<b>'.repeat(500)}${'<'.repeat(400_000)}`)).toBe('')
  const link = '<a class="stream-topic" href="#narrow">'
  expect(closedTextFromHtml(db, `<p>see ${link}#a${'<b>'.repeat(300)} and more`)).toBe('see #a and more')
  const spoiler = `<div class="spoiler-content">${'<b>'.repeat(300)}the end`
  expect(closedTextFromHtml(db, `<p>So:</p>${spoiler}`)).toBe('So: (…)')
  // It takes a fifth of a second. When every closing tag looked through all elements, it took half a minute.
  expect(performance.now() - from).toBeLessThan(5_000)
})

test('what a spoiler hides is found, and stands in no list', () => {
  const content =
    '<div class="spoiler-content" aria-hidden="true">\n<p>one <strong>and<br>two</strong></p>\n</div>'
  const spoiler = `<div class="spoiler-block"><div class="spoiler-header">\n<p>How it ends</p>\n</div>${content}</div>`
  expect(closedTextFromHtml(db, `<p>So:</p>\n${spoiler}\n<p>Well.</p>`)).toBe('So: How it ends (…) Well.')
  expect(textFromHtml(db, spoiler)).toBe('How it ends one and two')
  expect(wordsFromHtml(spoiler)).toBe('How it ends one and two')
})

test('what needs no parser is read as the parser reads it', () => {
  const text = fc.constantFrom(
    ...[
      'low  water',
      ' ',
      '\n',
      '\u00a0',
      '&amp;',
      '&lt;',
      '&#39;',
      '&quot;',
      'é…',
      '>',
      'amp;',
      '&am',
      '&nbsp;',
      '<br>',
    ],
  )
  const { html } = fc.letrec<{ html: string; element: string; list: string }>((tie) => ({
    html: fc
      .array(fc.oneof({ weight: 3, arbitrary: text }, tie('element'), tie('list')), { maxLength: 5 })
      .map((all) => all.join('')),
    element: fc
      .tuple(fc.constantFrom('p', 'strong', 'blockquote', 'a href="https://example.org/?a=1"'), tie('html'))
      .map(([tag, inside]) => `<${tag}>${inside}</${tag.split(' ')[0] ?? ''}>`),
    // Lists contain only items, and only lists contain items.
    list: fc
      .array(tie('html'), { maxLength: 3 })
      .map((items) => `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>`),
  }))
  // A meaningless tag that is not one of the plain ones, so the parser is used.
  const parsed = (all: string) => wordsFromHtml(`<x-any></x-any>${all}`)
  fc.assert(
    fc.property(html, (all) => {
      expect(wordsFromHtml(all)).toBe(parsed(all))
    }),
    { numRuns: 1_000 },
  )
})

test('what is no whole tag or letter is read as the parser reads it', () => {
  for (const html of [
    'a & b',
    'a &copy; b',
    'a < b',
    'a <',
    '&',
    '</',
    'a <p',
    '&am<strong></strong>p;',
    '<li><li></li>a</li>b',
  ])
    expect(wordsFromHtml(html)).toBe(wordsFromHtml(`<x-any></x-any>${html}`))
})
