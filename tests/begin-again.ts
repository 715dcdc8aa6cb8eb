import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { failedJourneys } from './failed-journeys.ts'

// The tests of a journey build on one another, so that one which fails on a busy machine mostly fails at its second
// attempt too. Its file begins again, with a new app, service and browser. Whatever else fails stays failed.

/** More files than this fail for a common reason. */
const most = 3

const files = existsSync(failedJourneys) ? readFileSync(failedJourneys, 'utf8').split('\n') : []
if (files.length === 0 || files.length > most) process.exit(1)
console.error(`Begins again: ${files.join(', ')}`)
const { status } = spawnSync('vitest', ['run', '--project', 'journeys', ...files], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exit(status ?? 1)
