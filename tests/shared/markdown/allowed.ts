import { elementsOf } from './tree.ts'

const formula =
  'math annotation semantics mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover ' +
  'mtable mtr mtd mpadded mphantom mstyle menclose mglyph mlabeledtr'
const drawing = 'svg path line'

const allowedTags = new Set([
  ...'p br h1 h2 h3 h4 h5 h6 hr ul ol li blockquote div pre code span strong em del a img video audio time'.split(
    ' ',
  ),
  ...'table thead tbody tr th td'.split(' '),
  ...formula.split(' '),
  ...drawing.split(' '),
])

const allowedAttributes: Record<string, readonly string[]> = {
  a: ['href', 'class', 'data-stream-id', 'data-id', 'title'],
  img: [
    ...['src', 'alt', 'title', 'class', 'data-animated', 'data-original-content-type'],
    ...['data-original-dimensions', 'data-transcoded-image'],
  ],
  video: ['preload', 'src'],
  audio: ['controls', 'preload', 'src', 'title', 'data-original-url'],
  time: ['datetime'],
  ol: ['start'],
  div: ['class', 'aria-hidden', 'data-code-language'],
  th: ['style'],
  td: ['style'],
  span: [
    'class',
    'style',
    'aria-label',
    'aria-hidden',
    'role',
    'title',
    'data-user-id',
    'data-user-group-id',
  ],
}

const mathAttributes = new Set([
  ...'xmlns display encoding mathvariant stretchy fence separator lspace rspace minsize maxsize width height'.split(
    ' ',
  ),
  ...'depth voffset accent accentunder linethickness columnalign columnspacing rowspacing columnlines rowlines'.split(
    ' ',
  ),
  ...'scriptlevel displaystyle mathcolor mathbackground mathsize notation class style viewBox preserveAspectRatio d'.split(
    ' ',
  ),
  ...'x1 y1 x2 y2 stroke-width largeop movablelimits symmetric form side rowalign equalrows equalcolumns'.split(
    ' ',
  ),
  ...'aria-hidden href'.split(' ').filter((name) => name !== 'href'),
])

const addressAttributes = new Set(['href', 'src', 'data-original-url'])
const allowedAddress =
  /^(?:https?:|ftps?:|sftp:|file:|mailto:|tel:|sms:|bitcoin:|geo:|git:|ircs?:|magnet:|matrix:|news:|nntp:|sips?:|ssh:|svn:|urn:|webcal:|xmpp:|\/|#)/i

/** Everything in some HTML that the service must never send. */
export function violations(html: string): string[] {
  const found: string[] = []
  const inFormula = new Set([...formula.split(' '), ...drawing.split(' ')])
  for (const { tag, attributes } of elementsOf(html)) {
    if (!allowedTags.has(tag)) found.push(`<${tag}>`)
    for (const [name, value] of Object.entries(attributes)) {
      const allowed = inFormula.has(tag) ? mathAttributes.has(name) : allowedAttributes[tag]?.includes(name)
      if (!allowed) found.push(`<${tag} ${name}="${value}">`)
      if (addressAttributes.has(name) && (!allowedAddress.test(value) || /^\/[/\\]/.test(value))) {
        found.push(`<${tag} ${name}="${value}">`)
      }
      if (tag === 'img' && name === 'src' && !/^(?:https?:\/\/|\/)/.test(value))
        found.push(`img from ${value}`)
      if (name === 'style' && /url|expression|import|javascript|[<>@\\]/i.test(value))
        found.push(`style ${value}`)
    }
  }
  return found
}
