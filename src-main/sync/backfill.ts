import {
  apiMessage,
  leftOutOf,
  messages,
  type ApiMessage,
  type ApiNarrowTerm,
} from '../../src-shared/api/messages.ts'
import type { UnreadablePart } from '../../src-shared/api/lenient.ts'
import type { OutputOf } from '../../src-shared/api/endpoint.ts'
import { chunk } from '../../src-shared/basics.ts'
import { readTolerantly } from '../../src-shared/api/tolerant.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { countAside, readCursor, setAside } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import {
  isLiveMessage,
  newestIn,
  putMessage,
  removeMessages,
  replaceMessage,
  staleBetween,
} from '../store/messages.ts'
import { addRange, rangesOf, type Range } from '../store/ranges.ts'
import type { Flights } from './flights.ts'
import { messageFromApi } from './from-wire.ts'

/** How many messages a person waits for at once. */
const pageSize = 200
/** How many rows are read, and how many one transaction writes: about five milliseconds. */
const rowsAtOnce = 20
/** How many messages one request names. */
export const idsPerRequest = 200
/** How often an answer that events overtook is asked for again. */
const mostTries = 3
/** Above every id that JavaScript can hold. */
const beyondAllIds = Number.MAX_SAFE_INTEGER

export interface BackfillParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  readonly flights: Flights
  /** Last in a transaction: puts the local effects of waiting changes back. */
  reapply(): void
}

/** A narrow in the server's words (specification, GET /messages). */
function termsOf(narrow: Narrow, ownUserId: UserId): ApiNarrowTerm[] {
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
    case 'reactions':
      return [
        { operator: 'has', operand: 'reaction' },
        { operator: 'sender', operand: narrow.userId },
      ]
    case 'directs':
      return [{ operator: 'is', operand: 'dm' }]
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
 * Fetches one page of a narrow's history and writes it; answers how many messages came. Afterwards the stretch
 * between the page's ends is complete, and what is here of it is what the server has: messages that the page lacks
 * are asked for by name, since they may have been deleted or may have moved elsewhere. It is written piece by piece from
 * where it begins, and each piece is a whole stretch, so that whoever looks on meanwhile sees no holes in it.
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

/** One attempt; null when a registration or an event overtook the answer. */
async function tryPage(
  parts: BackfillParts,
  narrow: Narrow,
  start: PageStart,
  size: number,
): Promise<number | null> {
  const { store, connection, clock, ownUserId, signal } = parts
  const { generation } = readCursor(store.db)
  const isAfter = start.kind === 'after'
  const flight = parts.flights.begin()
  try {
    const page = await connection.call(
      messages.getMessages,
      {
        anchor: start.kind === 'newest' ? 'newest' : start.id,
        include_anchor: true,
        num_before: isAfter ? 0 : size,
        num_after: isAfter ? size : 0,
        narrow: termsOf(narrow, ownUserId),
        apply_markdown: true,
        client_gravatar: false,
        allow_empty_topic_name: true,
      },
      { signal },
    )
    if (signal.aborted) return 0
    const present = new Set(idsOf(page.messages))
    // All of it before the first is written: between two writes there is as little time as can be.
    const read: (Piece & ReadMessages)[] = []
    for (const piece of piecesOf(page, start)) {
      read.push({ ...piece, ...(await readMessages(parts, piece.raw)) })
      if (signal.aborted) return 0
    }
    for (const { raw, stretch, ...came } of read) {
      if (flight.isOvertaken || readCursor(store.db).generation !== generation) return null
      const doubtful = store.write((db) => {
        noteUnreadable(db, came, clock.now())
        for (const message of came.understood) {
          // Events spoke of it while the page was under way: it is fetched by name below.
          if (flight.touched.has(message.id)) continue
          putMessage(db, messageFromApi(message, message.flags ?? [], ownUserId), generation)
        }
        parts.reapply()
        if (stretch === null) return []
        const { first, last } = stretch.covers
        const unsure = [
          ...idsOf(raw).filter((id) => flight.touched.has(id) && !isLiveMessage(db, id, generation)),
          ...staleBetween(db, narrow, first, last, generation).filter((id) => !present.has(id)),
        ]
        if (unsure.length === 0) keepRange(db, narrow, stretch.range)
        return unsure
      })
      if (stretch !== null && doubtful.length > 0) {
        await fetchMessages(parts, doubtful)
        if (signal.aborted) return 0
        if (readCursor(store.db).generation !== generation) return null
        store.write((db) => keepRange(db, narrow, stretch.range))
      }
      await clock.wait(0, signal)
      if (signal.aborted) return 0
    }
    return present.size
  } finally {
    flight.land()
  }
}

function keepRange(db: WritableDb, narrow: Narrow, range: Range): void {
  // What events brought since the page was made lies beyond its newest end, and nothing lies between.
  const newestId = range.isLive ? Math.max(range.newestId, newestIn(db, narrow)) : range.newestId
  addRange(db, narrowKey(narrow), { ...range, newestId })
}

/** A stretch, and the ids between which a page speaks for the server. */
interface Stretch {
  readonly range: Range
  readonly covers: { readonly first: number; readonly last: number }
}

/** Neighbouring messages of a page, as they came, and what is complete once they are here; null when that is nothing. */
interface Piece {
  readonly raw: readonly unknown[]
  readonly stretch: Stretch | null
}

/** A page from where it begins, in steps. Each piece reaches to the one before it. */
function piecesOf(page: Page, start: PageStart): Piece[] {
  const isAfter = start.kind === 'after'
  const idOf = (raw: unknown) => idsOf([raw])[0] ?? 0
  const inOrder = page.messages.toSorted((a, b) => (isAfter ? idOf(a) - idOf(b) : idOf(b) - idOf(a)))
  const parts = inOrder.length === 0 ? [[]] : chunk(inOrder, rowsAtOnce)
  let from = start
  return parts.map((raw, index) => {
    const isFirst = index === 0
    const isLast = index === parts.length - 1
    const found_oldest = page.found_oldest && isLast
    const found_newest = page.found_newest && (isAfter ? isLast : isFirst)
    const stretch = stretchOf({ ids: idsOf(raw), found_oldest, found_newest }, from)
    if (stretch !== null)
      from = isAfter
        ? { kind: 'after', id: stretch.range.newestId }
        : { kind: 'before', id: stretch.range.oldestId }
    return { raw, stretch }
  })
}

/** What is complete after a page, or a piece of one; null when it says nothing. */
function stretchOf(
  page: Pick<Page, 'found_oldest' | 'found_newest'> & { readonly ids: readonly number[] },
  start: PageStart,
): Stretch | null {
  const isAfter = start.kind === 'after'
  const first = page.ids.length > 0 ? Math.min(...page.ids) : null
  const last = page.ids.length > 0 ? Math.max(...page.ids) : null
  const reachesBeginning = page.found_oldest && !isAfter
  const reachesEnd = page.found_newest && start.kind !== 'before'
  if (first === null && !reachesBeginning && !reachesEnd) return null
  // The ends of what was asked for belong to the stretch, whether or not a message has just that id.
  const anchor = start.kind === 'newest' ? null : start.id
  const oldestId = Math.min(first ?? anchor ?? 0, isAfter ? start.id : beyondAllIds)
  const newestId = Math.max(last ?? anchor ?? 0, start.kind === 'before' ? start.id : 0)
  return {
    range: { oldestId, newestId, reachesBeginning, isLive: reachesEnd },
    covers: { first: reachesBeginning ? 0 : oldestId, last: reachesEnd ? beyondAllIds : newestId },
  }
}

/**
 * Fetches single messages and makes the cache agree, whatever is here of them: those that the server no longer shows
 * are removed.
 */
export async function fetchMessages(parts: BackfillParts, ids: readonly number[]): Promise<void> {
  for (const some of chunk([...new Set(ids)], idsPerRequest)) {
    let wanted = some
    for (let tries = 1; wanted.length > 0 && tries <= mostTries; tries++) {
      wanted = await tryMessages(parts, wanted, tries === mostTries)
      if (parts.signal.aborted) return
    }
  }
}

/** One attempt; answers the messages that have to be asked for again. */
async function tryMessages(parts: BackfillParts, ids: readonly number[], isLast: boolean): Promise<number[]> {
  const { store, clock, ownUserId, signal } = parts
  const { generation, featureLevel } = readCursor(store.db)
  const flight = parts.flights.begin()
  try {
    const { raw, others } = isAble(featureLevel, 'messagesById')
      ? await askByName(parts, ids)
      : await askOneByOne(parts, ids, isAble(featureLevel, 'singleMessage'))
    if (signal.aborted) return []
    const isOvertaken = () =>
      !isLast && (flight.isOvertaken || readCursor(store.db).generation !== generation)
    const wanted = new Set(ids)
    const settled = new Set<number>()
    // Events may speak of a message between two steps, so that each looks anew.
    const settles = (id: number) => {
      const isSettled = wanted.has(id) && (isLast || !flight.touched.has(id))
      if (isSettled) settled.add(id)
      return isSettled
    }
    for (const some of chunk(raw, rowsAtOnce)) {
      const came = await readMessages(parts, some)
      if (signal.aborted) return []
      if (isOvertaken()) return [...ids]
      store.write((db) => {
        noteUnreadable(db, came, clock.now())
        for (const message of came.understood) {
          if (!settles(message.id)) continue
          replaceMessage(db, messageFromApi(message, message.flags ?? [], ownUserId), generation)
        }
        parts.reapply()
      })
      await clock.wait(0, signal)
    }
    const shown = new Set([...idsOf(raw), ...others])
    const hidden = ids.filter((id) => !shown.has(id))
    for (const some of chunk(hidden, rowsAtOnce)) {
      if (signal.aborted) return []
      if (isOvertaken()) return [...ids]
      store.write((db) => {
        removeMessages(db, some.filter(settles))
        parts.reapply()
      })
      await clock.wait(0, signal)
    }
    // Nothing is to be done for those that came in a form that nobody understands, or in none.
    for (const id of shown) settles(id)
    return ids.filter((id) => !settled.has(id))
  } finally {
    flight.land()
  }
}

/** What a server says of single messages: those that it gave, and others that it has. */
interface Found {
  readonly raw: readonly unknown[]
  readonly others: readonly number[]
}

async function askByName(parts: BackfillParts, ids: readonly number[]): Promise<Found> {
  const answer = await parts.connection.call(
    messages.getMessages,
    { message_ids: [...ids], apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true },
    { signal: parts.signal },
  )
  return { raw: answer.messages, others: [] }
}

/** `givesWhole`: whether the server gives more of a single message than its source. */
async function askOneByOne(
  parts: BackfillParts,
  ids: readonly number[],
  givesWhole: boolean,
): Promise<Found> {
  const raw: unknown[] = []
  const others: number[] = []
  for (const id of ids) {
    try {
      const answer = await parts.connection.call(
        messages.getMessage,
        { message_id: id, apply_markdown: true, allow_empty_topic_name: true },
        { signal: parts.signal },
      )
      if (givesWhole && answer.message !== undefined) raw.push(answer.message)
      else {
        const page = await askForPageOf(parts, id)
        if (page.length > 0) raw.push(...page)
        // In no page that one gets unasked: it stays as it is here.
        else others.push(id)
      }
    } catch (error) {
      if (failureOf(error).kind !== 'rejected') throw error
    }
    if (parts.signal.aborted) break
  }
  return { raw, others }
}

/** The message, as a page that holds nothing else; empty when the server puts it in none. */
async function askForPageOf({ connection, signal }: BackfillParts, id: number): Promise<readonly unknown[]> {
  const page = await connection.call(
    messages.getMessages,
    {
      anchor: id,
      include_anchor: true,
      num_before: 0,
      num_after: 0,
      narrow: [],
      apply_markdown: true,
      client_gravatar: false,
      allow_empty_topic_name: true,
    },
    { signal },
  )
  return page.messages.filter((raw) => idsOf([raw])[0] === id)
}

/** Messages as they came, read. */
interface ReadMessages {
  readonly understood: readonly ApiMessage[]
  /** Those that have not the form of the specification. */
  readonly others: readonly { readonly body: unknown; readonly reason: string }[]
  /** Rows that are missing from the lists of those that were understood. */
  readonly leftOut: readonly UnreadablePart[]
}

/** Keeps what could not be read, with the reasons. */
function noteUnreadable(db: WritableDb, { others, leftOut }: ReadMessages, now: number): void {
  for (const { body, reason } of others) setAside(db, 'message', reason, body, now)
  for (const { field, body, reason } of leftOut) countAside(db, `message:${field}`, reason, body, now)
}

/** Reads messages in a turn of its own: the first ones of all take long, since their form is prepared then. */
async function readMessages(
  { clock, signal }: BackfillParts,
  raw: readonly unknown[],
): Promise<ReadMessages> {
  const understood: ApiMessage[] = []
  const others: { body: unknown; reason: string }[] = []
  const leftOut: UnreadablePart[] = []
  for (const body of raw) {
    const { read: message } = readTolerantly(apiMessage, body)
    if (message.success) {
      understood.push(message.data)
      leftOut.push(...leftOutOf(body, message.data))
    } else {
      const issue = message.error.issues[0]
      others.push({ body, reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` })
    }
  }
  await clock.wait(0, signal)
  return { understood, others, leftOut }
}

/** The ids of what came, also where the rest cannot be used: such a message is not gone. */
const idsOf = (raw: readonly unknown[]): number[] =>
  raw.flatMap((body) => {
    const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
    const number = typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN
    return Number.isSafeInteger(number) ? [number] : []
  })

/** The stretch of a narrow that is complete up to the live end, or null when nothing is live. */
export function liveStretch(store: Store, narrow: Narrow): Range | null {
  return rangesOf(store.db, narrowKey(narrow)).find(({ isLive }) => isLive) ?? null
}
