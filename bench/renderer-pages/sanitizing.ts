// Fifty messages from text to layout: with the component that shows them, and with less.
import DOMPurify from 'dompurify'
import { flushSync, mount, unmount } from 'svelte'
import '../../src-renderer/styles/tokens.css'
import '../../src-renderer/styles/base.css'
import '../../src-renderer/styles/feed.css'
import '../../src-renderer/styles/messages.css'
import '../../src-renderer/styles/content.css'
import '../../src-renderer/styles/content-media.css'
import Bodies from './Bodies.svelte'

export type Way = 'parsing' | 'purifying' | 'dunlin'

declare global {
  /** Milliseconds for fifty messages, starting with the one of that index. */
  var timeOf: ((way: Way, from: number) => number) | undefined
}

const texts: string[] = await (await fetch('./messages.json')).json()
const rows = document.querySelector<HTMLElement>('#rows')!

globalThis.timeOf = (way, from) => {
  const some = texts.slice(from % (texts.length - 50)).slice(0, 50)
  rows.replaceChildren()
  void rows.offsetHeight
  const start = performance.now()
  if (way === 'dunlin') {
    const made = flushSync(() => mount(Bodies, { target: rows, props: { texts: some } }))
    void rows.offsetHeight
    const time = performance.now() - start
    void unmount(made)
    return time
  }
  for (const text of some) {
    const row = document.createElement('div')
    row.className = 'content'
    row.innerHTML = way === 'parsing' ? text : DOMPurify.sanitize(text)
    rows.append(row)
  }
  void rows.offsetHeight
  return performance.now() - start
}
