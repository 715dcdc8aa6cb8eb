import type { StateBlock } from 'markdown-it'
import { scopeOf } from './scope.ts'

/** How deep quotes, lists and spoilers may nest. Deeper markers stay literal text, so no text is lost. */
const maxBlockDepth = 12

/** True if no further container may begin. */
export function isTooDeep(state: StateBlock): boolean {
  return scopeOf(state.env).blockDepth >= maxBlockDepth
}

/**
 * Parses the content of a container as blocks and adds them to the same list of tokens.
 *
 * Containers pass their text with their own marks removed. This re-parses the text once per level, which the depth
 * limit bounds; in return no block rule has to know which containers it is in.
 */
export function parseInside(state: StateBlock, content: string): void {
  const scope = scopeOf(state.env)
  scope.blockDepth++
  state.md.block.parse(content, state.md, state.env, state.tokens)
  scope.blockDepth--
}

/** One source line, without its newline. */
export function lineText(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line], state.eMarks[line])
}

/** True when the line begins something that ends a paragraph: a fence, a quote, a rule, a list, a heading. */
function endsParagraph(state: StateBlock, line: number, endLine: number): boolean {
  return state.md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, endLine, true))
}

const fenceLine = /^\s*(?:`{3,}|~{3,})/

/**
 * True if a line without the container's mark still belongs to the container, because it continues the paragraph that
 * the container's last line left open.
 */
export function continuesLazily(state: StateBlock, line: number, endLine: number, last: string): boolean {
  return (
    last.trim() !== '' &&
    !fenceLine.test(last) &&
    !state.isEmpty(line) &&
    !endsParagraph(state, line, endLine)
  )
}
