import { t } from '../../../src-shared/texts/texts.ts'

/** A way of marking text. */
export type Format =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'link'
  | 'code'
  | 'list'
  | 'numbered'
  | 'quote'
  | 'spoiler'
  | 'math'

/** A text with its selection. */
export interface SelectedText {
  readonly value: string
  readonly start: number
  readonly end: number
}

const around: Partial<Record<Format, string>> = { bold: '**', italic: '*', strike: '~~' }

/** The first lines of blocks. */
const fences: Partial<Record<Format, RegExp>> = {
  code: /^`{3,}(?! *(?:spoiler|quote|math)\b)/,
  math: /^`{3,} *math\b/,
  spoiler: /^`{3,} *spoiler\b/,
}

/**
 * Marks the selection in the text, or removes its marks if it has them. Afterwards the words are selected, or the part
 * that is to be filled in.
 */
export function formatted(text: SelectedText, format: Format): SelectedText {
  const mark = around[format]
  if (mark !== undefined) return wrappedEach(text, mark)
  const opening = fences[format]
  const block = opening === undefined ? null : fenceAround(text, opening)
  if (block !== null) return unfenced(text, block)
  const chosen = text.value.slice(text.start, text.end)
  switch (format) {
    case 'link': {
      const isAddress = /^(https?:\/\/|mailto:)\S+$/.test(chosen)
      const label = isAddress ? '' : chosen
      const address = isAddress ? chosen : 'https://'
      const result = replaced(text, `[${label}](${address})`)
      // The caret goes to the part that is missing: the words, or the address.
      const from = isAddress || label === '' ? text.start + 1 : text.start + label.length + 3
      return { ...result, start: from, end: isAddress || label === '' ? from : from + address.length }
    }
    case 'code':
      return chosen.includes('\n') ? fenced(text, '```') : wrapped(text, '`')
    case 'math':
      return chosen.includes('\n') ? fenced(text, '```math') : wrapped(text, '$$')
    case 'list':
      return lines(text, /^[*+-] /, () => '* ', true)
    case 'numbered':
      return lines(text, /^\d+\. /, (index) => `${index + 1}. `, true)
    case 'quote':
      return lines(text, /^> /, () => '> ', false)
    case 'spoiler': {
      const header = t.compose.samples.spoilerHeader
      const result = fenced(text, `\`\`\`spoiler ${header}`)
      const at = result.value.indexOf(header, text.start)
      return { ...result, start: at, end: at + header.length }
    }
    default:
      return text
  }
}

function replaced({ value, start, end }: SelectedText, by: string): SelectedText {
  return { value: value.slice(0, start) + by + value.slice(end), start, end: start + by.length }
}

/** The signs that make a line a quote, a heading or a point of a list. */
const lineSigns = /^\s*(?:(?:>|[*+-]|\d+[.)]|#{1,6})[^\S\n]+)*/

/** A mark cannot extend beyond a line: each selected line gets its own, or loses it if all have it. */
function wrappedEach(text: SelectedText, mark: string): SelectedText {
  const { value, start, end } = text
  const lines = value.slice(start, end).split('\n')
  const parts = lines.map((line, index) => {
    const isWhole = index > 0 || start === 0 || value[start - 1] === '\n'
    const signs = (isWhole ? lineSigns.exec(line)?.[0] : undefined) ?? ''
    return { signs, words: line.slice(signs.length) }
  })
  const written = parts.filter(({ words }) => words.trim() !== '')
  if (lines.length < 2 || written.length === 0) return wrapped(text, mark)
  const toggled = (words: string) => wrapped({ value: words, start: 0, end: words.length }, mark).value
  const isMarked = (words: string) => toggled(words).length < words.length
  const areAllMarked = written.every(({ words }) => isMarked(words))
  const next = parts.map(({ signs, words }) =>
    words.trim() === '' || (!areAllMarked && isMarked(words)) ? signs + words : signs + toggled(words),
  )
  return replaced(text, next.join('\n'))
}

function wrapped(text: SelectedText, mark: string): SelectedText {
  const { value, start, end } = text
  const chosen = value.slice(start, end)
  const size = mark.length
  const isMarked = (outer: string, from: number, to: number) =>
    outer.slice(from - size, from) === mark &&
    outer.slice(to, to + size) === mark &&
    // A single star next to two others is bold, not italic; three are both.
    (mark !== '*' || (countBefore(outer, from, '*') % 2 === 1 && countAfter(outer, to, '*') % 2 === 1))
  if (isMarked(value, start, end)) {
    return {
      value: value.slice(0, start - size) + chosen + value.slice(end + size),
      start: start - size,
      end: end - size,
    }
  }
  if (chosen.length > 2 * size && isMarked(chosen, size, chosen.length - size)) {
    const inner = chosen.slice(size, -size)
    return { value: value.slice(0, start) + inner + value.slice(end), start, end: start + inner.length }
  }
  // Marks must touch words, so spaces at the edges of the selection stay outside.
  const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(chosen) ?? []
  const from = start + before.length + size
  return {
    value: value.slice(0, start) + before + mark + words + mark + after + value.slice(end),
    start: from,
    end: from + words.length,
  }
}

const countBefore = (text: string, at: number, sign: string) => {
  let count = 0
  while (text[at - 1 - count] === sign) count++
  return count
}
const countAfter = (text: string, at: number, sign: string) => {
  let count = 0
  while (text[at + count] === sign) count++
  return count
}

/** Marks every line that the selection touches, or unmarks them all if all are marked. */
function lines(
  { value, start, end }: SelectedText,
  marked: RegExp,
  mark: (index: number) => string,
  skipsEmpty: boolean,
): SelectedText {
  const from = value.lastIndexOf('\n', start - 1) + 1
  const toBreak = value.indexOf('\n', end)
  const to = toBreak === -1 ? value.length : toBreak
  const touched = value.slice(from, to).split('\n')
  // An empty line between others is not a list item; a single empty line becomes the first one.
  const isPoint = (line: string) => !skipsEmpty || touched.length === 1 || line.trim() !== ''
  const isMarked = touched.every((line) => !isPoint(line) || marked.test(line))
  let count = 0
  const next = touched
    .map((line) => {
      if (!isPoint(line)) return line
      return isMarked ? line.replace(marked, '') : mark(count++) + line
    })
    .join('\n')
  const caret = from + next.length
  return {
    value: value.slice(0, from) + next + value.slice(to),
    start: start === end ? caret : from,
    end: caret,
  }
}

function fenced({ value, start, end }: SelectedText, opening: string): SelectedText {
  // Text next to a block gets its own line, without the spaces that separated it from the selection.
  const chosen = value.slice(start, end).replace(/^[^\S\n]+|[^\S\n]+$/g, '')
  const before = value.slice(0, start).replace(/[^\S\n]+$/, '')
  const after = value.slice(end).replace(/^[^\S\n]+/, '')
  // The fence is longer than any fence inside.
  const inside = Math.max(2, ...(chosen.match(/`{3,}/g) ?? []).map(({ length }) => length))
  const ticks = '`'.repeat(inside + 1)
  const head = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${opening.replace('```', ticks)}\n`
  const foot = `\n${ticks}${after === '' || after.startsWith('\n') ? '' : '\n'}`
  return { value: head + chosen + foot + after, start: head.length, end: head.length + chosen.length }
}

/** The position of a block in a text: its first line, its content, and its end. */
interface Fence {
  readonly from: number
  readonly innerFrom: number
  readonly innerTo: number
  readonly to: number
}

/** The innermost block of this kind around the selection; null if there is none. */
function fenceAround({ value, start, end }: SelectedText, opening: RegExp): Fence | null {
  const open: { readonly ticks: number; readonly from: number; readonly line: string }[] = []
  let found: Fence | null = null
  let at = 0
  for (const line of value.split('\n')) {
    const ticks = /^`{3,}/.exec(line)?.[0].length ?? 0
    const last = open.at(-1)
    if (last !== undefined && ticks >= last.ticks && line.trimEnd().length === ticks) {
      open.pop()
      const to = at + line.length
      const isAround = last.from <= start && end <= to
      // The block that ends first is the innermost.
      if (isAround && opening.test(last.line))
        found ??= {
          from: last.from,
          innerFrom: last.from + last.line.length + 1,
          innerTo: Math.max(last.from + last.line.length + 1, at - 1),
          to,
        }
    } else if (ticks > 0) open.push({ ticks, from: at, line })
    at += line.length + 1
  }
  return found
}

/** Removes the lines that begin and end a block; the selection keeps its place in the content. */
function unfenced({ value, start, end }: SelectedText, fence: Fence): SelectedText {
  const inner = value.slice(fence.innerFrom, fence.innerTo)
  const within = (at: number) => fence.from + Math.min(Math.max(at - fence.innerFrom, 0), inner.length)
  const isInHead = end < fence.innerFrom
  return {
    value: value.slice(0, fence.from) + inner + value.slice(fence.to),
    start: isInHead ? fence.from : within(start),
    end: isInHead ? fence.from + inner.length : within(end),
  }
}

/** How much of two texts is equal at the beginning and at the end, in characters; the two do not overlap. */
function commonEnds(one: string, other: string): { readonly atStart: number; readonly atEnd: number } {
  const shortest = Math.min(one.length, other.length)
  let atStart = 0
  while (atStart < shortest && one[atStart] === other[atStart]) atStart++
  let atEnd = 0
  while (atEnd < shortest - atStart && one[one.length - 1 - atEnd] === other[other.length - 1 - atEnd])
    atEnd++
  return { atStart, atEnd }
}

/** Puts a text and a selection into a field so that the field's own undo can revert it. */
export function putText(field: HTMLTextAreaElement, text: SelectedText): void {
  const old = field.value
  if (old !== text.value) {
    const { atStart, atEnd } = commonEnds(old, text.value)
    field.focus()
    field.setSelectionRange(atStart, old.length - atEnd)
    const piece = text.value.slice(atStart, text.value.length - atEnd)
    // Only this deprecated command goes into the field's undo history. It writes into whatever has the focus, which an
    // open popover may have kept.
    const isDone =
      document.activeElement === field &&
      document.execCommand(piece === '' ? 'delete' : 'insertText', false, piece)
    if (!isDone || field.value !== text.value) field.value = text.value
  }
  field.setSelectionRange(text.start, text.end)
}

/**
 * Shows a text in a field that the person did not type there; the caret and the selection keep their place among the
 * words, and at the end of the text.
 */
export function showText(
  field: Pick<
    HTMLTextAreaElement,
    'value' | 'selectionStart' | 'selectionEnd' | 'selectionDirection' | 'setSelectionRange'
  >,
  text: string,
): void {
  const { value: old, selectionStart, selectionEnd, selectionDirection } = field
  if (old === text) return
  const { atEnd } = commonEnds(old, text)
  const moved = (place: number): number => {
    const left = old.length - place
    return left <= atEnd ? text.length - left : Math.min(place, text.length - atEnd)
  }
  field.value = text
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd), selectionDirection)
}
