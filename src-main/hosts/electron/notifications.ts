import { Notification } from 'electron'
import type { Notice } from '../../../src-shared/model/notice.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** What a person does with a notification. */
export interface NoticeAnswers {
  clicked(id: string): void
  replied(notice: Notice, text: string): void
}

/** Shows notices as notifications of the system; a reply can be typed there where the system has that. */
export function showNotices(answers: () => NoticeAnswers): (notice: Notice) => void {
  // Electron forgets a notification that nobody holds, and its clicks with it.
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
