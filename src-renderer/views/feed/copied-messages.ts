import { closedSpoiler } from '../../../src-shared/model/spoiler.ts'
import { wordsIn, writeTimesInFull } from './plain-text.ts'

/** What goes to the clipboard. */
export interface Copied {
  readonly text: string
  readonly html: string
}

/** What the copy of a selection needs to know. */
interface Source {
  /** Who wrote the message of a row, and when, in words; null if it is not known. */
  headOf(row: string): string | null
  /** The address that links without a server are completed with. */
  readonly server: string
  readonly uses24HourClock: boolean
}

/**
 * The selected words of messages, without the names, times, reactions and buttons around them; several messages each
 * begin with who wrote them. Spoilers that nobody has opened stay closed. Null if nothing in a message is selected.
 */
export function copiedMessages(feed: HTMLElement, range: Range, source: Source): Copied | null {
  const rows = [...feed.querySelectorAll<HTMLElement>('.msg[data-row]')].filter((row) =>
    range.intersectsNode(row),
  )
  const parts = rows.flatMap((row) => {
    const content = row.querySelector<HTMLElement>('.content, .widget')
    const part = content === null ? null : selectedPart(content, range)
    return part === null ? [] : [{ head: source.headOf(row.dataset['row'] ?? ''), part }]
  })
  if (parts.length === 0) return null
  const whole = document.createElement('div')
  const texts: string[] = []
  for (const { head, part } of parts) {
    const isHeaded = parts.length > 1 && head !== null
    tidy(part, source.server)
    writeTimesInFull(part, source.uses24HourClock)
    if (isHeaded) {
      const line = document.createElement('p')
      line.append(Object.assign(document.createElement('strong'), { textContent: head }))
      whole.append(line)
    }
    whole.append(...[...part.childNodes].map((node) => node.cloneNode(true)))
    const words = wordsIn(part)
    texts.push(isHeaded ? `${head}\n${words}` : words)
  }
  return { text: texts.join('\n\n'), html: whole.innerHTML }
}

function selectedPart(content: HTMLElement, range: Range): HTMLElement | null {
  const part = document.createRange()
  part.selectNodeContents(content)
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset)
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0)
    part.setEnd(range.endContainer, range.endOffset)
  if (part.collapsed || !content.contains(part.commonAncestorContainer)) return null
  const copy = document.createElement('div')
  const { commonAncestorContainer: around } = part
  const code = (around instanceof Element ? around : around.parentElement)?.closest('pre') ?? null
  // A part of code does not contain the element that makes it code.
  const into = code === null ? copy : document.createElement(part.toString().includes('\n') ? 'pre' : 'code')
  into.append(part.cloneContents())
  if (into !== copy) copy.append(into)
  return (copy.textContent ?? '').trim() === '' && copy.querySelector('img') === null ? null : copy
}

/** Leaves what other apps understand: no buttons, no drawings, no styles, and addresses that work elsewhere. */
function tidy(part: HTMLElement, server: string): void {
  for (const hidden of part.querySelectorAll('.spoiler-content[aria-hidden="true"]'))
    hidden.replaceWith(Object.assign(document.createElement('p'), { textContent: closedSpoiler }))
  // Before what is hidden goes, because a picture that could not be loaded is hidden, and its name is all there is.
  for (const picture of part.querySelectorAll('img')) picture.replaceWith(picture.alt)
  for (const tool of part.querySelectorAll(
    '[hidden], .code-tools, .picture-note, .file-kind, .file-state, button, input, svg, .katex-html',
  ))
    tool.remove()
  for (const element of part.querySelectorAll('*')) {
    const href = element.getAttribute('href')
    if (href !== null && URL.canParse(href, server)) element.setAttribute('href', new URL(href, server).href)
    for (const { name } of [...element.attributes])
      if (!kept.has(name) && !(name === 'class' && named.test(element.className)))
        element.removeAttribute(name)
  }
}

const kept = new Set(['href', 'datetime', 'start'])
/** The classes by which the words of an element are found. */
const named = /^(emoji emoji-|katex)/
