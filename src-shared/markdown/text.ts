import type { MarkdownIt, StateInline } from 'markdown-it'
import { oncePerText } from './scope.ts'

/** The first characters of all inline constructs that are recognized by their first character. */
const starters = new Uint8Array(128)
for (const character of '\n!#$*:<@[`~') starters[character.charCodeAt(0)] = 1

/**
 * Consumes plain text up to the next place where a construct may begin.
 *
 * `finders` report places that no single character announces: bare addresses, linkifier matches, emoji.
 */
export function textPlugin(
  md: MarkdownIt,
  finders: readonly ((state: StateInline) => Iterable<number>)[],
): void {
  const stops = oncePerText((state) => {
    const places = new Set<number>()
    for (const find of finders) for (const place of find(state)) places.add(place)
    return places
  })
  md.inline.ruler.at('text', (state, silent) => {
    const special = stops(state)
    const { src, pos: start, posMax } = state
    let end = start
    // Most texts have no such place.
    if (special.size === 0) while (end < posMax && starters[src.charCodeAt(end)] !== 1) end++
    else while (end < posMax && starters[src.charCodeAt(end)] !== 1 && !special.has(end)) end++
    if (end === start) return false
    if (!silent) state.pending += src.slice(start, end)
    state.pos = end
    return true
  })
}
