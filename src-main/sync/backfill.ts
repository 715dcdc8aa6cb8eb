import { messages } from '../../src-shared/api/messages.ts'
import type { OutputOf } from '../../src-shared/api/endpoint.ts'
import { chunk } from '../../src-shared/basics.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { narrowTerms } from '../api/narrow-terms.ts'
import { isSubscribed } from '../store/channels.ts'
import { readCursor } from '../store/cursor.ts'
import type { ReadableDb, Store, WritableDb } from '../store/database.ts'
import { noteHistoryLimit } from '../store/history-limits.ts'
import { newestIn, putMessage, replaceMessage } from '../store/messages.ts'
import { isLiveMessage, staleBetween } from '../store/stale-messages.ts'
import { addRange, checkedKey, rangesOf, type Range } from '../store/ranges.ts'
import type { RequestsInFlight } from './requests-in-flight.ts'
import { fetchMessages } from './fetch-messages.ts'
import { messageFromApi } from './from-wire.ts'
import {
  idsOf,
  mostTries,
  noteReceipt,
  noteUnreadable,
  readMessages,
  rowsAtOnce,
  type ReadMessages,
} from './read-messages.ts'

/** How many messages are fetched at once while a person waits. */
const pageSize = 200
/** Higher than every id that JavaScript can hold. */
const beyondAllIds = Number.MAX_SAFE_INTEGER

/** What fetching history needs from the other parts of sync. */
export interface BackfillParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  readonly requestsInFlight: RequestsInFlight
  /** Last in a transaction: reapplies the local effects of waiting changes. */
  reapply(): void
}

/** The point from which a page of history is fetched. */
export type PageStart =
  | { readonly kind: 'newest' }
  | { readonly kind: 'before'; readonly id: number }
  | { readonly kind: 'after'; readonly id: number }

/**
 * Fetches one page of a narrow's history and writes it; returns how many messages it had. Afterwards the range between
 * the page's ends is complete and agrees with the server. Messages here that the page lacks are fetched by id, because
 * they may have been deleted or moved. The page is written piece by piece from where it begins. Each piece is a
 * complete range, so that nobody who looks meanwhile sees holes in it.
 */
export async function fetchPage(
  parts: BackfillParts,
  narrow: Narrow,
  start: PageStart,
  size = pageSize,
): Promise<number> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const written = await tryPage(parts, narrow, start, size)
    if (written !== null) return written
  }
  return 0
}

type Page = OutputOf<typeof messages.getMessages>

/** One attempt; null if a registration or an event overtook the answer. */
async function tryPage(
  parts: BackfillParts,
  narrow: Narrow,
  start: PageStart,
  size: number,
): Promise<number | null> {
  const { store, connection, clock, ownUserId, signal } = parts
  const { generation } = readCursor(store.db)
  const isAfter = start.kind === 'after'
  const request = parts.requestsInFlight.begin()
  try {
    const page = await connection.call(
      messages.getMessages,
      {
        anchor: start.kind === 'newest' ? 'newest' : start.id,
        include_anchor: true,
        num_before: isAfter ? 0 : size,
        num_after: isAfter ? size : 0,
        narrow: narrowTerms(narrow, ownUserId),
        apply_markdown: true,
        client_gravatar: false,
        allow_empty_topic_name: true,
      },
      { signal },
    )
    if (signal.aborted) return 0
    const present = new Set(idsOf(page.messages))
    // Parses all of it before the first write, so that the time between two writes is as short as possible.
    const read: (Piece & ReadMessages)[] = []
    const limit = page.history_limited
      ? Math.min(...present, start.kind === 'newest' ? beyondAllIds : start.id)
      : null
    for (const piece of piecesOf(page, start, newestIn(store.db, { kind: 'combined' }))) {
      read.push({ ...piece, ...(await readMessages(parts, piece.raw)) })
      if (signal.aborted) return 0
    }
    for (const { raw, stretch, ...came } of read) {
      if (request.isOvertaken || readCursor(store.db).generation !== generation) return null
      const doubtful = store.write((db) => {
        noteUnreadable(db, came, clock.now())
        for (const message of came.understood) {
          // Events mentioned it while the page was under way: it is fetched by id below.
          if (request.touched.has(message.id)) continue
          const put = isHeard(db, message.stream_id) ? putMessage : replaceMessage
          put(db, messageFromApi(message, message.flags ?? [], ownUserId), generation)
        }
        noteReceipt(db, came.understood)
        if (limit !== null) noteHistoryLimit(db, narrowKey(narrow), limit)
        parts.reapply()
        if (stretch === null) return []
        const { first, last } = stretch.covers
        const unsure = [
          ...idsOf(raw).filter((id) => request.touched.has(id) && !isLiveMessage(db, id, generation)),
          ...staleBetween(db, narrow, first, last, confirmedFrom(db, narrow, generation)).filter(
            (id) => !present.has(id),
          ),
        ]
        if (unsure.length === 0) keepRange(db, narrow, stretch.range)
        return unsure
      })
      if (stretch !== null && doubtful.length > 0) {
        await fetchMessages(parts, doubtful)
        if (signal.aborted) return 0
        if (request.isOvertaken || readCursor(store.db).generation !== generation) return null
        store.write((db) => keepRange(db, narrow, stretch.range))
      }
      await clock.wait(0, signal)
      if (signal.aborted) return 0
    }
    return present.size
  } finally {
    request.end()
  }
}

/** Whether events keep a channel's messages up to date, as they do outside of channels. */
const isHeard = (db: ReadableDb, channelId: number | undefined): boolean =>
  channelId === undefined || isSubscribed(db, channelId)

const isUnheard = (db: ReadableDb, narrow: Narrow): boolean =>
  'channelId' in narrow && !isHeard(db, narrow.channelId)

/** From which generation on a narrow's messages need no comparison; where no events come, all do. */
const confirmedFrom = (db: ReadableDb, narrow: Narrow, generation: number): number =>
  isUnheard(db, narrow) ? beyondAllIds : generation

function keepRange(db: WritableDb, narrow: Narrow, range: Range): void {
  // Messages from events since the page was made are newer than its end, and nothing lies between.
  const isExtended = range.isLive && !isUnheard(db, narrow)
  const newestId = isExtended ? Math.max(range.newestId, newestIn(db, narrow)) : range.newestId
  addRange(db, narrowKey(narrow), { ...range, newestId })
  if (narrow.kind === 'topic' || narrow.kind === 'channel') addRange(db, checkedKey(narrowKey(narrow)), range)
}

/** A range, and the ids between which a page is authoritative. */
interface Stretch {
  readonly range: Range
  readonly covers: { readonly first: number; readonly last: number }
}

/** Consecutive messages of a page, unparsed, and the range that is complete with them; null if there is none. */
interface Piece {
  readonly raw: readonly unknown[]
  readonly stretch: Stretch | null
}

/**
 * Splits a page into pieces, from where it begins. Each piece reaches to the one before it. `newestHere` is the newest
 * message on this device.
 */
function piecesOf(page: Page, start: PageStart, newestHere: number): Piece[] {
  const isAfter = start.kind === 'after'
  const idOf = (raw: unknown) => idsOf([raw])[0] ?? 0
  const inOrder = page.messages.toSorted((a, b) => (isAfter ? idOf(a) - idOf(b) : idOf(b) - idOf(a)))
  const parts = inOrder.length === 0 ? [[]] : chunk(inOrder, rowsAtOnce)
  let from = start
  return parts.map((raw, index) => {
    const isFirst = index === 0
    const isLast = index === parts.length - 1
    // What a plan hides is older than the page.
    const found_oldest = page.found_oldest && !page.history_limited && isLast
    const found_newest = page.found_newest && (isAfter ? isLast : isFirst)
    const stretch = stretchOf({ ids: idsOf(raw), found_oldest, found_newest }, from, newestHere)
    if (stretch !== null)
      from = isAfter
        ? { kind: 'after', id: stretch.range.newestId }
        : { kind: 'before', id: stretch.range.oldestId }
    return { raw, stretch }
  })
}

/** The range that a page, or a piece of one, completes; null if it completes none. */
function stretchOf(
  page: Pick<Page, 'found_oldest' | 'found_newest'> & { readonly ids: readonly number[] },
  start: PageStart,
  newestHere: number,
): Stretch | null {
  const isAfter = start.kind === 'after'
  const first = page.ids.length > 0 ? Math.min(...page.ids) : null
  const last = page.ids.length > 0 ? Math.max(...page.ids) : null
  const reachesBeginning = page.found_oldest && !isAfter
  const reachesEnd = page.found_newest && start.kind !== 'before'
  if (first === null && !reachesBeginning && !reachesEnd) return null
  // The requested ends belong to the range, whether or not a message has exactly that id. Of an empty narrow nothing
  // is here, from its beginning on or, if that is not shown, from now on.
  const newestEnd = reachesBeginning ? 0 : newestHere
  const anchor = start.kind === 'newest' ? newestEnd : start.id
  const oldestId = Math.min(first ?? anchor, isAfter ? start.id : beyondAllIds)
  const newestId = Math.max(last ?? anchor, start.kind === 'before' ? start.id : 0)
  return {
    range: { oldestId, newestId, reachesBeginning, isLive: reachesEnd },
    covers: { first: reachesBeginning ? 0 : oldestId, last: reachesEnd ? beyondAllIds : newestId },
  }
}

/** The range of a narrow that is complete up to the live end, or null if none is live. */
export function liveStretch(store: Store, narrow: Narrow): Range | null {
  return rangesOf(store.db, narrowKey(narrow)).find(({ isLive }) => isLive) ?? null
}
