/** A file on its way into a message, as screens show it. */
export interface OutgoingFile {
  readonly fileId: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Bytes that have left for the server. */
  readonly sent: number
  /**
   * copying: it comes onto this device. waiting: here, and the server does not have it. refused: it never will, see
   * `reason`.
   */
  readonly state: 'copying' | 'waiting' | 'uploading' | 'uploaded' | 'refused'
  readonly reason: string | null
  /** What a message links to; null until it is uploaded. */
  readonly url: string | null
}

/** What stands in a text for a file that the server does not have yet. */
export const linkToFile = (fileId: string): string => `dunlin-file:${fileId}`

/** All such links in a text; the first group is the id. */
export const linkOfFile = /dunlin-file:([a-z0-9]+)/g
