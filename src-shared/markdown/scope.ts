import type { Env, StateInline } from 'markdown-it'
import type { MarkdownContext } from './render.ts'

/**
 * The state of one rendering. All renderings share the parser, which stores nothing; everything that belongs to one
 * message is here.
 */
export interface RenderScope {
  readonly context: MarkdownContext
  readonly mentionedUserIds: Set<number>
  readonly mentionedGroupIds: Set<number>
  mentionsChannel: boolean
  mentionsTopic: boolean
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** How many quotes, lists and spoilers enclose the block being parsed. */
  blockDepth: number
  /** True while the text of a quote is parsed: mentions inside it are silent. */
  quoted: boolean
  /** How many more characters of code may be highlighted; code beyond that is shown plain. */
  codeBudget: number
  /** How many more characters of formula HTML may be produced; formulas beyond that are shown as source. */
  mathBudget: number
}

/** The markdown-it environment of one rendering. A field is cheaper than a map from environments to scopes. */
class ScopedEnv implements Env {
  [name: PropertyKey]: unknown
  readonly scope: RenderScope

  constructor(scope: RenderScope) {
    this.scope = scope
  }
}

/** Starts a rendering: creates the environment that the parser passes to every rule. */
export function openScope(context: MarkdownContext): { env: Env; scope: RenderScope } {
  const scope: RenderScope = {
    context,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    mentionsChannel: false,
    mentionsTopic: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    blockDepth: 0,
    quoted: false,
    codeBudget: 40_000,
    mathBudget: 400_000,
  }
  return { env: new ScopedEnv(scope), scope }
}

/** The rendering that an environment belongs to. Throws if the parser is used outside `renderMarkdown`. */
export function scopeOf(env: Env | undefined): RenderScope {
  if (!(env instanceof ScopedEnv)) throw new Error('The Markdown parser was started without a scope.')
  return env.scope
}

/**
 * Caches one computation per run of inline text. Rules that need the whole text (matching brackets, addresses, emoji)
 * then scan it once instead of once per character.
 */
export function oncePerText<T>(compute: (state: StateInline) => T): (state: StateInline) => T {
  const known = new WeakMap<StateInline, T>()
  // Nearly every call asks about the same run as the call before.
  let last: { readonly state: StateInline; readonly value: T } | undefined
  return (state) => {
    if (last?.state === state) return last.value
    // The text of a link is a run inside another run, which continues after it. No run appears in two renderings.
    const isInside = last !== undefined && last.state.env === state.env
    if (last !== undefined && isInside) known.set(last.state, last.value)
    const value = (isInside ? known.get(state) : undefined) ?? compute(state)
    last = { state, value }
    return value
  }
}

/** A match at a position of a text, found by a search over the whole text. */
export interface Found {
  readonly start: number
  readonly end: number
}

/** The match that starts exactly at a position and ends inside the text being parsed. */
export function foundAt<F extends Found>(
  findings: ReadonlyMap<number, F>,
  state: StateInline,
): F | undefined {
  const found = findings.get(state.pos)
  return found && found.end <= state.posMax ? found : undefined
}

/** Matches by their start position. */
export function byStart<F extends Found>(findings: readonly F[]): ReadonlyMap<number, F> {
  return new Map(findings.map((found) => [found.start, found]))
}

/** Adds finished HTML to the output. The caller guarantees that it is safe: use `element()` and `escapeHtml()`. */
export function pushHtml(state: StateInline, html: string): void {
  state.push('finished_html', '', 0).content = html
}
