import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { minuteMs } from '../../../src-shared/durations.ts'
import { doable } from '../keys/doable.ts'
import { isCovered } from '../keys/resting-focus.ts'
import { route } from './route.svelte.ts'
import { toasts } from '../toast.svelte.ts'

/** An older request was meant for a window that no longer exists. */
const freshMs = minuteMs
const followedKey = 'followed-open-request'

/**
 * Follows requests from outside the window (a notification, a link, the tray, a menu); returns a function that stops
 * it. A request is followed once, even if it is older than this window or the window is reloaded.
 */
export function followOpenRequests(bridge: Bridge): () => void {
  return bridge.watch('open-request', {}, (request) => {
    if (request === null) return
    const followed = Number(sessionStorage.getItem(followedKey) ?? 0)
    if (request.requestedAt <= followed || Date.now() - request.requestedAt > freshMs) return
    sessionStorage.setItem(followedKey, String(request.requestedAt))
    if (request.kind === 'find') {
      find()
      return
    }
    const { accountId, narrow, messageId: near, topicOf = null } = request
    if (narrow === null) route.go({ view: 'inbox', accountId })
    else if (topicOf === null) route.go({ view: 'feed', accountId, narrow, near })
    else {
      // The window's first picture does not need it.
      const place = import('./linked-narrow.ts').then(({ linkedNarrow }) =>
        linkedNarrow({ narrow, topicOf }, bridge, accountId),
      )
      const goal = place.then((found) => ({ view: 'feed', accountId, narrow: found, near }) as const)
      route.goOnceFound(goal).catch((error: unknown) => toasts.failed(error))
    }
  })
}

/** Does what the shortcut does: where there is nothing to find in, everything is searched. A dialog is not left for it. */
function find(): void {
  if (isCovered()) return
  const acts = doable.list()
  const act = acts.find(({ name }) => name === 'find') ?? acts.find(({ name }) => name === 'search')
  act?.run()
}
