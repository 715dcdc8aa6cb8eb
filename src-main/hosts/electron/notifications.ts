import { Notification } from 'electron'
import type { Notice } from '../../../src-shared/model/notice.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** Called when the person clicks a notification or replies to it. */
export interface NoticeAnswers {
  clicked(id: string): void
  replied(notice: Notice, text: string): void
}

/** Returns a function that shows notices as system notifications, with a reply field if the system supports it. */
export function showNotices(answers: () => NoticeAnswers): (notice: Notice) => void {
  // Referenced here, because a notification that is garbage-collected emits no events.
  const shown = new Set<Notification>()
  return (notice) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({
      title: notice.title,
      body: notice.body,
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
    notification.on('close', forget)
    notification.on('failed', forget)
    shown.add(notification)
    notification.show()
  }
}
