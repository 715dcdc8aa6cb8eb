/** A part of a file, both ends included. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** What a client asks to get of a file, before its size is known; an end that is null is the file's. */
export type WantedRange = { readonly from: number; readonly to: number | null } | { readonly last: number }

/** One range as players ask for it (RFC 9110, section 14); null where the whole is to be answered. */
export function wantedRange(header: string | null | undefined): WantedRange | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '') return last === '' ? null : { last: Number(last) }
  const [from, to] = [Number(first), last === '' ? null : Number(last)]
  return to !== null && to < from ? null : { from, to }
}

/** The part of a file of that size; 'beyond' where nothing of it is in the file. */
export function rangeIn(wanted: WantedRange, size: number): ByteRange | 'beyond' {
  const from = 'last' in wanted ? Math.max(0, size - wanted.last) : wanted.from
  const to = Math.min(size - 1, 'last' in wanted ? size - 1 : (wanted.to ?? size - 1))
  return from > to || ('last' in wanted && wanted.last === 0) ? 'beyond' : { from, to }
}

/** As a client writes it. */
export const rangeHeader = (wanted: WantedRange): string =>
  'last' in wanted ? `bytes=-${wanted.last}` : `bytes=${wanted.from}-${wanted.to ?? ''}`
