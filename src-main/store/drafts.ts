import { draftId, serverDraftId, type DraftId, type ServerDraftId } from '../../src-shared/ids.ts'
import type { DraftContent, DraftState } from '../../src-shared/model/draft.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { recipientFromText, recipientText, refusalFromText, type DraftRefusal } from './draft-json.ts'
import { addVersion, endVersions, reviveVersions } from './draft-versions.ts'

/** A draft as stored on disk; see the diagram in drafts/drafts.ts. */
export interface StoredDraft {
  readonly id: DraftId
  readonly serverId: ServerDraftId | null
  readonly state: DraftState
  readonly local: DraftContent
  /** The content on which this device and the server last agreed. */
  readonly base: DraftContent | null
  /** The other device's version, during a conflict. */
  readonly remote: DraftContent | null
  readonly remoteEditedAt: number | null
  /** The server's content during a conflict: `remote`, unless we saved after it. */
  readonly onServer: DraftContent | null
  /** The content of a request whose echo has not arrived. */
  readonly saving: DraftContent | null
  /** What the server last refused, and its reason, in its own words. */
  readonly refusal: DraftRefusal | null
  readonly createdAt: number
  readonly editedAt: number
  readonly isDeleted: boolean
  readonly attempts: number
  readonly nextAttemptAt: number | null
}

interface DraftRow {
  draft_id: string
  server_id: number | null
  state: DraftState
  recipient: string
  content: string
  base_recipient: string | null
  base_content: string | null
  remote_recipient: string | null
  remote_content: string | null
  remote_edited_at: number | null
  server_recipient: string | null
  server_content: string | null
  saving_recipient: string | null
  saving_content: string | null
  refusal: string | null
  created_at: number
  edited_at: number
  is_deleted: number
  attempts: number
  next_attempt_at: number | null
}

function contentFromColumns(recipient: string | null, content: string | null): DraftContent | null {
  return recipient === null || content === null ? null : { recipient: recipientFromText(recipient), content }
}

function draftFromRow(row: DraftRow): StoredDraft {
  return {
    id: draftId(row.draft_id),
    serverId: row.server_id === null ? null : serverDraftId(row.server_id),
    state: row.state,
    local: { recipient: recipientFromText(row.recipient), content: row.content },
    base: contentFromColumns(row.base_recipient, row.base_content),
    remote: contentFromColumns(row.remote_recipient, row.remote_content),
    remoteEditedAt: row.remote_edited_at,
    onServer: contentFromColumns(row.server_recipient, row.server_content),
    saving: contentFromColumns(row.saving_recipient, row.saving_content),
    refusal: row.refusal === null ? null : refusalFromText(row.refusal),
    createdAt: row.created_at,
    editedAt: row.edited_at,
    isDeleted: row.is_deleted === 1,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
  }
}

/** Every draft, newest first; includes drafts that were deleted here but not yet on the server. */
export function allDrafts(db: ReadableDb): StoredDraft[] {
  return db.all<DraftRow>('SELECT * FROM drafts ORDER BY edited_at DESC, draft_id').map(draftFromRow)
}

/** The drafts in one of these states, including those deleted here. */
export function draftsIn(db: ReadableDb, ...states: DraftState[]): StoredDraft[] {
  return db
    .all<DraftRow>('SELECT * FROM drafts WHERE state IN (SELECT value FROM json_each(?))', [
      JSON.stringify(states),
    ])
    .map(draftFromRow)
}

/** Drafts that the server does not have, or that it has without telling this device their id. */
export function draftsWithoutServer(db: ReadableDb): StoredDraft[] {
  return db
    .all<DraftRow>('SELECT * FROM drafts WHERE server_id IS NULL ORDER BY edited_at DESC, draft_id')
    .map(draftFromRow)
}

/** Drafts that need a request: to save them, to look them up or to delete them. */
export function draftsUnsettled(db: ReadableDb): StoredDraft[] {
  return db
    .all<DraftRow>(
      `SELECT * FROM drafts WHERE state IN ('edited', 'saving', 'unsure') OR is_deleted = 1
       ORDER BY edited_at DESC, draft_id`,
    )
    .map(draftFromRow)
}

/** Drafts whose text contains these words. */
export function draftsWith(db: ReadableDb, words: string): StoredDraft[] {
  return db
    .all<DraftRow>('SELECT * FROM drafts WHERE is_deleted = 0 AND instr(content, ?) > 0', [words])
    .map(draftFromRow)
}

/** Whether a draft, a version of one, an unsaved edit or a change in the outbox contains these words. */
export function isInOwnWords(db: ReadableDb, words: string): boolean {
  return (
    db.get(
      `SELECT 1 FROM drafts WHERE instr(content, ?1) > 0
       UNION ALL SELECT 1 FROM draft_versions WHERE instr(content, ?1) > 0
       UNION ALL SELECT 1 FROM unsaved_edits WHERE instr(content, ?1) > 0
       UNION ALL SELECT 1 FROM outbox WHERE instr(payload, ?1) > 0`,
      { 1: words },
    ) !== undefined
  )
}

/** Whether drafts that ended contain these words, and nothing that a person still writes or sends. */
export function isInEndedWords(db: ReadableDb, words: string): boolean {
  const isIn = (rows: string) => db.get(`SELECT 1 FROM ${rows} LIMIT 1`, [words]) !== undefined
  return (
    isIn('draft_versions WHERE ended_at IS NOT NULL AND instr(content, ?) > 0') &&
    !isIn('outbox WHERE instr(payload, ?) > 0') &&
    !isIn('unsaved_edits WHERE instr(content, ?) > 0') &&
    !isIn('drafts WHERE is_deleted = 0 AND instr(content, ?) > 0') &&
    !isIn('draft_versions WHERE ended_at IS NULL AND instr(content, ?) > 0')
  )
}

/** Drafts that agree with the server, were written in the same second (epoch milliseconds) and have this content. */
export function draftsSyncedAt(db: ReadableDb, editedAt: number, words: string): StoredDraft[] {
  const second = Math.floor(editedAt / 1000) * 1000
  return db
    .all<DraftRow>(
      `SELECT * FROM drafts WHERE state = 'synced' AND is_deleted = 0 AND server_id IS NOT NULL
         AND edited_at >= ? AND edited_at < ? AND instr(content, ?) > 0`,
      [second, second + 1000, words],
    )
    .map(draftFromRow)
}

/** Ends all waits before retries: every draft may be sent at once. */
export function forgetDraftWaits(db: WritableDb): void {
  db.run('UPDATE drafts SET next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL')
}

/** The fields of a draft without a conflict. */
export const noConflict = { remote: null, remoteEditedAt: null, onServer: null } as const

/** A draft, also one that ended and is not deleted on the server yet; undefined if it is not here. */
export function draftById(db: ReadableDb, id: DraftId): StoredDraft | undefined {
  const row = db.get<DraftRow>('SELECT * FROM drafts WHERE draft_id = ?', [id])
  return row && draftFromRow(row)
}

/** The same, by the server's id. */
export function draftByServerId(db: ReadableDb, id: number): StoredDraft | undefined {
  const row = db.get<DraftRow>('SELECT * FROM drafts WHERE server_id = ?', [id])
  return row && draftFromRow(row)
}

/** The columns whose values `putDraft` gives, in its order, after those that identify the row. */
const keptColumns: readonly (keyof DraftRow | 'change_number')[] = [
  'state',
  'recipient',
  'content',
  'base_recipient',
  'base_content',
  'remote_recipient',
  'remote_content',
  'remote_edited_at',
  'server_recipient',
  'server_content',
  'saving_recipient',
  'saving_content',
  'refusal',
  'created_at',
  'edited_at',
  'is_deleted',
  'attempts',
  'next_attempt_at',
  'change_number',
]
// Built once. An existing row is updated in place, so that its index entries stay as they are.
const updateDraftSql = `UPDATE drafts SET ${keptColumns.map((column) => `${column} = ?`).join(', ')}
  WHERE draft_id = ? AND server_id IS ?`
const insertDraftSql = `INSERT OR REPLACE INTO drafts (${keptColumns.join(', ')}, draft_id, server_id)
  VALUES (${keptColumns.map(() => '?').join(', ')}, ?, ?)`

/** Writes the whole row, new or not. */
export function putDraft(db: WritableDb, draft: StoredDraft): void {
  const { base, remote, onServer, saving } = draft
  const values = [
    draft.state,
    recipientText(draft.local.recipient),
    draft.local.content,
    base && recipientText(base.recipient),
    base && base.content,
    remote && recipientText(remote.recipient),
    remote && remote.content,
    draft.remoteEditedAt,
    onServer && recipientText(onServer.recipient),
    onServer && onServer.content,
    saving && recipientText(saving.recipient),
    saving && saving.content,
    draft.refusal && JSON.stringify(draft.refusal),
    draft.createdAt,
    draft.editedAt,
    draft.isDeleted ? 1 : 0,
    draft.attempts,
    draft.nextAttemptAt,
    db.changeNumber,
    draft.id,
    draft.serverId,
  ]
  if (db.run(updateDraftSql, values) === 0) db.run(insertDraftSql, values)
}

/**
 * Writes a draft's new content and nothing else of its row. Most keystrokes are that, for callers who know the rest of
 * the row. Returns false, with nothing written, if there is no such draft.
 */
export function updateDraftText(db: WritableDb, id: DraftId, content: string, now: number): boolean {
  const changed = db.run(
    'UPDATE drafts SET content = ?, edited_at = ?, change_number = ? WHERE draft_id = ?',
    [content, now, db.changeNumber, id],
  )
  if (changed === 1) db.draftTyped(id)
  return changed === 1
}

/** Writes a draft that the server does not know yet. An ended draft is revived together with its versions. */
export function insertDraft(
  db: WritableDb,
  id: DraftId,
  local: DraftContent,
  state: 'edited' | 'local-only',
  now: number,
): StoredDraft {
  const draft: StoredDraft = {
    id,
    serverId: null,
    state,
    local,
    base: null,
    ...noConflict,
    saving: null,
    refusal: null,
    createdAt: now,
    editedAt: now,
    isDeleted: false,
    attempts: 0,
    nextAttemptAt: null,
  }
  putDraft(db, draft)
  reviveVersions(db, id, id)
  return draft
}

/** Removes a draft; its versions stay. */
export function removeDraft(db: WritableDb, id: DraftId): void {
  db.run('DELETE FROM drafts WHERE draft_id = ?', [id])
}

/**
 * Ends a draft because it was sent (`endSentDraft`) or deleted here. Its last content becomes a version, and the row
 * stays only as long as the server may still have the draft.
 */
export function endDraft(db: WritableDb, id: DraftId, now: number, origin: 'here' | 'sent' = 'here'): void {
  const draft = draftById(db, id)
  if (draft === undefined || draft.isDeleted) return
  if (draft.local.content !== '') addVersion(db, id, draft.local, origin, now)
  endVersions(db, id, now)
  if (draft.serverId === null && draft.saving === null) {
    removeDraft(db, id)
    return
  }
  putDraft(db, {
    ...draft,
    isDeleted: true,
    base: draft.onServer ?? draft.base,
    ...noConflict,
    attempts: 0,
    nextAttemptAt: null,
  })
}

/**
 * Redirects drafts and their versions from one channel to another, or to no recipient. Only for a channel that no
 * server knows: the server's copies of the drafts stay unchanged.
 */
export function readdressDrafts(db: WritableDb, from: number, to: number | null): void {
  const recipient = to === null ? `'null'` : `json_set(recipient, '$.channelId', ${to})`
  const isMeant = `CASE WHEN json_valid(recipient) THEN json_extract(recipient, '$.channelId') = ? END`
  db.run(`UPDATE drafts SET recipient = ${recipient}, change_number = ? WHERE ${isMeant}`, [
    db.changeNumber,
    from,
  ])
  db.run(`UPDATE draft_versions SET recipient = ${recipient} WHERE ${isMeant}`, [from])
}
