import type { AccountId } from '../../src-shared/ids.ts'
import type { PauseLength } from '../../src-shared/model/quiet.ts'

/** What a host shows outside the window: in tray, badge and menus. */
export interface ShellState {
  /** Unread messages of all accounts, without muted ones. */
  readonly unreadCount: number
  /** The number on the app's icon, according to the accounts' settings. */
  readonly badgeCount: number
  /** Unread direct messages and mentions. */
  readonly mentionCount: number
  /** Whether some account cannot reach its server. */
  readonly isOffline: boolean
  /** How many of the person's changes the servers do not have yet. */
  readonly waitingCount: number
  readonly notifies: boolean
  /** When notifications resume, epoch milliseconds; null if they are not held back. */
  readonly quietUntil: number | null
  /** Whether all accounts are paused, which the person can end. */
  readonly isPaused: boolean
  readonly accounts: readonly ShellAccount[]
}

/** An account, as menus list it. */
export interface ShellAccount {
  readonly id: AccountId
  readonly name: string
  /** Base address of the API. */
  readonly baseUrl: string
  readonly unreadCount: number
}

/** Commands from outside the window. */
export type ShellCommand =
  | { readonly kind: 'show' }
  | { readonly kind: 'show-account'; readonly accountId: AccountId }
  | { readonly kind: 'go'; readonly view: 'combined' | 'mentions' | 'starred' }
  /** Finds something in what the window shows. */
  | { readonly kind: 'find' }
  | { readonly kind: 'set-notifications'; readonly on: boolean }
  /** Pauses notifications; null ends the pause. */
  | { readonly kind: 'pause'; readonly length: PauseLength | null }
  | { readonly kind: 'quit' }
