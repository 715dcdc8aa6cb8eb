import { t } from '../../../src-shared/texts/texts.ts'

/** A way of marking text. */
export type Format =
  'bold' | 'italic' | 'strike' | 'link' | 'code' | 'list' | 'numbered' | 'quote' | 'spoiler' | 'math'

/** A text with what is selected in it. */
export interface SelectedText {
  readonly value: string
  readonly start: number
  readonly end: number
}

const around: Partial<Record<Format, string>> = { bold: '**', italic: '*', strike: '~~' }

/**
 * The text with the selection marked, or with its marks taken away when it has them. Afterwards the words stay
 * selected, or what is to be filled in.
 */
export function formatted(text: SelectedText, format: Format): SelectedText {
  const mark = around[format]
  if (mark !== undefined) return wrappedEach(text, mark)
  const chosen = text.value.slice(text.start, text.end)
  switch (format) {
    case 'link': {
      const isAddress = /^(https?:\/\/|mailto:)\S+$/.test(chosen)
      const label = isAddress ? '' : chosen
      const address = isAddress ? chosen : 'https://'
      const result = replaced(text, `[${label}](${address})`)
      // What is missing is what is typed next: the words, or the address.
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

/** A mark ends with its paragraph: where several are selected, each gets its own, or loses it when all have it. */
function wrappedEach(text: SelectedText, mark: string): SelectedText {
  const { value, start, end } = text
  const chosen = value.slice(start, end)
  const pieces = chosen.split(/(\n[^\S\n]*\n\s*)/)
  const paragraphs = pieces.filter((piece) => piece.trim() !== '')
  if (paragraphs.length < 2) return wrapped(text, mark)
  const whole = (piece: string) => wrapped({ value: piece, start: 0, end: piece.length }, mark).value
  const isMarked = paragraphs.every((piece) => whole(piece).length < piece.length)
  const next = pieces
    .map((piece) =>
      piece.trim() === '' || (!isMarked && whole(piece).length < piece.length) ? piece : whole(piece),
    )
    .join('')
  return replaced(text, next)
}

function wrapped(text: SelectedText, mark: string): SelectedText {
  const { value, start, end } = text
  const chosen = value.slice(start, end)
  const size = mark.length
  const isMarked = (outer: string, from: number, to: number) =>
    outer.slice(from - size, from) === mark &&
    outer.slice(to, to + size) === mark &&
    // One star beside two is bold, not italic; three are both.
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
  // Marks stand at words: spaces at the edges of a selection stay outside.
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

/** Marks every line that the selection touches, or unmarks them when all are. */
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
  // An empty line between others is no point of a list; a line that is alone becomes the first one.
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
  const chosen = value.slice(start, end)
  // The fence is longer than any inside.
  const inside = Math.max(2, ...(chosen.match(/`{3,}/g) ?? []).map(({ length }) => length))
  const ticks = '`'.repeat(inside + 1)
  const before = start > 0 && value[start - 1] !== '\n' ? '\n' : ''
  const after = end < value.length && value[end] !== '\n' ? '\n' : ''
  const head = `${before}${opening.replace('```', ticks)}\n`
  return {
    value: value.slice(0, start) + head + chosen + `\n${ticks}` + after + value.slice(end),
    start: start + head.length,
    end: start + head.length + chosen.length,
  }
}

/** Puts a text into a field so that the field's own undo takes it back, and selects in it. */
export function putText(field: HTMLTextAreaElement, text: SelectedText): void {
  const old = field.value
  let from = 0
  while (from < old.length && from < text.value.length && old[from] === text.value[from]) from++
  let kept = 0
  while (
    kept < old.length - from &&
    kept < text.value.length - from &&
    old[old.length - 1 - kept] === text.value[text.value.length - 1 - kept]
  )
    kept++
  if (old !== text.value) {
    field.focus()
    field.setSelectionRange(from, old.length - kept)
    const piece = text.value.slice(from, text.value.length - kept)
    // The old command is the only one that the field's undo remembers.
    const isDone = document.execCommand(piece === '' ? 'delete' : 'insertText', false, piece)
    if (!isDone || field.value !== text.value) field.value = text.value
  }
  field.setSelectionRange(text.start, text.end)
}
