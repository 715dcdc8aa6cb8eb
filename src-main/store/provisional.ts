import { isProvisional } from '../../src-shared/ids.ts'
import type { DraftRecipient } from '../../src-shared/model/draft.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { WritingPlace } from '../../src-shared/model/writing-place.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { note, notes, putNote } from './notes.ts'

// Something created here has a provisional id until the server has assigned its id. Windows may use the old one longer.

/** The value with `idOf` applied to every number in it, at any depth. */
export const withIds = <T>(value: T, idOf: (id: number) => number): T =>
  // Only numbers change, so the type stays the same.
  JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === 'number' ? idOf(one) : one)) as T

/** Whether a value contains, at any depth, an id that is meant. */
export function holdsId(value: unknown, isMeant: (id: number) => boolean): boolean {
  if (typeof value === 'number') return isMeant(value)
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((one) => holdsId(one, isMeant))
  )
}

/** Whether a place is in a channel that the server does not know yet. */
export const isInProvisionalChannel = (place: DraftRecipient | Narrow | WritingPlace | undefined): boolean =>
  place != null && 'channelId' in place && isProvisional(place.channelId)

/** Records the id that the server assigned to something created here. */
export function recordAssignedId(db: WritableDb, from: number, to: number): void {
  putNote(db, 'numbered', from, { id: to })
}

/** Whether the server has assigned this id to something created here. */
export const hasBeenAssigned = (db: ReadableDb, id: number): boolean =>
  notes(db, 'numbered').some((one) => one.id === id)

/** The server's id of something created here; every other id, and one that still waits, unchanged. */
export function idNow(db: ReadableDb, id: number): number {
  if (!isProvisional(id)) return id
  return note(db, 'numbered', id)?.id ?? id
}

/** A value with all its ids replaced by their current ones. */
export const withIdsNow = <T>(db: ReadableDb, value: T): T =>
  holdsId(value, isProvisional) ? withIds(value, (id) => idNow(db, id)) : value
