import type { MarkdownIt, StateBlock } from 'markdown-it'
import { fenceOf, holdsMarkdown, passLine, type Fence } from '../fences.ts'
import { pushQuote } from './blockquote.ts'
import { pushCode } from './code-block.ts'
import { pushMath } from './math.ts'
import { isTooDeep, lineText } from './nesting.ts'
import { scopeOf } from './scope.ts'
import { pushSpoiler } from './spoiler.ts'

/** The line of the closing fence, or `endLine` if the message ends first. */
function closingLine(state: StateBlock, fence: Fence, startLine: number, endLine: number): number {
  const open = [fence]
  for (let line = startLine + 1; line < endLine; line++) {
    passLine(open, lineText(state, line))
    if (open.length === 0) return line
  }
  return endLine
}

function fence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const found = fenceOf(lineText(state, startLine))
  if (!found) return false
  if (silent) return true

  const close = closingLine(state, found, startLine, endLine)
  const indent = state.sCount[startLine] ?? 0
  const body = state.getLines(startLine + 1, close, indent, false)
  const content = close > startLine + 1 ? `${body}\n` : ''
  state.line = Math.min(close + 1, endLine)

  const kind = found.language.toLowerCase()
  if (kind === 'math') pushMath(state, content)
  else if (!holdsMarkdown(kind) || isTooDeep(state)) {
    pushCode(state, content, found.language || scopeOf(state.env).context.defaultCodeLanguage)
  } else if (kind === 'spoiler') pushSpoiler(state, found.rest, content)
  else pushQuote(state, content)
  return true
}

/** Fenced blocks: code, and the named kinds `quote`, `spoiler` and `math`. */
export function fencePlugin(md: MarkdownIt): void {
  md.block.ruler.at('fence', fence, { alt: ['paragraph', 'blockquote', 'list'] })
}
