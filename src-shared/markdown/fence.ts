import type { MarkdownIt, StateBlock } from 'markdown-it'
import { pushQuote } from './blockquote.ts'
import { pushCode } from './code-block.ts'
import { pushMath } from './math.ts'
import { isTooDeep, lineText } from './nesting.ts'
import { scopeOf } from './scope.ts'
import { pushSpoiler } from './spoiler.ts'

const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*?)[ \t]*$/

interface Fence {
  /** The run of backticks or tildes; the same run closes the block. */
  readonly run: string
  readonly language: string
  /** The text after the language: the title of a spoiler. */
  readonly rest: string
}

function fenceAt(state: StateBlock, line: number): Fence | undefined {
  const match = opening.exec(lineText(state, line))
  if (!match) return undefined
  const [, run = '', info = ''] = match
  if (run.startsWith('`') && info.includes('`')) return undefined
  const space = info.search(/\s/)
  return {
    run,
    language: space < 0 ? info : info.slice(0, space),
    rest: space < 0 ? '' : info.slice(space).trim(),
  }
}

/** True for blocks whose content is Markdown again, so that further fences may open in it. */
function holdsMarkdown(language: string): boolean {
  return ['quote', 'quoted', 'spoiler'].includes(language.toLowerCase())
}

/** The line of the closing fence, or `endLine` if the message ends first. */
function closingLine(state: StateBlock, fence: Fence, startLine: number, endLine: number): number {
  const open = [fence]
  for (let line = startLine + 1; line < endLine; line++) {
    const found = fenceAt(state, line)
    const innermost = open.at(-1)
    if (!found || !innermost) continue
    if (found.run === innermost.run && found.language === '') {
      open.pop()
      if (open.length === 0) return line
    } else if (holdsMarkdown(innermost.language)) {
      open.push(found)
    }
  }
  return endLine
}

function fence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const found = fenceAt(state, startLine)
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
