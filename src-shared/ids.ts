/** An id that cannot be mistaken for another kind of id. */
type Branded<Base, Name extends string> = Base & { readonly __brand: Name }

/** One login on this device; chosen by us, never seen by a server. */
export type AccountId = Branded<string, 'AccountId'>
/** The server's id of a message; later messages have higher ids. */
export type MessageId = Branded<number, 'MessageId'>
/** The server's id of a person or bot. */
export type UserId = Branded<number, 'UserId'>
/** The server's id of a channel; a provisional one is negative. */
export type ChannelId = Branded<number, 'ChannelId'>
/** The server's id of a group; a provisional one is negative. */
export type GroupId = Branded<number, 'GroupId'>
/** The server's id of a draft. */
export type ServerDraftId = Branded<number, 'ServerDraftId'>
/** Our id of a draft; it stays the same whatever the server does. */
export type DraftId = Branded<string, 'DraftId'>
/** Our id of something that waits in the outbox; ours until the server answers. */
export type LocalId = Branded<string, 'LocalId'>

/** Names a plain value as an id of this kind. The value stays the same, so these casts hold by definition. */
export const accountId = (value: string) => value as AccountId
export const messageId = (value: number) => value as MessageId
export const userId = (value: number) => value as UserId
export const channelId = (value: number) => value as ChannelId
export const groupId = (value: number) => value as GroupId
export const serverDraftId = (value: number) => value as ServerDraftId
export const draftId = (value: string) => value as DraftId
export const localId = (value: string) => value as LocalId

/**
 * A new id for something that begins on this device: a letter for its kind, the time, and chance; small letters and
 * digits only. Two ids of a kind differ unless they are made in the same millisecond and chance repeats itself, which
 * it does once in 2^40 times.
 */
export const newId = (kind: 'a' | 'd' | 'f' | 'o', clock: { now(): number; random(): number }): string =>
  `${kind}${clock.now().toString(36)}${Math.floor(clock.random() * 2 ** 40).toString(36)}`

/** Provisional ids are at or below this number. */
const provisionalFrom = -(2 ** 45)

/**
 * The provisional id of something that an outbox row creates, until the server assigns an id: negative, always the
 * same for the same row, and never an id of a server.
 */
export function provisionalId(id: LocalId): number {
  let sum = 0
  // The factor exceeds the difference between any two characters, and no product exceeds 2^53, so no digit is lost.
  for (const letter of id) sum = (sum * 131 + letter.charCodeAt(0)) % 2 ** 45
  return provisionalFrom - sum
}

/** Whether an id is provisional: given by this device to something that has no id from the server yet. */
export const isProvisional = (id: number): boolean => id <= provisionalFrom
