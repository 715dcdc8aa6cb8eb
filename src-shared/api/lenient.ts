import type { z } from 'zod'
import { readTolerantly } from './tolerant.ts'

/** A part of an answer that has not the form of the specification. */
export interface UnreadablePart {
  /** The answer's field in which it lies. */
  readonly field: string
  /** Whether it is the whole field and not one of its rows. */
  readonly isWhole: boolean
  readonly reason: string
  readonly body: unknown
}

/** What could be read of an answer. */
export type LenientResult<T> =
  | { readonly success: true; readonly data: T; readonly unreadable: readonly UnreadablePart[] }
  | { readonly success: false; readonly reason: string }

/** Taking one part out can show another: a union names its faults one at a time. */
const mostRounds = 5

/**
 * Reads an answer of which single parts may be malformed: those are taken out (a row of a list, an entry of an
 * object, an optional field) and handed back with the reason, except where they can be told (`readTolerantly`). It fails when what is left is still not readable, as
 * without a required field. `value` is what JSON can hold, and is not changed.
 */
export function parseLeniently<S extends z.ZodType>(schema: S, value: unknown): LenientResult<z.output<S>> {
  const { read, value: rest } = readTolerantly(schema, value)
  if (read.success) return { success: true, data: read.data, unreadable: [] }
  const unreadable: UnreadablePart[] = []
  let { issues } = read.error
  for (let round = 0; round < mostRounds; round++) {
    const taken = takeOut(rest, issues)
    if (taken === null) break
    unreadable.push(...taken)
    const next = schema.safeParse(rest)
    if (next.success) return { success: true, data: next.data, unreadable }
    issues = next.error.issues
  }
  return { success: false, reason: issueText(issues[0]) }
}

/** So many rows of a list are read between two rests, fewer where they hold lists themselves. */
const rowsAtOnce = 50
/** So many entries of lists in rows are read between two rests, of one row as many as it has. */
const entriesAtOnce = 2_000

/**
 * As `parseLeniently`, for answers that may be very long: where a list or a table is, it calls `rest` before each of
 * them, and within one after every fifty rows, so that nothing else has to wait for all of them. `value` is not changed.
 */
export async function parseInSlices<S extends z.ZodType>(
  schema: S,
  value: unknown,
  rest: () => Promise<void>,
): Promise<LenientResult<z.output<S>>> {
  if (!isRecord(value)) return parseLeniently(schema, value)
  const holders = Object.entries(value).filter(
    ([, content]) => typeof content === 'object' && content !== null,
  )
  const long = holders.filter(([, content]) => sizeOf(content) > rowsAtOnce)
  if (long.length === 0) return parseLeniently(schema, value)
  // A field may be required, so the long ones are there without their rows.
  const emptied = long.map(([field, content]) => [field, Array.isArray(content) ? [] : {}] as const)
  const plain = Object.entries(value).filter(([, content]) => typeof content !== 'object' || content === null)
  let sliced = holders
  let base: Record<string, unknown> = Object.fromEntries([...plain, ...emptied])
  await rest()
  let begun = parseLeniently(schema, base)
  if (!begun.success) {
    // Some that are short may be required too.
    sliced = long
    base = { ...value, ...Object.fromEntries(emptied) }
    begun = parseLeniently(schema, base)
  }
  if (!begun.success || !isRecord(begun.data)) return parseLeniently(schema, value)
  await rest()
  const needed = neededOf(schema, base)
  const whole: Record<PropertyKey, unknown> = { ...begun.data }
  const inSlices = new Set(sliced.map(([field]) => field))
  const unreadable = begun.unreadable.filter(({ field }) => !inSlices.has(field))
  for (const [field, content] of sliced) {
    const parts: unknown[] = []
    for (const rows of slicesOf(content)) {
      await rest()
      const next = parseLeniently(schema, { ...needed, [field]: rows })
      if (!next.success || !isRecord(next.data)) return parseLeniently(schema, value)
      parts.push(Reflect.get(next.data, field))
      unreadable.push(...next.unreadable.filter((part) => part.field === field))
    }
    await rest()
    const read = joined(parts)
    if (read === undefined) Reflect.deleteProperty(whole, field)
    else whole[field] = read
  }
  await rest()
  // Every part of it was given by this schema, field by field.
  return { success: true, data: whole as z.output<S>, unreadable }
}

/** What of an answer has to go along with each of its fields: hardly anything is required. */
function neededOf(schema: z.ZodType, base: Record<string, unknown>): Record<string, unknown> {
  const names = new Set((schema.safeParse({}).error?.issues ?? []).map(({ path }) => String(path[0])))
  // A server that has other names for some sends all that it has along.
  if (![...names].every((name) => Object.hasOwn(base, name))) return base
  return Object.fromEntries(Object.entries(base).filter(([name]) => names.has(name)))
}

const sizeOf = (content: unknown): number =>
  Array.isArray(content) ? content.length : isRecord(content) ? Object.keys(content).length : 0

/** A list or a table in slices, in order; what is short is one. */
function* slicesOf(content: unknown): Generator {
  if (sizeOf(content) <= rowsAtOnce) yield content
  else if (Array.isArray(content)) yield* slicesOfRows(content, (row: unknown) => row)
  else if (isRecord(content)) {
    for (const entries of slicesOfRows(Object.entries(content), ([, row]) => row))
      yield Object.fromEntries(entries)
  }
}

function* slicesOfRows<T>(rows: readonly T[], bodyOf: (row: T) => unknown): Generator<T[]> {
  let from = 0
  let entries = 0
  for (const [at, row] of rows.entries()) {
    entries += entriesIn(bodyOf(row))
    if (at + 1 - from < rowsAtOnce && entries < entriesAtOnce) continue
    yield rows.slice(from, at + 1)
    from = at + 1
    entries = 0
  }
  if (from < rows.length) yield rows.slice(from)
}

/** How many entries the lists of a row have, as the subscribers of a channel. */
const entriesIn = (row: unknown): number =>
  isRecord(row)
    ? Object.values(row).reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 0)
    : 0

/** Slices of one field as one again; a slice that was no list and no table was taken out as a whole. */
function joined(parts: readonly unknown[]): unknown {
  const there = parts.filter((part) => part !== undefined)
  if (there.length < 2) return there[0]
  if (there.every((part) => Array.isArray(part))) return there.flat(1)
  return Object.fromEntries(there.flatMap((part) => (isRecord(part) ? Object.entries(part) : [])))
}

/** Where a fault is and what it is, as in `members.3.user_id: Invalid input`. */
const issueText = (issue: { path: readonly PropertyKey[]; message: string } | undefined): string =>
  issue === undefined ? 'unknown' : `${issue.path.join('.')}: ${issue.message}`

/** Removes the parts that the issues lie in from `root`; null when one of them is in no part that could go. */
function takeOut(
  root: unknown,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): UnreadablePart[] | null {
  const parts = new Map<string, { path: readonly PropertyKey[]; reason: string }>()
  for (const issue of issues) {
    const path = partOf(issue.path)
    if (path.length === 0) return null
    const key = path.join('\n')
    if (!parts.has(key)) parts.set(key, { path, reason: issueText(issue) })
  }
  const taken: UnreadablePart[] = []
  // From behind, so that the places of the rows that are still to go stay what they are.
  for (const { path, reason } of [...parts.values()].sort(
    (a, b) => Number(b.path.at(-1)) - Number(a.path.at(-1)),
  )) {
    const holder = path.slice(0, -1).reduce<unknown>(memberOf, root)
    const last = path.at(-1)
    if (last === undefined) return null
    const body = memberOf(holder, last)
    if (body === undefined) return null
    if (Array.isArray(holder)) holder.splice(Number(last), 1)
    else if (isRecord(holder)) Reflect.deleteProperty(holder, last)
    taken.push({ field: String(path[0]), isWhole: path.length === 1, reason, body })
  }
  return taken.reverse()
}

/** The smallest part that can go by itself: up to the first row of a list, else a field's entry, else the field. */
function partOf(path: readonly PropertyKey[]): readonly PropertyKey[] {
  const row = path.findIndex((step) => typeof step === 'number')
  return path.slice(0, row >= 0 ? row + 1 : 2)
}

function memberOf(holder: unknown, key: PropertyKey): unknown {
  if (!isRecord(holder) && !Array.isArray(holder)) return undefined
  return Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
}

const isRecord = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
