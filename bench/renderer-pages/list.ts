// The floor: a list of messages without a framework. It trusts its messages and has no actions for them.
import '../../src-renderer/styles/tokens.css'
import '../../src-renderer/styles/base.css'
import '../../src-renderer/styles/controls.css'
import '../../src-renderer/styles/people.css'
import '../../src-renderer/styles/window.css'
import '../../src-renderer/styles/feed.css'
import '../../src-renderer/styles/messages.css'
import '../../src-renderer/styles/content.css'
import '../../src-renderer/styles/content-media.css'

const texts: string[] = await (await fetch('./messages.json')).json()
const scroller = document.querySelector<HTMLElement>('.feed')!
const rows = document.querySelector<HTMLElement>('.feed-rows')!
scroller.style.cssText = 'position: absolute; inset: 40px 240px 60px 260px; display: block; overflow-y: auto'
/** Heights in pixels, estimated until a message was drawn. */
const heights = texts.map(() => 70)
const margin = 900
let first = texts.length
let last = texts.length

function rowOf(index: number): HTMLElement {
  const row = document.createElement('article')
  row.className = 'msg'
  row.dataset['index'] = String(index)
  row.innerHTML = `<div class="bd"><div class="who"><b>Person ${index % 40}</b></div><div class="content">${texts[index]}</div></div><div class="tm"><time>12:00</time></div>`
  return row
}

function place(): void {
  let above = 0
  for (let index = 0; index < first; index++) above += heights[index] ?? 0
  let below = 0
  for (let index = last; index < texts.length; index++) below += heights[index] ?? 0
  rows.style.paddingTop = `${above}px`
  rows.style.paddingBottom = `${below}px`
}

/** Draws what is in view plus a margin; the visible messages stay in place. */
function draw(): void {
  const wanted = scroller.scrollTop
  let top = 0
  let from = 0
  while (from < texts.length && top + (heights[from] ?? 0) < wanted - margin) top += heights[from++] ?? 0
  let to = from
  for (let end = top; to < texts.length && end < wanted + scroller.clientHeight + margin; to++)
    end += heights[to] ?? 0
  if (from >= first && to <= last && first - from < 20 && last - to < 20) return
  const anchor = [...rows.children].find((row) => row.getBoundingClientRect().bottom > 0)
  const before = anchor?.getBoundingClientRect().top ?? 0
  const drawn: HTMLElement[] = []
  if (to <= first || from >= last) {
    rows.replaceChildren()
    first = last = from
  }
  for (; first < from; first++) rows.firstElementChild?.remove()
  for (; last > to; last--) rows.lastElementChild?.remove()
  const head = document.createDocumentFragment()
  for (let index = from; index < first; index++) drawn.push(head.appendChild(rowOf(index)))
  rows.prepend(head)
  first = Math.min(first, from)
  for (; last < to; last++) drawn.push(rows.appendChild(rowOf(last)))
  for (const row of drawn) heights[Number(row.dataset['index'])] = row.offsetHeight
  place()
  if (anchor?.isConnected === true) scroller.scrollTop += anchor.getBoundingClientRect().top - before
}

place()
scroller.scrollTop = scroller.scrollHeight
draw()
scroller.scrollTop = scroller.scrollHeight
scroller.addEventListener('scroll', draw)

/** Another conversation: fifteen messages that are in memory. */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-from]') : null
  if (link === null) return
  const from = Number(link.dataset['from']) % (texts.length - 15)
  rows.style.padding = '0'
  rows.replaceChildren(...Array.from({ length: 15 }, (_, index) => rowOf(from + index)))
})
