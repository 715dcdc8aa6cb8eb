import type { MarkdownIt, StateBlock } from 'markdown-it'
import { colourCode } from './code-colours.ts'
import { element, escapeHtml } from './html.ts'
import { scopeOf } from './scope.ts'

const languageName = /^[\p{L}\p{N}_+\-./#*]{1,60}$/u

/**
 * Adds a code block. `language` is as the author typed it; if it is empty or `text`, the code is not highlighted.
 */
export function pushCode(state: StateBlock, content: string, language = ''): void {
  const scope = scopeOf(state.env)
  const name = language.replace(/^\{?\.?/, '').replace(/\}$/, '')
  const isPlain = !languageName.test(name) || name.toLowerCase() === 'text'
  const colours =
    isPlain || content.length > scope.codeBudget ? undefined : colourCode(content, name.toLowerCase())
  if (colours) scope.codeBudget -= content.length
  const code = element('pre', {}, `<span></span>${element('code', {}, colours?.html ?? escapeHtml(content))}`)
  const attributes = {
    class: 'codehilite',
    'data-code-language': isPlain ? undefined : (colours?.languageName ?? name),
  }
  state.push('code_html', '', 0).content = `${element('div', attributes, code)}\n`
}

function indentedCode(state: StateBlock, startLine: number, endLine: number): boolean {
  if ((state.sCount[startLine] ?? 0) < 4) return false
  let end = startLine + 1
  for (let line = end; line < endLine; line++) {
    if (state.isEmpty(line)) continue
    if ((state.sCount[line] ?? 0) < 4) break
    end = line + 1
  }
  state.line = end
  pushCode(state, `${state.getLines(startLine, end, 4, false)}\n`)
  return true
}

/** Code indented by four spaces; fenced code comes from `fence.ts`. */
export function codeBlockPlugin(md: MarkdownIt): void {
  md.block.ruler.at('code', indentedCode)
  md.renderer.rules['code_html'] = (tokens, index) => tokens[index]?.content ?? ''
}
