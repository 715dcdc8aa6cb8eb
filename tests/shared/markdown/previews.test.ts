import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../src-shared/markdown/render.ts'
import { acme } from './acme.ts'
import { elementsOf, parseHtml } from './tree.ts'

function image(
  path: string,
  title: string,
  extra = '',
  size = '1920x1080',
  type = 'image/png',
  suffix = '',
): string {
  return (
    `<div class="message_inline_image"><a href="/user_uploads/${path}" title="${title}"><img ${extra} ` +
    `data-original-content-type="${type}" data-original-dimensions="${size}" ` +
    `src="/user_uploads/thumbnail/${path}/840x560${suffix}.webp"></a></div>`
  )
}
const external = (url: string): string =>
  `<div class="message_inline_image"><a href="${url}"><img src="${url}"></a></div>`

const cases: readonly [name: string, source: string, html: string][] = [
  [
    'an uploaded image',
    '[p.png](/user_uploads/2/ab/p.png)',
    `<p><a href="/user_uploads/2/ab/p.png">p.png</a></p>\n${image('2/ab/p.png', 'p.png')}`,
  ],
  [
    'an animated image',
    '[a.gif](/user_uploads/2/ab/a.gif)',
    `<p><a href="/user_uploads/2/ab/a.gif">a.gif</a></p>\n${image('2/ab/a.gif', 'a.gif', 'data-animated="true"', '128x56', 'image/gif', '-anim')}`,
  ],
  [
    'an image that browsers cannot show',
    '[h](/user_uploads/2/ab/h.heic)',
    `<p><a href="/user_uploads/2/ab/h.heic">h</a></p>\n${image('2/ab/h.heic', 'h', 'data-transcoded-image="1920x1080.webp"', '1920x1080', 'image/heic')}`,
  ],
  [
    'a file that is no image',
    '[x.png](/user_uploads/2/ab/x.png)',
    '<p><a href="/user_uploads/2/ab/x.png">x.png</a></p>',
  ],
  [
    'an image elsewhere',
    'see https://x.example/a.png',
    `<p>see <a href="https://x.example/a.png">https://x.example/a.png</a></p>\n${external('https://x.example/a.png')}`,
  ],
  ['only an image', 'https://x.example/a.jpg', external('https://x.example/a.jpg')],
  [
    'a named image elsewhere',
    '[pic](https://x.example/a.jpg)',
    '<p><a href="https://x.example/a.jpg">pic</a></p>\n<div class="message_inline_image"><a href="https://x.example/a.jpg" title="pic"><img src="https://x.example/a.jpg"></a></div>',
  ],
  [
    'several images',
    '[p](/user_uploads/2/ab/p.png) [q](/user_uploads/2/ab/q.png)\n\nend',
    `<p><a href="/user_uploads/2/ab/p.png">p</a> <a href="/user_uploads/2/ab/q.png">q</a></p>\n${image('2/ab/p.png', 'p')}${image('2/ab/q.png', 'q', '', '64x32')}\n<p>end</p>`,
  ],
  [
    'the same image twice',
    'a https://x.example/a.png https://x.example/a.png',
    `<p>a <a href="https://x.example/a.png">https://x.example/a.png</a> <a href="https://x.example/a.png">https://x.example/a.png</a></p>\n${external('https://x.example/a.png')}`,
  ],
  [
    'an uploaded film',
    '[f](/user_uploads/2/ab/f.mp4)',
    '<p><a href="/user_uploads/2/ab/f.mp4">f</a></p>\n<div class="message_inline_image message_inline_video"><a href="/user_uploads/2/ab/f.mp4" title="f"><video preload="metadata" src="/user_uploads/2/ab/f.mp4"></video></a></div>',
  ],
  [
    'a film elsewhere',
    'https://x.example/f.webm',
    '<div class="message_inline_image message_inline_video"><a href="https://x.example/f.webm"><video preload="metadata" src="https://x.example/f.webm"></video></a></div>',
  ],
  [
    'YouTube',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    '<p><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">https://www.youtube.com/watch?v=dQw4w9WgXcQ</a></p>\n' +
      '<div class="youtube-video message_inline_image"><a data-id="dQw4w9WgXcQ" href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"><img src="https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg"></a></div>',
  ],
  [
    'an image in a quote',
    '> https://x.example/a.png',
    '<blockquote>\n<p><a href="https://x.example/a.png">https://x.example/a.png</a></p>\n</blockquote>',
  ],
  [
    'an image in a list',
    '* [a](https://x.example/a.png)\n* b',
    '<ul>\n<li><a href="https://x.example/a.png">a</a>\n<div class="message_inline_image"><a href="https://x.example/a.png" title="a"><img src="https://x.example/a.png"></a></div>\n</li>\n<li>b</li>\n</ul>',
  ],
]

describe('previews', () => {
  test.each(cases)('%s', (_, source, html) => {
    expect(parseHtml(renderMarkdown(source, acme()).html)).toEqual(parseHtml(html))
  })

  test('of a table come after the table', () => {
    const { html } = renderMarkdown('|a|b|\n|-|-|\n|https://x.example/a.png|c|', acme())
    expect(
      parseHtml(html)
        .filter((tree) => typeof tree !== 'string')
        .map(({ tag }) => tag),
    ).toEqual(['table', 'div'])
  })

  test('are at most twenty-four, while the links all stay', () => {
    const source = Array.from({ length: 30 }, (_, index) => `https://x.example/${index}.png`).join(' ')
    const elements = elementsOf(renderMarkdown(source, acme()).html)
    expect(elements.filter(({ tag }) => tag === 'img')).toHaveLength(24)
    expect(elements.filter(({ tag }) => tag === 'a')).toHaveLength(24 + 30)
  })

  test('of other sites can be switched off, those of own files stay', () => {
    const source = 'https://x.example/a.png https://youtu.be/dQw4w9WgXcQ [p](/user_uploads/2/ab/p.png)'
    const { html, hasImage } = renderMarkdown(source, acme({ inlineImagePreview: false }))
    expect(
      elementsOf(html)
        .filter(({ tag }) => tag === 'img')
        .map(({ attributes }) => attributes['src']),
    ).toEqual(['/user_uploads/thumbnail/2/ab/p.png/840x560.webp'])
    expect(hasImage).toBe(true)
  })
})
