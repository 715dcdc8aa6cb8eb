import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { withDiskFullMessage } from '../store/device-failure.ts'
import { tryLockFile } from '../store/exclusive-file.ts'
import { asDeviceFailure } from '../store/open-file.ts'

// Only information for people and for a second start. The actual lock is held by the operating system on lock.db.
const namePath = (directory: string) => join(directory, 'lock')

/**
 * Locks a data directory for this process; returns a function that unlocks it. If the process is killed, the operating
 * system releases the lock. Throws a `FailureError` of kind device: in-use if another process has the lock, read-only
 * or disk-full if the directory cannot be written.
 */
export function lockDataDirectory(directory: string): () => void {
  const name = namePath(directory)
  try {
    // It contains messages, drafts and pictures, which other users of this machine must not read.
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const unlock = tryLockFile(join(directory, 'lock.db'))
    if (unlock === null) throw inUse(directory)
    try {
      // After a crash there is an old file, which may have another mode.
      rmSync(name, { force: true })
      writeFileSync(name, String(process.pid), { mode: 0o600 })
    } catch (error) {
      unlock()
      throw error
    }
    return () => {
      rmSync(name, { force: true })
      unlock()
    }
  } catch (error) {
    const { failure } = asDeviceFailure(error, directory)
    throw new FailureError(withDiskFullMessage(failure, t.failures.device.noRoomToStart), { cause: error })
  }
}

/**
 * Stores an address that opens this process's window, for a second start. It contains a secret, so only the file's owner
 * can read it. The directory must be locked by this process. If the disk is full, nothing is stored, and a second start
 * cannot show the address.
 */
export function announceAddress(directory: string, address: string): void {
  try {
    writeFileSync(namePath(directory), `${process.pid} ${address}`, { mode: 0o600 })
  } catch {
    // Not important enough to fail the start.
  }
}

/** The address that the process that has the lock stored last; null if it stored none. */
export function announcedAddress(directory: string): string | null {
  const [, address] = ownerOf(directory)
  return address !== undefined && URL.canParse(address) && new URL(address).hostname === '127.0.0.1'
    ? address
    : null
}

function inUse(directory: string): FailureError {
  const [pid = ''] = ownerOf(directory)
  const { alreadyRunning } = t.failures.device
  return new FailureError({
    kind: 'device',
    code: 'in-use',
    message: alreadyRunning(directory, /^\d+$/.test(pid) ? pid : null, announcedAddress(directory)),
  })
}

function ownerOf(directory: string): string[] {
  try {
    return readFileSync(namePath(directory), 'utf8').trim().split(' ')
  } catch {
    return []
  }
}
