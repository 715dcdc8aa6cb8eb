import type { ApiChannelFolder } from '../../src-shared/api/channels.ts'
import { renderedDescription } from './channels.ts'
import { badRequest } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'

export const longestFolderName = 60
export const longestFolderDescription = 1_024

/** A row of the table of channel folders; flags are 0 or 1, times epoch seconds. */
export interface FolderRow {
  readonly folder_id: number
  readonly name: string
  readonly description: string
  readonly position: number
  readonly date_created: number
  readonly creator_id: number | null
  readonly is_archived: number
}

/** A folder as the API shows it. */
export const apiFolder = (workspace: Workspace, user: UserRow, row: FolderRow): ApiChannelFolder => ({
  id: row.folder_id,
  name: row.name,
  description: row.description,
  rendered_description: renderedDescription(workspace, user, row.description),
  order: row.position,
  date_created: row.date_created,
  creator_id: row.creator_id,
  is_archived: row.is_archived === 1,
})

/** Every folder, in the organization's order. */
export const allFolders = (workspace: Workspace): FolderRow[] =>
  workspace.db.all<FolderRow>('SELECT * FROM channel_folders ORDER BY position, folder_id')

/** The folder with this id; refuses an unknown id. */
export function existingFolder(workspace: Workspace, id: number): FolderRow {
  const row = workspace.db.get<FolderRow>('SELECT * FROM channel_folders WHERE folder_id = ?', id)
  if (row === undefined) throw badRequest('Invalid channel folder ID')
  return row
}

/** The folder, if channels can be put into it; null means no folder. */
export function checkedFolder(workspace: Workspace, folderId: number | null): number | null {
  if (folderId === null) return null
  if (existingFolder(workspace, folderId).is_archived === 1) throw badRequest('Channel folder is archived.')
  return folderId
}

/** A name in its stored form; refuses one that is empty, too long or unprintable. */
export function checkedFolderName(wanted: string): string {
  const name = wanted.trim()
  if (name === '') throw badRequest("Channel folder name can't be empty.")
  if ([...name].length > longestFolderName) {
    throw badRequest(`Channel folder name too long (limit: ${longestFolderName} characters).`)
  }
  if (/\p{Cc}|\p{Cs}|\p{Cn}/u.test(name)) throw badRequest('Invalid character in channel folder name.')
  return name
}

/** Refuses a name that an active folder already has, regardless of case. */
export function assertFreeFolderName(workspace: Workspace, name: string, ownId?: number): void {
  const key = name.toLowerCase()
  const taken = allFolders(workspace).some(
    (row) => row.is_archived === 0 && row.folder_id !== ownId && row.name.toLowerCase() === key,
  )
  if (taken) throw badRequest(`Channel folder '${name}' already exists.`)
}

/** A description in its stored form; refuses one that is too long. */
export function checkedFolderDescription(wanted: string): string {
  const description = wanted.trim()
  if ([...description].length > longestFolderDescription) {
    throw badRequest(`description is too long (limit: ${longestFolderDescription} characters)`)
  }
  return description
}
