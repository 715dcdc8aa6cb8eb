/** What tells the items of a list apart, whichever of them it has. */
const names = ['key', 'localId', 'id', 'messageId', 'channelId', 'userId', 'topic'] as const

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const nameOf = (item: unknown): unknown => {
  if (!isObject(item)) return undefined
  for (const name of names) if (item[name] !== undefined) return item[name]
  return undefined
}

/**
 * A value that is equal to `now` and consists of the very parts of `before` that did not change, so that whoever
 * shows a part sees at once that there is nothing to do. Both are plain data, as JSON gives them, and not changed.
 */
export function keptParts<T>(before: unknown, now: T): T {
  // Only values of the same form are given back in the place of others, part by part.
  return join(before, now) as T
}

function join(before: unknown, now: unknown): unknown {
  if (before === now || !isObject(before) || !isObject(now)) return now
  if (Array.isArray(before) !== Array.isArray(now)) return now
  return Array.isArray(now) && Array.isArray(before) ? joinLists(before, now) : joinObjects(before, now)
}

function joinObjects(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let isSame = Object.keys(before).length === Object.keys(now).length
  const joined = Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const isKnown = Object.hasOwn(before, name)
      const part = isKnown ? join(before[name], value) : value
      isSame &&= isKnown && part === before[name]
      return [name, part]
    }),
  )
  return isSame ? before : joined
}

function joinLists(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] {
  /** Where the items were that do not stand where they stood; made when the first of them is met. */
  let moved: Map<unknown, unknown> | null = null
  let isSame = before.length === now.length
  const joined = now.map((item, index) => {
    const name = nameOf(item)
    let old = before[index]
    if (nameOf(old) !== name) {
      moved ??= new Map(before.map((one) => [nameOf(one), one]))
      old = moved.get(name)
    }
    const kept = join(old, item)
    isSame &&= kept === before[index]
    return kept
  })
  return isSame ? before : joined
}
