import type { MarkdownIt, StateInline, Token } from 'markdown-it'
import { safeAddress } from './address.ts'
import { codeSpans } from './code-span.ts'
import { oncePerText, scopeOf } from './scope.ts'

/** A link as the previews need it; stored on the token that opens the link. */
export interface LinkNote {
  readonly href: string
  /** The visible text as typed. */
  readonly text: string
  /** True when the text is the address itself. */
  readonly isBare: boolean
}

const notes = new WeakMap<Token, LinkNote>()

/** The link information of a token that opens a link; undefined for every other token. */
export function linkNote(token: Token): LinkNote | undefined {
  return notes.get(token)
}

/** Opens a link and records that the message has one. The caller then pushes the text and calls `closeLink`. */
function openLink(state: StateInline, note: LinkNote): void {
  const scope = scopeOf(state.env)
  scope.hasLink = true
  if (note.href.startsWith('/user_uploads/')) scope.hasAttachment = true
  const token = state.push('link_open', 'a', 1)
  token.attrs = [['href', note.href]]
  notes.set(token, note)
}

/** Ends the link begun by `openLink`. */
function closeLink(state: StateInline): void {
  state.push('link_close', 'a', -1)
}

/** Adds a complete link with plain text. */
export function pushLink(
  state: StateInline,
  href: string,
  text: string,
  { isBare }: { isBare: boolean },
): void {
  openLink(state, { href, text, isBare })
  state.push('text', '', 0).content = text
  closeLink(state)
}

/** For each `[` the `]` that closes it, found in one pass; brackets inside code spans do not count. */
const brackets = oncePerText((state: StateInline): ReadonlyMap<number, number> => {
  const { src } = state
  const spans = codeSpans(state)
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (let pos = 0; pos < src.length; pos++) {
    const character = src.charAt(pos)
    if (character === '`') {
      const span = spans.get(pos)
      if (span) pos = span.end - 1
      else while (src.charAt(pos + 1) === '`') pos++
    } else if (character === '[') open.push(pos)
    else if (character === ']') {
      const start = open.pop()
      if (start !== undefined) pairs.set(start, pos)
    }
  }
  return pairs
})

const title = /[ \n]+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}')(?= *\))/y

/** The parts of `[label](address)`. */
export interface TypedLink {
  readonly labelStart: number
  readonly labelEnd: number
  readonly address: string
  readonly end: number
}

/** Parses `[label](address "title")` at a position; the title is dropped. Undefined if there is none. */
export function typedLinkAt(state: StateInline, pos: number): TypedLink | undefined {
  const { src, posMax } = state
  if (src.charAt(pos) !== '[') return undefined
  const labelEnd = brackets(state).get(pos)
  if (labelEnd === undefined || src.charAt(labelEnd + 1) !== '(') return undefined
  let end = labelEnd + 2
  while (src.charAt(end) === ' ') end++
  const destination = state.md.helpers.parseLinkDestination(src, end, posMax)
  if (!destination.ok || destination.str === '') return undefined
  end = destination.pos
  title.lastIndex = end
  end += title.exec(src)?.[0].length ?? 0
  while (src.charAt(end) === ' ') end++
  if (src.charAt(end) !== ')' || end >= posMax) return undefined
  return { labelStart: pos + 1, labelEnd, address: destination.str, end: end + 1 }
}

function link(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0) return false
  const found = typedLinkAt(state, state.pos)
  if (!found) return false
  const href = safeAddress(found.address, scopeOf(state.env).context)
  if (href === undefined) return false
  if (!silent) {
    const label = state.src.slice(found.labelStart, found.labelEnd)
    const text = label.trim() === '' ? found.address : label
    openLink(state, { href, text, isBare: text === found.address })
    if (label.trim() === '') state.push('text', '', 0).content = text
    else {
      const { posMax } = state
      state.pos = found.labelStart
      state.posMax = found.labelEnd
      state.linkLevel++
      state.md.inline.tokenize(state)
      state.linkLevel--
      state.posMax = posMax
    }
    closeLink(state)
  }
  state.pos = found.end
  return true
}

/** `[text](address)`. If the address may not be linked, the source stays as text. */
export function linkPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('link', link)
}
