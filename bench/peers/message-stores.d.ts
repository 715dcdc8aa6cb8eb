/** A message in the form that these libraries get. */
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

/** A library that stores messages. */
export interface MessageStore {
  readonly name: string
  fill(messages: readonly PlainMessage[]): unknown
  /** Applies one arriving message; done when the returned promise resolves. */
  put(message: PlainMessage): unknown
  /** The newest 50 of a conversation, newest first. */
  open(conversation: string): readonly object[] | Promise<readonly object[]>
  /** The id of a message that `open` returned. */
  idOf(message: object): number
  close(): unknown
}

/** A library that stores messages on disk. */
export interface StoreOnDisk extends MessageStore {
  /** The 25 messages of a conversation before a given one, that one, and the 24 after it, oldest first. */
  openAround(conversation: string, id: number): readonly object[] | Promise<readonly object[]>
}

export const storesOnDisk: readonly ((directory: string, isFilled?: boolean) => Promise<StoreOnDisk>)[]
export function messageStores(directory: string): Promise<MessageStore[]>
