import type { Count, Diagnostics, FileHealth, SetAside } from '../../src-shared/model/diagnostics.ts'
import { missingAt } from '../../src-shared/model/server-abilities.ts'
import { knownLevel, readCursor } from '../store/cursor.ts'
import type { ReadableDb } from '../store/database.ts'
import { checkedKey } from '../store/ranges.ts'

/** Counts stop here, because this query runs again after every message. */
const mostCounted = 50_000
const mostKinds = 200

/** The state of the account's file and its sync. Contains no text that anybody wrote. */
export function diagnostics({
  db,
  fileHealth,
}: {
  readonly db: ReadableDb
  readonly fileHealth: () => FileHealth
}): Diagnostics {
  const cursor = readCursor(db)
  const number = (sql: string) => db.get<{ n: number }>(sql)?.n ?? 0
  const counts = (sql: string) => db.all<Count>(`${sql} LIMIT ${mostKinds}`)
  const messages = number(`SELECT count(*) AS n FROM (SELECT 1 FROM messages LIMIT ${mostCounted + 1})`)
  return {
    server: {
      featureLevel: cursor.featureLevel,
      version: db.get<{ version: string }>('SELECT server_version AS version FROM sync')?.version ?? '',
      missing: missingAt(knownLevel(db)),
    },
    queue: {
      isRegistered: cursor.queueId !== null,
      lastEventId: cursor.lastEventId,
      generation: cursor.generation,
      heardAt: cursor.heardAt,
    },
    messages: {
      count: Math.min(messages, mostCounted),
      isMore: messages > mostCounted,
      ranges: db.all(
        `SELECT CASE instr(narrow_key, ':') WHEN 0 THEN narrow_key
                  ELSE substr(narrow_key, 1, instr(narrow_key, ':') - 1) END AS name,
           count(*) AS count, sum(is_live) AS live
         FROM ranges WHERE substr(narrow_key, 1, length(?1)) <> ?1 GROUP BY 1 ORDER BY 1 LIMIT ${mostKinds}`,
        // They repeat stretches of topics and channels.
        { 1: checkedKey('') },
      ),
    },
    outbox: counts('SELECT state AS name, count(*) AS count FROM outbox GROUP BY state ORDER BY state'),
    drafts: counts(
      `SELECT CASE is_deleted WHEN 1 THEN 'ended' ELSE state END AS name, count(*) AS count
       FROM drafts GROUP BY 1 ORDER BY 1`,
    ),
    versions: number('SELECT count(*) AS n FROM draft_versions'),
    setAside: db.all<SetAside>(
      `SELECT what, reason, sum(times) AS count, max(received_at) AS lastAt
       FROM set_aside GROUP BY what, reason ORDER BY max(number) DESC LIMIT ${mostKinds}`,
    ),
    file: {
      ...fileHealth(),
      bytes: number('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size'),
      form: number('SELECT user_version AS n FROM pragma_user_version'),
      // A keystroke stores the change number in the draft's own row.
      ownChanges: number(
        'SELECT max(number, (SELECT coalesce(max(change_number), 0) FROM drafts)) AS n FROM own_changes',
      ),
    },
  }
}
