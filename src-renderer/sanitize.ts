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
/** The attributes that hold addresses, which must be of an allowed kind. All others hold plain values. */
const addresses = ['href', 'src']

const length = /^-?\d*\.?\d+(?:e-?\d+)?(?:em|ex|px|%)?$/
/** The style properties of formulas, and the form that each value must have once the browser has parsed it. */
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
/** The style properties of table cells. */
const cellStyles: Readonly<Record<string, RegExp>> = { 'text-align': /^(?:left|center|right)$/ }

/**
 * Keeps only the listed properties of an element's style. The browser parses the style first, because escapes and
 * comments can hide a forbidden value.
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

/** Turns the background picture of a website preview into an image, which is loaded like all others. */
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

// Set once, because parsing it for each text takes longer than most texts do.
purifier.setConfig({
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ADD_URI_SAFE_ATTR: attributes.filter((name) => !addresses.includes(name)),
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|#|\/(?!\/))/i,
  RETURN_DOM_FRAGMENT: true,
})

/**
 * Texts whose tags are all of these, without attributes. No other elements and no attributes can result from them, so
 * there is nothing to remove.
 */
const plain = /^[^<]*(?:<\/?(?:p|br|strong|em|del|code|blockquote|ul|ol|li)>[^<]*)*$/

/**
 * Makes a server's rendered content safe to show: by allow-list, with pictures loaded through the host. The returned
 * elements must go into the page as they are; serialized and parsed again, they could become others.
 */
export function sanitize(html: string, accountId: string): DocumentFragment {
  if (plain.test(html)) {
    const template = document.createElement('template')
    template.innerHTML = html
    return template.content
  }
  // With the setting above it returns a fragment, which its type does not express.
  const clean = purifier.sanitize(html) as unknown as DocumentFragment
  for (const media of clean.querySelectorAll('img, video, audio')) {
    const source = media.getAttribute('src')
    if (source !== null) media.setAttribute('src', mediaUrl(accountId, source))
  }
  // Screen readers announce an empty heading; the empty corner of a table is not a heading.
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
