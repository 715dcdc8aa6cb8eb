import type { Bridge } from '../../../src-shared/bridge/connect.ts'

/**
 * Shows new notices as browser notifications, for a host that has none of its own, and closes those that are withdrawn;
 * returns how to stop.
 */
export function showNotices(bridge: Bridge): () => void {
  let seen: Set<string> | null = null
  const shown = new Map<string, Notification>()
  return bridge.watch('notices', {}, (notices) => {
    const known = seen
    const present = new Set(notices.map(({ id }) => id))
    seen = present
    for (const [id, notification] of shown) {
      if (present.has(id)) continue
      notification.close()
      shown.delete(id)
    }
    // Notices from before this window was opened are not new.
    if (known === null || !('Notification' in window) || Notification.permission !== 'granted') return
    for (const notice of notices) {
      if (known.has(notice.id)) continue
      const notification = new Notification(notice.title, {
        body: notice.body,
        tag: notice.id,
        silent: notice.isSilent,
      })
      shown.set(notice.id, notification)
      notification.addEventListener('click', () => {
        window.focus()
        void bridge.call('open-notice', { id: notice.id }).catch(() => {})
      })
    }
  })
}
