import type {
  HistoryPause,
  HistoryProgress,
  LinkStatus,
  SyncState,
  SyncStatus,
} from '../../src-shared/model/account.ts'
import { readCursor } from '../store/cursor.ts'
import type { ReadableDb } from '../store/database.ts'
import { stuckSql } from '../store/outbox.ts'

/** The state of the connection, as sync reports it. */
export interface Link {
  readonly status: LinkStatus
  readonly since: number
  readonly attempt: number
  readonly lastAttemptAt: number | null
  readonly nextAttemptAt: number | null
  readonly problem: string | null
  readonly progress: HistoryProgress | null
  readonly historyPause: HistoryPause | null
}

interface Counts {
  readonly waiting: number
  readonly stuck: number
  readonly stuckMessages: number
}
const noCounts: Counts = { waiting: 0, stuck: 0, stuckMessages: 0 }
const countsSelect = `
  SELECT
    count(*) FILTER (WHERE state IN ('waiting', 'sending', 'unsure') AND NOT is_stuck) AS waiting,
    count(*) FILTER (WHERE is_stuck) AS stuck,
    count(*) FILTER (WHERE is_stuck AND name = 'send-message') AS stuckMessages
  FROM (
    SELECT name, state, ${stuckSql} AS is_stuck FROM outbox
  )`

/** The state of sync in the terms of the screens. */
export function syncStateOf(
  db: ReadableDb,
  link: Link,
): Omit<SyncState, 'fileNotice' | 'diskTrouble' | 'diskFreeBytes'> {
  const cursor = readCursor(db)
  const { waiting, stuck, stuckMessages } = db.get<Counts>(countsSelect) ?? noCounts
  const isFetching = link.progress !== null && link.historyPause === null
  const status: SyncStatus =
    link.status === 'online' ? (waiting > 0 || isFetching ? 'syncing' : 'synced') : link.status
  return {
    status,
    since: link.since,
    waiting,
    needsYou: { changes: stuck, messages: stuckMessages },
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
