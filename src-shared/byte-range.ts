/** A part of a file, both ends included. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** Longer files of a server are only fetched part by part, in bytes. */
export const longestWhole = 32 * 1024 * 1024

/**
 * The part of a file that a client asks for, before the file's size is known. An end of null means the end of the
 * file.
 */
export type WantedRange = { readonly from: number; readonly to: number | null } | { readonly last: number }

/** Parses one range as media players request it (RFC 9110, section 14); null if the whole file is to be answered. */
export function wantedRange(header: string | null | undefined): WantedRange | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '') return last === '' ? null : { last: Number(last) }
  const [from, to] = [Number(first), last === '' ? null : Number(last)]
  return to !== null && to < from ? null : { from, to }
}

/** Resolves a wanted range for a file of that size; 'beyond' if no byte of it is in the file. */
export function rangeIn(wanted: WantedRange, size: number): ByteRange | 'beyond' {
  const from = 'last' in wanted ? Math.max(0, size - wanted.last) : wanted.from
  const to = Math.min(size - 1, 'last' in wanted ? size - 1 : (wanted.to ?? size - 1))
  return from > to || ('last' in wanted && wanted.last === 0) ? 'beyond' : { from, to }
}

/** As a client writes it. */
export const rangeHeader = (wanted: WantedRange): string =>
  'last' in wanted ? `bytes=-${wanted.last}` : `bytes=${wanted.from}-${wanted.to ?? ''}`
