import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../src-shared/markdown/render.ts'
import { acme } from './acme.ts'
import { elementsOf, parseHtml, textOf } from './tree.ts'

const cases: readonly [name: string, source: string, html: string][] = [
  ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
  ['one newline', 'a\nb', '<p>a<br>\nb</p>'],
  ['a heading', '# a', '<h1>a</h1>'],
  ['a small heading', '###### a', '<h6>a</h6>'],
  ['no heading without a space', '#a', '<p>#a</p>'],
  ['no heading without text', '#\n\n## ', '<p>#</p>\n<p>##</p>'],
  ['no underlined heading', 'a\n===', '<p>a<br>\n===</p>'],
  ['rules', '---\n\n***\n\n___', '<hr>\n<hr>\n<hr>'],
  ['a line of dashes under text', 'a\n---', '<p>a</p>\n<hr>'],
  ['bullets', '* a\n* b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['other bullets', '- a\n+ b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['a list after a paragraph', 'x\n- a', '<p>x</p>\n<ul>\n<li>a</li>\n</ul>'],
  [
    'nesting by two spaces',
    '* a\n  * b\n    * c\n* d',
    '<ul>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
  ],
  [
    'nesting by two spaces under a number',
    '1. a\n  * b',
    '<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>',
  ],
  ['a loose list', '* a\n\n* b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
  ['two paragraphs in an item', '* a\n\n  b', '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>'],
  ['an item that goes on lazily', '* a\nb', '<ul>\n<li>a<br>\nb</li>\n</ul>'],
  ['text after a list', '* a\n\nb', '<ul>\n<li>a</li>\n</ul>\n<p>b</p>'],
  ['numbers', '1. a', '<ol>\n<li>a</li>\n</ol>'],
  ['numbers from three', '3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['the same number again', '1. a\n1. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['a year at the start of a line', 'since\n2024. Yes', '<p>since<br>\n2024. Yes</p>'],
  ['bullets after numbers', '1. a\n* b', '<ol>\n<li>a</li>\n</ol>\n<ul>\n<li>b</li>\n</ul>'],
  ['a quote', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['a lazy quote', '> a\nb\n\nc', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<p>c</p>'],
  [
    'a nested quote',
    '> a\n> > b',
    '<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>',
  ],
  ['a fenced quote', '```quote\na\n\nb\n```\nc', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n<p>c</p>'],
  [
    'fences in a fenced quote',
    '~~~quote\n```quote\na\n```\n```\nb\n```\n~~~',
    '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<div class="codehilite"><pre><span></span><code>b\n</code></pre></div>\n</blockquote>',
  ],
  [
    'code in an unknown language',
    '```fizz\na < b\n```',
    '<div class="codehilite" data-code-language="fizz"><pre><span></span><code>a &lt; b\n</code></pre></div>',
  ],
  [
    'code without a language',
    '```\nx = 1\n```',
    '<div class="codehilite"><pre><span></span><code>x = 1\n</code></pre></div>',
  ],
  [
    'indented code',
    '    x = 1',
    '<div class="codehilite"><pre><span></span><code>x = 1\n</code></pre></div>',
  ],
  ['code up to the end', '~~~\nx', '<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>'],
  [
    'Markdown in code',
    '```\n**a** @**all** :smile:\n```',
    '<div class="codehilite"><pre><span></span><code>**a** @**all** :smile:\n</code></pre></div>',
  ],
  [
    'a spoiler',
    '```spoiler Head\nbody\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>Head</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>body</p>\n</div></div>',
  ],
  [
    'a spoiler without a header',
    '```spoiler\nbody\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>body</p>\n</div></div>',
  ],
  ['bad TeX', '```math\n\\frac{\n```', '<p><span class="tex-error">\\frac{</span></p>'],
  [
    'a table',
    '|A|B|C|D|\n|---|:--|:-:|--:|\n|1|2|3|4|',
    '<table>\n<thead>\n<tr>\n<th>A</th>\n<th style="text-align: left;">B</th>\n<th style="text-align: center;">C</th>\n<th style="text-align: right;">D</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align: left;">2</td>\n<td style="text-align: center;">3</td>\n<td style="text-align: right;">4</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a reference link',
    '[a]\n\n[a]: https://x.example/',
    '<p>[a]</p>\n<p>[a]: <a href="https://x.example/">https://x.example/</a></p>',
  ],
  ['a block of HTML', '<div>\na\n</div>', '<p>&lt;div&gt;<br>\na<br>\n&lt;/div&gt;</p>'],
]

describe('blocks', () => {
  test.each(cases)('%s', (_, source, html) => {
    expect(parseHtml(renderMarkdown(source, acme()).html)).toEqual(parseHtml(html))
  })

  test('code has its language and coloured tokens', () => {
    const { html } = renderMarkdown('```python\ndef f(x):\n    return "a" + 1.5  # c\n```', acme())
    expect(parseHtml(html)).toEqual(
      parseHtml(
        '<div class="codehilite" data-code-language="Python"><pre><span></span><code>' +
          '<span class="k">def</span> <span class="nf">f</span>(<span class="n">x</span>):\n    <span class="k">return</span> ' +
          '<span class="s2">"a"</span> + <span class="mf">1.5</span>  <span class="c1"># c</span>\n</code></pre></div>',
      ),
    )
  })

  test.each([
    ['js', 'JavaScript'],
    ['ts', 'TypeScript'],
    ['c++', 'C++'],
    ['sh', 'Bash'],
    ['rs', 'Rust'],
    ['html', 'HTML'],
    ['yml', 'YAML'],
    ['PYTHON', 'Python'],
  ])('the language %s is called %s', (typed, name) => {
    const [block] = elementsOf(renderMarkdown(`~~~ ${typed}\nx\n~~~`, acme()).html)
    expect(block?.attributes['data-code-language']).toBe(name)
  })

  test('code keeps every character whatever the colours', () => {
    const code = 'const a = `<b ${x["y"]} &amp; \'q\'>` // "<&>"\n/* é */ 0xff\n'
    expect(textOf(renderMarkdown(`\`\`\`js\n${code}\`\`\``, acme()).html)).toBe(code)
  })

  test('the default language counts for fences only, and text switches it off', () => {
    const context = acme({ defaultCodeLanguage: 'python' })
    const language = (source: string): string | undefined =>
      elementsOf(renderMarkdown(source, context).html)[0]?.attributes['data-code-language']
    expect(language('```\nx\n```')).toBe('Python')
    expect(language('```text\nx\n```')).toBeUndefined()
    expect(language('    x')).toBeUndefined()
  })

  test('a formula has MathML with its source and HTML for the eye', () => {
    const { html } = renderMarkdown('```math\na^2\n```', acme())
    const [paragraph, display, katex, mathml, math] = elementsOf(html)
    expect([paragraph?.tag, display?.attributes['class'], katex?.attributes['class']]).toEqual([
      'p',
      'katex-display',
      'katex',
    ])
    expect([mathml?.attributes['class'], math?.tag]).toEqual(['katex-mathml', 'math'])
    expect(html).toContain('<annotation encoding="application/x-tex">a^2</annotation>')
    expect(elementsOf(html)).toContainEqual(
      expect.objectContaining({ tag: 'span', attributes: { class: 'katex-html', 'aria-hidden': 'true' } }),
    )
  })

  test('carriage returns are newlines', () => {
    expect(renderMarkdown('a\r\nb\r\n\r\n* c', acme()).html).toBe(renderMarkdown('a\nb\n\n* c', acme()).html)
  })
})
