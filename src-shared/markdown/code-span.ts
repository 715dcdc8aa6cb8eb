import type { MarkdownIt, StateInline } from 'markdown-it'
import { element, escapeHtml } from './html.ts'
import { foundAt, oncePerText, pushHtml, type Found } from './scope.ts'

/** All code spans that can begin in a text: each run of backticks with the next run of the same length. */
export const codeSpans = oncePerText((state: StateInline): ReadonlyMap<number, Found> => {
  const spans = new Map<number, Found>()
  const next = new Map<number, number>()
  for (const { 0: run, index } of [...state.src.matchAll(/`+/g)].reverse()) {
    const close = next.get(run.length)
    if (close !== undefined) spans.set(index, { start: index, end: close + run.length })
    next.set(run.length, index)
  }
  return spans
})

function codeSpan(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x60) return false
  const span = foundAt(codeSpans(state), state)
  const run = /^`+/.exec(state.src.slice(state.pos, state.posMax))?.[0] ?? '`'
  if (!span) {
    // The whole run is text; a shorter part of it must not open a span.
    if (!silent) state.pending += run
    state.pos += run.length
    return true
  }
  if (!silent) {
    const code = state.src.slice(span.start + run.length, span.end - run.length)
    pushHtml(state, element('code', {}, escapeHtml(code)))
  }
  state.pos = span.end
  return true
}

/** `` `code` `` with its spaces kept. */
export function codeSpanPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('backticks', codeSpan)
}
