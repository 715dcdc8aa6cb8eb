import { isProvisional } from '../../src-shared/ids.ts'
import type { DraftRecipient } from '../../src-shared/model/draft.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { WritingPlace } from '../../src-shared/model/writing-place.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { object, putObject } from './objects.ts'

// What is founded here has an id of this device until the server numbers it. Windows may know the old one a while longer.

/** The value with every id in it, however deep, as `idOf` says. */
export const withIds = <T>(value: T, idOf: (id: number) => number): T =>
  // The same value but for some of its numbers.
  JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === 'number' ? idOf(one) : one)) as T

/** Whether a value holds, however deep, an id that is meant. */
export function holdsId(value: unknown, isMeant: (id: number) => boolean): boolean {
  if (typeof value === 'number') return isMeant(value)
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((one) => holdsId(one, isMeant))
  )
}

/** Whether a place is in a channel of which the server knows nothing yet. */
export const isInFounded = (place: DraftRecipient | Narrow | WritingPlace | undefined): boolean =>
  place != null && 'channelId' in place && isProvisional(place.channelId)

/** The server numbered what was founded here. */
export function noteNumbered(db: WritableDb, from: number, to: number): void {
  putObject(db, 'numbered', from, { id: to })
}

/** The server's id of what was founded here; any other id, and one that still waits, as it is. */
export function idNow(db: ReadableDb, id: number): number {
  if (!isProvisional(id)) return id
  const now = object(db, 'numbered', id)?.['id']
  return typeof now === 'number' ? now : id
}

/** A value with the ids that things have now. */
export const withIdsNow = <T>(db: ReadableDb, value: T): T =>
  holdsId(value, isProvisional) ? withIds(value, (id) => idNow(db, id)) : value
