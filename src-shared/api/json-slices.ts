/** Shorter texts are parsed at once, which takes about a millisecond. */
const longText = 128 * 1024
/** This many characters of a long list or object are parsed between two calls of `rest`. */
const sliceLength = 64 * 1024
/** This many characters are scanned between two calls of `rest`. */
const lookedThrough = 128 * 1024

/** A field of the outermost object: where its name begins, where its colon is, and where it ends. */
interface Field {
  readonly start: number
  readonly colon: number
  readonly end: number
  /** The commas at which its list or object may be cut; empty if it is short. */
  readonly cuts: readonly number[]
}

/**
 * Like `JSON.parse`, for texts of up to megabytes: it calls `rest` often, so that nothing else has to wait for the
 * whole text. Rejects with a `SyntaxError` if the text is not JSON.
 */
export async function parseJsonInSlices(text: string, rest: () => Promise<void>): Promise<unknown> {
  const fields = text.length < longText ? null : await fieldsOf(text, rest)
  // A text of an unexpected form is parsed, or refused, as a whole.
  if (fields === null) return JSON.parse(text)
  const entries: [string, unknown][] = []
  for (let next = 0; next < fields.length;) {
    const first = fields[next]
    if (first === undefined) break
    if (first.cuts.length > 0) {
      const content = await contentOf(text, first, rest)
      if (content === null) return JSON.parse(text)
      entries.push([nameOf(text, first), content])
      next++
      continue
    }
    // Consecutive short fields form one slice, up to the slice's length.
    let last = first
    while (++next < fields.length) {
      const field = fields[next]
      if (field === undefined || field.cuts.length > 0 || field.end - first.start > sliceLength) break
      last = field
    }
    entries.push(...Object.entries<unknown>(JSON.parse(`{${text.slice(first.start, last.end)}}`)))
    await rest()
  }
  return Object.fromEntries(entries)
}

function nameOf(text: string, { start, colon }: Field): string {
  const name: unknown = JSON.parse(text.slice(start, colon))
  if (typeof name !== 'string') throw new SyntaxError('A field without a name.')
  return name
}

/** Parses the value of a long field slice by slice; null if it is neither a list nor an object. */
async function contentOf(text: string, field: Field, rest: () => Promise<void>): Promise<unknown> {
  const value = text.slice(field.colon + 1, field.end)
  const open = value.search(/\S/)
  const close = value.trimEnd().length - 1
  const ends = `${value[open] ?? ''}${value[close] ?? ''}`
  if (ends !== '[]' && ends !== '{}') return null
  const offset = field.colon + 1
  const edges = [offset + open, ...field.cuts, offset + close]
  const rows: unknown[] = []
  for (const [index, edge] of edges.slice(0, -1).entries()) {
    const slice = text.slice(edge + 1, edges[index + 1])
    // Two commas, or a comma before the end: parsed as a slice of its own, this would pass for an empty list.
    if (slice.trim() === '') return null
    const part: unknown = JSON.parse(`${ends[0] ?? ''}${slice}${ends[1] ?? ''}`)
    if (Array.isArray(part)) for (const row of part) rows.push(row)
    else if (typeof part === 'object' && part !== null) rows.push(...Object.entries(part))
    await rest()
  }
  // Entries of objects, as `Object.entries` gave them.
  return ends === '[]' ? rows : Object.fromEntries(rows as [string, unknown][])
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colonSign = 0x3a

/** Finds the fields of an object's text by brackets and quotes alone; null if the text is not an object's. */
async function fieldsOf(text: string, rest: () => Promise<void>): Promise<Field[] | null> {
  const begin = text.search(/\S/)
  if (text[begin] !== '{') return null
  const fields: Field[] = []
  let depth = 0
  let start = begin + 1
  let colon = -1
  let cuts: number[] = []
  let lastCut = 0
  let restedAt = 0
  const endField = (end: number): boolean => {
    if (colon < 0) return false
    fields.push({ start, colon, end, cuts })
    start = end + 1
    colon = -1
    cuts = []
    return true
  }
  for (let at = begin; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at < 0) return null
    } else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) {
      depth--
      if (depth === 0) {
        const isEmpty = fields.length === 0 && text.slice(start, at).trim() === ''
        const isWhole = code === 0x7d && text.slice(at + 1).trim() === ''
        return isWhole && (isEmpty || endField(at)) ? fields : null
      }
    } else if (code === colonSign && depth === 1 && colon < 0) {
      colon = at
      lastCut = at
    } else if (code === comma && depth === 1) {
      if (!endField(at)) return null
    } else if (code === comma && depth === 2 && at - lastCut > sliceLength) {
      cuts.push(at)
      lastCut = at
    }
    if (at - restedAt > lookedThrough) {
      restedAt = at
      await rest()
    }
  }
  return null
}

/** The end of the string that begins there; -1 if it does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}
