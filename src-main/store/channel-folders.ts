import { foldName } from '../../src-shared/model/name-match.ts'
import type { ReadableDb, WritableDb } from './database.ts'

/** A folder of channels as the cache has it. */
export interface StoredFolder {
  readonly id: number
  readonly name: string
  readonly position: number
  readonly isArchived: boolean
  readonly description: string
  /** Null if unknown. */
  readonly creatorId: number | null
}

/** Adds a folder, or replaces it. */
export function putFolder(db: WritableDb, folder: StoredFolder): void {
  db.run('INSERT OR REPLACE INTO channel_folders VALUES (?, ?, ?, ?, ?, ?)', [
    folder.id,
    folder.name,
    folder.position,
    folder.isArchived ? 1 : 0,
    folder.description,
    folder.creatorId,
  ])
}

/** Changes the given fields; a folder that is not here is ignored. */
export function updateFolder(
  db: WritableDb,
  id: number,
  change: { name?: string; isArchived?: boolean; description?: string },
): void {
  if (change.name !== undefined) {
    db.run('UPDATE channel_folders SET name = ? WHERE folder_id = ?', [change.name, id])
  }
  if (change.description !== undefined) {
    db.run('UPDATE channel_folders SET description = ? WHERE folder_id = ?', [change.description, id])
  }
  if (change.isArchived !== undefined) {
    db.run('UPDATE channel_folders SET is_archived = ? WHERE folder_id = ?', [change.isArchived ? 1 : 0, id])
  }
}

/** A folder's fields that are the same for everybody. */
export interface FolderFields {
  readonly name: string
  readonly description: string
  readonly isArchived: boolean
}

/** The fields of a folder; undefined if it is not here. */
export function folderById(db: ReadableDb, id: number): FolderFields | undefined {
  const row = db.get<{ name: string; description: string; is_archived: number }>(
    'SELECT name, description, is_archived FROM channel_folders WHERE folder_id = ?',
    [id],
  )
  return row && { name: row.name, description: row.description, isArchived: row.is_archived === 1 }
}

/** The ids of all folders, in order. */
export const folderIds = (db: ReadableDb): number[] =>
  db.column<number>('SELECT folder_id FROM channel_folders ORDER BY position, folder_id')

/** Puts the folders in this order. One that the list does not have keeps its position. */
export function orderFolders(db: WritableDb, ids: readonly number[]): void {
  for (const [position, id] of ids.entries()) {
    db.run('UPDATE channel_folders SET position = ? WHERE folder_id = ?', [position, id])
  }
}

/** Adds a folder after all others. */
export function insertFolder(
  db: WritableDb,
  folder: Pick<StoredFolder, 'id' | 'name' | 'description' | 'creatorId'>,
): void {
  const last = db.get<{ n: number | null }>('SELECT max(position) AS n FROM channel_folders')?.n ?? 0
  putFolder(db, { ...folder, position: last + 1, isArchived: false })
}

/** The id of the newest folder with these fields, to recognize one that this device created; null if there is none. */
export function newestOwnFolder(
  db: ReadableDb,
  { name, description, creatorId }: Pick<StoredFolder, 'name' | 'description' | 'creatorId'>,
): number | null {
  const own = db
    .all<{ id: number; name: string }>(
      `SELECT folder_id AS id, name FROM channel_folders WHERE folder_id > 0 AND description = ? AND creator_id = ?
         AND is_archived = 0 ORDER BY folder_id DESC`,
      [description, creatorId],
    )
    .find((folder) => foldName(folder.name) === foldName(name))
  return own?.id ?? null
}

/** Gives a folder and its channels another id; a folder that already has that id stays unchanged. */
export function renumberFolder(db: WritableDb, from: number, to: number): void {
  db.run('UPDATE OR IGNORE channel_folders SET folder_id = ? WHERE folder_id = ?', [to, from])
  db.run('UPDATE channels SET folder_id = ? WHERE folder_id = ?', [to, from])
  removeFolder(db, from)
}

/** Removes a folder; its channels are in none then. */
export function removeFolder(db: WritableDb, id: number): void {
  db.run('DELETE FROM channel_folders WHERE folder_id = ?', [id])
  db.run('UPDATE channels SET folder_id = NULL WHERE folder_id = ?', [id])
}

/** Removes every folder; channels keep the id of theirs. */
export function removeAllFolders(db: WritableDb): void {
  db.run('DELETE FROM channel_folders')
}
