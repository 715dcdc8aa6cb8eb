import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { route } from './route.svelte.ts'

/** An older request was meant for a window that no longer exists. */
const freshMs = 60_000
const followedKey = 'followed-open-request'

/**
 * Follows requests from outside the window (a notification, a link, the tray) to open a place; returns a function that
 * stops it. A request is followed once, even if it is older than this window or the window is reloaded.
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
