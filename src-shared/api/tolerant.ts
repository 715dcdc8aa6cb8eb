import type { z } from 'zod'

/** Repairing one fault can reveal another. */
const mostRounds = 3
/** No schema describes anything that is nested more deeply. */
const deepest = 100
const numberText = /^-?\d+(?:\.\d+)?$/

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly expected?: string
  /** For a union: the issues of each of its options. */
  readonly errors?: readonly (readonly Issue[])[]
}

/** A field that was null and is now left out. */
interface Emptied {
  readonly holder: object
  readonly key: PropertyKey
  readonly path: string
}

/**
 * Parses a value by its schema. If that fails, it tries again and allows two habits of careless servers, where the
 * schema has room for them: a number sent as text is read as that number, and null is read as absent or as an empty
 * list.
 * A required text that is null stays a fault: the value stored here already says more.
 * Returns the value as it was finally read, so that the caller can continue with it. `value` is parsed JSON; it is not
 * changed.
 */
export function readTolerantly<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { readonly read: z.ZodSafeParseResult<z.output<S>>; readonly value: unknown } {
  let read = schema.safeParse(value)
  if (read.success) return { read, value }
  const mended = copyOf(value)
  const emptied: Emptied[] = []
  for (let round = 0; round < mostRounds && !read.success; round++) {
    const before = read.error.issues
    if (before.filter((issue) => mend(mended, issue, [], emptied)).length === 0) break
    read = schema.safeParse(mended)
  }
  if (read.success || emptied.length === 0) return { read, value: mended }
  // Required fields become null again, so that the reason names what the server sent.
  const missing = new Set(read.error.issues.map(({ path }) => path.join('\n')))
  for (const { holder, key, path } of emptied) {
    if (missing.has(path)) Reflect.set(holder, key, null)
  }
  return { read: schema.safeParse(mended), value: mended }
}

/** Repairs what an issue reports; false if it is neither of the two habits. */
function mend(root: unknown, issue: Issue, above: readonly PropertyKey[], emptied: Emptied[]): boolean {
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_union')
    return (issue.errors ?? []).flat().some((inner) => mend(root, inner, path, emptied))
  const key = path.at(-1)
  const holder = path.slice(0, -1).reduce<unknown>(memberOf, root)
  if (issue.code !== 'invalid_type' || key === undefined || !isHolder(holder)) return false
  const value = memberOf(holder, key)
  if (typeof value === 'string' && (issue.expected === 'number' || issue.expected === 'int')) {
    const number = numberText.test(value) ? Number(value) : Number.NaN
    const isExact = Number.isSafeInteger(number) || number % 1 !== 0
    return isExact && !Number.isNaN(number) && Reflect.set(holder, key, number)
  }
  if (Array.isArray(holder)) return false
  if (value === null) {
    emptied.push({ holder, key, path: path.join('\n') })
    return Reflect.deleteProperty(holder, key)
  }
  const wasNull = emptied.some((one) => one.path === path.join('\n'))
  return wasNull && value === undefined && issue.expected === 'array' && Reflect.set(holder, key, [])
}

/** A copy of JSON down to where no schema reaches: nesting without an end must not exhaust the stack. */
const copyOf = (value: unknown, depth = 0): unknown => {
  if (!isHolder(value) || depth > deepest) return value
  return Array.isArray(value)
    ? value.map((one: unknown) => copyOf(one, depth + 1))
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOf(one, depth + 1)]))
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const memberOf = (holder: unknown, key: PropertyKey): unknown =>
  isHolder(holder) && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
