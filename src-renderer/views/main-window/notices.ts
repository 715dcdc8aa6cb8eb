import type { Bridge } from '../../../src-shared/bridge/connect.ts'

/** Shows new notices as browser notifications, for a host that has none of its own; returns how to stop. */
export function showNotices(bridge: Bridge): () => void {
  let seen: Set<string> | null = null
  return bridge.watch('notices', {}, (notices) => {
    const known = seen
    seen = new Set(notices.map(({ id }) => id))
    // Notices from before this window was opened are not new.
    if (known === null || !('Notification' in window) || Notification.permission !== 'granted') return
    for (const notice of notices) {
      if (known.has(notice.id)) continue
      const shown = new Notification(notice.title, {
        body: notice.body,
        tag: notice.id,
        silent: notice.isSilent,
      })
      shown.addEventListener('click', () => {
        window.focus()
        void bridge.call('open-notice', { id: notice.id }).catch(() => {})
      })
    }
  })
}
