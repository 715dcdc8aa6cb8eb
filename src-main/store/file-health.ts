import { statfsSync, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { FileHealth } from '../../src-shared/model/diagnostics.ts'
import { journalPath } from './journal.ts'

/** The state of an account's file and the files beside it, as the file system reports it. Never throws. */
export function fileHealth(path: string): Omit<FileHealth, 'check'> {
  const journal = stateOf(journalPath(path))
  // With a write-ahead log, the file itself is written only by a checkpoint.
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
            // Each rewrite of the journal creates a new file.
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

/** The free space where a file lies, in bytes; null if the system does not tell. Never throws. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return null
  }
}
