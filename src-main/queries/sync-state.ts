import type { HistoryPause, SyncState, SyncStatus } from '../../src-shared/model/account.ts'
import { readCursor } from '../store/cursor.ts'
import type { ReadableDb } from '../store/database.ts'

/** What the way to the server is like, from whoever keeps it. */
export interface Link {
  readonly status: 'connecting' | 'online' | 'offline' | 'unreachable' | 'signed-out' | 'incompatible'
  readonly since: number
  readonly attempt: number
  readonly lastAttemptAt: number | null
  readonly nextAttemptAt: number | null
  readonly problem: string | null
  readonly progress: number | null
  readonly historyPause: HistoryPause | null
}

/** How things stand, in the words of the screens. */
export function syncStateOf(db: ReadableDb, link: Link): Omit<SyncState, 'fileNotice'> {
  const cursor = readCursor(db)
  const rows = db.all<{ state: string; reason: string | null; n: number }>(
    'SELECT state, reason, count(*) AS n FROM outbox GROUP BY state, reason LIMIT 100',
  )
  const conflicts =
    db.get<{ n: number }>(`SELECT count(*) AS n FROM drafts WHERE state = 'conflict' AND is_deleted = 0`)
      ?.n ?? 0
  const sum = (keep: (row: { state: string; reason: string | null }) => boolean) =>
    rows.filter(keep).reduce((total, row) => total + row.n, 0)
  const waiting = sum(({ state }) => state === 'waiting' || state === 'sending' || state === 'unsure')
  const isFetching = link.progress !== null && link.historyPause === null
  const status: SyncStatus =
    link.status === 'online' ? (waiting > 0 || isFetching ? 'syncing' : 'synced') : link.status
  return {
    status,
    since: link.since,
    waiting,
    needsYou:
      conflicts +
      sum(({ state, reason }) => state === 'refused' || (state === 'unsure' && reason === 'undecided')),
    lastAttemptAt: link.lastAttemptAt,
    nextAttemptAt: link.nextAttemptAt,
    attempt: link.attempt,
    lastSyncedAt: cursor.heardAt,
    problem: link.problem,
    progress: link.progress,
    historyPause: link.historyPause,
    hasSynced: cursor.generation > 0,
  }
}
