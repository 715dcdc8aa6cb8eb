import { connectBridge, type Bridge } from '../src-shared/bridge/connect.ts'
import type { Port } from '../src-shared/bridge/port.ts'

declare global {
  interface Window {
    /** Put there by the preload of the Electron host; absent on the web host. */
    readonly bridgePort?: Port & {
      /** Calls the listener before the window closes and waits for it. Returns how to stop. */
      onClosing(listener: () => Promise<void>): () => void
    }
  }
}

const retryMs = 700

/** Calls the listener when the window is about to go; the Electron host waits for it, a browser tab cannot. */
export function onClosing(listener: () => Promise<void>): () => void {
  const leave = () => void listener()
  addEventListener('pagehide', leave)
  const stop = window.bridgePort?.onClosing(listener)
  return () => {
    removeEventListener('pagehide', leave)
    stop?.()
  }
}

/** Whether the page itself has to show notifications: the web host has none of its own. */
export const showsNotices = (): boolean => window.bridgePort === undefined

/** Whether the app runs by itself, with a tray and a start of its own; a browser tab does not. */
export const isOwnApp = (): boolean => window.bridgePort !== undefined

/** The bridge to the engine: the preload's port where there is one, else a socket that comes back by itself. */
export async function connect(): Promise<Bridge> {
  if (window.bridgePort !== undefined) return connectBridge(window.bridgePort)
  const bridge = connectBridge(await openSocket(() => void reopen()))
  const reopen = async (): Promise<void> => {
    bridge.reconnect(await openSocket(() => void reopen()))
  }
  return bridge
}

async function openSocket(onLost: () => void): Promise<Port> {
  for (;;) {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/bridge`)
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true), { once: true })
      socket.addEventListener('close', () => resolve(false), { once: true })
    })
    if (isOpen) {
      socket.addEventListener('close', onLost, { once: true })
      return portOf(socket)
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

function portOf(socket: WebSocket): Port {
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message)
    },
    onMessage(listener) {
      const forward = (event: MessageEvent) => listener(String(event.data))
      socket.addEventListener('message', forward)
      return () => socket.removeEventListener('message', forward)
    },
    onClose(listener) {
      socket.addEventListener('close', listener)
      return () => socket.removeEventListener('close', listener)
    },
  }
}
