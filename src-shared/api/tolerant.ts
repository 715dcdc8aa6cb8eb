import type { z } from 'zod'

/** What is in place now can show what else is not. */
const mostRounds = 3
const numberText = /^-?\d+(?:\.\d+)?$/

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly expected?: string
  /** Of a union: what each of its forms finds wrong. */
  readonly errors?: readonly (readonly Issue[])[]
}

/** A field that was null and is left out now. */
interface Emptied {
  readonly holder: object
  readonly key: PropertyKey
  readonly path: string
}

/**
 * Reads a value as its schema does, and when that fails once more without two habits of careless servers: a number as
 * text is that number, and null is nothing or an empty list, where the schema has room for that. A text that must be there
 * and is null stays a fault: what is here already says more. Answers the value as it was read in the end, for whoever goes
 * on with it. `value` is what JSON can hold, and is not changed.
 */
export function readTolerantly<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { readonly read: z.ZodSafeParseResult<z.output<S>>; readonly value: unknown } {
  let read = schema.safeParse(value)
  if (read.success) return { read, value }
  // It came as JSON.
  const mended: unknown = JSON.parse(JSON.stringify(value))
  const emptied: Emptied[] = []
  for (let round = 0; round < mostRounds && !read.success; round++) {
    const before = read.error.issues
    if (before.filter((issue) => mend(mended, issue, [], emptied)).length === 0) break
    read = schema.safeParse(mended)
  }
  if (read.success || emptied.length === 0) return { read, value: mended }
  // What must be there is null again, so that the reason says what came.
  const missing = new Set(read.error.issues.map(({ path }) => path.join('\n')))
  for (const { holder, key, path } of emptied) {
    if (missing.has(path)) Reflect.set(holder, key, null)
  }
  return { read: schema.safeParse(mended), value: mended }
}

/** Puts right what an issue complains of; false when that is neither of the two habits. */
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

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const memberOf = (holder: unknown, key: PropertyKey): unknown =>
  isHolder(holder) && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
