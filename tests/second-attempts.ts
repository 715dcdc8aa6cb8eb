import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { failedJourneys } from './failed-journeys.ts'

/**
 * Says why a test failed that passed when it was tried once more: what is unsteady is found by that. Notes the files of
 * journeys that failed all the same, for `begin-again.ts`.
 */
export class SecondAttempts implements Reporter {
  onTestRunStart(): void {
    rmSync(failedJourneys, { force: true })
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (state !== 'passed' || (test.diagnostic()?.retryCount ?? 0) === 0) return
    const reasons = errors.map(({ stack, message, diff = '' }) => `${stack ?? message}\n${diff}`)
    console.error(
      `Passed at another attempt: ${test.module.relativeModuleId} > ${test.fullName}\n${reasons.join('\n')}`,
    )
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const failed = modules.filter((module) => !module.ok())
    // What fails elsewhere fails for a reason that a new beginning does not mend.
    if (failed.length === 0 || unhandled.length > 0) return
    if (failed.some(({ project }) => project.name !== 'journeys')) return
    mkdirSync(dirname(failedJourneys), { recursive: true })
    writeFileSync(failedJourneys, failed.map(({ relativeModuleId }) => relativeModuleId).join('\n'))
  }
}
