import { closedSpoiler } from '../../../src-shared/model/spoiler.ts'

/** The words of rendered content, for places where only plain text fits. Nothing in it is loaded or run. */
export const plainText = (html: string): string => wordsIn(bodyOf(html))

/** The same without the contents of spoilers, which nobody has opened. */
export function closedText(html: string): string {
  const body = bodyOf(html)
  for (const hidden of body.querySelectorAll('.spoiler-content')) hidden.replaceWith(`${closedSpoiler}\n`)
  return wordsIn(body)
}

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

function wordsIn(body: HTMLElement): string {
  for (const block of body.querySelectorAll('p, li, pre, blockquote, tr, h1, h2, h3, h4, h5, h6'))
    block.append('\n')
  for (const line of body.querySelectorAll('br')) line.replaceWith('\n')
  for (const picture of body.querySelectorAll('img[alt]'))
    picture.replaceWith(picture.getAttribute('alt') ?? '')
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').trim()
}
