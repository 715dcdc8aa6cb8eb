import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { ifDiskFull } from '../store/device-failure.ts'
import { holdExclusively } from '../store/exclusive-file.ts'
import { asDeviceFailure } from '../store/open-file.ts'

// For people and for a second start; what counts is the lock that the system keeps.
const namePath = (directory: string) => join(directory, 'lock')

/**
 * Makes a data directory this process's alone. Throws a `FailureError` of kind device: in-use when another process
 * has it, read-only or disk-full when it cannot be written. Returns how to let go; a killed process lets go by dying.
 */
export function lockDataDirectory(directory: string): () => void {
  const name = namePath(directory)
  try {
    // Messages, drafts and pictures lie here: nobody else of this machine reads them.
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const letGo = holdExclusively(join(directory, 'lock.db'))
    if (letGo === null) throw inUse(directory)
    try {
      writeFileSync(name, String(process.pid))
    } catch (error) {
      letGo()
      throw error
    }
    return () => {
      rmSync(name, { force: true })
      letGo()
    }
  } catch (error) {
    const { failure } = asDeviceFailure(error, directory)
    throw new FailureError(ifDiskFull(failure, t.failures.device.noRoomToStart), { cause: error })
  }
}

/**
 * Writes where the window of this process is, for a second start; the directory is locked by this process. Where the
 * disk has no room for that, a second start says less.
 */
export function announceAddress(directory: string, address: string): void {
  try {
    writeFileSync(namePath(directory), `${process.pid} ${address}`)
  } catch {
    // Nobody's words: not worth a start that fails.
  }
}

/** Where the window of the process that has the directory is; null when it did not say. */
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
