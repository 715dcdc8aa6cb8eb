import { describe, expect, test } from 'vitest'
import { renderMarkdown, type MarkdownContext } from '../../../src-shared/markdown/render.ts'
import { acme } from './acme.ts'
import { elementsOf, parseHtml } from './tree.ts'

function paragraph(source: string, changes: Partial<MarkdownContext> = {}): ReturnType<typeof parseHtml> {
  return parseHtml(renderMarkdown(source, acme({ inlineImagePreview: false, ...changes })).html)
}

function emoji(name: string, code: string): string {
  const title = name.replaceAll('_', ' ')
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`
}

const cases: readonly [name: string, source: string, inner: string][] = [
  ['bold', '**b**', '<strong>b</strong>'],
  ['underscores', '__b__ _i_', '__b__ _i_'],
  ['bold over two lines', '**b\nc**', '**b<br>\nc**'],
  ['italic', '*i*', '<em>i</em>'],
  ['stars with space', '2 * 3 * 4', '2 * 3 * 4'],
  ['a star before a space', '*a * b', '*a * b'],
  ['both', '***x***', '<strong><em>x</em></strong>'],
  ['italic in bold', '**a *b* c**', '<strong>a <em>b</em> c</strong>'],
  ['bold in italic', '*a **b** c*', '<em>a <strong>b</strong> c</em>'],
  ['struck', '~~s~~', '<del>s</del>'],
  ['code', '`c` and ``c`d``', '<code>c</code> and <code>c`d</code>'],
  ['code with spaces', '` c `', '<code> c </code>'],
  ['stars in code', '`*a*` *`b`*', '<code>*a*</code> <em><code>b</code></em>'],
  ['bad TeX', '$$\\frac{$$', '<span class="tex-error">$$\\frac{$$</span>'],
  ['dollars beside spaces', '$$ x $$ and $$x\ny$$', '$$ x $$ and $$x<br>\ny$$'],
  ['a link', '[t](https://x.example/p)', '<a href="https://x.example/p">t</a>'],
  ['a link without text', '[](https://x.example/p)', '<a href="https://x.example/p">https://x.example/p</a>'],
  ['a link with a title', '[t](https://x.example/p "T")', '<a href="https://x.example/p">t</a>'],
  ['a link with marks', '[**t** `c`](/x)', '<a href="/x"><strong>t</strong> <code>c</code></a>'],
  ['a link without a scheme', '[t](x.example/p)', '<a href="http://x.example/p">t</a>'],
  ['a link with a forbidden scheme', '[t](javascript:alert)', '[t](javascript:alert)'],
  [
    'a link into the organization',
    '[t](https://chat.example.com/#narrow/dm/1)',
    '<a href="#narrow/dm/1">t</a>',
  ],
  ['a link to a file', '[t](/user_uploads/2/ab/x.txt)', '<a href="/user_uploads/2/ab/x.txt">t</a>'],
  ['an address', 'see https://x.example/p.', 'see <a href="https://x.example/p">https://x.example/p</a>.'],
  [
    'an address in parentheses',
    '(https://x.example/a_(b))',
    '(<a href="https://x.example/a_(b)">https://x.example/a_(b)</a>)',
  ],
  [
    'an address in bold',
    '**https://x.example/p**',
    '<strong><a href="https://x.example/p">https://x.example/p</a></strong>',
  ],
  [
    'an address with stars and dollars',
    'https://x.example/*a*$$b$$',
    '<a href="https://x.example/*a*$$b$$">https://x.example/*a*$$b$$</a>',
  ],
  [
    'an address of the organization',
    'https://chat.example.com/#narrow/dm/1',
    '<a href="#narrow/dm/1">https://chat.example.com/#narrow/dm/1</a>',
  ],
  ['a domain', 'x.example', '<a href="http://x.example">x.example</a>'],
  ['file names', 'README.md and main.py', 'README.md and main.py'],
  ['an e-mail address', 'a@x.example', '<a href="mailto:a@x.example">a@x.example</a>'],
  ...['http', 'https', 'ftp', 'file', 'mailto', 'tel', 'sms', 'bitcoin'].map(
    (scheme): [string, string, string] => [
      `the scheme ${scheme}`,
      `[t](${scheme}:x)`,
      `<a href="${scheme}:x">t</a>`,
    ],
  ),
  ['emoji by name', ':smile:', emoji('smile', '1f604')],
  ['emoji as itself', '😄', emoji('smile', '1f604')],
  ['emoji with a variation selector', '❤️', emoji('heart', '2764')],
  ['emoji of several points', '🏳️‍🌈', emoji('rainbow-flag', '1f3f3-200d-1f308')],
  ['an unknown emoji', ':no_such_thing: 12:30:45', ':no_such_thing: 12:30:45'],
  ['a copyright sign', '© ™', '© ™'],
  ['emoticons when not asked for', ':)', ':)'],
  [
    'a custom emoji',
    ':custom:',
    '<img alt=":custom:" class="emoji" src="/user_avatars/2/emoji/images/7.png" title="custom">',
  ],
  [
    'a time',
    '<time:2024-05-01T16:00:00+02:00>',
    '<time datetime="2024-05-01T14:00:00Z">2024-05-01T16:00:00+02:00</time>',
  ],
  ['a time in seconds', '<time:1714572000>', '<time datetime="2024-05-01T14:00:00Z">1714572000</time>'],
  [
    'a time in words',
    '<time:May 1 2024, 2:00 pm UTC>',
    '<time datetime="2024-05-01T14:00:00Z">May 1 2024, 2:00 pm UTC</time>',
  ],
  ['no time', '<time:<b>', '<span class="timestamp-error">Invalid time format: &lt;b</span>'],
  ['a person', '@**Full Name**', '<span class="user-mention" data-user-id="31">@Full Name</span>'],
  ['a person with id', '@**Full Name|31**', '<span class="user-mention" data-user-id="31">@Full Name</span>'],
  ['a person by id', '@**|31**', '<span class="user-mention" data-user-id="31">@Full Name</span>'],
  ['a person with the id of another', '@**Full Name|32**', '@**Full Name|32**'],
  [
    'a person, silently',
    '@_**Full Name**',
    '<span class="user-mention silent" data-user-id="31">Full Name</span>',
  ],
  [
    'a person who left',
    '@**Gone Away**',
    '<span class="user-mention silent" data-user-id="33">Gone Away</span>',
  ],
  ['nobody', '@**Nobody**', '@**Nobody**'],
  ['a mention inside a word', 'a@**Full Name**', 'a@<strong>Full Name</strong>'],
  ['a mention in code', '`@**Full Name**`', '<code>@**Full Name**</code>'],
  ...['all', 'everyone', 'channel', 'stream'].map((word): [string, string, string] => [
    `everybody as ${word}`,
    `@**${word}**`,
    `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${word}</span>`,
  ]),
  [
    'everybody, silently',
    '@_**all**',
    '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>',
  ],
  ['the topic', '@**topic**', '<span class="topic-mention">@topic</span>'],
  ['the topic, silently', '@_**topic**', '<span class="topic-mention silent">topic</span>'],
  ['a group', '@*group*', '<span class="user-group-mention" data-user-group-id="17">@group</span>'],
  [
    'a group, silently',
    '@_*group*',
    '<span class="user-group-mention silent" data-user-group-id="17">group</span>',
  ],
  [
    'a system group',
    '@*role:members*',
    '<span class="user-group-mention silent" data-user-group-id="3">Members</span>',
  ],
  [
    'a group that is no more',
    '@*retired*',
    '<span class="user-group-mention silent" data-user-group-id="18">retired</span>',
  ],
  ['names without stars', '@Full Name #channel', '@Full Name #channel'],
  [
    'a channel',
    '#**channel**',
    '<a class="stream" data-stream-id="9" href="/#narrow/channel/9-channel">#channel</a>',
  ],
  [
    'a channel with signs in its name',
    '#**big news (eu) v1.0**',
    '<a class="stream" data-stream-id="10" href="/#narrow/channel/10-big-news-.28eu.29-v1.2E0">#big news (eu) v1.0</a>',
  ],
  [
    'a topic link',
    '#**channel>topic**',
    '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-channel/topic/topic/with/214">#channel &gt; topic</a>',
  ],
  [
    'a topic with signs',
    '#**channel>é 100% <b>?**',
    '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-channel/topic/.C3.A9.20100.25.20.3Cb.3E.3F/with/214">#channel &gt; é 100% &lt;b&gt;?</a>',
  ],
  [
    'a topic without messages',
    '#**channel>quiet**',
    '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-channel/topic/quiet">#channel &gt; quiet</a>',
  ],
  [
    'a message link',
    '#**channel>topic@214**',
    '<a class="message-link" data-stream-id="9" href="/#narrow/channel/9-channel/topic/topic/near/214">#channel &gt; topic @ 💬</a>',
  ],
  [
    'a message link in the empty topic',
    '#**channel>@214**',
    '<a class="message-link" data-stream-id="9" href="/#narrow/channel/9-channel/topic//near/214">#channel &gt; <em>general chat</em> @ 💬</a>',
  ],
  [
    'the empty topic',
    '#**channel>**',
    '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-channel/topic/with/214">#channel &gt; <em>general chat</em></a>',
  ],
  ['a channel that cannot be seen', '#**secret** #**secret>x**', '#**secret** #**secret&gt;x**'],
  [
    'a linkifier',
    'see #123, #4',
    'see <a href="https://tracker.example/123">#123</a>, <a href="https://tracker.example/4">#4</a>',
  ],
  [
    'linkifiers side by side',
    '#1 #2',
    '<a href="https://tracker.example/1">#1</a> <a href="https://tracker.example/2">#2</a>',
  ],
  ['a linkifier with two fields', 'web#7', '<a href="https://code.example/web/pull/7">web#7</a>'],
  ['a linkifier inside a word', '#12a a_#3', '#12a a_#3'],
  ['a linkifier in code and links', '`#1` [#2](/x)', '<code>#1</code> <a href="/x">#2</a>'],
  [
    'a sound',
    '![alt](/user_uploads/2/x.mp3)',
    '<audio controls preload="metadata" src="/user_uploads/2/x.mp3" title="alt"></audio>',
  ],
  [
    'a sound elsewhere',
    '![alt](https://x.example/x.wav)',
    '<audio controls data-original-url="https://x.example/x.wav" preload="metadata" src="https://x.example/x.wav" title="alt"></audio>',
  ],
  ['a picture', '![alt](https://x.example/x.png)', '!<a href="https://x.example/x.png">alt</a>'],
  ['a sentence about me', '/me waves', '/me waves'],
  ['a backslash', '\\* a \\_ C:\\_x', '\\* a \\_ C:\\_x'],
  [
    'entities and tags',
    '&lt; &amp; <b>x</b> <!-- y -->',
    '&amp;lt; &amp;amp; &lt;b&gt;x&lt;/b&gt; &lt;!-- y --&gt;',
  ],
]

describe('inline', () => {
  test.each(cases)('%s', (_, source, inner) => {
    expect(paragraph(source)).toEqual(parseHtml(`<p>${inner}</p>`))
  })

  test('the extra emoji of the service is a picture', () => {
    const [, image] = elementsOf(renderMarkdown(':zulip:', acme()).html)
    expect(image?.tag).toBe('img')
    expect(image?.attributes).toMatchObject({ alt: ':zulip:', class: 'emoji', title: 'zulip' })
    expect(image?.attributes['src']).toMatch(/^\/static\/generated\/emoji\//)
  })

  test('a custom emoji hides the Unicode emoji of its name, but not the character', () => {
    const realmEmoji = (name: string) =>
      name === 'smile' ? { id: '8', sourceUrl: '/e/8.png', stillUrl: null } : undefined
    expect(paragraph(':smile: 😄', { realmEmoji })).toEqual(
      parseHtml(
        `<p><img alt=":smile:" class="emoji" src="/e/8.png" title="smile"> ${emoji('smile', '1f604')}</p>`,
      ),
    )
  })

  test('emoticons become emoji for those who asked', () => {
    expect(paragraph(':) a:) <3', { translateEmoticons: true })).toEqual(
      parseHtml(`<p>${emoji('slight_smile', '1f642')} a:) ${emoji('heart', '2764')}</p>`),
    )
  })

  test('a formula in a line', () => {
    const [, formula, mathml] = elementsOf(renderMarkdown('so $$x^2$$!', acme()).html)
    expect([formula?.attributes['class'], mathml?.attributes['class']]).toEqual(['katex', 'katex-mathml'])
  })

  test('mentions in quotes are silent', () => {
    const result = renderMarkdown(
      '> @**Full Name** @**all** @*group* @**topic**\n\n* > @**Other One**',
      acme(),
    )
    expect(
      elementsOf(result.html)
        .filter(({ tag }) => tag === 'span')
        .map(({ attributes }) => attributes['class']),
    ).toEqual([
      'user-mention silent',
      'user-mention channel-wildcard-mention silent',
      'user-group-mention silent',
      'topic-mention silent',
      'user-mention silent',
    ])
    expect(result).toMatchObject({
      mentionedUserIds: [],
      mentionedGroupIds: [],
      mentionsChannel: false,
      mentionsTopic: false,
    })
  })
})

describe('what a message says', () => {
  test('whom it mentions', () => {
    const source =
      '@**Other One** @**Full Name** @**Full Name|31** @*group* @_**Gone Away** @**Gone Away** @*retired*'
    expect(renderMarkdown(source, acme())).toMatchObject({
      mentionedUserIds: [32, 31],
      mentionedGroupIds: [17],
    })
  })

  test('a mention in the text of a link counts once, in code never', () => {
    expect(renderMarkdown('[a @**Full Name**](/x)', acme()).mentionedUserIds).toEqual([31])
    expect(renderMarkdown('`@**Full Name**` [`@**Full Name**`](/x)', acme()).mentionedUserIds).toEqual([])
  })

  test('wildcards', () => {
    expect(renderMarkdown('@**all**', acme())).toMatchObject({ mentionsChannel: true, mentionsTopic: false })
    expect(renderMarkdown('@**topic**', acme())).toMatchObject({
      mentionsChannel: false,
      mentionsTopic: true,
    })
    expect(renderMarkdown('@_**all** @_**topic** `@**all**`', acme())).toMatchObject({
      mentionsChannel: false,
      mentionsTopic: false,
    })
  })

  test('links, images, attachments', () => {
    const facts = (source: string): [boolean, boolean, boolean] => {
      const { hasLink, hasImage, hasAttachment } = renderMarkdown(source, acme())
      return [hasLink, hasImage, hasAttachment]
    }
    expect(facts('plain `https://x.example/p`')).toEqual([false, false, false])
    expect(facts('https://x.example/p')).toEqual([true, false, false])
    expect(facts('https://x.example/p.png')).toEqual([true, true, false])
    expect(facts('[p](/user_uploads/2/ab/p.png)')).toEqual([true, true, true])
    expect(facts('[p](https://chat.example.com/user_uploads/2/ab/x.txt)')).toEqual([true, false, true])
    expect(facts('![s](/user_uploads/2/ab/x.mp3)')).toEqual([true, false, true])
  })

  test('whether it is about the sender', () => {
    expect(renderMarkdown('/me waves', acme()).isMeMessage).toBe(true)
    expect(renderMarkdown('/men', acme()).isMeMessage).toBe(false)
    expect(renderMarkdown('x /me', acme()).isMeMessage).toBe(false)
  })
})
