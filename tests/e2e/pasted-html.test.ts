import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../src-shared/markdown/render.ts'
import { acme } from '../shared/markdown/acme.ts'
import { launchChromium } from './browser.ts'
import { addModule } from './module-script.ts'

// What office suites, mail and web pages put into the clipboard, as Markdown; with the browser's own parser.

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage()
  await addModule(page, 'pasted', 'views/compose/markdown-from-html.ts')
  await addModule(page, 'written', 'views/compose/written-text.ts')
})

afterAll(() => browser.close())

const markdown = (html: string): Promise<string | null> =>
  page.evaluate((html) => {
    const { pasted } = globalThis as unknown as {
      pasted: { markdownFromHtml(page: Document): string | null }
    }
    return pasted.markdownFromHtml(new DOMParser().parseFromString(html, 'text/html'))
  }, html)

describe('marks', () => {
  test.each([
    ['two lines', '<b>a<br>b</b> and <i>c<br>d</i>', '**a**\n**b** and *c*\n*d*'],
    ['bold and italic over lines', '<b><i>a<br>b</i></b>', '***a***\n***b***'],
    ['a link over lines', '<a href="https://x.example/">a<br>b</a>', '[a b](https://x.example/)'],
  ])('%s', async (_, html, wanted) => {
    expect(await markdown(html)).toBe(wanted)
  })

  test('are rendered on each line', async () => {
    const written = (await markdown('<b>a<br>b</b>')) ?? ''
    expect(renderMarkdown(written, acme()).html).toBe('<p><strong>a</strong><br>\n<strong>b</strong></p>')
  })
})

describe('a link whose words have brackets', () => {
  test.each([
    ['<a href="https://x.example/1">[Bug] Login</a>', '[[Bug] Login](https://x.example/1)'],
    ['<a href="https://x.example/1">Login :-]</a>', '[Login :-)](https://x.example/1)'],
  ])('%s', async (html, wanted) => {
    expect(await markdown(html)).toBe(wanted)
  })

  test('shows them as they are', () => {
    expect(renderMarkdown('[[Bug] Login](https://x.example/1)', acme()).html).toBe(
      '<p><a href="https://x.example/1">[Bug] Login</a></p>',
    )
  })
})

const word = (level: number, mark: string, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]>` +
  `<span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${mark}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`

describe('word processors', () => {
  test.each([
    ['bold of Word', "<p><b style='mso-bidi-font-weight:normal'>four</b> metres</p>", '**four** metres'],
    [
      'points of Word',
      `<p class=MsoNormal>Bring:</p>${word(1, '·', 'rope')}${word(2, 'o', 'the long one')}${word(1, '·', 'oars')}<p class=MsoNormal>Thanks.</p>`,
      'Bring:\n\n* rope\n  * the long one\n* oars\n\nThanks.',
    ],
    [
      'numbers of Word',
      `${word(1, '1.', 'rig')}${word(1, '2.', 'sail')}<p>then</p>${word(1, '3.', 'moor')}`,
      '1. rig\n2. sail\n\nthen\n\n3. moor',
    ],
    [
      'spans of Google Docs',
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:700;white-space:pre-wrap">bold</span> <span style="font-style:italic">italic</span> <span style="font-weight:400;text-decoration:line-through">struck</span></p></b>',
      '**bold** *italic* ~~struck~~',
    ],
    [
      'real points of Outlook',
      "<p>Bring:</p><ul type=disc><li class=MsoNormal style='mso-list:l0 level1 lfo1'>rope</li></ul>",
      'Bring:\n\n* rope',
    ],
    [
      'a word selected in a heading',
      '<span style="font-weight: 700; white-space: normal; display: inline !important; float: none;">Tides</span>',
      null,
    ],
    ['a mark within the same mark', '<b><span style="font-weight:bold">once</span></b>', '**once**'],
    [
      'coloured code, which has no formatting',
      '<div style="font-family: Menlo, monospace;white-space: pre;"><div><span style="font-style: italic;">// at sea</span></div></div>',
      null,
    ],
  ])('%s', async (_, html, wanted) => {
    expect(await markdown(html)).toBe(wanted)
  })
})

describe('web pages and mail', () => {
  test.each([
    ['code with line breaks', '<pre>one<br>  two<br>three</pre>', '```\none\n  two\nthree\n```'],
    [
      'a table within a table',
      '<table><tr><td><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr><tr><td><p>below</p></td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n\nbelow',
    ],
    [
      'a picture that is a link',
      '<p><a href="https://x.example/"><img src="x.png"></a></p>',
      'https://x.example/',
    ],
    [
      'a link around blocks',
      '<p>See:</p><a href="https://x.example/"><div><h3>Tides</h3><p>for May</p></div></a><p>End</p>',
      'See:\n\n[Tides for May](https://x.example/)\n\nEnd',
    ],
    [
      'a link around a list',
      '<a href="https://x.example/"><ul><li>one</li></ul></a>',
      '* one\n\nhttps://x.example/',
    ],
    ['a place in a page', '<a name="x"><h3>Tides</h3><p>for May</p></a>', '### Tides\n\nfor May'],
    [
      'code with empty lines and spaces at the ends of lines',
      '<p>Run:</p><pre>one  \n\n\n\n  two\n</pre><p>Then <br><br><br>wait.</p>',
      'Run:\n\n```\none  \n\n\n\n  two\n```\n\nThen\n\nwait.',
    ],
    [
      'code in a point',
      '<ol><li>Run<pre>if tide:\n    sail()\n\nmoor()</pre></li><li>Wait</li></ol>',
      '1. Run\n   ```\n   if tide:\n       sail()\n\n   moor()\n   ```\n2. Wait',
    ],
    [
      'code in a point of a point',
      '<ul><li>Boats<ul><li><pre>a\n  b</pre></li></ul></li></ul>',
      '* Boats\n  * ```\n    a\n      b\n    ```',
    ],
    [
      'code in a quote',
      '<blockquote><p>so</p><pre>a\n\n  b</pre></blockquote>',
      '> so\n>\n> ```\n> a\n>\n>   b\n> ```',
    ],
    [
      'two paragraphs and a list in a point',
      '<ul><li><p>a</p><p>b</p><ul><li>c</li></ul></li></ul>',
      '* a\n  b\n  * c',
    ],
    ['a list in the tenth point', '<ol start="10"><li>a<ul><li>b</li></ul></li></ol>', '10. a\n    * b'],
    [
      'what is empty',
      '<p>a</p><ul></ul><blockquote></blockquote><table><tr><td></td></tr></table><b>c</b>',
      'a\n\n**c**',
    ],
  ])('%s', async (_, html, wanted) => {
    expect(await markdown(html)).toBe(wanted)
  })

  test.each([
    '1. Run\n   ```\n   if tide:\n       sail()\n\n   moor()\n   ```\n2. Wait',
    '* Boats\n  * ```\n    if tide:\n        sail()\n    ```',
  ])('code in points is shown as it was: %j', (written) => {
    expect(renderMarkdown(written, acme()).html).toContain('if tide:\n    sail()\n')
  })
})

/** The text of a field after a paste at its `|`; null if the browser pastes the plain text. */
const pasteInto = (text: string, html: string, plain: string): Promise<string | null> =>
  page.evaluate(
    ({ text, html, plain }) => {
      const { written } = globalThis as unknown as {
        written: {
          WrittenText: new (
            field: () => HTMLTextAreaElement,
            writing: () => { text: string; typed(): void },
          ) => { pasteFormatted(data: DataTransfer): boolean }
        }
      }
      const field = document.body.appendChild(document.createElement('textarea'))
      field.value = text.replace('|', '')
      field.setSelectionRange(text.indexOf('|'), text.indexOf('|'))
      const data = new DataTransfer()
      data.setData('text/html', html)
      data.setData('text/plain', plain)
      const writing = { text: field.value, typed() {} }
      const takes = new written.WrittenText(
        () => field,
        () => writing,
      ).pasteFormatted(data)
      return takes ? writing.text : null
    },
    { text, html, plain },
  )

test('code takes the plain text of what is pasted', async () => {
  const takes = async (text: string) =>
    (await pasteInto(`${text}|`, '<pre><b>x</b> = 1</pre>', 'x = 1')) !== null
  expect(await takes('see ')).toBe(true)
  expect(await takes('```\n')).toBe(false)
  expect(await takes('see `')).toBe(false)
  expect(await takes('```quote\n')).toBe(true)
})

const list = '<ul><li>one</li><li>two</li></ul>'

test.each([
  ['a list after words', 'Items:|', list, 'one\ntwo', 'Items:\n* one\n* two'],
  ['a list on an empty line', 'Items:\n|\nThanks', list, 'one\ntwo', 'Items:\n* one\n* two\nThanks'],
  ['a list amid words', 'Items: |and more', list, 'one\ntwo', 'Items: \n* one\n* two\n\nand more'],
  [
    'code amid words',
    'Run |now',
    '<pre><code>a\n\nb</code></pre>',
    'a\n\nb',
    'Run \n```\na\n\nb\n```\n\nnow',
  ],
  ['words with spaces around them', 'a|b', ' <b>bold</b> word ', ' bold word ', 'a **bold** word b'],
  [
    'words, and then a list',
    'Hi. |',
    `<p>Bring:</p>${list}`,
    'Bring:\none\ntwo',
    'Hi. Bring:\n\n* one\n* two',
  ],
])('%s', async (_, text, html, plain, wanted) => {
  expect(await pasteInto(text, html, plain)).toBe(wanted)
})
