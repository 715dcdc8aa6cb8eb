// npm run proof -- [--runs N] [--kills N] [--log] [-t WORDS] [--seed S --path P] [FILE...]: the tests that get better the
// longer they run, for as long as wanted: N other histories of each model than `npm test` runs, and an engine that is
// killed N times. A failure prints the line that repeats it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    kills: { type: 'string' },
    log: { type: 'boolean', default: false },
    seed: { type: 'string' },
    path: { type: 'string' },
    testNamePattern: { type: 'string', short: 't' },
  },
})
const { runs, kills, seed, path, testNamePattern } = values
for (const [name, count] of Object.entries({ runs, kills }))
  if (count !== undefined && !/^[1-9]\d*$/.test(count)) throw new Error(`--${name} is not a number: ${count}`)

const files = [
  ...(runs !== undefined || kills === undefined ? ['tests/main/model'] : []),
  ...(kills !== undefined ? ['tests/main/kill.test.ts'] : []),
]
// Vitest hands no flags of others to tests; these are told by what they were started with.
const told = {
  DUNLIN_MODEL_RUNS: runs,
  DUNLIN_MODEL_SEED: seed,
  DUNLIN_MODEL_PATH: path,
  DUNLIN_KILLS: kills,
  DUNLIN_MODEL_LOG: values.log ? '1' : undefined,
}
const given = Object.entries(told).filter(([, value]) => value !== undefined)
const { status } = spawnSync(
  process.execPath,
  [
    join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'),
    'run',
    // What goes wrong once is what is looked for.
    ...['--project', 'unit', '--retry=0'],
    ...(testNamePattern === undefined ? [] : ['-t', testNamePattern]),
    ...(positionals.length > 0 ? positionals : files),
  ],
  { stdio: 'inherit', env: { ...process.env, ...Object.fromEntries(given) } },
)
process.exitCode = status ?? 1
