import type { Conversation } from './conversation.ts'
import type { RecipientLabel, TopicVisibility } from './message.ts'
import type { Person } from './user.ts'

/** A word that a person wants to be told of. */
export interface AlertWord {
  readonly word: string
  /** The server does not know it yet. */
  readonly isWaiting: boolean
}

/** Somebody whose messages are hidden. */
export interface MutedPerson {
  readonly person: Person
  /** The server does not know it yet. */
  readonly isWaiting: boolean
}

/** A topic of which the person wants something else than of its channel. */
export interface ChosenTopic {
  readonly conversation: Extract<Conversation, { kind: 'topic' }>
  readonly label: Extract<RecipientLabel, { kind: 'topic' }>
  readonly visibility: Exclude<TopicVisibility, 'none'>
  /** The server does not know it yet. */
  readonly isWaiting: boolean
}
