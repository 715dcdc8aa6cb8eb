import Sqlite from 'better-sqlite3'

/**
 * Holds a file for this process alone, as long as it lives: the system lets go when the process ends, however it
 * ends, so there is nothing stale to take over and no number of a process to mistake for another's. Returns how to
 * let go, or null when somebody else holds it; throws SQLite's error when the file cannot be made.
 */
export function holdExclusively(path: string): (() => void) | null {
  // SQLite's locks are the system's on all three systems, and Node has no others.
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
