import { chunk } from '../../src-shared/basics.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { countIn, messagesByHome, resize, sizesOf } from './conversation-sizes.ts'
import { conversationId, exchangeIds, findConversation, recount } from './conversations.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { addChange, type MessageChange } from './message-changes.ts'
import { writeWords } from './message-words.ts'
import { hasNote, lastNote, putNote, removeNote } from './notes.ts'
import { noteOutdatedWords } from './outdated-words.ts'

// Moving a topic may concern tens of thousands of messages. Where they are changes at once, by the topic's row, or with
// each part of the event (`sync/event-transactions.ts`). What else a move writes with each message follows, some at a time.

/** What a move writes with each message, apart from its place. */
export interface MoveTrace {
  /** In epoch milliseconds; null for the mark of a resolved topic, which does not count as moving its messages. */
  readonly movedAt: number | null
  /** What is kept of it; null for nothing. */
  readonly change: MessageChange | null
}

/** The traces of more messages than this are not all written in the same transaction. */
const mostAtOnce = 50
/** Whether so many messages are moved that their traces follow later. */
export const isLarge = (ids: readonly unknown[]): boolean => ids.length > mostAtOnce
/** How many messages one step finishes. */
const finishedAtOnce = 100

/**
 * Moves messages to another conversation, `from` being where they should be; ignores those that are not here and returns
 * the others. Their traces are left to `leaveTraces`.
 */
export function moveMessages(
  db: WritableDb,
  ids: readonly number[],
  from: Conversation,
  to: Conversation,
): number[] {
  const asOne = isLarge(ids) ? moveAsOne(db, ids, from, to) : []
  const rest = without(ids, asOne)
  const home = conversationId(db, to)
  const list = JSON.stringify(rest)
  const among = 'message_id IN (SELECT value FROM json_each(?1))'
  const places = messagesByHome(db, rest)
  const unreadHomes = db.column<number>(`SELECT DISTINCT conversation_id FROM unread WHERE ${among}`, {
    1: list,
  })
  const moved = db.column<number>(`SELECT message_id FROM messages WHERE ${among}`, { 1: list })
  db.run(`UPDATE messages SET conversation_id = ?2, channel_id = ?3 WHERE ${among}`, {
    1: list,
    2: home,
    3: to.kind === 'topic' ? to.channelId : null,
  })
  db.run(`UPDATE unread SET conversation_id = ?2 WHERE ${among}`, { 1: list, 2: home })
  for (const { home: left, count } of places) resize(db, left, -count)
  resize(db, home, moved.length)
  if (to.kind === 'topic')
    db.run('UPDATE conversations SET topic = ? WHERE conversation_id = ?', [to.topic, home])
  // Also of a topic without any message here.
  const left = findConversation(db, from) ?? home
  recount(db, [home, left, ...places.map((place) => place.home), ...unreadHomes], ids)
  return [...asOne, ...moved]
}

/**
 * Moves the messages of a topic by giving the topic's row the other name; only the messages that stay behind, and those
 * that are in the other topic already, are written. Does nothing, and returns none, if they are as many as those that
 * move.
 */
function moveAsOne(
  db: WritableDb,
  ids: readonly number[],
  from: Conversation,
  to: Conversation,
): readonly number[] {
  const source = findConversation(db, from)
  if (source === undefined) return []
  const target = conversationId(db, to)
  const inSource = idsIn(db, source, 2 * ids.length)
  // There are others, and more of them stay than move.
  if (inSource.length === 2 * ids.length) return []
  const [moved, staying] = parted(inSource, ids)
  // Only the spelling changes.
  if (source === target) return moved
  const inTarget = idsIn(db, target, ids.length)
  if (staying.length + inTarget.length >= moved.length) return []
  const unreadIn = (home: number) =>
    db.column<number>('SELECT message_id FROM unread WHERE conversation_id = ? ORDER BY message_id', [home])
  const [, unreadStaying] = parted(unreadIn(source), ids)
  const unreadInTarget = unreadIn(target)
  exchangeIds(db, source, target)
  rehome(db, staying, unreadStaying, source, target)
  if (to.kind === 'topic' && !(from.kind === 'topic' && from.channelId === to.channelId))
    db.run('UPDATE messages SET channel_id = ? WHERE conversation_id = ?', [to.channelId, source])
  rehome(db, inTarget, unreadInTarget, target, source)
  const others = [...staying, ...inTarget]
  if (isLarge(others)) noteOutdatedWords(db, others)
  else for (const id of others) writeWords(db, id)
  return moved
}

/**
 * Whether these messages move by giving their topic's row the other name: then it takes little time however many they
 * are, but only if they move together.
 */
export function movesAsOne(
  db: ReadableDb,
  ids: readonly number[],
  from: Conversation,
  to: Conversation,
): boolean {
  const source = findConversation(db, from)
  const target = findConversation(db, to)
  const isInChannel = from.kind === 'topic' && to.kind === 'topic' && from.channelId === to.channelId
  if (source === undefined || !isInChannel) return false
  if (source === target) return true
  const sizes = sizesOf(db, [source, target ?? source])
  const inTarget = target === undefined ? 0 : sizes(target)
  // Others of them may not be here, or not where they should be.
  const moving = countIn(db, source, ids)
  return sizes(source) - moving + inTarget < moving
}

/** The ids that are not among some of them, each of which is given once. */
export function without(ids: readonly number[], some: readonly number[]): readonly number[] {
  // Looking up each of twenty thousand takes some milliseconds, and mostly none is left.
  if (some.length === ids.length) return []
  const known = new Set(some)
  return ids.filter((id) => !known.has(id))
}

/**
 * Parts ascending ids into those that are among others and those that are not. Looking up twenty thousand in a set was a
 * third of the time that a move takes.
 */
function parted(
  ascending: readonly number[],
  others: readonly number[],
): readonly [among: number[], rest: number[]] {
  const sorted = Float64Array.from(others).sort()
  const among: number[] = []
  const rest: number[] = []
  let at = 0
  for (const id of ascending) {
    while ((sorted[at] ?? Infinity) < id) at++
    if (sorted[at] === id) among.push(id)
    else rest.push(id)
  }
  return [among, rest]
}

/** The messages of a conversation, ascending, at most `most` of them. */
const idsIn = (db: ReadableDb, home: number, most: number): number[] =>
  db.column<number>('SELECT message_id FROM messages WHERE conversation_id = ? ORDER BY message_id LIMIT ?', [
    home,
    most,
  ])

function rehome(
  db: WritableDb,
  ids: readonly number[],
  unread: readonly number[],
  from: number,
  to: number,
): void {
  for (const [table, list] of [
    ['messages', ids],
    ['unread', unread],
  ] as const)
    db.run(`UPDATE ${table} SET conversation_id = ? WHERE message_id IN (SELECT value FROM json_each(?))`, [
      to,
      JSON.stringify(list),
    ])
  resize(db, from, -ids.length)
  resize(db, to, ids.length)
}

/**
 * Writes with messages that they were moved, and their words under the new place. Of many messages, only the newest are
 * written, and the others are noted for `finishSomeMoved`.
 */
export function leaveTraces(db: WritableDb, ids: readonly number[], trace: MoveTrace): void {
  if (ids.length === 0) return
  const ascending = [...ids].sort((a, b) => a - b)
  const newest = ascending.splice(-mostAtOnce)
  for (const some of chunk(ascending, finishedAtOnce)) {
    const [oldest = 0] = some
    // Notes are read in the order of their ids.
    putNote(db, 'unfinished-move', String(oldest).padStart(16, '0'), { ...trace, messageIds: some })
  }
  writeTraces(db, newest, trace)
  if (ascending.length > 0) noteOutdatedWords(db, newest)
  else for (const id of newest) writeWords(db, id)
}

function writeTraces(db: WritableDb, ids: readonly number[], { movedAt, change }: MoveTrace): void {
  if (change !== null) addChange(db, ids, change, { isOnlyMark: movedAt === null })
  if (movedAt === null) return
  // What was fetched meanwhile may know of a later move.
  db.run(
    `UPDATE messages SET moved_at = ?2
     WHERE coalesce(moved_at, 0) < ?2 AND message_id IN (SELECT value FROM json_each(?1))`,
    { 1: JSON.stringify(ids), 2: movedAt },
  )
}

/** Whether messages were moved that lack traces. Until they have them, no event may change what they are added to. */
export const hasUnfinishedMoves = (db: ReadableDb): boolean => hasNote(db, 'unfinished-move')

/** Writes the traces of the newest messages that lack them. Returns whether there may be more. */
export function finishSomeMoved(db: WritableDb): boolean {
  const last = lastNote(db, 'unfinished-move')
  if (last === undefined) return false
  writeTraces(db, last.body.messageIds, last.body)
  noteOutdatedWords(db, last.body.messageIds)
  removeNote(db, 'unfinished-move', last.id)
  return true
}
