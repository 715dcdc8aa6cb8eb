import type { AccountId } from '../../src-shared/ids.ts'
import type { PauseLength } from '../../src-shared/model/quiet.ts'

/** What a host shows outside the window: in tray, badge and menus. */
export interface ShellState {
  /** Unread messages of all accounts, muted ones not counted. */
  readonly unreadCount: number
  /** What the app's icon counts: as the accounts' settings say. */
  readonly badgeCount: number
  /** Unread messages that are meant for this person. */
  readonly mentionCount: number
  /** Some account does not reach its server. */
  readonly isOffline: boolean
  /** The person's changes that the servers do not know yet. */
  readonly waitingCount: number
  readonly notifies: boolean
  /** When notifications come again, epoch milliseconds; null while the person wants no quiet. */
  readonly quietUntil: number | null
  /** Quiet by a pause of all accounts, which can be ended. */
  readonly isPaused: boolean
  readonly accounts: readonly ShellAccount[]
}

export interface ShellAccount {
  readonly id: AccountId
  readonly name: string
  /** Base address of the API. */
  readonly baseUrl: string
  readonly unreadCount: number
}

/** What can be done from outside the window. */
export type ShellCommand =
  | { readonly kind: 'show' }
  | { readonly kind: 'show-account'; readonly accountId: AccountId }
  | { readonly kind: 'go'; readonly view: 'combined' | 'mentions' | 'starred' }
  | { readonly kind: 'set-notifications'; readonly on: boolean }
  /** Holds notifications back; null: no longer. */
  | { readonly kind: 'pause'; readonly length: PauseLength | null }
  | { readonly kind: 'quit' }
