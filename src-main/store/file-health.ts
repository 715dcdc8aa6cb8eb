import { statfsSync, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { FileHealth } from '../../src-shared/model/diagnostics.ts'
import { journalPath } from './journal.ts'

/** How an account's file and what lies beside it stand now, from what the system tells of them. Never throws. */
export function fileHealth(path: string): Omit<FileHealth, 'check'> {
  const journal = stateOf(journalPath(path))
  // With a log, the file itself is written only when something of it is moved there.
  const movedAt = stateOf(path)?.mtimeMs
  return {
    logBytes: stateOf(`${path}-wal`)?.size ?? 0,
    movedAt: movedAt === undefined ? null : Math.floor(movedAt),
    freeBytes: freeBytes(path),
    journal:
      journal === null
        ? null
        : {
            bytes: journal.size,
            // It is another file each time that it is written anew.
            begunAt: Math.floor(journal.birthtimeMs),
            writtenAt: Math.floor(journal.mtimeMs),
          },
  }
}

function stateOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

/** How much room there is where a file lies; null when the system does not tell. Never throws. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return null
  }
}
