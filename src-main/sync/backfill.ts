import { apiMessage, messages, type ApiNarrowTerm } from '../../src-shared/api/messages.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { readCursor, setAside } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { idsBetween, putMessage, removeMessages } from '../store/messages.ts'
import { addRange, rangesOf } from '../store/ranges.ts'
import { messageFromApi } from './from-wire.ts'

/** How many messages one request asks for: small, so that nothing else waits long. */
const pageSize = 200
/** How many rows one transaction writes: about ten milliseconds. */
const rowsPerWrite = 40

export interface BackfillParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  reapply(db: WritableDb): void
}

/** A narrow in the server's words. */
export function termsOf(narrow: Narrow, ownUserId: UserId): ApiNarrowTerm[] {
  switch (narrow.kind) {
    case 'topic':
      return [
        { operator: 'channel', operand: narrow.channelId },
        { operator: 'topic', operand: narrow.topic },
      ]
    case 'direct':
      return [{ operator: 'dm', operand: narrow.userIds.length > 0 ? [...narrow.userIds] : [ownUserId] }]
    case 'channel':
      return [{ operator: 'channel', operand: narrow.channelId }]
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }]
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }]
    case 'combined':
      return []
  }
}

/** Where a page of history begins. */
export type PageStart =
  | { readonly kind: 'newest' }
  | { readonly kind: 'before'; readonly id: number }
  | { readonly kind: 'after'; readonly id: number }

/**
 * Fetches one page of a narrow's history and writes it; answers how many messages came. The stretch between the
 * page's ends is complete afterwards: what is here and not in the page was deleted or moved meanwhile.
 */
export async function fetchPage(parts: BackfillParts, narrow: Narrow, start: PageStart): Promise<number> {
  const { store, connection, clock, ownUserId, signal } = parts
  const cursorBefore = readCursor(store.db)
  const isAfter = start.kind === 'after'
  const answer = await connection.call(
    messages.getMessages,
    {
      anchor: start.kind === 'newest' ? 'newest' : start.id,
      include_anchor: true,
      num_before: isAfter ? 0 : pageSize,
      num_after: isAfter ? pageSize : 0,
      narrow: termsOf(narrow, ownUserId),
      apply_markdown: true,
      client_gravatar: false,
      allow_empty_topic_name: true,
    },
    { signal },
  )
  const fetched = parseMessages(store, answer.messages, clock.now())
  // Registered anew while the page was under way: it may be older than what the snapshot says.
  if (readCursor(store.db).generation !== cursorBefore.generation) return 0
  for (let from = 0; from < fetched.length; from += rowsPerWrite) {
    const rows = fetched.slice(from, from + rowsPerWrite)
    store.write((db) => {
      for (const message of rows) {
        putMessage(db, messageFromApi(message, message.flags ?? [], ownUserId), cursorBefore.generation)
      }
      parts.reapply(db)
    })
    await clock.wait(0, signal)
    if (signal.aborted) return 0
  }
  const first = fetched[0]?.id
  const last = fetched.at(-1)?.id
  store.write((db) => {
    if (first === undefined || last === undefined) {
      if (answer.found_newest && answer.found_oldest) {
        addRange(db, narrowKey(narrow), {
          oldestId: 0,
          newestId: 0,
          reachesBeginning: true,
          isLive: start.kind === 'newest',
        })
      } else if (start.kind === 'before') {
        addRange(db, narrowKey(narrow), {
          oldestId: start.id,
          newestId: start.id,
          reachesBeginning: true,
          isLive: false,
        })
      }
      return
    }
    // The ends of what was asked for belong to the stretch, whether or not a message has just that id.
    const oldestId = isAfter ? Math.min(start.id, first) : first
    const newestId = start.kind === 'before' ? Math.max(start.id, last) : last
    addRange(db, narrowKey(narrow), {
      oldestId,
      newestId,
      reachesBeginning: answer.found_oldest && !isAfter,
      // The newest page joins what events bring, as long as the queue is the one that was live when it was asked.
      isLive: answer.found_newest && (start.kind === 'newest' || isAfter),
    })
    dropVanished(db, narrow, first, last, new Set(fetched.map(({ id }) => id)), cursorBefore.generation)
    parts.reapply(db)
  })
  return fetched.length
}

/** Fetches single messages, whatever is here of them. */
export async function fetchMessages(parts: BackfillParts, ids: readonly number[]): Promise<void> {
  const { store, connection, clock, ownUserId, signal } = parts
  const answer = await connection.call(
    messages.getMessages,
    {
      message_ids: [...ids],
      apply_markdown: true,
      client_gravatar: false,
      allow_empty_topic_name: true,
    },
    { signal },
  )
  const fetched = parseMessages(store, answer.messages, clock.now())
  store.write((db) => {
    const { generation } = readCursor(db)
    // Dropped first, so that the rows are written even where events keep them live.
    removeMessages(db, ids)
    for (const message of fetched) {
      putMessage(db, messageFromApi(message, message.flags ?? [], ownUserId), generation)
    }
    parts.reapply(db)
  })
}

function parseMessages(store: Store, raw: readonly unknown[], now: number) {
  const strangers: { body: unknown; reason: string }[] = []
  const parsed = raw.flatMap((body) => {
    const message = apiMessage.safeParse(body)
    if (message.success) return [message.data]
    strangers.push({ body, reason: message.error.issues[0]?.message ?? '' })
    return []
  })
  if (strangers.length > 0) {
    store.write((db) => {
      for (const { body, reason } of strangers) setAside(db, 'message', reason, body, now)
    })
  }
  return parsed
}

/** Messages between the ends of a complete page that the page does not hold are no longer in the narrow. */
function dropVanished(
  db: WritableDb,
  narrow: Narrow,
  first: number,
  last: number,
  present: ReadonlySet<number>,
  generation: number,
): void {
  // Only narrows whose messages cannot leave without an event or a deletion tell us that something is gone.
  if (narrow.kind !== 'topic' && narrow.kind !== 'direct' && narrow.kind !== 'combined') return
  const gone = idsBetween(db, narrow, first, last, generation).filter((id) => !present.has(id))
  if (gone.length > 0) removeMessages(db, gone)
}

/** The oldest message from which a narrow is complete to the live end, or null when nothing is live. */
export function liveStretch(
  store: Store,
  narrow: Narrow,
): { oldestId: number; reachesBeginning: boolean } | null {
  const live = rangesOf(store.db, narrowKey(narrow)).find(({ isLive }) => isLive)
  return live ?? null
}
