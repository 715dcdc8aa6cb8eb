import { emojiFromCode } from '../../../src-shared/model/emoji.ts'
import { toldHtml } from '../../../src-shared/model/me-message.ts'
import { closedSpoiler } from '../../../src-shared/model/spoiler.ts'
import { zonedMoment } from '../../time.ts'
import { momentText } from './message-content.ts'

/** Writes out the times in an element as their readers on another day and elsewhere need them. */
export function writeTimesInFull(body: HTMLElement, uses24HourClock: boolean): void {
  writeTimes(body, (at) => zonedMoment(at, uses24HourClock))
}

/** The words of rendered content for other apps, with its times in full. Nothing in it is loaded or run. */
export function copiedText(html: string, uses24HourClock: boolean): string {
  const body = bodyOf(html)
  writeTimesInFull(body, uses24HourClock)
  return wordsIn(body)
}

/**
 * The same for short lines on screen: times are brief, spoilers, which nobody has opened, have no contents, and `/me` is
 * left out.
 */
export function closedText(html: string, uses24HourClock: boolean): string {
  const body = bodyOf(toldHtml(html))
  for (const hidden of body.querySelectorAll('.spoiler-content')) hidden.replaceWith(`${closedSpoiler}\n`)
  writeTimes(body, (at) => momentText(at, Date.now(), uses24HourClock))
  return wordsIn(body)
}

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

function writeTimes(body: HTMLElement, wordsOf: (at: number) => string): void {
  for (const time of body.querySelectorAll('time[datetime]')) {
    const at = Date.parse(time.getAttribute('datetime') ?? '')
    if (!Number.isNaN(at)) time.textContent = wordsOf(at)
  }
}

/** The words of an element as a person reads them; the element is used up. */
export function wordsIn(body: HTMLElement): string {
  for (const emoji of body.querySelectorAll('span.emoji')) {
    const code = /\bemoji-([\da-f-]+)/.exec(emoji.className)?.[1]
    if (code !== undefined) emoji.textContent = emojiFromCode(code)
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
