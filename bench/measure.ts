/** Something that is timed; one call is one run. */
export interface Contender {
  readonly name: string
  /** Milliseconds of each repetition within one round. */
  run(round: number): number[] | Promise<number[]>
}

/** One line of a table. */
export interface Line {
  readonly what: string
  readonly contender: string
  readonly medianMs: number
  readonly p99Ms: number
  /** One in a thousand runs takes longer. */
  readonly p999Ms: number
  /** The ratio of the medians, to the first contender of the comparison. */
  readonly ratio: number
}

export const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN

/** The milliseconds that a piece of work takes. */
export function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/**
 * Runs contenders in turns, so that other load on the machine affects all of them equally, and compares their medians
 * with that of the first one, the floor.
 */
export async function compare(
  what: string,
  rounds: number,
  contenders: readonly Contender[],
): Promise<Line[]> {
  const times = contenders.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      times[index]?.push(...(await contender.run(round)))
    }
  }
  const sorted = times.map((all) => all.sort((a, b) => a - b))
  const floor = quantile(sorted[0] ?? [], 0.5)
  return contenders.map(({ name }, index) => {
    const all = sorted[index] ?? []
    const medianMs = quantile(all, 0.5)
    return {
      what,
      contender: name,
      medianMs,
      p99Ms: quantile(all, 0.99),
      p999Ms: quantile(all, 0.999),
      ratio: medianMs / floor,
    }
  })
}

const number = (value: number): string =>
  value < 0.1 ? value.toFixed(4) : value < 10 ? value.toFixed(2) : value.toFixed(0)

/** Lines as a Markdown table. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map(
    ({ what, contender, medianMs, p99Ms, p999Ms, ratio }, index) =>
      `| ${lines[index - 1]?.what === what ? '' : what} | ${contender} | ${number(medianMs)} | ${number(p99Ms)} | ${number(p999Ms)} | ${ratio.toFixed(2)} |`,
  )
  return [
    '| what | who | median, ms | 99 %, ms | 99.9 %, ms | of the floor |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
