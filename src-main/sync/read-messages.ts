import { apiMessage, leftOutOf, type ApiMessage } from '../../src-shared/api/messages.ts'
import type { UnreadablePart } from '../../src-shared/api/lenient.ts'
import { readTolerantly } from '../../src-shared/api/tolerant.ts'
import type { BackfillParts } from './backfill.ts'
import { setAsideOnce, setAside } from '../store/cursor.ts'
import type { WritableDb } from '../store/database.ts'
import { noteNotReceived } from '../store/received-from.ts'

/** How many messages are parsed at once and written in one transaction: takes about five milliseconds. */
export const rowsAtOnce = 64
/** How often a request is made if events overtake its answers. */
export const mostTries = 3

/** Messages after parsing. */
export interface ReadMessages {
  readonly understood: readonly ApiMessage[]
  /** Messages that do not have the form of the specification. */
  readonly others: readonly { readonly body: unknown; readonly reason: string }[]
  /** Unreadable rows in the lists of the understood messages. */
  readonly leftOut: readonly UnreadablePart[]
}

/** Sets aside what could not be parsed, with the reasons. */
export function noteUnreadable(db: WritableDb, { others, leftOut }: ReadMessages, now: number): void {
  for (const { body, reason } of others) setAside(db, 'message', reason, body, now)
  for (const { field, body, reason } of leftOut) setAsideOnce(db, `message:${field}`, reason, body, now)
}

/** Parses messages in a turn of its own: the very first ones take long, because the schema is prepared then. */
export async function readMessages(
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
export const idsOf = (raw: readonly unknown[]): number[] =>
  raw.flatMap((body) => {
    const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
    const number = typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN
    return Number.isSafeInteger(number) ? [number] : []
  })

/** Notes the last message of each channel that the person did not receive: they were not in the channel then. */
export function noteReceipt(db: WritableDb, came: readonly ApiMessage[]): void {
  const last = new Map<number, number>()
  // In ascending order.
  for (const { id, stream_id, flags } of came)
    if (stream_id !== undefined && flags?.includes('historical') === true) last.set(stream_id, id)
  for (const [channelId, messageId] of last) noteNotReceived(db, channelId, messageId)
}
