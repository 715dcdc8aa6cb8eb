import type { WebSocket } from 'ws'
import type { Port } from '../../../src-shared/bridge/port.ts'

/** A window's socket as a port. */
export function socketPort(socket: WebSocket): Port {
  // A broken socket closes by itself; there is nothing else to do about its error.
  socket.on('error', () => {})
  return {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(message)
    },
    onMessage(listener) {
      const forward = (data: { toString(): string }) => listener(data.toString())
      socket.on('message', forward)
      return () => socket.off('message', forward)
    },
    onClose(listener) {
      socket.on('close', listener)
      return () => socket.off('close', listener)
    },
  }
}
