import { z } from 'zod'
import { readTolerantly } from './tolerant.ts'

/** A part of an answer that does not have the form of the specification. */
export interface UnreadablePart {
  /** The field of the answer that contains it. */
  readonly field: string
  /** True if it is the whole field, false if it is one of the field's rows. */
  readonly isWhole: boolean
  readonly reason: string
  readonly body: unknown
}

/** What could be read from an answer. */
export type LenientResult<T> =
  | { readonly success: true; readonly data: T; readonly unreadable: readonly UnreadablePart[] }
  | { readonly success: false; readonly reason: string }

/** Removing one part can reveal another, because a union reports its faults one at a time. */
const mostRounds = 5

/**
 * Reads an answer in which single parts may be malformed. It removes those parts (a row of a list, an entry of an
 * object, an optional field) and returns them with the reason, except where `readTolerantly` can repair them.
 * It fails if the rest is still unreadable, for example because a required field is missing.
 * `value` is parsed JSON; it is not changed.
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

/** A list without the rows that do not have the form of the specification; `rowsLeftOut` tells which those are. */
export const understoodRows = <S extends z.ZodType>(row: S) =>
  z.array(z.unknown()).transform((rows) =>
    rows.flatMap((one): z.output<S>[] => {
      const { read } = readTolerantly(row, one)
      return read.success ? [read.data] : []
    }),
  )

/** The rows that `understoodRows` leaves out of a list, each with the reason. */
export function rowsLeftOut(field: string, row: z.ZodType, rows: unknown): UnreadablePart[] {
  if (!Array.isArray(rows)) return []
  return rows.flatMap((body: unknown): UnreadablePart[] => {
    const { read } = readTolerantly(row, body)
    return read.success ? [] : [{ field, isWhole: false, reason: issueText(read.error.issues[0]), body }]
  })
}

/** This many rows of a list are parsed between two calls of `rest`; fewer if the rows contain lists themselves. */
const rowsAtOnce = 50
/** This many entries of lists within rows are parsed between two calls of `rest`; a single row is never split. */
const entriesAtOnce = 2_000

/**
 * Like `parseLeniently`, for answers that may be very long. It calls `rest` before each list or object and, within
 * one, after every fifty rows, so that nothing else has to wait for the whole answer. `value` is not changed.
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
  // A field may be required, so the long fields stay, emptied of their rows.
  const emptied = long.map(([field, content]) => [field, Array.isArray(content) ? [] : {}] as const)
  const plain = Object.entries(value).filter(([, content]) => typeof content !== 'object' || content === null)
  let sliced = holders
  let base: Record<string, unknown> = Object.fromEntries([...plain, ...emptied])
  await rest()
  let begun = parseLeniently(schema, base)
  if (!begun.success) {
    // Some of the short fields may be required too.
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
  // This schema produced every part of it, field by field.
  return { success: true, data: whole as z.output<S>, unreadable }
}

/** The fields that must accompany each parsed field because they are required: hardly any. */
function neededOf(schema: z.ZodType, base: Record<string, unknown>): Record<string, unknown> {
  const names = new Set((schema.safeParse({}).error?.issues ?? []).map(({ path }) => String(path[0])))
  // If a server uses other names for some of them, everything it sent goes along.
  if (![...names].every((name) => Object.hasOwn(base, name))) return base
  return Object.fromEntries(Object.entries(base).filter(([name]) => names.has(name)))
}

const sizeOf = (content: unknown): number =>
  Array.isArray(content) ? content.length : isRecord(content) ? Object.keys(content).length : 0

/** A list or object in slices, in order; a short one is a single slice. */
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

/** How many entries the lists of a row have, for example a channel's subscribers. */
const entriesIn = (row: unknown): number =>
  isRecord(row)
    ? Object.values(row).reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 0)
    : 0

/** Joins the slices of one field. A slice that was neither a list nor an object was removed as a whole. */
function joined(parts: readonly unknown[]): unknown {
  const there = parts.filter((part) => part !== undefined)
  if (there.length < 2) return there[0]
  if (there.every((part) => Array.isArray(part))) return there.flat(1)
  return Object.fromEntries(there.flatMap((part) => (isRecord(part) ? Object.entries(part) : [])))
}

/** Where a fault is and what it is, for example `members.3.user_id: Invalid input`. */
const issueText = (issue: { path: readonly PropertyKey[]; message: string } | undefined): string =>
  issue === undefined ? 'unknown' : `${issue.path.join('.')}: ${issue.message}`

/** Removes the parts that contain the issues from `root`; null if one of the issues is in no removable part. */
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
  // From the end, so that the indexes of the rows still to be removed stay valid.
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

/** The smallest removable part: up to the first row of a list, else a field's entry, else the field. */
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
