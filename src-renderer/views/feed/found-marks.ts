const name = 'found'
const everywhere = 'found-here'

/** Where texts stand in sanitized content, wherever and however large they are written. */
function rangesOf(node: HTMLElement, wanted: readonly string[]): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    const content = currentNode.textContent ?? ''
    const small = content.toLowerCase()
    // Lower case changes the length of very few letters; then nothing is marked rather than something wrong.
    if (small.length !== content.length) continue
    for (const text of wanted) {
      for (let at = small.indexOf(text); at >= 0; at = small.indexOf(text, at + text.length)) {
        const range = new Range()
        range.setStart(currentNode, at)
        range.setEnd(currentNode, at + text.length)
        ranges.push(range)
      }
    }
  }
  return ranges
}

/** Marks a text in all messages that are drawn in an element, also those that come; answers how to stop. */
export function markEverywhere(node: HTMLElement, text: string): () => void {
  const mark = () => {
    const ranges = [...node.querySelectorAll<HTMLElement>('.msg .content')].flatMap((content) =>
      rangesOf(content, [text.toLowerCase()]),
    )
    CSS.highlights.set(everywhere, new Highlight(...ranges))
  }
  mark()
  // Before the next paint, so that nothing comes into view unmarked.
  const observer = new MutationObserver(mark)
  observer.observe(node, { childList: true, characterData: true, subtree: true })
  return () => {
    observer.disconnect()
    CSS.highlights.delete(everywhere)
  }
}

/**
 * Marks texts in sanitized content, wherever and however large they are written, without touching it; answers how to
 * take the marks away. One element has marks at a time.
 */
export function markFound(node: HTMLElement, texts: readonly string[]): () => void {
  const wanted = [...new Set(texts.map((text) => text.toLowerCase()))].filter((text) => text !== '')
  const marks = new Highlight(...rangesOf(node, wanted))
  CSS.highlights.set(name, marks)
  return () => {
    if (CSS.highlights.get(name) === marks) CSS.highlights.delete(name)
  }
}
