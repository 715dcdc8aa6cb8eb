import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { katex } from './libraries.ts'
import { element, escapeHtml } from './html.ts'
import { pushHtml, scopeOf, type RenderScope } from './scope.ts'

const maxSourceLength = 4000
/** Formulas nested deeper are refused: they cost stack here and layout time in every client. */
const maxElementDepth = 160

function elementDepth(html: string): number {
  let depth = 0
  let deepest = 0
  for (const [tag] of html.matchAll(/<\/?[a-z][^>]*>/gi)) {
    if (tag.startsWith('</')) depth--
    else if (!tag.endsWith('/>')) deepest = Math.max(deepest, ++depth)
  }
  return deepest
}

/** Renders a formula; undefined if it is not valid TeX or exceeds the message's budget. */
function renderTex(tex: string, display: boolean, scope: RenderScope): string | undefined {
  if (tex.trim() === '' || tex.length > maxSourceLength || scope.mathBudget <= 0) return undefined
  // A definition can repeat a long text at every use, so a formula with definitions gets few expansions.
  const defines = /\\(?:[egx]?def|g?let|futurelet|(?:re)?newcommand|providecommand)(?![a-zA-Z])/.test(tex)
  let html: string
  try {
    html = katex().renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: 25,
      maxExpand: defines ? 50 : 1000,
    })
  } catch {
    // Apart from its own errors, KaTeX overflows the stack on absurdly nested input. Both mean "not a formula".
    return undefined
  }
  if (html.length > scope.mathBudget || elementDepth(html) > maxElementDepth) return undefined
  scope.mathBudget -= html.length
  return html
}

/** Adds a formula as a block of its own. */
export function pushMath(state: StateBlock, source: string): void {
  const tex = source.replace(/\n$/, '')
  const html =
    renderTex(tex, true, scopeOf(state.env)) ?? element('span', { class: 'tex-error' }, escapeHtml(tex))
  state.push('math_block', '', 0).content = `<p>${html}</p>\n`
}

const inlineFormula = /\$\$(?![$\s_])((?:\\\$|[^$\n])+)\$\$(?![$\p{L}\p{N}_])/uy

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x24 || /[$\p{L}\p{N}_]$/u.test(src.slice(Math.max(0, pos - 2), pos)))
    return false
  inlineFormula.lastIndex = pos
  const match = inlineFormula.exec(src)
  const tex = match?.[1]
  if (!match || tex === undefined || /\s$/.test(tex) || pos + match[0].length > state.posMax) return false
  if (!silent) {
    const html = renderTex(tex, false, scopeOf(state.env))
    pushHtml(state, html ?? element('span', { class: 'tex-error' }, escapeHtml(match[0])))
  }
  state.pos = pos + match[0].length
  return true
}

/** `$$x$$` in a line; the block form comes from `fence.ts`. */
export function mathPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('newline', 'math', inlineMath)
  md.renderer.rules['math_block'] = (tokens, index) => tokens[index]?.content ?? ''
}
