import type { AccountId } from '../../src-shared/ids.ts'

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
  | { readonly kind: 'quit' }
