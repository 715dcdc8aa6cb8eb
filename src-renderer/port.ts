import { connectBridge, type Bridge } from '../src-shared/bridge/connect.ts'
import { openingElement, type OpeningAnswer } from '../src-shared/bridge/opening.ts'
import type { Port } from '../src-shared/bridge/port.ts'
import type { QueryName } from '../src-shared/bridge/queries.ts'
import { FailureError, type Failure } from '../src-shared/failure.ts'
import { toasts } from './state/toast.svelte.ts'

declare global {
  interface Window {
    /** Defined by the preload script of the Electron host; absent on the web host. */
    readonly bridgePort?: Port & {
      /** Calls the listener before the window closes, and waits for it. Returns how to stop. */
      onClosing(listener: () => Promise<void>): () => void
      /** Zooms in or out by a step; 0 restores the normal size. */
      zoom(by: 1 | -1 | 0): void
    }
  }
}

const retryMs = 700

/** Calls the listener when the window is about to close. The Electron host waits for it; a browser tab cannot. */
export function onClosing(listener: () => Promise<void>): () => void {
  const leave = () => void listener()
  addEventListener('pagehide', leave)
  const stop = window.bridgePort?.onClosing(listener)
  return () => {
    removeEventListener('pagehide', leave)
    stop?.()
  }
}

/** Zooms in or out by a step, 0 restores the normal size; null in a browser, which zooms by itself. */
export const zoomOfWindow = (): ((by: 1 | -1 | 0) => void) | null => window.bridgePort?.zoom ?? null

/** Whether the page has to show notifications, because the web host has none of its own. */
export const showsNotices = (): boolean => window.bridgePort === undefined

/** Whether the app runs by itself, with a tray icon and a start at login; a browser tab does not. */
export const isOwnApp = (): boolean => window.bridgePort !== undefined

/**
 * Connects to the engine: over the preload script's port if there is one, otherwise over a socket that reconnects. The
 * opening answers are in the page already.
 */
export function connect(): Bridge {
  const opening = readOpening()
  if (window.bridgePort !== undefined) return connectBridge(window.bridgePort, opening, watchFailed)
  const bridge = connectBridge(openSocket({ onOpen: () => {}, onLost: reopen }), opening, watchFailed)
  function reopen(): void {
    const port = openSocket({ onOpen: () => bridge.reconnect(port), onLost: reopen })
  }
  return bridge
}

/** Shows a toast for a failed query, so that its empty list is not mistaken for a list without entries. */
function watchFailed(name: QueryName, failure: Failure): void {
  // Watches of a signed-out account end with the next rendering.
  if (failure.kind === 'rejected' && failure.code === 'NO_SUCH_ACCOUNT') return
  console.error(`${name}: ${failure.message}`)
  // A feed says so itself, with a button to try again.
  if (name !== 'feed') toasts.failed(new FailureError(failure))
}

/** The opening answers; empty if the page has none, so that all queries go over the port. */
function readOpening(): readonly OpeningAnswer[] {
  const text = document.getElementById(openingElement)?.textContent
  // The host wrote them, in this form.
  return text === undefined ? [] : (JSON.parse(text) as readonly OpeningAnswer[])
}

/** Returns a port at once; messages sent before its socket is open wait for that. */
function openSocket(told: { onOpen(): void; onLost(): void }): Port {
  let socket: WebSocket | null = null
  let waiting: string[] = []
  const messageListeners = new Set<(message: string) => void>()
  const closeListeners = new Set<() => void>()
  const attempt = () => {
    const next = new WebSocket(new URL('bridge', location.href.replace(/^http/, 'ws')))
    next.addEventListener('message', (event) => {
      for (const listener of messageListeners) listener(String(event.data))
    })
    next.addEventListener('open', () => {
      socket = next
      for (const message of waiting) next.send(message)
      waiting = []
      told.onOpen()
    })
    next.addEventListener('close', () => {
      if (socket === null) {
        setTimeout(attempt, retryMs)
        return
      }
      for (const listener of closeListeners) listener()
      told.onLost()
    })
  }
  attempt()
  return {
    send(message) {
      if (socket === null) waiting.push(message)
      else if (socket.readyState === WebSocket.OPEN) socket.send(message)
    },
    onMessage(listener) {
      messageListeners.add(listener)
      return () => messageListeners.delete(listener)
    },
    onClose(listener) {
      closeListeners.add(listener)
      return () => closeListeners.delete(listener)
    },
  }
}
