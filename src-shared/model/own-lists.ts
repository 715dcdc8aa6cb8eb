import type { Conversation } from './conversation.ts'
import type { RecipientLabel, TopicVisibility } from './message.ts'
import type { Person } from './user.ts'

/** A word that notifies the person wherever it is written. */
export interface AlertWord {
  readonly word: string
  /** True while it is not on the server yet. */
  readonly isWaiting: boolean
}

/** A muted person, whose messages are hidden. */
export interface MutedPerson {
  readonly person: Person
  /** True while it is not on the server yet. */
  readonly isWaiting: boolean
}

/** A topic for which the person chose something different from its channel. */
export interface ChosenTopic {
  readonly conversation: Extract<Conversation, { kind: 'topic' }>
  readonly label: Extract<RecipientLabel, { kind: 'topic' }>
  readonly visibility: Exclude<TopicVisibility, 'none'>
  /** True while it is not on the server yet. */
  readonly isWaiting: boolean
}
