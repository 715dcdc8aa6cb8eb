import { emojiFromCode } from '../../../src-shared/model/emoji.ts'
import { closedSpoiler } from '../../../src-shared/model/spoiler.ts'
import { momentText } from './message-content.ts'

/** The words of rendered content, for places where only plain text fits. Nothing in it is loaded or run. */
export const plainText = (html: string, twentyFourHour: boolean): string =>
  wordsIn(bodyOf(html), twentyFourHour)

/** The same without the contents of spoilers, which nobody has opened. */
export function closedText(html: string, twentyFourHour: boolean): string {
  const body = bodyOf(html)
  for (const hidden of body.querySelectorAll('.spoiler-content')) hidden.replaceWith(`${closedSpoiler}\n`)
  return wordsIn(body, twentyFourHour)
}

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

/** The words of an element as a person reads them; the element is used up. */
export function wordsIn(body: HTMLElement, twentyFourHour: boolean): string {
  for (const emoji of body.querySelectorAll('span.emoji')) {
    const code = /\bemoji-([\da-f-]+)/.exec(emoji.className)?.[1]
    if (code !== undefined) emoji.textContent = emojiFromCode(code)
  }
  for (const time of body.querySelectorAll('time[datetime]')) {
    const at = Date.parse(time.getAttribute('datetime') ?? '')
    if (!Number.isNaN(at)) time.textContent = momentText(at, Date.now(), twentyFourHour)
  }
  for (const table of body.querySelectorAll('table')) {
    const lines = [...table.rows].map(({ cells }) =>
      [...cells].map((cell) => (cell.textContent ?? '').trim()).join('\t'),
    )
    table.replaceWith(`${lines.join('\n')}\n`)
  }
  // A formula has its source beside its drawing.
  for (const formula of body.querySelectorAll('.katex'))
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '')
  for (const block of body.querySelectorAll('p, li, pre, blockquote, h1, h2, h3, h4, h5, h6'))
    block.append('\n')
  for (const line of body.querySelectorAll('br')) {
    // The service renders a line break as a `br` and a line end.
    if (line.nextSibling instanceof Text) line.nextSibling.data = line.nextSibling.data.replace(/^\n/, '')
    line.replaceWith('\n')
  }
  for (const picture of body.querySelectorAll('img[alt]'))
    picture.replaceWith(picture.getAttribute('alt') ?? '')
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').trim()
}
