import type { Storage } from '../../src-shared/bridge/queries.ts'
import { isCut, mostLetters } from '../store/as-kept.ts'
import { readCursor } from '../store/cursor.ts'
import type { ReadableDb } from '../store/database.ts'
import { editedThings } from '../store/unsaved-edits.ts'
import { messageTotal } from '../store/message-words.ts'
import type { QueryContext } from './context.ts'

/** What this device stores of an account, and facts about its server. */
export function storage({ db }: QueryContext): Storage {
  const count = (sql: string) => db.get<{ n: number }>(sql)?.n ?? 0
  const { featureLevel } = readCursor(db)
  return {
    messages: messageTotal(db),
    oldestAt:
      db.get<{ sent_at: number }>('SELECT sent_at FROM messages ORDER BY message_id LIMIT 1')?.sent_at ??
      null,
    bytes: count('SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()'),
    unsent: unsentTotal(db),
    serverVersion:
      db.get<{ server_version: string }>('SELECT server_version FROM sync WHERE id = 1')?.server_version ??
      '',
    featureLevel,
  }
}

/** How many drafts, unsaved edits and changes exist only on this device, or have words that do. */
export function unsentTotal(db: ReadableDb): number {
  const row = db.get<{ n: number }>(
    `SELECT (SELECT count(*) FROM outbox WHERE state <> 'accepted')
          + (SELECT count(*) FROM drafts WHERE is_deleted = 0 AND state <> 'synced')
          + (SELECT count(*) FROM ${editedThings}) AS n`,
  )
  // Of a text that is too long for the server, the end is only here.
  const long = db.column<string>(
    `SELECT content FROM drafts WHERE is_deleted = 0 AND state = 'synced' AND length(content) > ?`,
    [mostLetters(db)],
  )
  return (row?.n ?? 0) + long.filter((content) => isCut(db, content)).length
}
