import type { z } from 'zod'

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
 * object, an optional field) and handed back with the reason. It fails when what is left is still not readable, as
 * without a required field. `value` is what JSON can hold, and is not changed.
 */
export function parseLeniently<S extends z.ZodType>(schema: S, value: unknown): LenientResult<z.output<S>> {
  const first = schema.safeParse(value)
  if (first.success) return { success: true, data: first.data, unreadable: [] }
  // It came as JSON.
  const rest: unknown = JSON.parse(JSON.stringify(value))
  const unreadable: UnreadablePart[] = []
  let { issues } = first.error
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

/** Where a fault is and what it is, as in `members.3.user_id: Invalid input`. */
export const issueText = (issue: { path: readonly PropertyKey[]; message: string } | undefined): string =>
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
