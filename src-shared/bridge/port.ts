/** A two-way stream of messages. Carries text, so that every host has the same idea of what survives the trip. */
export interface Port {
  send(message: string): void
  /** Returns how to stop listening. */
  onMessage(listener: (message: string) => void): () => void
  /** Called when the other end is gone: window closed or reloaded, socket broken. Returns how to stop listening. */
  onClose(listener: () => void): () => void
}
