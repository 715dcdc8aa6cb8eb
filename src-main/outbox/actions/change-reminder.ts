import { later, type ApiReminder } from '../../../src-shared/api/later.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { noteOf } from '../../../src-shared/model/reminder-note.ts'
import { object, patchObject, removeObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'
import { unlessRefused } from './refusals.ts'
import { inSeconds, makeReminder, remindersOnServer } from './remind-me.ts'

type Change = ActionOf<'change-reminder'>

/** Whether a reminder is the one that is changed, or what an earlier change made of it. */
const isChanged = ({ reminderId, messageId, shownAt }: Change, one: ApiReminder): boolean =>
  one.reminder_id === reminderId ||
  (shownAt !== undefined &&
    one.reminder_target_message_id === messageId &&
    one.scheduled_delivery_timestamp === inSeconds(shownAt))

/** Whether a reminder for this moment, UNIX seconds, is what the change is to make. */
const isMade = (change: Change, one: ApiReminder, moment: number): boolean =>
  one.reminder_target_message_id === change.messageId &&
  one.scheduled_delivery_timestamp === moment &&
  // Where the moment stays, only the note tells the new one from the old one.
  (!isChanged(change, one) || noteOf(one.content) === change.note.trim())

/**
 * Another time or note for a reminder, or its end. The server has no way to change one, so a new one is made before the
 * old one goes (specification, POST /reminders and DELETE /reminders/{reminder_id}).
 */
export const changeReminder: OfflineAction<'change-reminder'> = {
  // Repeating looks first: what was made is not made again, what is gone is not taken away.
  isRepeatable: true,
  // With the wish to be reminded of the same message: one after the other.
  lane: ({ messageId }) => `remind:${messageId}`,
  conversation: () => null,
  // A change that is on its way gives the reminder another id, but this moment.
  noted(db, change) {
    const shown = object(db, 'reminder', change.reminderId)?.['scheduled_delivery_timestamp']
    return typeof shown === 'number' ? { ...change, shownAt: shown * 1_000 } : change
  },
  apply(db, { reminderId, note, at }) {
    if (at === null) removeObject(db, 'reminder', reminderId)
    else patchObject(db, 'reminder', reminderId, { note, scheduled_delivery_timestamp: inSeconds(at) })
  },
  async send(change, context) {
    const { connection, signal } = context
    const { at } = change
    const reminders = await remindersOnServer(context)
    const made = (moment: number) => reminders.find((one) => isMade(change, one, moment))
    if (at !== null) await makeReminder({ ...change, at }, (moment) => made(moment) !== undefined, context)
    const kept = at === null ? undefined : made(inSeconds(at))
    for (const one of reminders) {
      if (one === kept || !isChanged(change, one)) continue
      // Refused when it is gone already.
      await unlessRefused(connection.call(later.deleteReminder, { reminder_id: one.reminder_id }, { signal }))
    }
    return null
  },
  concerns: () => [],
  join: (earlier, next) =>
    earlier.reminderId === next.reminderId ? { ...next, shownAt: earlier.shownAt } : undefined,
}
