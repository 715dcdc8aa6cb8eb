import type { DeviceFailureCode } from '../failure.ts'
import type { AccountId, UserId } from '../ids.ts'

/** One login on this device. */
export interface Account {
  readonly id: AccountId
  /** Base address of the API, ending in /api/v1. */
  readonly baseUrl: string
  readonly email: string
  readonly userId: UserId
  readonly fullName: string
  readonly organizationName: string
  /** The title that distinguishes the account from the others on this device. */
  readonly title: string
  /** The address of the organization's picture, for `mediaUrl`; null if it has none. */
  readonly organizationIconUrl: string | null
  readonly isDemo: boolean
  readonly unreadCount: number
  readonly mentionCount: number
  /** Unread direct messages, and mentions elsewhere. */
  readonly personalCount: number
}

/** What an address turned out to be, before anybody has signed in. */
export interface Organization {
  readonly baseUrl: string
  readonly name: string
  readonly iconUrl: string | null
  readonly description: string
  readonly featureLevel: number
  readonly version: string
  readonly canUsePassword: boolean
  /** What this version of the server does not support, in words for people; empty if nothing is missing. */
  readonly missing: readonly string[]
}

/**
 * The state of an account's connection to its server. connecting: the first attempt since the start. synced:
 * everything is here and nothing waits. syncing: connected, and fetching history or sending changes. offline: no
 * answer. unreachable: the network works, but this server does not. signed-out: the key is not accepted. incompatible:
 * not a server that this app can use.
 */
export type SyncStatus =
  | 'connecting'
  | 'synced'
  | 'syncing'
  | 'offline'
  | 'unreachable'
  | 'signed-out'
  | 'incompatible'

/** What sync itself knows of that: whether the server can be reached, not whether anything waits. */
export type LinkStatus = Exclude<SyncStatus, 'synced' | 'syncing'> | 'online'

/** Whether the server answers. */
export const serverAnswers = (sync: { readonly status: SyncStatus } | undefined): boolean =>
  sync?.status === 'synced' || sync?.status === 'syncing'

/** A notice about the account's file on this device. */
export interface FileNotice {
  /** Epoch milliseconds. */
  readonly at: number
  /** What happened, what is safe and what to do. */
  readonly message: string
}

/** Why the disk accepts no writes. */
export type DiskTrouble = Extract<DeviceFailureCode, 'disk-full' | 'disk-error' | 'read-only'>

/** Why the machine should save resources: it runs on battery, or its network is metered. */
export type HistoryPause = 'battery' | 'metered'

/**
 * The progress of fetching history. First the newest messages. Then those of conversations with unread messages, with
 * the number of such conversations still to come. Then earlier messages, with the part that is here already, from 0 to
 * 1.
 */
export type HistoryProgress =
  | { readonly step: 'newest' }
  | { readonly step: 'unread'; readonly conversations: number }
  | { readonly step: 'earlier'; readonly share: number }

/** The state of an account's connection, as windows show it. */
export interface SyncState {
  readonly status: SyncStatus
  /** Epoch milliseconds. For a server that does not answer: when the first request failed. */
  readonly since: number
  /** How many of the person's changes wait to be sent, not counting drafts. */
  readonly waiting: number
  /** How many changes need the person (refused, or perhaps already sent), and how many of these are messages. */
  readonly needsYou: { readonly changes: number; readonly messages: number }
  /** When the last attempt failed, epoch milliseconds; null while nothing is wrong. */
  readonly lastAttemptAt: number | null
  /** Epoch milliseconds; null if none is planned. */
  readonly nextAttemptAt: number | null
  readonly attempt: number
  /** When the server last answered, epoch milliseconds; null if it never has. */
  readonly lastSyncedAt: number | null
  /** One sentence for people while something is wrong; null otherwise. */
  readonly problem: string | null
  /** The history being fetched; null while nothing is being fetched. */
  readonly progress: HistoryProgress | null
  /**
   * Why fetching it is paused: the machine runs on battery, or its network is metered; null while it is not paused.
   */
  readonly historyPause: HistoryPause | null
  /** False until the first snapshot of this account was written. */
  readonly hasSynced: boolean
  /** The notice about the account's file, until the person has read it; null otherwise. */
  readonly fileNotice: FileNotice | null
  /** Why nothing can be saved on this device right now; null while it can. */
  readonly diskTrouble: DiskTrouble | null
  /** How much room a full disk had left; null for any other trouble, and if it is unknown. */
  readonly diskFreeBytes: number | null
}
