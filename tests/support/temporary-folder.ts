import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes an empty folder, which is removed again after the test (`onTestFinished`, later than every `afterEach`) or after
 * the tests of the file (`afterAll`, later than those that are registered below).
 */
export function temporaryFolder(atTheEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-'))
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
