import { apiMessage, leftOutOf, messages, type ApiMessage } from '../../src-shared/api/messages.ts'
import type { UnreadablePart } from '../../src-shared/api/lenient.ts'
import type { OutputOf } from '../../src-shared/api/endpoint.ts'
import { chunk } from '../../src-shared/basics.ts'
import { readTolerantly } from '../../src-shared/api/tolerant.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { narrowTerms } from '../api/narrow-terms.ts'
import { isSubscribed } from '../store/channels.ts'
import { setAsideOnce, readCursor, setAside } from '../store/cursor.ts'
import type { ReadableDb, Store, WritableDb } from '../store/database.ts'
import {
  isLiveMessage,
  newestIn,
  putMessage,
  removeMessages,
  replaceMessage,
  staleBetween,
} from '../store/messages.ts'
import { addRange, checkedKey, rangesOf, type Range } from '../store/ranges.ts'
import { noteNotReceived } from '../store/received-from.ts'
import type { RequestsInFlight } from './requests-in-flight.ts'
import { messageFromApi } from './from-wire.ts'

/** How many messages are fetched at once while a person waits. */
const pageSize = 200
/** How many messages are parsed at once and written in one transaction: takes about five milliseconds. */
const rowsAtOnce = 64
/** How many messages one request names. */
export const idsPerRequest = 200
/** The pause between two requests to a server that returns one message per request: they share the person's limit. */
const singleRestMs = 500
/** How often a request is made if events overtake its answers. */
const mostTries = 3
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
    for (const piece of piecesOf(page, start)) {
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

/** From which generation on a narrow's messages need no comparison; where no events come, all do. */
const confirmedFrom = (db: ReadableDb, narrow: Narrow, generation: number): number =>
  'channelId' in narrow && !isHeard(db, narrow.channelId) ? beyondAllIds : generation

/** Notes the last message of each channel that the person did not receive: they were not in the channel then. */
function noteReceipt(db: WritableDb, came: readonly ApiMessage[]): void {
  const last = new Map<number, number>()
  // In ascending order.
  for (const { id, stream_id, flags } of came)
    if (stream_id !== undefined && flags?.includes('historical') === true) last.set(stream_id, id)
  for (const [channelId, messageId] of last) noteNotReceived(db, channelId, messageId)
}

function keepRange(db: WritableDb, narrow: Narrow, range: Range): void {
  // Messages from events since the page was made are newer than its end, and nothing lies between.
  const newestId = range.isLive ? Math.max(range.newestId, newestIn(db, narrow)) : range.newestId
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

/** Splits a page into pieces, from where it begins. Each piece reaches to the one before it. */
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

/** The range that a page, or a piece of one, completes; null if it completes none. */
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
  // The requested ends belong to the range, whether or not a message has exactly that id.
  const anchor = start.kind === 'newest' ? null : start.id
  const oldestId = Math.min(first ?? anchor ?? 0, isAfter ? start.id : beyondAllIds)
  const newestId = Math.max(last ?? anchor ?? 0, start.kind === 'before' ? start.id : 0)
  return {
    range: { oldestId, newestId, reachesBeginning, isLive: reachesEnd },
    covers: { first: reachesBeginning ? 0 : oldestId, last: reachesEnd ? beyondAllIds : newestId },
  }
}

/**
 * Fetches single messages and updates the cache, whatever it has of them: messages that the server no longer shows are
 * removed. From a server that returns one message per request they come slowly, and each is written as it comes: what
 * ends the work in the middle costs none of those before.
 */
export async function fetchMessages(parts: BackfillParts, ids: readonly number[]): Promise<void> {
  const isByName = isAble(readCursor(parts.store.db).featureLevel, 'messagesById')
  for (const [index, some] of chunk([...new Set(ids)], isByName ? idsPerRequest : 1).entries()) {
    if (index > 0 && !isByName) await parts.clock.wait(singleRestMs, parts.signal)
    if (parts.signal.aborted) return
    let wanted = some
    for (let tries = 1; wanted.length > 0 && tries <= mostTries; tries++) {
      wanted = await tryMessages(parts, wanted, tries === mostTries)
      if (parts.signal.aborted) return
    }
  }
}

/** One attempt; returns the messages that must be requested again. */
async function tryMessages(parts: BackfillParts, ids: readonly number[], isLast: boolean): Promise<number[]> {
  const { store, clock, ownUserId, signal } = parts
  const { generation, featureLevel } = readCursor(store.db)
  const request = parts.requestsInFlight.begin()
  try {
    const [only = 0] = ids
    const { raw, others } = isAble(featureLevel, 'messagesById')
      ? await askByName(parts, ids)
      : await askForOne(parts, only, isAble(featureLevel, 'singleMessage'))
    if (signal.aborted) return []
    const isOvertaken = () =>
      !isLast && (request.isOvertaken || readCursor(store.db).generation !== generation)
    const wanted = new Set(ids)
    const settled = new Set<number>()
    // Evaluated anew for each step, because events may mention a message between two steps.
    const settles = (id: number) => {
      const isSettled = wanted.has(id) && (isLast || !request.touched.has(id))
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
        noteReceipt(db, came.understood)
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
    // Messages in an unreadable form, or without any, stay as they are.
    for (const id of shown) settles(id)
    return ids.filter((id) => !settled.has(id))
  } finally {
    request.end()
  }
}

/** A server's answer about single messages: those that it returned, and others that exist. */
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

/** `givesWhole`: whether the server returns more of a single message than its source. */
async function askForOne(parts: BackfillParts, id: number, givesWhole: boolean): Promise<Found> {
  const answer = await unlessGone(
    parts.connection.call(
      messages.getMessage,
      { message_id: id, apply_markdown: true, allow_empty_topic_name: true },
      { signal: parts.signal },
    ),
  )
  if (answer === null || parts.signal.aborted) return { raw: [], others: [] }
  if (givesWhole && answer.message !== undefined) return { raw: [answer.message], others: [] }
  // If no page that can be fetched has it, it exists all the same, and stays as it is here.
  return { raw: await askForPageOf(parts, id), others: [id] }
}

/** Awaits a request for one message; null if there is no such message. Any other refusal says nothing about it. */
async function unlessGone<Answer>(request: Promise<Answer>): Promise<Answer | null> {
  try {
    return await request
  } catch (error) {
    const failure = failureOf(error)
    const isGone =
      failure.kind === 'rejected' && failure.code === 'BAD_REQUEST' && [400, 404].includes(failure.status)
    if (!isGone) throw error
    return null
  }
}

/** Fetches a page with only this message; empty if the server's pages do not have it. */
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

/** Messages after parsing. */
interface ReadMessages {
  readonly understood: readonly ApiMessage[]
  /** Messages that do not have the form of the specification. */
  readonly others: readonly { readonly body: unknown; readonly reason: string }[]
  /** Unreadable rows in the lists of the understood messages. */
  readonly leftOut: readonly UnreadablePart[]
}

/** Sets aside what could not be parsed, with the reasons. */
function noteUnreadable(db: WritableDb, { others, leftOut }: ReadMessages, now: number): void {
  for (const { body, reason } of others) setAside(db, 'message', reason, body, now)
  for (const { field, body, reason } of leftOut) setAsideOnce(db, `message:${field}`, reason, body, now)
}

/** Parses messages in a turn of its own: the very first ones take long, because the schema is prepared then. */
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
  // Going down, each message would become a segment of the word index (SQLite FTS5 flushes when a rowid is lower).
  return { understood: understood.sort((a, b) => a.id - b.id), others, leftOut }
}

/** The ids of raw messages, including those that cannot be parsed: such a message is not gone. */
const idsOf = (raw: readonly unknown[]): number[] =>
  raw.flatMap((body) => {
    const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
    const number = typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN
    return Number.isSafeInteger(number) ? [number] : []
  })

/** The range of a narrow that is complete up to the live end, or null if none is live. */
export function liveStretch(store: Store, narrow: Narrow): Range | null {
  return rangesOf(store.db, narrowKey(narrow)).find(({ isLive }) => isLive) ?? null
}
