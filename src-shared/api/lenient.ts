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

/** So many rows of a list are read between two rests. */
const rowsAtOnce = 50

/**
 * As `parseLeniently`, for answers that may be very long: after every fifty rows of a field it calls `rest`, so that
 * nothing else has to wait for all of them. `value` is not changed.
 */
export async function parseInSlices<S extends z.ZodType>(
  schema: S,
  value: unknown,
  rest: () => Promise<void>,
): Promise<LenientResult<z.output<S>>> {
  const slices = isRecord(value) ? slicesOf(value) : []
  if (!isRecord(value) || slices.length === 0) return parseLeniently(schema, value)
  // What is short first; a long field may be required, so it is there without its rows.
  const emptied = slices.map(({ field, rows }) => [field, Array.isArray(rows) ? [] : {}] as const)
  const begun = parseLeniently(schema, { ...value, ...Object.fromEntries(emptied) })
  if (!begun.success || !isRecord(begun.data)) return parseLeniently(schema, value)
  const long = new Set(slices.map(({ field }) => field))
  const unreadable = begun.unreadable.filter(({ field }) => !long.has(field))
  const collected = new Map<string, unknown[]>()
  // What is required of an answer is short: it goes along with every slice.
  const short = Object.fromEntries(
    Object.entries(value).filter(([, field]) => typeof field !== 'object' || field === null),
  )
  for (const { field, rows } of slices) {
    await rest()
    const next = parseLeniently(schema, { ...short, [field]: rows })
    if (!next.success || !isRecord(next.data)) return parseLeniently(schema, value)
    const parts = collected.get(field) ?? []
    parts.push(Reflect.get(next.data, field))
    collected.set(field, parts)
    unreadable.push(...next.unreadable.filter((part) => part.field === field))
  }
  const whole = {
    ...begun.data,
    ...Object.fromEntries([...collected].map(([field, parts]) => [field, joined(parts)])),
  }
  // Every part of it was given by this schema, field by field.
  return { success: true, data: whole as z.output<S>, unreadable }
}

/** The long lists and the long tables of an answer in slices, each field's in order; nothing of what is short. */
function slicesOf(value: Record<PropertyKey, unknown>): { field: string; rows: unknown }[] {
  return Object.entries(value).flatMap(([field, content]) => {
    const isList = Array.isArray(content)
    const rows: unknown[] = isList ? content : isRecord(content) ? Object.entries(content) : []
    if (rows.length <= rowsAtOnce) return []
    return Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, index) => {
      const some = rows.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce)
      // Entries of the very object, as `Object.entries` gave them.
      return { field, rows: isList ? some : Object.fromEntries(some as [string, unknown][]) }
    })
  })
}

/** Slices of one field as one again; a slice that was no list and no table was taken out as a whole. */
function joined(parts: readonly unknown[]): unknown {
  const there = parts.filter((part) => part !== undefined)
  if (there.length === 0) return undefined
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
