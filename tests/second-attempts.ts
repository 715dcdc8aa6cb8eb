import type { Reporter, TestCase } from 'vitest/node'

/** Says why a test failed that passed when it was tried once more: what is unsteady is found by that. */
export class SecondAttempts implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (state !== 'passed' || (test.diagnostic()?.retryCount ?? 0) === 0) return
    const reasons = errors.map(({ stack, message, diff = '' }) => `${stack ?? message}\n${diff}`)
    console.error(
      `Passed at another attempt: ${test.module.relativeModuleId} > ${test.fullName}\n${reasons.join('\n')}`,
    )
  }
}
