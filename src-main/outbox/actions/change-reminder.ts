import { later } from '../../../src-shared/api/later.ts'
import { patchObject, removeObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'
import { remindAtSeconds } from './remind-me.ts'

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
  apply(db, { reminderId, note, at }) {
    if (at === null) removeObject(db, 'reminder', reminderId)
    else
      patchObject(db, 'reminder', reminderId, { note, scheduled_delivery_timestamp: Math.round(at / 1_000) })
  },
  async send({ reminderId, messageId, note, at }, { connection, signal, clock }) {
    const { reminders } = await connection.call(later.getReminders, {}, { signal })
    const others = reminders.filter((one) => one.reminder_id !== reminderId)
    if (at !== null) {
      const wanted = remindAtSeconds(at, clock)
      const isThere = others.some(
        (one) => one.reminder_target_message_id === messageId && one.scheduled_delivery_timestamp === wanted,
      )
      if (!isThere) {
        await connection.call(
          later.createReminder,
          { message_id: messageId, scheduled_delivery_timestamp: wanted, ...(note === '' ? {} : { note }) },
          { signal },
        )
      }
    }
    if (others.length < reminders.length)
      await connection.call(later.deleteReminder, { reminder_id: reminderId }, { signal })
    return null
  },
  concerns: () => [],
  join: (earlier, next) => (earlier.reminderId === next.reminderId ? next : undefined),
}
