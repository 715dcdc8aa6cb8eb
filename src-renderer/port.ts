import { connectBridge, type Bridge } from '../src-shared/bridge/connect.ts'
import { openingElement, type OpeningAnswer } from '../src-shared/bridge/opening.ts'
import type { Port } from '../src-shared/bridge/port.ts'
import type { QueryName } from '../src-shared/bridge/queries.ts'
import { FailureError, type Failure } from '../src-shared/failure.ts'
import { toasts } from './state/toast.svelte.ts'

declare global {
  interface Window {
    /** Put there by the preload of the Electron host; absent on the web host. */
    readonly bridgePort?: Port & {
      /** Calls the listener before the window closes and waits for it. Returns how to stop. */
      onClosing(listener: () => Promise<void>): () => void
      /** Makes everything a step larger or smaller; 0: as large as it is by itself. */
      zoom(by: 1 | -1 | 0): void
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

/** Makes everything a step larger or smaller, 0: as large as by itself; null in a browser, which does that itself. */
export const zoomOfWindow = (): ((by: 1 | -1 | 0) => void) | null => window.bridgePort?.zoom ?? null

/** Whether the page itself has to show notifications: the web host has none of its own. */
export const showsNotices = (): boolean => window.bridgePort === undefined

/** Whether the app runs by itself, with a tray and a start of its own; a browser tab does not. */
export const isOwnApp = (): boolean => window.bridgePort !== undefined

/**
 * The bridge to the engine: over the preload's port where there is one, else over a socket that comes back by itself.
 * What the window opens with is in the page already.
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

/** A list that stays empty because its query failed is told apart from one that is empty. */
function watchFailed(name: QueryName, failure: Failure): void {
  // What still looks at an account that was signed out goes with the next picture.
  if (failure.kind === 'rejected' && failure.code === 'NO_SUCH_ACCOUNT') return
  console.error(`${name}: ${failure.message}`)
  toasts.failed(new FailureError(failure))
}

/** Where there is nothing, everything is asked for over the port. */
function readOpening(): readonly OpeningAnswer[] {
  const text = document.getElementById(openingElement)?.textContent
  // The host's own words, in this form.
  return text === undefined ? [] : (JSON.parse(text) as readonly OpeningAnswer[])
}

/** A port at once: what is sent before its socket is open waits for that. */
function openSocket(told: { onOpen(): void; onLost(): void }): Port {
  let socket: WebSocket | null = null
  let waiting: string[] = []
  const messageListeners = new Set<(message: string) => void>()
  const closeListeners = new Set<() => void>()
  const attempt = () => {
    const next = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/bridge`)
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
