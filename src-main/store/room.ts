import type { Store } from './database.ts'

/** As much as a long message takes, with its words in the index. */
const roomBytes = 64 * 1_024
const name = 'room'

/** Writes so much and takes it away again. Throws a `FailureError` of kind device when the disk refuses. */
export function tryRoom(store: Store): void {
  store.write((db) =>
    db.run('INSERT OR REPLACE INTO organization VALUES (?, ?)', [name, ' '.repeat(roomBytes)]),
  )
  store.write((db) => db.run('DELETE FROM organization WHERE name = ?', [name]))
}
