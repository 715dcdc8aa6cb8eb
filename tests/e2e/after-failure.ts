import { afterEach, beforeAll, beforeEach } from 'vitest'
import { stoppedServices } from '../support/stopped-services.ts'
import { openWindows } from './browser.ts'

// What a window showed when a test failed, as a screen reader finds it, mostly says why. The service that the test had
// stopped is started again, for the next attempt. After the last one, the tests that follow in the file would only wait
// for what the failed one left undone: they are skipped, and `begin-again.ts` repeats the file.

let hasFailed = false
beforeAll(() => {
  hasFailed = false
})

beforeEach(({ skip }) => {
  if (hasFailed) skip('an earlier test of this file failed')
  stoppedServices.clear()
})

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const { retry = 0 } = task
  hasFailed = (task.result.retryCount ?? 0) >= (typeof retry === 'number' ? retry : (retry.count ?? 0))
  for (const page of openWindows) {
    const read = [
      page.locator('body').ariaSnapshot({ timeout: 10_000 }),
      page.evaluate(() => (Reflect.get(globalThis, '__lately') as string[]).join('\n')),
    ]
    const [shown, lately] = await Promise.all(read.map((one) => one.catch(String)))
    console.error(`When “${task.name}” failed, ${page.url()} showed:\n${shown}\nLately:\n${lately}`)
  }
  for (const start of stoppedServices) await start()
  for (const page of openWindows)
    await page.evaluate(() => void dispatchEvent(new Event('online'))).catch(() => {})
})
