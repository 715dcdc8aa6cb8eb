import fc from 'fast-check'

/** The same histories in every run of the suite, so that what it says of a change is about the change. */
const usualSeed = 20_261_121

/**
 * How many histories are tried: as many as `npm run proof` was told, other ones each time, or what keeps the whole suite
 * quick. A failure prints the line that repeats it.
 */
export async function checkHistories<History>(
  file: string,
  history: fc.Arbitrary<History>,
  run: (history: History) => Promise<void>,
  usualRuns: number,
): Promise<void> {
  const { DUNLIN_MODEL_RUNS: runs, DUNLIN_MODEL_SEED: seed, DUNLIN_MODEL_PATH: path } = process.env
  const result = await fc.check(fc.asyncProperty(history, run), {
    numRuns: runs === undefined ? usualRuns : Number(runs),
    ...(seed !== undefined ? { seed: Number(seed) } : runs === undefined ? { seed: usualSeed } : {}),
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  })
  if (!result.failed) return
  const again = `npm run proof -- --seed=${result.seed} --path=${result.counterexamplePath} ${file}`
  const cause = result.errorInstance
  throw new Error(
    [
      `A history breaks what was promised, after ${result.numRuns} that did not and ${result.numShrinks} shrinks.`,
      `Run it again: ${again}`,
      `Keep it: ${JSON.stringify(result.counterexample?.[0])}`,
      cause instanceof Error ? cause.message : String(cause),
    ].join('\n'),
    { cause },
  )
}
