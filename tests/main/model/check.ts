import fc from 'fast-check'

/** The same histories in every run of the suite, so that what it says of a change is about the change. */
const usualSeed = 20_261_121

/**
 * How many histories are tried: `DUNLIN_MODEL_RUNS` for each model, or what keeps the whole suite quick; with that
 * variable they are others each time. A failure names the seed; `DUNLIN_MODEL_SEED` and `DUNLIN_MODEL_PATH` repeat it.
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
  const again = `DUNLIN_MODEL_SEED=${result.seed} DUNLIN_MODEL_PATH=${result.counterexamplePath} npx vitest run ${file}`
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
