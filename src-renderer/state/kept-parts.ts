/** What tells the items of a list apart, whichever of them it has. */
const names = ['key', 'localId', 'id', 'messageId', 'channelId', 'userId', 'topic'] as const

type Parts = Record<string, unknown>

const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null

const nameOf = (item: unknown): unknown => {
  if (!isObject(item)) return undefined
  for (const name of names) if (item[name] !== undefined) return item[name]
  return undefined
}

/**
 * A value that is equal to `now` and consists of the very parts of `before` that did not change, so that whoever
 * shows a part sees at once that there is nothing to do. Both are plain data, as JSON gives them. `now` is used up:
 * the answer may be `now` itself, with parts of `before` in it.
 */
export function keptParts<T>(before: unknown, now: T): T {
  // Only values of the same form are given back in the place of others, part by part.
  return join(before, now) as T
}

function join(before: unknown, now: unknown): unknown {
  if (before === now || !isObject(before) || !isObject(now)) return now
  if (Array.isArray(now)) return Array.isArray(before) ? joinLists(before, now) : now
  return Array.isArray(before) ? now : joinObjects(before, now)
}

// Of thousands of rows hardly one differs, so nothing is copied here.
function joinObjects(before: Parts, now: Parts): Parts {
  const keys = Object.keys(now)
  let isSame = Object.keys(before).length === keys.length
  for (const name of keys) {
    const value = now[name]
    if (Object.hasOwn(before, name)) {
      const part = join(before[name], value)
      if (part !== value) now[name] = part
      if (part !== before[name]) isSame = false
    } else isSame = false
  }
  return isSame ? before : now
}

function joinLists(before: readonly unknown[], now: unknown[]): readonly unknown[] {
  /** Where the items were that do not stand where they stood; made when the first of them is met. */
  let moved: Map<unknown, unknown> | null = null
  let isSame = before.length === now.length
  for (const [index, item] of now.entries()) {
    const name = nameOf(item)
    let old = before[index]
    if (nameOf(old) !== name) {
      moved ??= new Map(before.map((one) => [nameOf(one), one]))
      old = moved.get(name)
    }
    const part = join(old, item)
    if (part !== item) now[index] = part
    if (part !== before[index]) isSame = false
  }
  return isSame ? before : now
}
