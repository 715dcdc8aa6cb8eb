import type { MessageId, UserId } from '../ids.ts'
import type { PersonStatus } from './profile.ts'

export type Presence = 'active' | 'idle' | 'offline'

/** A person or bot as lists show them. */
export interface Person {
  readonly userId: UserId
  readonly fullName: string
  readonly avatarUrl: string | null
  readonly isBot: boolean
  readonly isGuest: boolean
  readonly isActive: boolean
  readonly isSelf: boolean
  /** As of the last sync; screens say so when the connection is gone. */
  readonly presence: Presence
  readonly timezone: string
  /** Null when the person says nothing. */
  readonly status: PersonStatus | null
}

/** Where people of a list are, in its order: they wrote in the topic lately, are in its channel, or are elsewhere. */
export const peoplePlaces = ['topic', 'channel', 'direct', 'everyone', 'bots'] as const

export interface PeopleGroup {
  readonly where: (typeof peoplePlaces)[number]
  /** How many there are, of which `people` may be the first. */
  readonly total: number
  /** Who is here first, then who is away for a moment, then by name. */
  readonly people: readonly Person[]
}

/** Somebody who is changing a message. */
export interface EditedMessage extends TypingPerson {
  readonly messageId: MessageId
}

export interface TypingPerson {
  readonly userId: UserId
  readonly fullName: string
}
