import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes an empty folder, for helpers that end it with `removeFolder` when they are closed. */
export const makeFolder = (parent = tmpdir()): string => mkdtempSync(join(parent, 'dunlin-'))

/** Removes a folder with everything in it; one that is gone is no problem. */
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/**
 * Makes an empty folder, which is removed again after the test (`onTestFinished`, later than every `afterEach`) or after
 * the tests of the file (`afterAll`, later than those that are registered below).
 */
export function temporaryFolder(atTheEnd: (remove: () => void) => void): string {
  const folder = makeFolder()
  atTheEnd(() => removeFolder(folder))
  return folder
}
