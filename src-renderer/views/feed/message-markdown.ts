import { markdownOf, verbatim } from '../compose/markdown-from-html.ts'
import { fenceFor } from './quote-text.ts'

/**
 * Derives Markdown from the HTML that the service rendered, for when the server cannot be asked for the source. It
 * renders the same, but may differ from what was typed where there are several ways to write it. Nothing in it is
 * loaded or run.
 */
export function messageMarkdown(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  // The service renders a line break as a `br` and a line end.
  for (const line of body.querySelectorAll('br'))
    if (line.nextSibling instanceof Text) line.nextSibling.data = line.nextSibling.data.replace(/^\n/, '')
  takePreviews(body)
  // Inner elements come first.
  for (const element of [...body.querySelectorAll('*')].toReversed()) {
    if (!body.contains(element)) continue
    const block = blockWords(element)
    const words = block ?? inlineWords(element)
    if (words === null) continue
    const written = document.createElement(block === null ? 'span' : 'pre')
    written.setAttribute(verbatim, words)
    element.replaceWith(written)
  }
  return markdownOf(body)
}

/** Removes previews, which links produce by themselves; a preview that replaces its link becomes that link. */
function takePreviews(body: HTMLElement): void {
  for (const preview of body.querySelectorAll(
    '.message_inline_image, .message_embed, .inline-preview-twitter',
  )) {
    const link = preview.querySelector('a')
    const href = link?.getAttribute('href') ?? ''
    preview.remove()
    if (href === '' || [...body.querySelectorAll('a')].some((one) => one.getAttribute('href') === href))
      continue
    const title = link?.getAttribute('title') ?? ''
    const line = document.createElement('pre')
    line.setAttribute(verbatim, title === '' || title === href ? href : `[${title}](${href})`)
    body.append(line)
  }
}

function fenced(kind: string, words: string): string {
  const fence = fenceFor(words)
  return `${fence}${kind}\n${words}\n${fence}`
}

function blockWords(element: Element): string | null {
  if (element.matches('.codehilite')) {
    const words = (element.querySelector('pre')?.textContent ?? '').replace(/\n$/, '')
    return fenced(element.getAttribute('data-code-language') ?? '', words)
  }
  if (element.matches('.katex-display')) return fenced('math', texOf(element))
  if (element.matches('.spoiler-block')) {
    const part = (name: string) => {
      const found = element.querySelector(`.spoiler-${name}`)
      return found === null ? '' : markdownOf(found)
    }
    return fenced(`spoiler ${part('header')}`.trimEnd(), part('content'))
  }
  return null
}

const texOf = (element: Element) =>
  element.querySelector('annotation[encoding="application/x-tex"]')?.textContent ?? element.textContent ?? ''

function inlineWords(element: Element): string | null {
  const words = element.textContent ?? ''
  if (element.matches('.user-mention, .user-group-mention, .topic-mention'))
    return mentionWords(element, words)
  if (element.matches('.katex') && element.closest('.katex-display') === null) return `$$${texOf(element)}$$`
  if (element.matches('time[datetime]')) return `<time:${words}>`
  if (!element.matches('a[href]')) return null
  const href = element.getAttribute('href') ?? ''
  const [channel = '', topic = ''] = words.split(/ > (.*)/s)
  const name = channel.replace(/^#/, '')
  // The topic without a name is shown under a name that depends on the language.
  const place = element.querySelector('em') === null ? topic : ''
  if (element.matches('.stream')) return `#**${words.replace(/^#/, '')}**`
  if (element.matches('.stream-topic')) return `#**${name}>${place}**`
  if (element.matches('.message-link')) {
    const near = /\/near\/(\d+)$/.exec(href)?.[1]
    return near === undefined ? null : `#**${name}>${place.replace(/ @ 💬$/u, '')}@${near}**`
  }
  return /^[/#]/.test(href) && words !== '' ? `[${words}](${href})` : null
}

function mentionWords(element: Element, words: string): string {
  const at = element.classList.contains('silent') ? '@_' : '@'
  const name = words.replace(/^@/, '')
  if (element.matches('.user-group-mention')) return `${at}*${name}*`
  const id = element.getAttribute('data-user-id')
  return /^\d+$/.test(id ?? '') ? `${at}**${name}|${id}**` : `${at}**${name}**`
}
