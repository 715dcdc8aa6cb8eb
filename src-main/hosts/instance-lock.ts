import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { FailureError } from '../../src-shared/failure.ts'
import { deviceFailure } from '../store/device-failure.ts'

/**
 * Makes a data directory this process's alone. Throws a `FailureError` of kind device: in-use when another process
 * has it, read-only or disk-full when it cannot be written. Returns how to let go; a killed process lets go by dying.
 */
export function lockDataDirectory(directory: string): () => void {
  const path = join(directory, 'lock')
  try {
    mkdirSync(directory, { recursive: true })
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        const file = openSync(path, 'wx')
        writeSync(file, String(process.pid))
        closeSync(file)
        return () => rmSync(path, { force: true })
      } catch (error) {
        if (!isExisting(error)) throw error
        const owner = Number(readFileSync(path, 'utf8'))
        if (owner !== process.pid && isAlive(owner)) {
          throw new FailureError({
            kind: 'device',
            code: 'in-use',
            message: `Dunlin is already running with ${directory} (process ${owner}). Nothing was changed. Use the window that is open, or choose another folder with --data-dir.`,
          })
        }
        rmSync(path, { force: true })
      }
    }
    throw new Error('the lock could not be taken')
  } catch (error) {
    throw error instanceof FailureError
      ? error
      : new FailureError(deviceFailure(error, directory), { cause: error })
  }
}

const isExisting = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST'

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not ours to signal means that it lives.
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM'
  }
}
