import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import type { BridgeServer } from '../../src-shared/bridge/serve.ts'
import type { AccountId, MessageId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import type { PauseLength } from '../../src-shared/model/quiet.ts'
import type { MediaAnswer, MediaPart } from '../media/media.ts'
import type { ShellState } from '../shell/shell-state.ts'

export type { MediaAnswer, MediaPart } from '../media/media.ts'

/** What a host uses of the engine: the bridge for its windows, and these methods for everything else. */
export interface Engine extends BridgeServer {
  /**
   * A picture or file of an account's server, from this device if it was shown here before. Null if there is no such
   * account. Rejects with a `FailureError` if it is not on this device and the server cannot be reached.
   */
  media(accountId: string, url: string, part?: MediaPart | null): Promise<MediaAnswer | null>
  /** Opens a place on a request from outside the window; without an account, in the first one. */
  openRequest(request: {
    accountId: AccountId | null
    /** Null: the account's inbox. */
    narrow: Narrow | null
    messageId: MessageId | null
    /** A message of the topic that is meant, which may have been renamed since. */
    topicOf?: MessageId | null
  }): void
  /** Has the window find something where the person is, as its shortcut does. */
  requestFind(): void
  noticeClicked(id: string): void
  /** Sends a reply to the conversation of the notice; if the disk is full, as soon as it can be stored. */
  noticeReplied(notice: Notice, text: string): void
  shellState(): ShellState
  /** The current settings; `onShellState` reports changes. */
  deviceSettings(): DeviceSettings
  /** Switches this device's notifications on or off. */
  setNotifications(on: boolean): void
  /** Pauses the notifications of all accounts; null: ends the pause. */
  pauseNotifications(length: PauseLength | null): void
  /** Calls the listener after every change; returns a function that removes it. */
  onShellState(listener: () => void): () => void
  /** Ends everything. What was typed is already on disk. */
  close(): Promise<void>
}
