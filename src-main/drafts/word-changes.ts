/** A part of the base (`baseStart` to `baseEnd`, in tokens) and what replaced it; an empty part is an insertion. */
export interface Change {
  readonly baseStart: number
  readonly baseEnd: number
  readonly start: number
  readonly end: number
}

/**
 * If more tokens were removed and added than this, the whole difference counts as one change: the time is quadratic in
 * this number, and texts that differ so much have little in common to merge.
 */
const mostEdits = 1_000

/**
 * The shortest difference between two lists of tokens, in order (E. W. Myers, "An O(ND) difference algorithm and its
 * variations"). Changes neither overlap nor touch.
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

/** For each number of edits, how far into the base each diagonal reaches; null if there are too many edits. */
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
    // Diagonal k = x - y is stored at index (k + edits) / 2.
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

/** Whether the best step to a diagonal is an addition (from the diagonal above) and not a removal. */
const isAddition = (before: Int32Array, place: number, edits: number): boolean =>
  place === 0 || (place < edits && (before[place - 1] ?? 0) < (before[place] ?? 0))

const startOf = (before: Int32Array, place: number, edits: number): number =>
  isAddition(before, place, edits) ? (before[place] ?? 0) : (before[place - 1] ?? 0) + 1

/** Walks back from the end and collects the changes between common tokens. */
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
