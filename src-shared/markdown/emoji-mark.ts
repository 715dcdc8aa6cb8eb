import type { MarkdownIt, StateInline } from 'markdown-it'
import { emojiCodeByName, emojiCodeFromText, emojiNameByCode } from './emoji.ts'
import { element, escapeHtml } from './html.ts'
import type { MarkdownContext } from './render.ts'
import { byStart, foundAt, oncePerText, pushHtml, scopeOf, type Found } from './scope.ts'

/** The service's own picture emoji, one of `service_extra_emoji`. */
const extraEmoji = {
  name: 'zulip',
  sourceUrl: '/static/generated/emoji/images/emoji/unicode/zulip.png',
}

/** Renders an emoji by its short name; undefined if the name is unknown. Custom emoji take precedence. */
export function emojiHtml(name: string, context: MarkdownContext): string | undefined {
  const title = name.replaceAll('_', ' ')
  const custom = context.realmEmoji(name) ?? (name === extraEmoji.name ? extraEmoji : undefined)
  if (custom) return element('img', { alt: `:${name}:`, class: 'emoji', src: custom.sourceUrl, title })
  const code = emojiCodeByName(name)
  if (code === undefined) return undefined
  const attributes = { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title }
  return element('span', attributes, escapeHtml(`:${name}:`))
}

const shortName = /:([a-zA-Z0-9_+-]{1,100}):/y

function namedEmoji(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a) return false
  shortName.lastIndex = state.pos
  const match = shortName.exec(state.src)
  const end = state.pos + (match?.[0].length ?? 0)
  const html =
    match?.[1] !== undefined && end <= state.posMax && emojiHtml(match[1], scopeOf(state.env).context)
  if (!html) return false
  if (!silent) pushHtml(state, html)
  state.pos = end
  return true
}

// A string, because the flag is newer than the language level that we compile for.
const unicodeEmoji = new RegExp('\\p{RGI_Emoji}|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?', 'gv')

interface LiteralEmoji extends Found {
  readonly name: string
}

const literals = oncePerText((state: StateInline): ReadonlyMap<number, LiteralEmoji> => {
  const found: LiteralEmoji[] = []
  if (!/[\u2190-\uffff]/.test(state.src)) return byStart(found)
  for (const { 0: text, index } of state.src.matchAll(unicodeEmoji)) {
    // Signs such as © and ™ are plain characters unless a variation selector asks for the picture; text forms are
    // too.
    if (text.endsWith('\ufe0e') || (text < '\u2190' && !text.includes('\ufe0f'))) continue
    const name = emojiNameByCode(emojiCodeFromText(text))
    if (name !== undefined) found.push({ start: index, end: index + text.length, name })
  }
  return byStart(found)
})

function literalEmoji(state: StateInline, silent: boolean): boolean {
  const found = foundAt(literals(state), state)
  // A custom emoji may have taken the name; the literal character still means itself.
  const html = found && emojiHtml(found.name, { ...scopeOf(state.env).context, realmEmoji: () => undefined })
  if (!found || html === undefined) return false
  if (!silent) pushHtml(state, html)
  state.pos = found.end
  return true
}

/** `:short_names:` and emoji written as themselves. */
export function emojiPlugin(md: MarkdownIt): { starts: (state: StateInline) => Iterable<number> } {
  md.inline.ruler.before('newline', 'emoji', namedEmoji)
  md.inline.ruler.before('newline', 'literal_emoji', literalEmoji)
  return { starts: (state) => literals(state).keys() }
}
