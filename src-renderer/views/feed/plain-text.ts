/** The words of rendered content, for where only words fit. Nothing in it is loaded or run. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const block of body.querySelectorAll('p, li, pre, blockquote, tr, h1, h2, h3, h4, h5, h6'))
    block.append('\n')
  for (const line of body.querySelectorAll('br')) line.replaceWith('\n')
  for (const picture of body.querySelectorAll('img[alt]'))
    picture.replaceWith(picture.getAttribute('alt') ?? '')
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').trim()
}
