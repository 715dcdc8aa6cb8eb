import fc from 'fast-check'

/** Every run of the suite tries the same histories, so that a new failure comes from a change of the code. */
const usualSeed = 20_261_121

/**
 * How many histories are tried: with `npm run proof` as many as it sets, different ones each time; otherwise few enough
 * to keep the whole suite quick. A failure prints the line that repeats it.
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
