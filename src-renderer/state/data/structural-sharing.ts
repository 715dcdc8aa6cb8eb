/** The fields that identify an item of a list; the first that the item has is used. */
const names = ['key', 'localId', 'id', 'messageId', 'channelId', 'userId', 'topic'] as const

type Parts = Record<string, unknown>

const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null

const nameOf = (item: unknown): unknown => {
  if (!isObject(item)) return undefined
  for (const name of names) if (item[name] !== undefined) return item[name]
  return undefined
}

/**
 * A value equal to `now` that reuses the parts of `before` that did not change. So a component that shows a part can
 * see by identity that there is nothing to do. Both are plain JSON data. `now` is consumed: the result may be `now`
 * itself, with parts of `before` in it.
 */
export function shareUnchanged<T>(before: unknown, now: T): T {
  // Each part is replaced only by an equal one, so the type stays the same.
  return join(before, now) as T
}

function join(before: unknown, now: unknown): unknown {
  if (before === now || !isObject(before) || !isObject(now)) return now
  if (Array.isArray(now)) return Array.isArray(before) ? joinLists(before, now) : now
  return Array.isArray(before) ? now : joinObjects(before, now)
}

// Hardly one of thousands of rows differs, so nothing is copied here.
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
  /** The previous items by identity, for items that moved; built when the first one is found. */
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
