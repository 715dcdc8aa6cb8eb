import { Notification } from 'electron'
import type { Notice } from '../../../src-shared/model/notice.ts'
import type { Platform } from '../../engine/platform.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { forgets, notificationBody, notificationsKept } from '../../shell/notification-model.ts'

/** Called when the person clicks a notification or replies to it. */
export interface NoticeAnswers {
  clicked(id: string): void
  replied(notice: Notice, text: string): void
}

/** Shows notices as system notifications, with a reply field if the system supports it, and withdraws them. */
export function showNotices(
  answers: () => NoticeAnswers,
  log: (line: string) => void,
): Pick<Platform, 'notify' | 'withdraw'> {
  // What an earlier start that did not end by itself left there. On other systems it can be removed only by who showed it.
  if (process.platform === 'darwin') Notification.removeAll()
  // The newest, referenced here, because a notification that is garbage-collected emits no events.
  const shown = new Map<string, Notification>()
  const withdraw = (ids: readonly string[]) => {
    for (const id of ids) {
      shown.get(id)?.close()
      shown.delete(id)
    }
  }
  const notify = (notice: Notice) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({
      title: notice.title,
      body: notificationBody(process.platform, notice.body),
      silent: notice.isSilent,
      hasReply: notice.conversation !== null,
      replyPlaceholder: t.native.reply,
    })
    const forget = () => shown.delete(notice.id)
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
    shown.set(notice.id, notification)
    // Nothing would answer a click on those, and nothing could withdraw them.
    withdraw([...shown.keys()].slice(0, -notificationsKept))
    notification.show()
  }
  return { notify, withdraw }
}
