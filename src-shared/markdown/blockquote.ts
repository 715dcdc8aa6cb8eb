import type { MarkdownIt, StateBlock } from 'markdown-it'
import { continuesLazily, isTooDeep, lineText, parseInside } from './nesting.ts'

const quoteMark = /^ {0,3}> ?/

/** Adds a quote with the given Markdown as its content. */
export function pushQuote(state: StateBlock, content: string): void {
  state.push('blockquote_open', 'blockquote', 1)
  parseInside(state, content)
  state.push('blockquote_close', 'blockquote', -1)
}

function blockquote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (isTooDeep(state) || !quoteMark.test(lineText(state, startLine))) return false
  if (silent) return lineText(state, startLine).replace(quoteMark, '').trim() !== ''

  const content: string[] = []
  let line = startLine
  for (; line < endLine; line++) {
    const text = lineText(state, line)
    if (quoteMark.test(text)) content.push(text.replace(quoteMark, ''))
    else if (continuesLazily(state, line, endLine, content.at(-1) ?? '')) content.push(text)
    else break
  }
  if (content.every((text) => text.trim() === '')) return false
  pushQuote(state, content.join('\n'))
  state.line = line
  return true
}

/** `> quote`, with lazy continuation. The fenced form is in `fence.ts`. */
export function blockquotePlugin(md: MarkdownIt): void {
  md.block.ruler.at('blockquote', blockquote, { alt: ['paragraph', 'blockquote', 'list'] })
}
