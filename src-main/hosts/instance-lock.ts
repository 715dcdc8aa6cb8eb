import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FailureError } from '../../src-shared/failure.ts'
import { deviceFailure } from '../store/device-failure.ts'
import { holdExclusively } from '../store/exclusive-file.ts'

/**
 * Makes a data directory this process's alone. Throws a `FailureError` of kind device: in-use when another process
 * has it, read-only or disk-full when it cannot be written. Returns how to let go; a killed process lets go by dying.
 */
export function lockDataDirectory(directory: string): () => void {
  // For people and for the message below; what counts is the lock that the system keeps.
  const namePath = join(directory, 'lock')
  try {
    mkdirSync(directory, { recursive: true })
    const letGo = holdExclusively(join(directory, 'lock.db'))
    if (letGo === null) throw new FailureError(inUse(directory, ownerIn(namePath)))
    try {
      writeFileSync(namePath, String(process.pid))
    } catch (error) {
      letGo()
      throw error
    }
    return () => {
      rmSync(namePath, { force: true })
      letGo()
    }
  } catch (error) {
    throw error instanceof FailureError
      ? error
      : new FailureError(deviceFailure(error, directory), { cause: error })
  }
}

const inUse = (directory: string, owner: string) =>
  ({
    kind: 'device',
    code: 'in-use',
    message: `Dunlin is already running with ${directory}${owner}. Nothing was changed. Use the window that is open, or choose another folder with --data-dir.`,
  }) as const

function ownerIn(path: string): string {
  try {
    const owner = readFileSync(path, 'utf8').trim()
    return /^\d+$/.test(owner) ? ` (process ${owner})` : ''
  } catch {
    return ''
  }
}
