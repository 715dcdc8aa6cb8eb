import { Notification } from 'electron'
import type { Notice } from '../../../src-shared/model/notice.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { forgets, notificationBody, notificationsKept } from '../../shell/notification-model.ts'

/** Called when the person clicks a notification or replies to it. */
export interface NoticeAnswers {
  clicked(id: string): void
  replied(notice: Notice, text: string): void
}

/** Returns a function that shows notices as system notifications, with a reply field if the system supports it. */
export function showNotices(
  answers: () => NoticeAnswers,
  log: (line: string) => void,
): (notice: Notice) => void {
  // The newest, referenced here, because a notification that is garbage-collected emits no events.
  const shown = new Set<Notification>()
  return (notice) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({
      title: notice.title,
      body: notificationBody(process.platform, notice.body),
      silent: notice.isSilent,
      hasReply: true,
      replyPlaceholder: t.native.reply,
    })
    const forget = () => shown.delete(notification)
    notification.on('click', () => {
      forget()
      answers().clicked(notice.id)
    })
    notification.on('reply', (event: { reply?: string }, text?: string) => {
      forget()
      answers().replied(notice, event.reply ?? text ?? '')
    })
    notification.on('close', ({ reason }) => {
      if (forgets(process.platform, reason)) forget()
    })
    notification.on('failed', (_event, error) => {
      forget()
      log(`notification: ${error}`)
    })
    shown.add(notification)
    for (const old of [...shown].slice(0, -notificationsKept)) shown.delete(old)
    notification.show()
  }
}
