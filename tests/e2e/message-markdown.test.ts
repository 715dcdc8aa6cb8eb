import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderMarkdown } from '../../src-shared/markdown/render.ts'
import { acme } from '../shared/markdown/acme.ts'
import { launchChromium } from './browser.ts'
import { addModule } from './module-script.ts'

// The Markdown for quoting and editing while the server cannot be asked for the source, derived with the browser's own
// parser.

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage()
  await addModule(page, 'markdown', 'views/feed/message-markdown.ts')
})

afterAll(() => browser.close())

const shown = (markdown: string) => renderMarkdown(markdown, acme()).html
const written = (html: string): Promise<string> =>
  page.evaluate((text) => {
    const { markdown } = globalThis as unknown as { markdown: { messageMarkdown(html: string): string } }
    return markdown.messageMarkdown(text)
  }, html)

test.each([
  'plain words',
  'two\nlines, and\n\na paragraph',
  '**bold** *italic* ~~gone~~ `code`',
  'Ask @**Full Name|31**, @_**Other One|32** and @**all** or @*group*',
  'See #**channel** and #**channel>some topic** and #**channel>quiet**',
  'Here: #**channel>some topic@214**',
  'Nothing said: #**channel>**',
  ':tada: and :custom:',
  'Low water <time:2026-05-12T12:36:00Z>',
  'so $$x^2$$ it is',
  '```math\nx^2 + y^2\n```',
  '```Python\nprint("a")\n\nprint("b")\n```',
  '````\n```\nticks\n```\n````',
  '```spoiler The winner\nEider and **others**\n```',
  '> said before\n\nand an answer',
  '* one\n* two',
  '1. one\n2. two',
  '# Heading',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '| a | b | c | d |\n| :--- | :---: | ---: | --- |\n| 1 | 2 | 3 | 4 |',
  '``a`b`` and ```a``b```',
  '[words](https://example.org/x) and https://example.org/y',
  'A file: [notes.pdf](/user_uploads/2/ab/notes.pdf)',
])('%j comes back as it was written', async (markdown) => {
  expect(await written(shown(markdown))).toBe(markdown)
})

test.each([
  '```quote\nsaid @**Full Name|31**\n```\n\nyes',
  'tracked in #42',
  '[p.png](/user_uploads/2/ab/p.png)',
  '* one\n  * two\n* three',
  '````spoiler\n```Python\nx = 1\n```\n````',
])('%j is shown the same', async (markdown) => {
  expect(shown(await written(shown(markdown)))).toBe(shown(markdown))
})
