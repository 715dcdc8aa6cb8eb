import Sqlite from 'better-sqlite3'

/**
 * Locks a file for this process alone. The system releases the lock when the process ends, however it ends, so there
 * is no stale lock to take over and no process id to confuse with another. Returns a function that releases the lock,
 * or null if another process holds it. Throws SQLite's error if the file cannot be created.
 */
export function tryLockFile(path: string): (() => void) | null {
  // SQLite uses the native file locks of all three systems, and Node has none.
  const sqlite = new Sqlite(path, { timeout: 0 })
  try {
    sqlite.exec('BEGIN EXCLUSIVE')
    return () => sqlite.close()
  } catch (error) {
    sqlite.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
