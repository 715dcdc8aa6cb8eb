import type { MarkdownIt, StateInline } from 'markdown-it'
import { oncePerText } from './scope.ts'

/** The first characters of all inline constructs that can be told by their first character. */
const starters = new Set([...'\n!#$*:<@[`~'].map((character) => character.charCodeAt(0)))

/**
 * Plain text up to the next place where a construct may begin.
 *
 * `finders` name the places that no single character announces: bare addresses, linkifier matches, emoji.
 */
export function textPlugin(
  md: MarkdownIt,
  finders: readonly ((state: StateInline) => Iterable<number>)[],
): void {
  const stops = oncePerText((state) => new Set(finders.flatMap((find) => [...find(state)])))
  md.inline.ruler.at('text', (state, silent) => {
    const special = stops(state)
    const start = state.pos
    let end = start
    while (end < state.posMax && !starters.has(state.src.charCodeAt(end)) && !special.has(end)) end++
    if (end === start) return false
    if (!silent) state.pending += state.src.slice(start, end)
    state.pos = end
    return true
  })
}
