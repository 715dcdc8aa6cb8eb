import type { MarkdownIt, StateInline, Token } from 'markdown-it'

/** Pairs nested deeper stay literal, so that no message can build a tree that clients cannot handle. */
const maxHeight = 12

interface Run {
  readonly token: Token
  readonly marker: string
  /** The marks that are not part of a pair yet. */
  left: number
  /** Whether the run may open or close a single mark (italic). Double marks may be anywhere. */
  readonly canOpenOne: boolean
  readonly canCloseOne: boolean
  readonly closers: string[]
  readonly openers: string[]
  /** The height of the tallest pair between this run and the next. */
  height: number
}

/** The data on a token of marks. */
class Marks {
  [name: string]: unknown
  readonly run: Run

  constructor(run: Run) {
    this.run = run
  }
}

const runOf = ({ meta }: Token): Run | undefined => (meta instanceof Marks ? meta.run : undefined)

function styleMark(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  const marker = src.charAt(pos)
  if (marker !== '*' && marker !== '~') return false
  let end = pos
  while (end < posMax && src.charAt(end) === marker) end++
  if (!silent) {
    const token = state.push('text', '', 0)
    token.content = src.slice(pos, end)
    if (marker === '*' || end - pos === 2) {
      token.meta = new Marks({
        token,
        marker,
        left: end - pos,
        canOpenOne: end < posMax && !/\s/.test(src.charAt(end)),
        canCloseOne: pos > 0 && !/\s/.test(src.charAt(pos - 1)),
        closers: [],
        openers: [],
        height: 0,
      })
    }
  }
  state.pos = end
  return true
}

/** How many marks the two runs can use for a pair: 1 italic, 2 bold or strikethrough, 0 none. */
function strength(opener: Run, closer: Run): 0 | 1 | 2 {
  if (opener.marker !== closer.marker) return 0
  if (opener.marker === '~') return 2
  const italic = opener.canOpenOne && closer.canCloseOne
  if (opener.left >= 3 && closer.left >= 3) return italic ? 1 : 2
  if (opener.left >= 2 && closer.left >= 2) return 2
  // A lone star beside a pair is more often a typing mistake than half of a bold mark.
  return italic && (opener.left === 1 || closer.left === 1) ? 1 : 0
}

function tagOf(run: Run, size: 1 | 2): string {
  return run.marker === '~' ? 'del' : size === 2 ? 'strong' : 'em'
}

/** Finds the pairs among the runs of one line, either inside one link or outside all links. */
function pair(line: readonly Run[]): void {
  const stack: Run[] = []
  for (const run of line) {
    // In a text without pairs most runs can only open. Looking back from each of them would take quadratic time.
    let at = run.canCloseOne || run.left > 1 ? stack.length - 1 : -1
    let between = 0
    while (at >= 0 && run.left > 0) {
      const opener = stack[at]
      if (!opener) break
      between = Math.max(between, opener.height)
      const size = strength(opener, run)
      if (size === 0) {
        at--
        continue
      }
      if (between >= maxHeight) break
      const tag = tagOf(run, size)
      opener.left -= size
      run.left -= size
      opener.openers.push(`<${tag}>`)
      run.closers.push(`</${tag}>`)
      between++
      // Runs between the two stay literal: a pair that crosses this one would not nest.
      stack.length = at + 1
      opener.height = between
      if (opener.left === 0) {
        stack.pop()
        at--
        const before = stack.at(-1)
        if (before) before.height = Math.max(before.height, between)
      }
    }
    if (run.left > 0) stack.push(run)
  }
}

function pairMarks(state: StateInline): void {
  const frames: Run[][] = [[]]
  for (const token of state.tokens) {
    if (token.nesting > 0) frames.push([])
    else if (token.nesting < 0) pair(frames.pop() ?? [])
    else if (token.type === 'softbreak' || token.type === 'hardbreak') {
      pair(frames.at(-1) ?? [])
      frames[frames.length - 1] = []
    } else {
      const run = runOf(token)
      if (run) frames.at(-1)?.push(run)
    }
  }
  for (const frame of frames) pair(frame)

  const tokens: Token[] = []
  for (const token of state.tokens) {
    const run = runOf(token)
    if (!run) {
      tokens.push(token)
      continue
    }
    // Closing tags come before the unused marks, opening tags after them. The opener that was found last is
    // outermost.
    for (const tag of run.closers) tokens.push(markup(state, tag))
    token.content = run.marker.repeat(run.left)
    if (run.left > 0) tokens.push(token)
    for (const tag of run.openers.reverse()) tokens.push(markup(state, tag))
  }
  state.tokens.length = 0
  for (const token of tokens) state.tokens.push(token)
}

function markup(state: StateInline, tag: string): Token {
  const token = new state.Token('style_mark', '', 0)
  token.content = tag
  return token
}

/** `*italic*`, `**bold**`, `***both***` and `~~struck~~`, each within one line. Underscores are text. */
export function styleMarksPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('emphasis', styleMark)
  md.inline.ruler.disable('strikethrough')
  md.inline.ruler2.disable(['balance_pairs', 'strikethrough'])
  md.inline.ruler2.at('emphasis', pairMarks)
  md.renderer.rules['style_mark'] = (tokens, index) => tokens[index]?.content ?? ''
}
