import type { BridgeServer } from '../../src-shared/bridge/serve.ts'
import type { AccountId, MessageId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'

/** What a host shows outside the window: tray, badge, menu. */
export interface ShellState {
  readonly unreadCount: number
  readonly mentionCount: number
  readonly isOffline: boolean
  readonly waiting: number
  readonly accounts: readonly {
    readonly id: AccountId
    readonly name: string
    readonly unreadCount: number
  }[]
}

/** Bytes of a picture or file from an account's server. */
export interface MediaAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
}

/** The engine as a host sees it: windows through the bridge, everything else through these. */
export interface Engine extends BridgeServer {
  /** Null when the account is not known; a `FailureError` when the server cannot be asked. */
  media(accountId: string, url: string): Promise<MediaAnswer | null>
  /** Something outside the window asks to see a place; without an account, the first one. */
  openRequest(request: { accountId: AccountId | null; narrow: Narrow; messageId: MessageId | null }): void
  noticeClicked(id: string): void
  noticeReplied(id: string, text: string): void
  shellState(): ShellState
  /** Returns how to stop listening. */
  onShellState(listener: () => void): () => void
  /** Ends everything; what was typed is on disk already. */
  close(): Promise<void>
}
