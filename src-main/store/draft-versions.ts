import type { DraftId } from '../../src-shared/ids.ts'
import type { DraftContent, DraftRecipient, DraftVersion } from '../../src-shared/model/draft.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { recipientFromText, recipientText } from './draft-json.ts'
import type { StoredDraft } from './drafts.ts'

/** Makes the versions of an ended draft those of a draft that goes on with its words; `to` has none of its own. */
export function reviveVersions(db: WritableDb, from: DraftId, to: DraftId): void {
  db.run(
    `UPDATE draft_versions
     SET draft_id = ?2, ended_at = NULL, origin = CASE origin WHEN 'sent' THEN 'here' ELSE origin END
     WHERE draft_id = ?1 AND ended_at IS NOT NULL`,
    { 1: from, 2: to },
  )
}

/**
 * Makes the versions of a draft those of another that is the same draft; `from` ends without a history of its own. They
 * come before those of `to`, with numbers below 1, because nothing of them changed the text of `to`.
 */
export function joinVersions(db: WritableDb, from: StoredDraft, to: DraftId): void {
  const textOf = ({ recipient, content }: DraftContent) => JSON.stringify([recipientText(recipient), content])
  const there = new Set(versionsOf(db, to).map(textOf))
  const last = { ...from.local, origin: 'here', savedAt: from.editedAt } as const
  const versions = versionsOf(db, from.id)
  const isKept = versions.some((version) => textOf(version) === textOf(last))
  const oldest = db.get<{ number: number | null }>(
    'SELECT min(number) AS number FROM draft_versions WHERE draft_id = ?',
    [to],
  )
  let number = Math.min(1, oldest?.number ?? 1)
  for (const version of isKept ? versions : [last, ...versions])
    if (!there.has(textOf(version))) insertVersion(db, to, { ...version, number: --number })
  db.run('DELETE FROM draft_versions WHERE draft_id = ?', [from.id])
}

/**
 * Stores a version unless it equals the newest one of its draft, of which is only noted that it was sent; a version from
 * following a topic is always stored.
 */
export function addVersion(
  db: WritableDb,
  id: DraftId,
  content: DraftContent,
  origin: DraftVersion['origin'],
  savedAt: number,
): void {
  const newest = newestRow(db, id)
  const recipient = recipientText(content.recipient)
  const isSame = newest?.recipient === recipient && newest.content === content.content
  if (isSame && origin === 'sent') {
    db.run('UPDATE draft_versions SET origin = ? WHERE draft_id = ? AND number = ?', [
      origin,
      id,
      newest.number,
    ])
  }
  if (isSame && origin !== 'followed') return
  insertVersion(db, id, { ...content, number: (newest?.number ?? 0) + 1, origin, savedAt })
}

function insertVersion(db: WritableDb, id: DraftId, version: DraftVersion): void {
  db.run(
    `INSERT INTO draft_versions (draft_id, number, recipient, content, saved_at, origin, ended_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6,
       CASE WHEN EXISTS (SELECT 1 FROM drafts WHERE draft_id = ?1 AND is_deleted = 1) THEN ${endTime('?5')} END)`,
    {
      1: id,
      2: version.number,
      3: recipientText(version.recipient),
      4: version.content,
      5: version.savedAt,
      6: version.origin,
    },
  )
}

interface VersionRow {
  readonly number: number
  readonly recipient: string
  readonly content: string
  readonly saved_at: number
  readonly origin: DraftVersion['origin']
}

const newestRow = (db: ReadableDb, id: DraftId): VersionRow | undefined =>
  db.get('SELECT * FROM draft_versions WHERE draft_id = ? ORDER BY number DESC LIMIT 1', [id])

/** Newest first. */
export function versionsOf(db: ReadableDb, id: DraftId): DraftVersion[] {
  return db
    .all<VersionRow>('SELECT * FROM draft_versions WHERE draft_id = ? ORDER BY number DESC LIMIT 500', [id])
    .map((row) => ({
      number: row.number,
      recipient: recipientFromText(row.recipient),
      content: row.content,
      savedAt: row.saved_at,
      origin: row.origin,
    }))
}

/** The recipient from which a draft last followed its topic; null once the person has written in the draft since. */
export function recipientBeforeMove(db: ReadableDb, { id, editedAt }: StoredDraft): DraftRecipient {
  // A save, and the echo of another device's save, may have added versions after it.
  const row = db.get<{ recipient: string }>(
    `SELECT recipient FROM
       (SELECT * FROM draft_versions WHERE draft_id = ? ORDER BY number DESC LIMIT 3)
     WHERE origin = 'followed' AND saved_at >= ? ORDER BY number DESC LIMIT 1`,
    [id, editedAt],
  )
  return row === undefined ? null : recipientFromText(row.recipient)
}

/** The number of the last version with which another device changed a draft, if it is one of the newest four. */
export const lastElsewhere = (db: ReadableDb, id: DraftId): number | null =>
  // With a version from elsewhere, up to two others are stored: what was here, and both merged.
  db.get<{ number: number }>(
    `SELECT number FROM (SELECT * FROM draft_versions WHERE draft_id = ? ORDER BY number DESC LIMIT 4)
     WHERE origin = 'elsewhere' AND number > 0 ORDER BY number DESC LIMIT 1`,
    [id],
  )?.number ?? null

/** Whether a draft once followed a topic away from this recipient. */
export function hasFollowedFrom(db: ReadableDb, id: DraftId, recipient: DraftRecipient): boolean {
  return (
    db.get(`SELECT 1 FROM draft_versions WHERE draft_id = ? AND origin = 'followed' AND recipient = ?`, [
      id,
      recipientText(recipient),
    ]) !== undefined
  )
}

/** Gives the versions of ended drafts whose recipient `isMeant` another one: restored, they are for that. */
export function readdressEnded(
  db: WritableDb,
  isMeant: (recipient: DraftRecipient) => boolean,
  to: DraftRecipient,
): void {
  const recipients = db.column<string>(
    'SELECT DISTINCT recipient FROM draft_versions WHERE ended_at IS NOT NULL',
  )
  for (const recipient of recipients)
    if (isMeant(recipientFromText(recipient)))
      db.run('UPDATE draft_versions SET recipient = ? WHERE recipient = ? AND ended_at IS NOT NULL', [
        recipientText(to),
        recipient,
      ])
}

/**
 * Marks the versions of a draft as ended; the time for which they are kept counts from `now`, or from when the server
 * was last heard, if this device's clock is behind that.
 */
export function endVersions(db: WritableDb, id: DraftId, now: number): void {
  db.run(`UPDATE draft_versions SET ended_at = ${endTime('?')} WHERE draft_id = ? AND ended_at IS NULL`, [
    now,
    id,
  ])
}

const endTime = (now: string) => `max(${now}, coalesce((SELECT server_heard_at FROM sync WHERE id = 1), 0))`

/**
 * What a draft became was discarded: it counts as a draft that was deleted now, with these words as the last. No draft
 * with this id may go on.
 */
export function keepDiscarded(db: WritableDb, id: DraftId, words: DraftContent, now: number): void {
  db.run(`UPDATE draft_versions SET origin = 'here' WHERE draft_id = ? AND origin = 'sent'`, [id])
  addVersion(db, id, words, 'here', now)
  db.run(`UPDATE draft_versions SET ended_at = ${endTime('?')} WHERE draft_id = ?`, [now, id])
}

/** An ended draft whose last words these are was sent after all. */
export function countAsSent(db: WritableDb, id: DraftId, content: string): void {
  // Read first: this runs again with each batch of events, and mostly changes nothing.
  const newest = newestRow(db, id)
  if (newest?.content !== content || newest.origin === 'sent' || newest.origin === 'followed') return
  db.run(`UPDATE draft_versions SET origin = 'sent' WHERE draft_id = ? AND number = ?`, [id, newest.number])
}

/** Deletes versions of drafts that ended longer than `keepMs` before `now`, which is the server's time. */
export function dropOldVersions(db: WritableDb, now: number, keepMs: number): void {
  // The versions of a draft that was merged into another were never marked as ended.
  db.run(
    'UPDATE draft_versions SET ended_at = ? WHERE ended_at IS NULL AND draft_id NOT IN (SELECT draft_id FROM drafts)',
    [now],
  )
  db.run('DELETE FROM draft_versions WHERE ended_at < ?', [now - keepMs])
}
