import { later } from '../../../src-shared/api/later.ts'
import type { Clock } from '../../api/clock.ts'
import type { OfflineAction } from '../offline-action.ts'

/** When the server took too long to be reached, it reminds as soon as it can, seconds. */
const soonestSeconds = 60

/** The moment to ask for, UNIX seconds: the wanted one, epoch milliseconds, or soon when that is over. */
export const remindAtSeconds = (at: number, clock: Pick<Clock, 'now'>): number =>
  Math.max(Math.round(at / 1_000), Math.round(clock.now() / 1_000) + soonestSeconds)

/** Has the server bring a message back (specification, POST /reminders). */
export const remindMe: OfflineAction<'remind-me'> = {
  // Repeating looks first, so that an answer that was lost makes no second one.
  isRepeatable: true,
  lane: ({ messageId }) => `remind:${messageId}`,
  conversation: () => null,
  apply() {},
  async send({ messageId, at, note }, { connection, signal, clock }) {
    const { reminders } = await connection.call(later.getReminders, {}, { signal })
    const wanted = remindAtSeconds(at, clock)
    const isThere = reminders.some(
      (known) =>
        known.reminder_target_message_id === messageId && known.scheduled_delivery_timestamp === wanted,
    )
    if (isThere) return null
    await connection.call(
      later.createReminder,
      { message_id: messageId, scheduled_delivery_timestamp: wanted, ...(note === '' ? {} : { note }) },
      { signal },
    )
    return null
  },
  concerns: () => [],
  join: (earlier, later) => (earlier.messageId === later.messageId ? later : undefined),
}
