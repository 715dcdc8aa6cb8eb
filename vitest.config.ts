import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { SecondAttempts } from './tests/second-attempts.ts'

// One more than there are cores, since many files wait for a clock, a disk or another process: a journey drives a
// Chromium, an app and a service of its own. Left alone, Vitest takes one less, which is half of two. All projects have
// the same number, so that none waits for the last file of another.
const maxWorkers = availableParallelism() + 1

// Files find what the one before them loaded in the same process: loading it is most of what a small file takes. What a
// module keeps has to be right for whoever comes next, as it has to be for the next account.
const isolate = false

// The sources run as the app runs them: Node loads them itself. Vite's own loader would look each imported name up at
// every use, which costs the thousands of histories a fifth of their time.
const experimental = { viteModuleRunner: false }

// How long a test waits for what it says will become true. Only a test that fails waits so long; Vitest's own second is
// over before a busy machine has had its turn.
const poll = { timeout: 30_000 }

// The processes that tests start, of which there are hundreds, compile the same files: each but the first takes half as
// long.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

// Real disks, networks, threads and browsers on a busy machine: what goes wrong once is tried once more, and the report
// says so, and why. Whoever looks for what is unsteady runs with --retry=0. A journey that fails twice begins again, with
// its whole file (tests/begin-again.ts).
const retry = 1

/**
 * A new checkout does not know how long its files take, and begins with the largest. Those that try thousands of
 * histories, live through weeks or look at every screen are short and take longest: begun last, one would run alone.
 * The projects come one after another, because a process that goes on with another loads everything anew.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong =
      /(model\/(outbox|drafts|quarrels)|long-days|main\/kill|e2e\/(every-screen|trouble|languages|settings-restart|full-disk)|electron-host)\.test\.ts$/
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * ['unit', 'renderer', 'journeys'].indexOf(project.name) + (isLong.test(moduleId) ? 0 : 1)
    const sorted = await super.sort(files)
    return [...sorted].sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    reporters: ['default', new SecondAttempts()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/{architecture,docs,shared,server,main}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry,
          expect: { poll },
          maxWorkers,
          isolate,
          experimental,
        },
      },
      {
        // Svelte's runtime for browsers, and components compiled as they are in the app.
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          include: ['tests/renderer/**/*.test.ts'],
          environment: './tests/renderer/window-environment.ts',
          testTimeout: 120_000,
          expect: { poll },
          maxWorkers,
          isolate,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/{e2e,rehearsal}/**/*.test.ts'],
          testTimeout: 180_000,
          // What begins a file is not tried again: it has the time that a stalled disk takes.
          hookTimeout: 180_000,
          globalSetup: 'tests/e2e/before-journeys.ts',
          setupFiles: 'tests/e2e/after-failure.ts',
          maxWorkers,
          isolate,
          experimental,
          retry,
          expect: { poll },
        },
      },
    ],
  },
})
