import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import type { BridgeServer } from '../../src-shared/bridge/serve.ts'
import type { AccountId, MessageId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import type { PauseLength } from '../../src-shared/model/quiet.ts'
import type { MediaAnswer, MediaPart } from '../media/media.ts'
import type { ShellState } from '../shell/shell-state.ts'

export type { MediaAnswer, MediaPart } from '../media/media.ts'

/** The engine as a host sees it: windows through the bridge, everything else through these. */
export interface Engine extends BridgeServer {
  /**
   * A picture or file of an account's server, from this device when it was seen here. Null when the account is not
   * known; a `FailureError` when it is not here and the server cannot be asked.
   */
  media(accountId: string, url: string, part?: MediaPart | null): Promise<MediaAnswer | null>
  /** Something outside the window asks to see a place; without an account, the first one. */
  openRequest(request: {
    accountId: AccountId | null
    /** Null: the account's inbox. */
    narrow: Narrow | null
    messageId: MessageId | null
  }): void
  noticeClicked(id: string): void
  /** Sends the words to where the notice came from; on a disk without room, as soon as it takes them. */
  noticeReplied(notice: Notice, text: string): void
  shellState(): ShellState
  /** As they are now; `onShellState` tells of changes. */
  deviceSettings(): DeviceSettings
  /** Switches this device's notifications on or off. */
  setNotifications(on: boolean): void
  /** Holds the notifications of all accounts back; null: no longer. */
  pauseNotifications(length: PauseLength | null): void
  /** Returns how to stop listening. */
  onShellState(listener: () => void): () => void
  /** Ends everything; what was typed is on disk already. */
  close(): Promise<void>
}
