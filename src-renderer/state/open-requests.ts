import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { route } from './route.svelte.ts'

/** An older request was meant for a window that is gone. */
const freshMs = 60_000
const followedKey = 'followed-open-request'

/**
 * Goes where something outside the window (a notification, a link, the tray) asks to go; returns how to stop. A
 * request is followed once, also when it is older than this window or the window is loaded again.
 */
export function followOpenRequests(bridge: Bridge): () => void {
  return bridge.watch('open-request', {}, (request) => {
    if (request === null) return
    const followed = Number(sessionStorage.getItem(followedKey) ?? 0)
    if (request.requestedAt <= followed || Date.now() - request.requestedAt > freshMs) return
    sessionStorage.setItem(followedKey, String(request.requestedAt))
    const { accountId, narrow, messageId } = request
    route.go(
      narrow === null ? { view: 'inbox', accountId } : { view: 'feed', accountId, narrow, near: messageId },
    )
  })
}
