import type { WebSocket } from 'ws'
import type { Port } from '../../../src-shared/bridge/port.ts'

/** Wraps a window's web socket as a port. */
export function socketPort(socket: WebSocket): Port {
  // A socket with an error also emits "close", which is handled; an unhandled error would end the app.
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
