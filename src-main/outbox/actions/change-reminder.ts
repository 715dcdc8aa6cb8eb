import { later, type ApiReminder } from '../../../src-shared/api/later.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { noteOf } from '../../../src-shared/model/reminder-note.ts'
import { object, objectsOf, patchObject, removeObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'
import { unlessRefused } from './refusals.ts'
import { inSeconds, makeReminder, remindersOnServer } from './remind-me.ts'

type Change = ActionOf<'change-reminder'>

/** Whether a reminder is the one to change, including one that replaced it in an earlier change. */
const isChanged = ({ reminderId, messageId, shownAt }: Change, one: ApiReminder): boolean =>
  one.reminder_id === reminderId ||
  (shownAt !== undefined &&
    one.reminder_target_message_id === messageId &&
    one.scheduled_delivery_timestamp === inSeconds(shownAt))

/** Whether a reminder is the result of the change. `moment` is in UNIX seconds. */
const isMade = (change: Change, one: ApiReminder, moment: number): boolean =>
  one.reminder_target_message_id === change.messageId &&
  one.scheduled_delivery_timestamp === moment &&
  // If the time is unchanged, only the note distinguishes the new reminder from the old one.
  (!isChanged(change, one) || noteOf(one.content) === change.note.trim())

/**
 * Changes the time or note of a reminder, or deletes it. The API cannot change one, so the new one is created before
 * the old one is deleted (specification, POST /reminders and DELETE /reminders/{reminder_id}).
 */
export const changeReminder: OfflineAction<'change-reminder'> = {
  // Each attempt first asks what the server has, so a repeat neither creates nor deletes twice.
  isRepeatable: true,
  // Shared with new reminders of the same message.
  lane: ({ messageId }) => `remind:${messageId}`,
  // An earlier change that is still being sent gives the reminder another id; its time identifies it.
  withDetails(db, change) {
    const was = object(db, 'reminder', change.reminderId)
    const shown = was?.['scheduled_delivery_timestamp']
    if (was === undefined || typeof shown !== 'number') return change
    return { ...change, shownAt: shown * 1_000, ...(change.at === null ? { was: { ...was } } : {}) }
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
    if (at !== null && made(inSeconds(at)) === undefined)
      await makeReminder({ ...change, at }, (moment) => made(moment) !== undefined, context)
    const kept = at === null ? undefined : made(inSeconds(at))
    for (const one of reminders) {
      if (one === kept || !isChanged(change, one)) continue
      // The server refuses if it is already gone.
      await unlessRefused(connection.call(later.deleteReminder, { reminder_id: one.reminder_id }, { signal }))
    }
    return null
  },
  accepted(db, { reminderId, messageId, at }) {
    // The event that the old one is gone comes later. Until then it would stand beside the one that replaced it.
    const isReplaced = objectsOf(db, 'reminder').some(
      (one) =>
        one['reminder_id'] !== reminderId &&
        one['reminder_target_message_id'] === messageId &&
        at !== null &&
        one['scheduled_delivery_timestamp'] === inSeconds(at),
    )
    if (isReplaced) removeObject(db, 'reminder', reminderId)
  },
  join(earlier, next) {
    if (earlier.reminderId !== next.reminderId) return undefined
    const { at, note, shownAt } = earlier
    const instead = next.at === null && at !== null ? { instead: { at, note } } : {}
    return { ...next, shownAt, ...instead }
  },
}
