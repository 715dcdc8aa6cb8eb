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
  /** What it is called beside the others of this device. */
  readonly title: string
  /** Address of the organization's picture, below `mediaUrl` rules; null when it has none. */
  readonly organizationIconUrl: string | null
  readonly isDemo: boolean
  readonly unreadCount: number
  readonly mentionCount: number
  /** Unread direct messages, and mentions elsewhere. */
  readonly personalCount: number
}

/** What an address turned out to be, before anybody signs in. */
export interface Organization {
  readonly baseUrl: string
  readonly name: string
  readonly iconUrl: string | null
  readonly description: string
  readonly featureLevel: number
  readonly version: string
  readonly canUsePassword: boolean
  /** What this version of the server cannot do, in words for people; empty when nothing is missing. */
  readonly missing: readonly string[]
}

/**
 * How an account stands with its server. connecting: the first attempt since the start. synced: everything known
 * and nothing waits. syncing: connected, history or changes are under way. offline: no answer. unreachable: the
 * network works, this server does not. signed-out: the key is not accepted. incompatible: not a server this app
 * can speak to.
 */
export type SyncStatus =
  'connecting' | 'synced' | 'syncing' | 'offline' | 'unreachable' | 'signed-out' | 'incompatible'

/** Something about the account's file on this device that the person should know. */
export interface FileNotice {
  /** Epoch milliseconds. */
  readonly at: number
  /** What happened, what is safe and what to do. */
  readonly message: string
}

/** Why the disk takes nothing that is to be kept. */
export type DiskTrouble = Extract<DeviceFailureCode, 'disk-full' | 'disk-error' | 'read-only'>

/** Of what a machine has little to give. */
export type HistoryPause = 'battery' | 'metered'

/**
 * How far fetching history is: the newest messages of all; those of conversations with unread ones, and how many of them
 * are still to come; earlier ones, and how much of them is here, 0 to 1.
 */
export type HistoryProgress =
  | { readonly step: 'newest' }
  | { readonly step: 'unread'; readonly conversations: number }
  | { readonly step: 'earlier'; readonly share: number }

export interface SyncState {
  readonly status: SyncStatus
  /** Since when, epoch milliseconds; of a server that does not answer: since it was first asked in vain. */
  readonly since: number
  /** How many of the person's changes wait for the server, drafts not counted. */
  readonly waiting: number
  /** What does not go on without the person, refused or perhaps sent already, and how many of that are messages. */
  readonly needsYou: { readonly changes: number; readonly messages: number }
  /** When the last attempt failed, epoch milliseconds; null while nothing is wrong. */
  readonly lastAttemptAt: number | null
  /** Epoch milliseconds; null when none is planned. */
  readonly nextAttemptAt: number | null
  readonly attempt: number
  /** When the server's words last arrived, epoch milliseconds; null before the first time. */
  readonly lastSyncedAt: number | null
  /** One sentence for people, when something is wrong; null otherwise. */
  readonly problem: string | null
  /** History being fetched; null when nothing is under way. */
  readonly progress: HistoryProgress | null
  /** Why fetching it waits: the machine runs on its battery, or its network is metered; null while it does not. */
  readonly historyPause: HistoryPause | null
  /** False until the first snapshot of this account was written. */
  readonly hasSynced: boolean
  /** What became of the account's file, until the person has read it; null otherwise. */
  readonly fileNotice: FileNotice | null
  /** Why nothing can be saved on this device now; null while it can. */
  readonly diskTrouble: DiskTrouble | null
  /** How much room there was on a disk that is full; null for any other, and where nobody can tell. */
  readonly diskFreeBytes: number | null
}
