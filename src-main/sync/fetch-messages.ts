import { messages } from '../../src-shared/api/messages.ts'
import { chunk } from '../../src-shared/basics.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import type { BackfillParts } from './backfill.ts'
import { idsOf, mostTries, noteReceipt, noteUnreadable, readMessages, rowsAtOnce } from './read-messages.ts'
import { readCursor } from '../store/cursor.ts'
import { removeMessages, replaceMessage } from '../store/messages.ts'
import { removeAccepted } from '../store/outbox.ts'
import { messageFromApi } from './from-wire.ts'

/** How many messages one request names. */
export const idsPerRequest = 200
/** The pause between two requests to a server that returns one message per request: they share the person's limit. */
const singleRestMs = 500

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
        const gone = some.filter(settles)
        removeMessages(db, gone)
        removeAccepted(db, gone)
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
