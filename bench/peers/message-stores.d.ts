/** A message as these libraries are given it. */
export interface PlainMessage {
  readonly id: number
  /** The key of its conversation. */
  readonly conversation: string
  readonly senderId: number
  readonly senderName: string
  readonly sentAt: number
  readonly contentHtml: string
  readonly isRead: boolean
}

/** A library that keeps messages. */
export interface MessageStore {
  readonly name: string
  fill(messages: readonly PlainMessage[]): unknown
  /** Applies one message as it comes; done when what it returns is. */
  put(message: PlainMessage): unknown
  /** The newest 50 of a conversation, newest first. */
  open(conversation: string): readonly object[] | Promise<readonly object[]>
  /** The number of a message that `open` gave. */
  idOf(message: object): number
  close(): unknown
}

/** A library that keeps messages on the disk. */
export interface StoreOnDisk extends MessageStore {
  /** The 25 of a conversation before a message of it, that one, and the 24 after it, oldest first. */
  openAround(conversation: string, id: number): readonly object[] | Promise<readonly object[]>
}

export const storesOnDisk: readonly ((directory: string, isFilled?: boolean) => Promise<StoreOnDisk>)[]
export function messageStores(directory: string): Promise<MessageStore[]>
