import type { UserId } from '../ids.ts'
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
