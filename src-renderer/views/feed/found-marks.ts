const name = 'found'
const everywhere = 'found-here'

/** Elements on lines of their own: text before them and text inside them are different words. */
const lines =
  'p, div, li, ul, ol, dl, dd, dt, pre, blockquote, table, tr, td, th, h1, h2, h3, h4, h5, h6, hr, br, details, summary'
/** Elements that are not text of the message. */
const passedOver = '[hidden], .code-tools, button, select'

/** A position in the page, between two letters of a text. */
interface Spot {
  readonly node: Text
  readonly offset: number
}

/**
 * The words of content as people read them: in lower case, with one space between words, and with the position of each
 * letter.
 */
function wordsIn(content: HTMLElement): { readonly text: string; readonly spots: readonly Spot[] } {
  let text = ''
  const spots: Spot[] = []
  let isApart = false
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(passedOver) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  let line: Element | null = null
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (!(node instanceof Text)) {
      if (node instanceof Element && node.matches(lines)) isApart = true
      continue
    }
    // After a nested line ends, the outer one continues.
    const ownLine: Element | null = node.parentElement?.closest(lines) ?? null
    if (ownLine !== line) isApart = true
    line = ownLine
    for (let offset = 0; offset < node.data.length; offset++) {
      const letter = node.data.charAt(offset)
      if (/\s/.test(letter)) {
        isApart = true
        continue
      }
      if (isApart && text !== '') {
        text += ' '
        spots.push({ node, offset })
      }
      isApart = false
      // For a few letters, the lower-case form is longer.
      for (const unit of letter.toLowerCase().split('')) {
        text += unit
        spots.push({ node, offset })
      }
    }
  }
  return { text, spots }
}

/**
 * The ranges of texts in sanitized content, in any case, also where a part is bold, is a link, or is on the next line.
 */
function rangesOf(content: HTMLElement, wanted: readonly string[]): Range[] {
  const { text, spots } = wordsIn(content)
  return wanted.flatMap((one) => {
    const sought = one.toLowerCase().replace(/\s+/g, ' ').trim()
    const ranges: Range[] = []
    for (
      let at = text.indexOf(sought);
      sought !== '' && at >= 0;
      at = text.indexOf(sought, at + sought.length)
    ) {
      const [first, last] = [spots[at], spots[at + sought.length - 1]]
      if (first === undefined || last === undefined) break
      const range = new Range()
      range.setStart(first.node, first.offset)
      range.setEnd(last.node, last.offset + 1)
      ranges.push(range)
    }
    return ranges
  })
}

/** Marks a text in all messages drawn in an element, including new ones; returns how to stop. */
export function markEverywhere(node: HTMLElement, text: string): () => void {
  const mark = () => {
    const ranges = [...node.querySelectorAll<HTMLElement>('.msg .content')].flatMap((content) =>
      rangesOf(content, [text]),
    )
    CSS.highlights.set(everywhere, new Highlight(...ranges))
  }
  mark()
  // Runs before the next paint, so that nothing appears unmarked.
  const observer = new MutationObserver(mark)
  observer.observe(node, { childList: true, characterData: true, subtree: true })
  return () => {
    observer.disconnect()
    CSS.highlights.delete(everywhere)
  }
}

/**
 * Marks texts in sanitized content, in any case, without changing its elements; returns how to remove the marks. Only
 * one element has marks at a time.
 */
export function markFound(node: HTMLElement, texts: readonly string[]): () => void {
  const wanted = [...new Set(texts.map((text) => text.toLowerCase()))].filter((text) => text !== '')
  const marks = new Highlight(...rangesOf(node, wanted))
  CSS.highlights.set(name, marks)
  return () => {
    if (CSS.highlights.get(name) === marks) CSS.highlights.delete(name)
  }
}
