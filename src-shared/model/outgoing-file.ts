/** A file attached to a message that is not sent yet, as screens show it. */
export interface OutgoingFile {
  readonly fileId: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Bytes sent to the server so far. */
  readonly sent: number
  /**
   * copying: being copied to this device's data directory. waiting: copied, and not on the server yet. refused: the
   * server will never take it, see `reason`.
   */
  readonly state: 'copying' | 'waiting' | 'uploading' | 'uploaded' | 'refused'
  readonly reason: string | null
  /** The address that the message links to; null until it is uploaded. */
  readonly url: string | null
}

/** The placeholder in a text for a file that is not on the server yet. */
export const linkToFile = (fileId: string): string => `dunlin-file:${fileId}`

/** Matches all such links in a text; the first group is the id. */
export const linkOfFile = /dunlin-file:([a-z0-9]+)/g
