import type { Store } from './database.ts'

/** The size of a long message together with its words in the index. */
const roomBytes = 64 * 1_024
const name = 'room'

/** Writes that many bytes and removes them. Throws a `FailureError` of kind device if the disk refuses. */
export function probeDiskSpace(store: Store): void {
  store.write((db) =>
    db.run('INSERT OR REPLACE INTO organization VALUES (?, ?)', [name, ' '.repeat(roomBytes)]),
  )
  store.write((db) => db.run('DELETE FROM organization WHERE name = ?', [name]))
}
