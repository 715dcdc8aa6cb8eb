/** A stretch of the base that was replaced; an empty one is a place where something was inserted. */
export interface Change {
  readonly baseStart: number
  readonly baseEnd: number
  readonly start: number
  readonly end: number
}

/**
 * Beyond so many tokens removed or added the rest counts as one change: the work grows with their square, and two
 * texts so different have little in common that could be joined.
 */
const mostEdits = 1_000

/**
 * What was changed between two lists of tokens, in order: the fewest tokens removed and added, after E. W. Myers, "An
 * O(ND) difference algorithm and its variations". Changes neither overlap nor touch.
 */
export function changesBetween(base: readonly string[], changed: readonly string[]): Change[] {
  const shortest = Math.min(base.length, changed.length)
  let prefix = 0
  while (prefix < shortest && base[prefix] === changed[prefix]) prefix++
  let suffix = 0
  while (
    suffix < shortest - prefix &&
    base[base.length - 1 - suffix] === changed[changed.length - 1 - suffix]
  ) {
    suffix++
  }
  const width = base.length - suffix
  const height = changed.length - suffix
  if (prefix === width && prefix === height) return []
  const whole = { baseStart: prefix, baseEnd: width, start: prefix, end: height }
  if (prefix === width || prefix === height) return [whole]
  const steps = furthestSteps(base, changed, prefix, width, height)
  return steps === null ? [whole] : changesAlong(steps, width, height)
}

/** For each count of edits, how far into the base each diagonal came; null when there are too many edits. */
function furthestSteps(
  base: readonly string[],
  changed: readonly string[],
  from: number,
  width: number,
  height: number,
): Int32Array[] | null {
  const most = Math.min(mostEdits, width - from + height - from)
  const steps: Int32Array[] = []
  let before = new Int32Array(0)
  for (let edits = 0; edits <= most; edits++) {
    const reached = new Int32Array(edits + 1)
    // Diagonal k = x - y stands at place (k + edits) / 2.
    for (let place = 0; place <= edits; place++) {
      let x = edits === 0 ? from : startOf(before, place, edits)
      let y = x - (2 * place - edits)
      while (x < width && y < height && base[x] === changed[y]) {
        x++
        y++
      }
      reached[place] = x
      if (x === width && y === height) {
        steps.push(reached)
        return steps
      }
    }
    steps.push(reached)
    before = reached
  }
  return null
}

/** Whether a diagonal is best reached by an addition (from the one above) and not by a removal. */
const isAddition = (before: Int32Array, place: number, edits: number): boolean =>
  place === 0 || (place < edits && (before[place - 1] ?? 0) < (before[place] ?? 0))

const startOf = (before: Int32Array, place: number, edits: number): number =>
  isAddition(before, place, edits) ? (before[place] ?? 0) : (before[place - 1] ?? 0) + 1

/** Walks back from the end, and gathers what lies between the tokens that both have. */
function changesAlong(steps: readonly Int32Array[], width: number, height: number): Change[] {
  const changes: Change[] = []
  let x = width
  let y = height
  for (let edits = steps.length - 1; edits > 0; edits--) {
    const before = steps[edits - 1] ?? new Int32Array(0)
    const place = (x - y + edits) / 2
    const baseEnd = startOf(before, place, edits)
    const end = baseEnd - (2 * place - edits)
    const edit = isAddition(before, place, edits)
      ? { baseStart: baseEnd, baseEnd, start: end - 1, end }
      : { baseStart: baseEnd - 1, baseEnd, start: end, end }
    const next = changes.at(-1)
    if (next !== undefined && next.baseStart === edit.baseEnd && next.start === edit.end) {
      changes[changes.length - 1] = { ...next, baseStart: edit.baseStart, start: edit.start }
    } else changes.push(edit)
    x = edit.baseStart
    y = edit.start
  }
  return changes.reverse()
}
