import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { Notice } from '../../src-shared/model/notice.ts'

/** What an account tells the engine, and what it asks of it. */
export interface AccountEvents {
  notify(notice: Notice): void
  /** Unread counts may have changed. */
  countsChanged(): void
  /** The way to the server or the number of waiting changes may be another. */
  shellChanged(): void
  attention(): Narrow | null
  notificationsEnabled(): boolean
  /** The person wants quiet now. */
  isQuiet(): boolean
  /** What the network carries costs. */
  isMetered(): boolean
  /** Whether everything is fetched, not only what is recent. */
  wantsAllHistory(): boolean
}
