import type { MessageId, UserId } from '../ids.ts'
import type { PersonStatus } from './profile.ts'

/** Whether a person is at a device, was there a moment ago, or is not. */
export type Presence = 'active' | 'idle' | 'offline'

/** A person or bot as lists show them. */
export interface Person {
  readonly userId: UserId
  readonly fullName: string
  readonly avatarUrl: string | null
  readonly isBot: boolean
  /** Whether the person is to be marked as a guest; an organization can switch that off. */
  readonly isGuest: boolean
  readonly isActive: boolean
  readonly isSelf: boolean
  /** As of the last sync; screens say so while there is no connection. */
  readonly presence: Presence
  readonly timezone: string
  /** Null if the person has no status. */
  readonly status: PersonStatus | null
}

/** Somebody with whom one has a direct conversation. */
export interface DirectPerson extends Person {
  /** When they last did something, epoch milliseconds; null when nobody knows. */
  readonly activeAt: number | null
  /** What a search names this person by: the name, or the id if somebody else has the name. */
  readonly searchName: string
}

/** Somebody with whom one often writes direct messages. */
export interface FrequentPerson extends Person {
  /** How many messages of the last months the two have in their conversation, among the newest on this device. */
  readonly messageCount: number
  readonly unreadCount: number
}

/**
 * The sections of a list of people, in order: they wrote in the topic lately, are in its channel, or are elsewhere.
 */
export const peoplePlaces = ['topic', 'channel', 'direct', 'everyone', 'bots'] as const

/** One section of a list of people. */
export interface PeopleGroup {
  readonly where: (typeof peoplePlaces)[number]
  /** The total number, of which `people` may be only the first. */
  readonly total: number
  /** Active people first, then idle ones, then by name. */
  readonly people: readonly Person[]
}

/** A person who is editing a message. */
export interface EditedMessage extends TypingPerson {
  readonly messageId: MessageId
}

/** A person who is writing. */
export interface TypingPerson {
  readonly userId: UserId
  readonly fullName: string
}
