import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import type { KnownAccount } from '../store/accounts-store.ts'

/** What an account reports to the engine, and what it asks the engine. */
export interface AccountEvents {
  notify(notice: Notice): void
  /** The notices of this account that were not withdrawn. */
  notices(): readonly Notice[]
  withdraw(notices: readonly Notice[]): void
  /** The person's address or name, or the organization's name or icon, has changed. */
  knownChanged(known: KnownAccount): void
  /** Unread counts may have changed. */
  countsChanged(): void
  /** The connection's state or the number of waiting changes may have changed. */
  shellChanged(): void
  attention(): Narrow | null
  /** Whether the person is in one of the windows. */
  isActive(): boolean
  notificationsEnabled(): boolean
  /** Whether notifications are off now because of quiet hours or a pause. */
  isQuiet(): boolean
  /** Whether the network is metered. */
  isMetered(): boolean
  /** Whether the person wants the whole history on this device instead of the recent part. */
  wantsAllHistory(): boolean
}
