import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

/**
 * The path of a file for `setInputFiles`, which is there until the test is over. The window reads it itself: handing
 * the bytes of a large file over takes longer than most journeys.
 */
export function fileOnDisk(name: string, content: Uint8Array | string): string {
  const path = join(temporaryFolder(onTestFinished), name)
  writeFileSync(path, content)
  return path
}
