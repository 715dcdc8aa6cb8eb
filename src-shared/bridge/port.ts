/** A two-way stream of messages. It carries text, so that every host agrees on what survives the transfer. */
export interface Port {
  send(message: string): void
  /** Returns a function that stops listening. */
  onMessage(listener: (message: string) => void): () => void
  /**
   * Calls back when the other end is gone: window closed or reloaded, socket broken. Returns a function that stops
   * listening.
   */
  onClose(listener: () => void): () => void
}
