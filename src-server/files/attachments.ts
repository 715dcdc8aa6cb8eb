import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiAttachment } from '../../src-shared/api/uploads.ts'
import type { FormFile } from './forms.ts'
import { imageSize } from './image-size.ts'
import { readableParameters, readableSql } from '../permissions/messages.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { writeWhole } from './whole-file.ts'
import type { UserRow, Workspace } from '../workspace.ts'

/** A row of the table of uploaded files; sizes are bytes and pixels, times epoch milliseconds. */
export interface AttachmentRow {
  readonly attachment_id: number
  readonly storage_key: string
  readonly user_id: number
  readonly name: string
  readonly path_name: string
  readonly size: number
  readonly content_type: string
  readonly created_ms: number
  readonly width: number | null
  readonly height: number | null
  readonly is_animated: number
}

const mebibyte = 1024 * 1024
/** One organization per service. */
export const organizationId = 1
const longestName = 200

/** The part of an address that identifies a file; the name after it is for people. */
const keyForm = /(?:^|\/user_uploads\/(?:thumbnail\/|download\/)?)(\d+\/[0-9a-f]{2}\/[\w-]{24})(?=\/)/

/** The part of a file's address after `/user_uploads/`. */
export const pathId = (row: Pick<AttachmentRow, 'storage_key' | 'path_name'>): string =>
  `${row.storage_key}/${row.path_name}`

/** The path of the bytes on disk. */
export const fileOf = (workspace: Workspace, row: Pick<AttachmentRow, 'storage_key'>): string =>
  join(workspace.configuration.filesDirectory, row.storage_key)

/** The file with this address, or with this part after `/user_uploads/`; undefined if there is none. */
export function attachmentAt(workspace: Workspace, path: string): AttachmentRow | undefined {
  const key = keyForm.exec(path)?.[1]
  if (key === undefined) return undefined
  return workspace.db.get<AttachmentRow>('SELECT * FROM attachments WHERE storage_key = ?', key)
}

/**
 * Refuses a file that is too large, or for which the quota has no room beside `taken` bytes. By default `taken` is the
 * size of the organization's files plus the room reserved for unfinished uploads.
 */
export function assertRoomFor(
  workspace: Workspace,
  size: number,
  taken: (workspace: Workspace) => number = (all) => spaceUsed(all) + spacePromised(all),
): void {
  const { maxUploadMib, uploadQuotaMib } = workspace.configuration
  if (size > maxUploadMib * mebibyte)
    throw badRequest(`Uploaded file is larger than the allowed limit of ${maxUploadMib} MiB`)
  if (uploadQuotaMib !== null && taken(workspace) + size > uploadQuotaMib * mebibyte)
    throw new ServiceError('REALM_UPLOAD_QUOTA', 'Upload would exceed your organization’s upload quota.')
}

/** A new path for the bytes of a file. */
export function newStorageKey(): string {
  return `${organizationId}/${randomBytes(1).toString('hex')}/${randomBytes(18).toString('base64url')}`
}

/** Stores a file and tells its owner's queues. The file is on disk when this resolves. */
export async function storeFile(workspace: Workspace, user: UserRow, file: FormFile): Promise<AttachmentRow> {
  assertRoomFor(workspace, file.bytes.length)
  const key = newStorageKey()
  const path = fileOf(workspace, { storage_key: key })
  await writeWhole(path, file.bytes)
  try {
    // Others may have used up the room meanwhile.
    assertRoomFor(workspace, file.bytes.length)
    return addAttachment(workspace, user, {
      key,
      name: file.name,
      claimedType: file.contentType,
      size: file.bytes.length,
      head: file.bytes,
    })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/**
 * Inserts the row of a file whose bytes are in place; `head` is at least its first 64 KiB. Tells the owner's queues.
 */
export function addAttachment(
  workspace: Workspace,
  user: UserRow,
  file: { key: string; name: string; claimedType: string; size: number; head: Buffer },
): AttachmentRow {
  const { db } = workspace
  const image = imageSize(file.head)
  const name = [...file.name.replace(/\p{C}/gu, '')].slice(-longestName).join('') || 'file'
  const { lastId } = db.run(
    `INSERT INTO attachments (storage_key, user_id, name, path_name, size, content_type, created_ms, width, height,
       is_animated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    file.key,
    user.user_id,
    name,
    pathName(name),
    file.size,
    image?.contentType ?? safeType(file.claimedType, name),
    workspace.clock.now(),
    image?.width ?? null,
    image?.height ?? null,
    image?.isAnimated === true ? 1 : 0,
  )
  const row = db.get<AttachmentRow>('SELECT * FROM attachments WHERE attachment_id = ?', lastId)
  if (row === undefined) throw new Error('an attachment vanished while it was added')
  publishAttachment(workspace, row, 'add')
  return row
}

/** A name in a form for addresses: letters, digits, and a few characters that need no escape in Markdown. */
function pathName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[\s/\\]+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}._-]/gu, '')
    .replace(/^[.-]+/, '')
  return plain === '' ? 'file' : plain
}

/** Types that browsers display without running anything. */
const shown: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/plain',
  log: 'text/plain',
  csv: 'text/plain',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
}

/**
 * The type of a file that is not a picture: by its name, else as the client says, but never one that a browser runs.
 */
function safeType(claimed: string, name: string): string {
  const byName = shown[/\.(\w{2,5})$/.exec(name)?.[1]?.toLowerCase() ?? '']
  if (byName !== undefined) return byName
  const plain = claimed.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return Object.values(shown).includes(plain) ? plain : 'application/octet-stream'
}

/** Whether a browser may display a file in place; any other file is only downloaded. */
export const isShownInPlace = (row: Pick<AttachmentRow, 'content_type'>): boolean =>
  row.content_type.startsWith('image/') || Object.values(shown).includes(row.content_type)

/** Whether a person may read a file: its owner may, and everyone who may read a message that links to it. */
export function mayReadFile(workspace: Workspace, viewer: UserRow, row: AttachmentRow): boolean {
  if (row.user_id === viewer.user_id) return true
  return (
    workspace.db.get(
      `SELECT 1 FROM attachment_messages am JOIN messages m ON m.message_id = am.message_id
       WHERE am.attachment_id = :attachment AND ${readableSql} LIMIT 1`,
      { ...readableParameters(workspace.db, viewer), attachment: row.attachment_id },
    ) !== undefined
  )
}

/** Whether a visitor without an account may read it: it must be linked in a web-public channel. */
export function mayAnybodyRead(workspace: Workspace, row: AttachmentRow): boolean {
  return (
    workspace.db.get(
      `SELECT 1 FROM attachment_messages am JOIN messages m ON m.message_id = am.message_id
         JOIN channels c ON c.channel_id = m.channel_id
       WHERE am.attachment_id = ? AND c.is_web_public = 1 AND c.is_archived = 0 LIMIT 1`,
      row.attachment_id,
    ) !== undefined
  )
}

/** The files that a text links to, if its author may read them. */
function filesIn(workspace: Workspace, writer: UserRow, content: string): AttachmentRow[] {
  const keys = new Set<string>()
  for (const link of content.matchAll(new RegExp(keyForm, 'g'))) if (link[1] !== undefined) keys.add(link[1])
  return [...keys]
    .map((key) => attachmentAt(workspace, `${key}/`))
    .filter((row) => row !== undefined && mayReadFile(workspace, writer, row)) as AttachmentRow[]
}

/**
 * Records which files a message links to, in the transaction that writes the message. Returns the files whose links
 * were added or removed, for `publishAttachment` after the transaction.
 */
export function recordLinkedFiles(
  workspace: Workspace,
  writer: UserRow,
  messageId: number,
  content: string,
): { begun: AttachmentRow[]; ceased: AttachmentRow[] } {
  const { db } = workspace
  const before = filesOfMessage(workspace, messageId)
  if (before.length === 0 && !content.includes('/user_uploads/')) return { begun: [], ceased: [] }
  const after = filesIn(workspace, writer, content)
  const without = (rows: readonly AttachmentRow[], others: readonly AttachmentRow[]) =>
    rows.filter((row) => !others.some((other) => other.attachment_id === row.attachment_id))
  const begun = without(after, before)
  const ceased = without(before, after)
  for (const row of begun)
    db.run('INSERT INTO attachment_messages VALUES (?, ?)', row.attachment_id, messageId)
  for (const row of ceased)
    db.run(
      'DELETE FROM attachment_messages WHERE attachment_id = ? AND message_id = ?',
      row.attachment_id,
      messageId,
    )
  return { begun, ceased }
}

/** The files that a message links to. */
export const filesOfMessage = ({ db }: Workspace, messageId: number): AttachmentRow[] =>
  db.all<AttachmentRow>(
    'SELECT a.* FROM attachment_messages am JOIN attachments a USING (attachment_id) WHERE am.message_id = ?',
    messageId,
  )

/** Whether any message links to a file. */
export const isShown = ({ db }: Workspace, row: AttachmentRow): boolean =>
  db.get('SELECT 1 FROM attachment_messages WHERE attachment_id = ? LIMIT 1', row.attachment_id) !== undefined

/** The total size of the organization's files, in bytes. */
export const spaceUsed = ({ db }: Workspace): number =>
  db.get<{ bytes: number }>('SELECT bytes FROM upload_space')?.bytes ?? 0

/** Bytes reserved by unfinished resumable uploads. */
const spacePromised = ({ db }: Workspace): number =>
  db.get<{ bytes: number }>(
    'SELECT coalesce(sum(size), 0) AS bytes FROM resumable_uploads WHERE attachment_id IS NULL',
  )?.bytes ?? 0

/** A file as the API shows it to its owner. */
export function apiAttachment({ db }: Workspace, row: AttachmentRow): ApiAttachment {
  const messages = db.all<{ message_id: number; sent_at: number }>(
    `SELECT m.message_id, m.sent_at FROM attachment_messages am JOIN messages m ON m.message_id = am.message_id
     WHERE am.attachment_id = ? ORDER BY m.message_id`,
    row.attachment_id,
  )
  return {
    id: row.attachment_id,
    name: row.name,
    path_id: pathId(row),
    size: row.size,
    create_time: row.created_ms,
    messages: messages.map(({ message_id, sent_at }) => ({ id: message_id, date_sent: sent_at * 1_000 })),
  }
}

/** Tells the owner's queues about a file as it is now. */
export function publishAttachment(workspace: Workspace, row: AttachmentRow, op: 'add' | 'update'): void {
  workspace.publish([row.user_id], {
    type: 'attachment',
    op,
    attachment: apiAttachment(workspace, row),
    upload_space_used: spaceUsed(workspace),
  })
}
