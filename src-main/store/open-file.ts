import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { deviceFailure } from './device-failure.ts'
import { migrations, type Migration } from './migrations/index.ts'

/** How long another program may hold the file before that counts as a failure, in milliseconds. */
const busyMs = 2_000
/** How much of a file is kept in memory at most, in KiB. */
const cachedKib = 16 * 1024

/** Opens and migrates the file itself, without live queries. Throws a `FailureError` of kind device. */
export function openFile(path: string, steps: readonly Migration[] = migrations): Sqlite.Database {
  try {
    refuseNewer(path, steps)
    const sqlite = new Sqlite(path)
    try {
      for (const _step of preparing(sqlite, steps));
      return sqlite
    } catch (error) {
      sqlite.close()
      throw error
    }
  } catch (error) {
    throw asDeviceFailure(error, path)
  }
}

/**
 * Creates a file with the newest schema, with a rest after each migration, so that nothing else waits for all of them.
 * Rejects with a `FailureError` of kind device. A half-migrated file is completed when it is next opened.
 */
export async function makeFile(path: string, rest: () => Promise<unknown>): Promise<Sqlite.Database> {
  try {
    const sqlite = new Sqlite(path)
    try {
      for (const _step of preparing(sqlite, migrations)) await rest()
      return sqlite
    } catch (error) {
      sqlite.close()
      throw error
    }
  } catch (error) {
    throw asDeviceFailure(error, path)
  }
}

/** An error of SQLite or the disk as a `FailureError` of kind device; a `FailureError` stays unchanged. */
export function asDeviceFailure(error: unknown, path: string): FailureError {
  return error instanceof FailureError
    ? error
    : new FailureError(deviceFailure(error, path), { cause: error })
}

/** Checks without writing: opening the file for writing would already move its log into it. */
function refuseNewer(path: string, steps: readonly Migration[]): void {
  if (!existsSync(path)) return
  const sqlite = new Sqlite(path, { readonly: true, timeout: busyMs })
  try {
    const version = Number(sqlite.pragma('user_version', { simple: true }))
    if (version > newestOf(steps)) throw newerVersion()
  } finally {
    sqlite.close()
  }
}

/** The number of the newest migration that this version knows. */
export const newestOf = (steps: readonly Migration[] = migrations): number => steps.at(-1)?.number ?? 0

/** The failure for a file of a newer version, which this version leaves alone. */
export const newerVersion = (): FailureError =>
  new FailureError({
    kind: 'device',
    code: 'newer-version',
    message: t.failures.device.newerFile,
  })

/** Prepares a connection and migrates its file; yields after each step. */
function* preparing(sqlite: Sqlite.Database, steps: readonly Migration[]): Generator<number> {
  sqlite.pragma(`busy_timeout = ${busyMs}`)
  sqlite.pragma('journal_mode = WAL')
  // With WAL, NORMAL loses nothing to a killed process; a power cut may take the last moments, never the file.
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('foreign_keys = ON')
  // All conversations and people of a large account fit, so screens that list them read nothing from the disk.
  sqlite.pragma(`cache_size = -${cachedKib}`)
  const version = Number(sqlite.pragma('user_version', { simple: true }))
  // Fails now, and not in the middle of something, if the file is read-only or locked by another program.
  sqlite.exec('BEGIN IMMEDIATE; ROLLBACK')
  for (const step of steps) {
    if (step.number <= version) continue
    sqlite.transaction(() => {
      step.up((sql) => sqlite.exec(sql))
      sqlite.pragma(`user_version = ${step.number}`)
    })()
    yield step.number
  }
}
