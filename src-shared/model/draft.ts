import type { DraftId } from '../ids.ts'
import type { Conversation } from './conversation.ts'
import type { RecipientLabel } from './message.ts'

/** To whom a draft goes; null while it has no recipient. */
export type DraftRecipient = Conversation | null

/** What a person writes in a draft. */
export interface DraftContent {
  readonly recipient: DraftRecipient
  /** Markdown. */
  readonly content: string
}

/**
 * Where a draft stands. edited: words here that the server does not have. saving: a request is under way.
 * synced: the server has exactly this. unsure: a save got no answer. conflict: this and another device changed the
 * same words. local-only: the server keeps no drafts (too old, or switched off by the person).
 */
export type DraftState = 'edited' | 'saving' | 'synced' | 'unsure' | 'conflict' | 'local-only'

/** A draft as it stands on this device. */
export interface Draft extends DraftContent {
  readonly id: DraftId
  readonly label: RecipientLabel | null
  /** The topic that it went along from when that moved; null once the person goes on writing. */
  readonly cameFrom: RecipientLabel | null
  readonly state: DraftState
  /** Whether the server has an older version of it. */
  readonly isOnServer: boolean
  /** Why the server does not take it as it is, in its words; null when it was not refused, or has changed since. */
  readonly refusal: string | null
  /** Epoch milliseconds of the last change by a person, here or elsewhere. */
  readonly editedAt: number
  readonly conflict: DraftConflict | null
}

/** A draft in the list of all. */
export interface ListedDraft extends Draft {
  /** The beginning of what it says once it is rendered, in one line. */
  readonly beginning: string
}

/** A piece of a three-way merge, in order; joined they are the whole text. */
export type MergePiece =
  /** The same everywhere, or taken over because only one side changed it. */
  | {
      readonly kind: 'joined'
      readonly text: string
      /** Whose change it was; null for text that nobody changed. */
      readonly from: 'local' | 'remote' | 'both' | null
      /** What the change replaced; empty for an insertion or unchanged text. */
      readonly replaced: string
    }
  /** Both sides changed it, differently: nothing is guessed. */
  | {
      readonly kind: 'conflict'
      readonly number: number
      readonly base: string
      readonly local: string
      readonly remote: string
    }

/** Two versions of one draft that could not be joined by themselves. */
export interface DraftConflict {
  /** Null when there never was a common version. */
  readonly base: DraftContent | null
  readonly local: DraftContent
  readonly remote: DraftContent
  /** Epoch milliseconds. */
  readonly localEditedAt: number
  readonly remoteEditedAt: number
  readonly pieces: readonly MergePiece[]
  /** Whether the recipients or topics differ too. */
  readonly recipientDiffers: boolean
}

/** A version that can be brought back, for 30 days. */
export interface DraftVersion extends DraftContent {
  readonly number: number
  /** Epoch milliseconds. */
  readonly savedAt: number
  /** 'followed': as it was when its topic got another name or channel, and the draft went along. */
  readonly origin: 'here' | 'elsewhere' | 'merged' | 'followed'
}
