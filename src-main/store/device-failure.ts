import type { Failure } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** The failure with a message that says what a full disk prevented; any other failure stays unchanged. */
export const withDiskFullMessage = (failure: Failure, message: string): Failure =>
  failure.kind === 'device' && failure.code === 'disk-full' ? { ...failure, message } : failure

/** Explains an error of SQLite or the file system to a person: what happened, what is safe, what to do. */
export function deviceFailure(error: unknown, path: string): Failure {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const detail = error instanceof Error ? error.message : String(error)
  // SQLite reports an I/O error if there is no room for the shared memory of its connections.
  if (['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'].includes(code)) {
    return {
      kind: 'device',
      code: 'disk-full',
      message: t.failures.device.diskFull,
    }
  }
  if (
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN') ||
    code === 'EACCES' ||
    code === 'EROFS' ||
    code === 'EPERM' ||
    code === 'ENOTDIR'
  ) {
    return {
      kind: 'device',
      code: 'read-only',
      message: t.failures.device.cannotWrite(path),
    }
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED') || code === 'EBUSY') {
    return {
      kind: 'device',
      code: 'in-use',
      message: t.failures.device.inUse(path),
    }
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return {
      kind: 'device',
      code: 'damaged',
      message: t.failures.device.damaged(path),
    }
  }
  if (code.startsWith('SQLITE_IOERR') || code === 'EIO' || code === 'ENXIO') {
    return {
      kind: 'device',
      code: 'disk-error',
      message: t.failures.device.diskFails(path),
    }
  }
  return { kind: 'bug', message: detail }
}
