import type { DraftId } from '../ids.ts'
import type { Conversation } from './conversation.ts'
import type { RecipientLabel } from './message.ts'

/** The recipient of a draft; null while it has none. */
export type DraftRecipient = Conversation | null

/** The content of a draft. */
export interface DraftContent {
  readonly recipient: DraftRecipient
  /** Markdown. */
  readonly content: string
}

/**
 * The state of a draft. edited: words here that the server does not have. saving: a request is under way.
 * synced: the server has exactly this. unsure: a save got no answer. conflict: this and another device changed the
 * same words. local-only: the server keeps no drafts (too old, or switched off by the person).
 */
export type DraftState = 'edited' | 'saving' | 'synced' | 'unsure' | 'conflict' | 'local-only'

/** A draft on this device. */
export interface Draft extends DraftContent {
  readonly id: DraftId
  readonly label: RecipientLabel | null
  /** The topic from which the draft moved along; null once the person continues writing. */
  readonly cameFrom: RecipientLabel | null
  /** The number of the last version with which another device changed it; null if that is none of its newest few. */
  readonly lastElsewhere: number | null
  readonly state: DraftState
  /** Whether the server has an older version of it. */
  readonly isOnServer: boolean
  /** Why the server refuses it, in the server's words; null if it was not refused or has changed since. */
  readonly refusal: string | null
  /** When a person last changed it, here or elsewhere, epoch milliseconds. */
  readonly editedAt: number
  readonly conflict: DraftConflict | null
}

/** A draft in the list of all drafts. */
export interface ListedDraft extends Draft {
  /** The beginning of its rendered text, in one line. */
  readonly beginning: string
}

/** A piece of a three-way merge, in order; joined, the pieces are the whole text. */
export type MergePiece =
  /** The same on both sides, or taken over because only one side changed it. */
  | {
      readonly kind: 'joined'
      readonly text: string
      /** Which side changed it; null for text that nobody changed. */
      readonly from: 'local' | 'remote' | 'both' | null
      /** What the change replaced; empty for an insertion or unchanged text. */
      readonly replaced: string
    }
  /** Both sides changed it differently; the merge does not guess. */
  | {
      readonly kind: 'conflict'
      readonly number: number
      readonly base: string
      readonly local: string
      readonly remote: string
    }

/** Two versions of one draft that could not be merged automatically. */
export interface DraftConflict {
  /** Null if there never was a common ancestor. */
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

/** A version that can be restored for 30 days. */
export interface DraftVersion extends DraftContent {
  /** Rises with each version; below 1 for those of another draft that turned out to be the same one. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly savedAt: number
  /**
   * 'followed': the draft's content before its topic was renamed or moved and the draft followed. 'sent': the content
   * with which it was sent or scheduled from here.
   */
  readonly origin: 'here' | 'elsewhere' | 'merged' | 'followed' | 'sent'
}

/** A draft that was deleted here or ended elsewhere, with its last version. It can be restored for 30 days. */
export interface EndedDraft extends DraftContent {
  readonly id: DraftId
  /** The number of that version. */
  readonly number: number
  readonly label: RecipientLabel | null
  /** The beginning of its rendered text, in one line. */
  readonly beginning: string
  /** Epoch milliseconds. */
  readonly endedAt: number
  /** Whether there are versions with another text. */
  readonly hasOthers: boolean
}
