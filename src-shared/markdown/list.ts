import type { MarkdownIt, StateBlock, Token } from 'markdown-it'
import { continuesLazily, isTooDeep, lineText, parseInside } from './nesting.ts'

const marker = /^( {0,3})(?:[*+-]|(\d{1,9})\.)[ \t]+(?=\S)/
const rule = /^ {0,3}([*_-])(?:[ \t]*\1){2,}[ \t]*$/

/** Content indented by this much belongs to the item above, whatever the item's marker is. */
const itemIndent = 2

interface Marker {
  readonly indent: number
  /** The number of columns before the item's text. */
  readonly width: number
  /** The item's number, or undefined for a bullet. */
  readonly ordinal: number | undefined
}

function markerAt(state: StateBlock, line: number): Marker | undefined {
  const text = lineText(state, line)
  const match = marker.exec(text)
  if (!match || rule.test(text)) return undefined
  return {
    indent: match[1]?.length ?? 0,
    width: match[0].length,
    ordinal: match[2] === undefined ? undefined : Number(match[2]),
  }
}

interface Item {
  readonly content: string
  readonly endLine: number
}

function readItem(state: StateBlock, startLine: number, endLine: number, mark: Marker, list: Marker): Item {
  const content = [lineText(state, startLine).slice(mark.width)]
  let line = startLine + 1
  while (line < endLine) {
    const next = state.skipEmptyLines(line)
    if (next >= endLine) break
    const indent = state.sCount[next] ?? 0
    if (indent >= list.indent + itemIndent) {
      for (; line < next; line++) content.push('')
      content.push(state.getLines(next, next + 1, Math.min(mark.width, indent), false))
      line = next + 1
      continue
    }
    if (next > line || isSibling(markerAt(state, line), list)) break
    if (!continuesLazily(state, line, endLine, content.at(-1) ?? '')) break
    content.push(lineText(state, line))
    line++
  }
  return { content: content.join('\n'), endLine: line }
}

function isSibling(mark: Marker | undefined, list: Marker): mark is Marker {
  return (
    mark !== undefined &&
    mark.indent < list.indent + itemIndent &&
    (mark.ordinal === undefined) === (list.ordinal === undefined)
  )
}

/** The paragraphs directly inside an item, from its first token to its last. */
function paragraphsOf(tokens: readonly Token[]): Token[] {
  const paragraphs: Token[] = []
  let depth = 0
  for (const token of tokens) {
    if (token.nesting < 0) depth--
    if (depth === 0 && (token.type === 'paragraph_open' || token.type === 'paragraph_close'))
      paragraphs.push(token)
    if (token.nesting > 0) depth++
  }
  return paragraphs
}

function list(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (isTooDeep(state)) return false
  const first = markerAt(state, startLine)
  if (!first) return false
  // A line within a paragraph may begin with a year and a full stop, so only a small number starts a list there.
  if (silent) return first.ordinal === undefined || first.ordinal < 10

  const ordered = first.ordinal !== undefined
  const tag = ordered ? 'ol' : 'ul'
  const name = ordered ? 'ordered_list' : 'bullet_list'
  const open = state.push(`${name}_open`, tag, 1)
  if (ordered && first.ordinal !== 1) open.attrSet('start', String(first.ordinal))

  const paragraphs: Token[] = []
  let loose = false
  let line = startLine
  for (let mark: Marker | undefined = first; mark;) {
    const item = readItem(state, line, endLine, mark, first)
    state.push('list_item_open', 'li', 1)
    const firstToken = state.tokens.length
    parseInside(state, item.content)
    const inItem = paragraphsOf(state.tokens.slice(firstToken))
    state.push('list_item_close', 'li', -1)
    paragraphs.push(...inItem)
    loose ||= inItem.length > 2

    line = item.endLine
    const next = state.skipEmptyLines(line)
    const sibling = next < endLine ? markerAt(state, next) : undefined
    mark = isSibling(sibling, first) ? sibling : undefined
    if (mark && next > line) loose = true
    if (mark) line = next
  }
  if (!loose) for (const paragraph of paragraphs) paragraph.hidden = true

  state.push(`${name}_close`, tag, -1)
  state.line = line
  return true
}

/** Bullet and numbered lists: nested by two spaces, loose if blank lines separate the items. */
export function listPlugin(md: MarkdownIt): void {
  md.block.ruler.at('list', list, { alt: ['paragraph', 'blockquote'] })
}
