/**
 * Replaces the paragraphs that Word and Outlook write for the points of a list by lists. Each of them names its level
 * and contains its number or bullet as text.
 */
export function restoreWordLists(body: HTMLElement): void {
  /** The lists that the last point is in, outermost first. */
  let open: Element[] = []
  for (const point of body.querySelectorAll('[style*="mso-list:" i]')) {
    const level = Number(/mso-list:[^;]*\blevel(\d)/i.exec(point.getAttribute('style') ?? '')?.[1] ?? 0)
    // The mark of a point has such a style too. Points of real lists are lists already.
    if (level === 0 || point.closest('li') !== null) continue
    const marks = point.querySelectorAll('[style*="mso-list:ignore" i]')
    const sign = [...marks].map(({ textContent }) => textContent).join('')
    for (const mark of marks) mark.remove()

    if (open[0] === undefined || point.previousElementSibling !== open[0]) open = []
    open.length = Math.min(open.length, level)
    while (open.length < level) {
      const list = body.ownerDocument.createElement(/^\s*\(?\w{1,4}[.)]/.test(sign) ? 'ol' : 'ul')
      const number = /\d+/.exec(sign)?.[0]
      if (number !== undefined) list.setAttribute('start', number)
      const outer = open.at(-1)
      if (outer === undefined) point.before(list)
      else outer.append(list)
      open.push(list)
    }
    const item = body.ownerDocument.createElement('li')
    item.append(...point.childNodes)
    open.at(-1)?.append(item)
    point.remove()
  }
}
