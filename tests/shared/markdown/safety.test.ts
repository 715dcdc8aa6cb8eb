import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../src-shared/markdown/render.ts'
import { acme } from './acme.ts'
import { violations } from './allowed.ts'
import { elementsOf, textOf } from './tree.ts'

const vectors: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<body onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)>',
  '<style>@import "https://evil.example/x.css"</style>',
  '<link rel=stylesheet href=https://evil.example>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<form action=https://evil.example><input name=a>',
  '<details open ontoggle=alert(1)>',
  '<!--><script>alert(1)</script-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><x onclick=alert(1)>',
  '</p></div><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  '\'"><img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x]( javascript:alert(1))',
  '[x](\tjavascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](<java\tscript:alert(1)>)',
  '[x](java\u0000script:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A&#x61vascript:alert(1))',
  '[x](java&Tab;script:alert(1))',
  '[x](java&NewLine;script:alert(1))',
  '[x](javascript\\:alert(1))',
  '[x](%6aavascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[x](blob:https://chat.example.com/1)',
  '[x](filesystem:https://chat.example.com/1)',
  '[x](view-source:javascript:alert(1))',
  '[x](https://x.example/" onmouseover="alert(1))',
  '[x](https://x.example/ "t\\" onmouseover=alert(1)")',
  "[x](https://x.example/'onmouseover='alert(1))",
  '[x](https://x.example/><script>alert(1)</script>)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](\\\\evil.example)',
  '[x](/\t/evil.example)',
  '[<img src=x onerror=alert(1)>](https://x.example)',
  '[a](https://x.example)<img src=x onerror=alert(1)>',
  '[[x](javascript:alert(1))](https://x.example)',
  '[x](https://chat.example.com/#"onclick=alert(1))',
  '![x" onerror="alert(1)](/user_uploads/2/x.mp3)',
  '![x](/user_uploads/2/x" onerror="alert(1).mp3)',
  '![x](javascript:alert(1)//x.mp3)',
  '![x](data:audio/wav;base64,AAAA.wav)',
  '![x](javascript:alert(1)//a.png)',
  'https://x.example/"onmouseover="alert(1)',
  "https://x.example/'><script>alert(1)</script>.png",
  'https://x.example/a.png?"onerror=alert(1)//.png',
  '[" onerror="alert(1)](https://x.example/a.png)',
  '[" onerror="alert(1)](/user_uploads/2/ab/p.png)',
  '<javascript:alert(1)>',
  '<https://x.example/"onclick="alert(1)>',
  'javascript:alert(1)',
  'a@x.example"onclick=alert(1)',
  '```"onclick="alert(1)\nx\n```',
  '```js"><script>alert(1)</script>\nx\n```',
  '```js\n</code></pre><script>alert(1)</script>\n```',
  '```html\n<script>alert("</span>")</script>\n```',
  '```spoiler <img src=x onerror=alert(1)>\n<script>alert(1)</script>\n```',
  '```quote\n<script>alert(1)</script>\n```',
  '`<script>alert(1)</script>`',
  '$$\\href{javascript:alert(1)}{x}$$',
  '$$\\url{javascript:alert(1)}$$',
  '$$\\includegraphics{https://evil.example/x.png}$$',
  '$$\\htmlClass{x}{y}\\htmlStyle{position:fixed}{z}\\htmlData{a=b}{c}\\htmlId{i}{d}$$',
  '$$\\text{<script>alert(1)</script>}$$',
  '$$\\color{red;background:url(//evil.example)}x$$',
  '$$\\textcolor{#f00"onclick=alert(1)}{x}$$',
  '```math\n\\href{javascript:alert(1)}{x}\n```',
  '$$</span><script>alert(1)</script>\\frac{$$',
  '<time:"><script>alert(1)</script>>',
  '<time:2024-05-01" onclick="alert(1)>',
  '@**<script>alert(1)</script>**',
  '@**Full Name|31" onclick="alert(1)**',
  '@*group" onclick="alert(1)*',
  '#**channel>"><script>alert(1)</script>**',
  '#**channel>" onclick="alert(1)@214**',
  ':"><script>alert(1)</script>:',
  ':smile" onclick="alert(1):',
  '|<script>|b|\n|:-:" onclick="alert(1)|-|\n|<img src=x onerror=alert(1)>|c|',
  '# <script>alert(1)</script>',
  '* <script>alert(1)</script>\n1. <svg onload=alert(1)>',
  '> <script>alert(1)</script>',
  '**<script>**alert(1)**</script>**',
  '~~<img~~ src=x onerror=alert(1)>',
  '[x]: javascript:alert(1)\n\n[x] [x][x]',
  'https://www.youtube.com/watch?v="onerror=alert(1)',
  'https://youtu.be/dQw4w9WgXcQ"onerror=alert(1)',
  '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '\ufeff<script>alert(1)</script>',
  '#7" onclick="alert(1)',
]

describe('hostile text', () => {
  test('there are many ways to try', () => {
    expect(new Set(vectors).size).toBeGreaterThanOrEqual(60)
  })

  test.each(vectors)('%j', (source) => {
    expect(violations(renderMarkdown(source, acme({ translateEmoticons: true })).html)).toEqual([])
  })

  test.each(vectors)('%j in other constructs', (source) => {
    const wrapped = [
      `* ${source}`,
      `> ${source}`,
      `[${source}](https://x.example)`,
      `**${source}**`,
      `|${source}|\n|-|\n|${source}|`,
    ]
    for (const text of wrapped) expect(violations(renderMarkdown(text, acme()).html)).toEqual([])
  })

  test('no link leads where a browser would run it', () => {
    const html = vectors.map((source) => renderMarkdown(source, acme()).html).join('')
    const schemes = elementsOf(html)
      .flatMap(({ attributes }) => [attributes['href'], attributes['src']])
      .filter((address) => address !== undefined)
      .map((address) => new URL(address, 'https://base.example').protocol)
    expect([...new Set(schemes)].sort()).toEqual(['http:', 'https:', 'mailto:'])
  })

  test('a linkifier cannot make a forbidden link, nor break out of the attribute', () => {
    const linkifiers = [
      { id: 1, pattern: 'run(?P<a>\\S+)', urlTemplate: 'javascript:{+a}' },
      { id: 2, pattern: 'go(?P<a>\\S+)', urlTemplate: 'https://x.example/{+a}' },
    ]
    const { html } = renderMarkdown('run:alert(1) go"onclick="alert(1) go<script>', acme({ linkifiers }))
    expect(violations(html)).toEqual([])
    expect(elementsOf(html).filter(({ tag }) => tag === 'a')).toHaveLength(2)
  })

  test('names of people, groups, channels and files are text', () => {
    const name = '"><script>alert(1)</script>'
    const html = renderMarkdown(
      '@**a** @*b* #**c** #**c>d** :e:',
      acme({
        userByName: () => ({ id: 1, fullName: name, isActive: true }),
        groupByName: () => ({ id: 2, name, displayName: name, isSystem: false, isActive: true }),
        channelByName: () => ({ id: 3, name }),
        realmEmoji: () => ({ id: '4', sourceUrl: '/x".png', stillUrl: null }),
      }),
    ).html
    expect(violations(html)).toEqual([])
    expect(textOf(html)).toContain(`@${name}`)
  })
})

describe('properties', () => {
  const syntax = fc.constantFrom(
    ...[
      '*',
      '**',
      '***',
      '~~',
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\n\n',
      '    ',
      '> ',
      '* ',
      '1. ',
      '# ',
      '|',
      '\n|-|-|\n',
    ],
    ...[
      '[',
      ']',
      '(',
      ')',
      '](',
      '![',
      '<',
      '>',
      '"',
      "'",
      '&',
      '\\',
      '$$',
      ':',
      ':smile:',
      '😄',
      '❤️',
      '\u0000',
      '\ud800',
    ],
    ...[
      '@**',
      '@_**',
      '@*',
      'Full Name',
      '#**',
      'channel',
      '>',
      '@214',
      '|31',
      '<time:',
      '2024-05-01',
      'https://x.example/',
    ],
    ...[
      'javascript:',
      'data:',
      '/user_uploads/2/ab/p.png',
      '.mp3',
      'quote',
      'spoiler x',
      'math',
      'js',
      '\\frac{',
      '}',
      '#1',
      ' ',
    ],
    ...['<script>', 'onerror=', '---', 'a', 'b.example', '/me ', '{', '^', '_'],
  )
  const text = fc.array(fc.oneof(syntax, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 40 })

  test('any text becomes HTML of allowed elements only', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const source = parts.join('')
        const { html } = renderMarkdown(source, acme({ translateEmoticons: true }))
        expect(violations(html)).toEqual([])
      }),
      { numRuns: 1500 },
    )
  })

  test('the same text gives the same HTML', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const source = parts.join('')
        expect(renderMarkdown(source, acme())).toEqual(renderMarkdown(source, acme()))
      }),
      { numRuns: 200 },
    )
  })

  test('words are never lost', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma')
    const mark = fc.constantFrom(
      '*',
      '**',
      '~~',
      '> ',
      '* ',
      '\n',
      ' ',
      '`',
      '[',
      ']',
      '\n\n',
      '#',
      '```\n',
      '|',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(word, mark), { maxLength: 30 }), (pairs) => {
        // The info of a fence is not shown, so no word may stand beside one.
        const source = pairs
          .map(([letters, sign]) => `${letters}${sign === '```\n' ? '\n```\n' : sign}`)
          .join('')
        const shown = textOf(renderMarkdown(source, acme()).html).match(/alpha|beta|gamma/g) ?? []
        expect(shown).toEqual(pairs.map(([letters]) => letters))
      }),
      { numRuns: 500 },
    )
  })
})

describe('bounds', () => {
  const most = 10_000
  const fill = (part: string): string => part.repeat(Math.ceil(most / part.length)).slice(0, most)
  const pathological: readonly [name: string, source: string][] = [
    ...[
      '*',
      '**',
      '***',
      '*a ',
      '*a',
      'a*',
      '** ',
      '~~',
      '~~a',
      '_',
      '`',
      '` ``',
      '`a``',
      '[',
      ']',
      '[]',
      '[a](',
      '![',
      '![a](',
    ].map((part): [string, string] => [part, fill(part)]),
    ...[
      '(',
      ')',
      '<',
      '<a',
      '<time:',
      '<!--',
      '&',
      '&amp',
      '\\',
      '$$',
      '$$a',
      '$$a$',
      '$$\\$',
      ':',
      ':a',
      ':smile:',
      ':)',
    ].map((part): [string, string] => [part, fill(part)]),
    ...[
      '@',
      '@**',
      '@**a',
      '@*',
      '#**',
      '#**a>',
      '#**channel>',
      '#1 ',
      '#1',
      'web#1 ',
      '> ',
      '>',
      '* ',
      '- ',
      '1. ',
    ].map((part): [string, string] => [part, fill(part)]),
    ...[
      '|',
      '|-',
      '\n',
      '\n\n',
      ' \n',
      '    a\n',
      '```\n',
      '```quote\n',
      '```spoiler a\n',
      '~~~\n```\n',
      '# ',
      '#\n',
      '---\n',
    ].map((part): [string, string] => [part, fill(part)]),
    ...[
      'http://',
      'https://a.',
      'a.a',
      'a.com ',
      'a@a',
      'a@a.com ',
      'www.',
      'mailto:',
      '//',
      'a.com/((',
      'http://a.com/?',
    ].map((part): [string, string] => [part, fill(part)]),
    ...['😄', '❤️', '👨‍👩‍👧‍👦', '\ud83d', '\u200d', '🇩', '\u0300', '\u0000'].map((part): [string, string] => [
      part,
      fill(part),
    ]),
    ['nested lists', Array.from({ length: 120 }, (_, depth) => `${' '.repeat(depth * 2)}* a`).join('\n')],
    ['nested links', `${'['.repeat(3000)}a${'](/x)'.repeat(1000)}`],
    ['nested marks', `${'*a '.repeat(1500)}${'b* '.repeat(1500)}`],
    ['nested bold and italic', `${'**a *b '.repeat(700)}${'c* d** '.repeat(700)}`],
    [
      'a wide table',
      `${fill('|a').slice(0, 3000)}|\n${fill('|-').slice(0, 3000)}|\n${fill('||\n').slice(0, 4000)}`,
    ],
    ['a long table', `|a|b|\n|-|-|\n${fill('|\n')}`],
    ['a table of links', `|a|b|\n|-|-|\n${fill('|a.com|x|\n')}`],
    ['unclosed fences in quotes', fill('> ```js\n')],
    ['quotes in lists in quotes', Array.from({ length: 60 }, () => '> * ').join('') + 'a'],
    ['deep TeX', `$$${'{'.repeat(1900)}x${'}'.repeat(1900)}$$`],
    ['deep roots', `$$${'\\sqrt{'.repeat(500)}x${'}'.repeat(500)}$$`],
    ['deep powers', `$$${'x^{'.repeat(900)}x${'}'.repeat(900)}$$`],
    ['TeX that repeats itself', `$$\\def\\a{${'x'.repeat(900)}}${'\\a'.repeat(1000)}$$`],
    [
      'TeX that doubles',
      '```math\n\\def\\a{xx}\\def\\b{\\a\\a}\\def\\c{\\b\\b}\\def\\d{\\c\\c}\\def\\e{\\d\\d}\\def\\f{\\e\\e}\\f\\f\\f\n```',
    ],
    ['TeX that never ends', '$$\\def\\a{\\a\\a}\\a$$'],
    ['many formulas', fill('$$x^2$$ ')],
    ['huge sizes', '$$\\rule{99999em}{99999em}$$'],
    ['much code', `\`\`\`js\n${fill('a("b")+/c/;')}\n\`\`\``],
    ['much markup as code', `\`\`\`html\n${fill('<a b="c">')}\n\`\`\``],
    ['many blocks of code', fill('```c\nx\n```\n')],
    ['many previews', fill('https://x.example/1.png\n\n')],
  ]

  test.each(pathological)('%s', (_, source) => {
    const context = acme({ translateEmoticons: true })
    const { html } = renderMarkdown(source, context)
    expect(violations(html)).toEqual([])
    expect(html.length).toBeLessThan(2_000_000)
    expect(Math.max(0, ...elementsOf(html).map(({ depth }) => depth))).toBeLessThan(200)
  })

  test('quotes stop nesting, and their text stays', () => {
    const { html } = renderMarkdown(`${'> '.repeat(40)}deep`, acme())
    expect(elementsOf(html).filter(({ tag }) => tag === 'blockquote')).toHaveLength(12)
    expect(textOf(html)).toContain('deep')
  })

  test('a formula of great depth stays source, one of some depth does not', () => {
    const roots = (depth: number): string => `$$${'\\sqrt{'.repeat(depth)}x${'}'.repeat(depth)}$$`
    const isFormula = (source: string): boolean =>
      elementsOf(renderMarkdown(source, acme()).html)[1]?.attributes['class'] === 'katex'
    expect([5, 60].map((depth) => isFormula(roots(depth)))).toEqual([true, false])
  })

  test('formulas beyond the size that a message may have stay source', () => {
    const { html } = renderMarkdown('$$x^2$$ '.repeat(1200), acme())
    expect(html.length).toBeLessThan(500_000)
    expect(textOf(html).trim().endsWith('$$x^2$$')).toBe(true)
  })

  test('an address with a control character is none', () => {
    expect(renderMarkdown('[x](<tel:1\u00012>)', acme()).hasLink).toBe(false)
  })

  test('code beyond the amount that is coloured stays plain', () => {
    const block = `\`\`\`js\n${'let a\n'.repeat(3600)}\`\`\`\n`
    const { html } = renderMarkdown(block + block, acme())
    expect(elementsOf(html).filter(({ attributes }) => attributes['class'] === 'k')).toHaveLength(3600)
    expect(textOf(html).match(/let a/g)).toHaveLength(7200)
  })

  test('a table that is too large stays text', () => {
    const { html } = renderMarkdown(`|a|b|\n|-|-|\n${'|1|2|\n'.repeat(2000)}`, acme())
    expect(elementsOf(html).some(({ tag }) => tag === 'table')).toBe(false)
    expect(textOf(html)).toContain('|1|2|')
  })

  test('a source beyond every limit is shown as text', () => {
    const { html } = renderMarkdown('**<b>**\n'.repeat(10_000), acme())
    expect(
      elementsOf(html)
        .map(({ tag }) => tag)
        .filter((tag) => tag !== 'br'),
    ).toEqual(['p'])
  })
})
