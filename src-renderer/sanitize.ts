import DOMPurify from 'dompurify'
import { emojiFromCode } from '../src-shared/model/emoji.ts'
import { mediaUrl } from './media.ts'

const tags = (
  'a abbr annotation audio b blockquote br code del div em h1 h2 h3 h4 h5 h6 hr i img li math menclose mfrac mi mn ' +
  'mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder ' +
  'munderover ol p path pre semantics span strong svg table tbody td th thead time tr ul video'
).split(' ')
const attributes = (
  'alt aria-hidden aria-label class colspan controls d data-code-language data-original-dimensions data-stream-id ' +
  'data-transcoded-image data-user-group-id data-user-id datetime display height href mathvariant preload ' +
  'preserveaspectratio role rowspan src start style title viewbox width xmlns'
).split(' ')
/** All others hold plain values; these hold addresses, which have to be of an allowed kind. */
const addresses = ['href', 'src']

const length = /^-?\d*\.?\d+(?:e-?\d+)?(?:em|ex|px|%)?$/
/** What formulas are laid out with, and how a value of it has to read once the browser has understood it. */
const formulaStyles: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    [
      ...['height', 'width', 'min-width', 'vertical-align', 'top', 'left'],
      ...['margin-right', 'margin-left', 'padding-left', 'border-bottom-width'],
    ].map((name) => [name, length]),
  ),
  position: /^relative$/,
  color: /^(?:#[0-9a-f]{3,8}|[a-z]+|rgba?\([\d., %]+\))$/i,
}
/** What cells of tables are laid out with. */
const cellStyles: Readonly<Record<string, RegExp>> = { 'text-align': /^(?:left|center|right)$/ }

/**
 * Keeps of an element's style what is listed, nothing else. The browser reads it first: written with escapes or
 * comments, a value may look like none that is refused and still be one.
 */
function restyle(node: HTMLElement | SVGElement, allowed: Readonly<Record<string, RegExp>>): void {
  const kept = Object.entries(allowed).flatMap(([name, form]) => {
    const value = node.style.getPropertyValue(name)
    return form.test(value) ? [`${name}: ${value}`] : []
  })
  if (kept.length === 0) node.removeAttribute('style')
  else node.setAttribute('style', kept.join('; '))
}

const backgroundAddress = /\bbackground-image:\s*url\(\s*["']?(https?:\/\/[^"')]+|\/(?!\/)[^"')]+)/i

/** The picture of a previewed website comes as a background; as a picture it is loaded like all others. */
function showEmbedded(link: Element): void {
  const address = backgroundAddress.exec(link.getAttribute('style') ?? '')?.[1]
  if (address === undefined) return
  const picture = document.createElement('img')
  picture.alt = ''
  picture.setAttribute('src', address)
  link.replaceChildren(picture)
}

const purifier = DOMPurify(window)
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.matches('a.message_embed_image')) showEmbedded(node)
  if (node.hasAttribute('style')) {
    if (node instanceof HTMLElement || node instanceof SVGElement)
      restyle(node, node.closest('.katex') === null ? cellStyles : formulaStyles)
    else node.removeAttribute('style')
  }
  if (!['IMG', 'VIDEO', 'AUDIO'].includes(node.tagName)) node.removeAttribute('src')
  if (node.tagName !== 'A') node.removeAttribute('href')
  else {
    node.setAttribute('rel', 'noopener noreferrer')
    node.removeAttribute('target')
  }
})

// Said once: reading it anew for each text takes longer than most texts do.
purifier.setConfig({
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ADD_URI_SAFE_ATTR: attributes.filter((name) => !addresses.includes(name)),
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|#|\/(?!\/))/i,
  RETURN_DOM_FRAGMENT: true,
})

/**
 * Texts in which every tag is one of these, with nothing in it but its name: whatever they say, no other elements and
 * no attributes can come of them, and what is purified has neither to lose.
 */
const plain = /^[^<]*(?:<\/?(?:p|br|strong|em|del|code|blockquote|ul|ol|li)>[^<]*)*$/

/**
 * Makes rendered content of a server safe to show: by allow-list, with pictures loaded through the host. The elements
 * are to be put into the page as they are; written out and read again they might become others.
 */
export function sanitize(html: string, accountId: string): DocumentFragment {
  if (plain.test(html)) {
    const template = document.createElement('template')
    template.innerHTML = html
    return template.content
  }
  // With the setting above it answers a fragment, which its type does not know.
  const clean = purifier.sanitize(html) as unknown as DocumentFragment
  for (const media of clean.querySelectorAll('img, video, audio')) {
    const source = media.getAttribute('src')
    if (source !== null) media.setAttribute('src', mediaUrl(accountId, source))
  }
  // A heading that says nothing is read out as one; the corner of a table is no heading.
  for (const heading of clean.querySelectorAll('th')) {
    if (heading.textContent.trim() === '' && heading.firstElementChild === null)
      heading.replaceWith(document.createElement('td'))
  }
  for (const emoji of clean.querySelectorAll('span.emoji')) {
    const code = /\bemoji-([0-9a-f-]+)\b/.exec(emoji.className)?.[1]
    if (code !== undefined) emoji.textContent = emojiFromCode(code)
  }
  return clean
}
