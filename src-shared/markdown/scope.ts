import type { Env, StateInline } from 'markdown-it'
import type { MarkdownContext } from './render.ts'

/**
 * What one rendering knows and finds out. The parser itself is shared by all renderings and keeps nothing;
 * everything that belongs to one message is here.
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
  /** True while the text of a quote is parsed: mentions in it are silent. */
  quoted: boolean
  /** Characters of code that may still be coloured; beyond them code is shown plain. */
  codeBudget: number
  /** Characters of formula HTML that may still be produced; beyond them formulas are shown as source. */
  mathBudget: number
}

/** The environment of one rendering. A field costs less than a table of scopes by their environments. */
class ScopedEnv implements Env {
  [name: PropertyKey]: unknown
  readonly scope: RenderScope

  constructor(scope: RenderScope) {
    this.scope = scope
  }
}

/** Starts a rendering: makes the environment that the parser hands to every rule. */
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

/** The rendering that an environment belongs to. Throws when the parser is used outside of `renderMarkdown`. */
export function scopeOf(env: Env | undefined): RenderScope {
  if (!(env instanceof ScopedEnv)) throw new Error('The Markdown parser was started without a scope.')
  return env.scope
}

/**
 * Remembers one computation per run of inline text, so that rules which need to see the whole text
 * (matching brackets, addresses, emoji) look at it once and not once per character.
 */
export function oncePerText<T>(compute: (state: StateInline) => T): (state: StateInline) => T {
  const known = new WeakMap<StateInline, T>()
  // Nearly every question is about the run that was asked about just before.
  let last: { readonly state: StateInline; readonly value: T } | undefined
  return (state) => {
    if (last?.state === state) return last.value
    // The text of a link lies inside another run, which goes on after it; no run comes back in another rendering.
    const isInside = last !== undefined && last.state.env === state.env
    if (last !== undefined && isInside) known.set(last.state, last.value)
    const value = (isInside ? known.get(state) : undefined) ?? compute(state)
    last = { state, value }
    return value
  }
}

/** Something found at a place of a text by a search over all of it. */
export interface Found {
  readonly start: number
  readonly end: number
}

/** The finding that starts exactly at a position and ends inside the text being parsed. */
export function foundAt<F extends Found>(
  findings: ReadonlyMap<number, F>,
  state: StateInline,
): F | undefined {
  const found = findings.get(state.pos)
  return found && found.end <= state.posMax ? found : undefined
}

/** Findings by the position at which they start. */
export function byStart<F extends Found>(findings: readonly F[]): ReadonlyMap<number, F> {
  return new Map(findings.map((found) => [found.start, found]))
}

/** Adds finished HTML to the output. The caller vouches for it: use `element()` and `escapeHtml()`. */
export function pushHtml(state: StateInline, html: string): void {
  state.push('finished_html', '', 0).content = html
}
