import type { Failure } from '../../src-shared/failure.ts'

/** What a refusal of SQLite or of the file system means for a person: what happened, what is safe, what to do. */
export function deviceFailure(error: unknown, path: string): Failure {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const detail = error instanceof Error ? error.message : String(error)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return {
      kind: 'device',
      code: 'disk-full',
      message:
        'The disk is full, so this could not be saved. Everything saved before is safe. Free some space and try again.',
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
      message: `Dunlin can't write to ${path}. What is there is safe. Allow writing to that folder, or choose another with --data-dir.`,
    }
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return {
      kind: 'device',
      code: 'in-use',
      message: `Another program is using ${path}. Nothing was changed. Close it and try again.`,
    }
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return {
      kind: 'device',
      code: 'damaged',
      message: `The file ${path} is damaged. Drafts and waiting messages are taken out of it before anything else is done.`,
    }
  }
  if (code.startsWith('SQLITE_IOERR') || code === 'EIO' || code === 'ENXIO') {
    return {
      kind: 'device',
      code: 'disk-error',
      message: `The disk under ${path} does not answer properly. What was saved before is as safe as the disk is: make a copy of that folder, then check the disk.`,
    }
  }
  return { kind: 'bug', message: detail }
}
