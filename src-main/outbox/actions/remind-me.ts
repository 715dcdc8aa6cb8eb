import { later, type ApiReminder } from '../../../src-shared/api/later.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { shownNote } from '../../../src-shared/model/reminder-note.ts'
import { putObject } from '../../store/objects.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'

/** A reminder whose time has passed before the server was reached is set this far ahead, in seconds. */
const soonestSeconds = 60

/** Epoch milliseconds as UNIX seconds. */
export const inSeconds = (ms: number): number => Math.round(ms / 1_000)

/** A reminder to create; `at` is its time, epoch milliseconds. */
type NewReminder = ActionOf<'remind-me'> | (ActionOf<'change-reminder'> & { readonly at: number })

/**
 * Creates a reminder at its time, or soon if that has passed; later if there is one at that time already. Returns its
 * id.
 */
export async function makeReminder(
  reminder: NewReminder,
  isTaken: (moment: number) => boolean,
  { connection, signal, serverNow, saveProgress }: SendContext,
): Promise<number> {
  const { messageId, at, note } = reminder
  let moment = Math.max(inSeconds(at), inSeconds(serverNow()) + soonestSeconds)
  // Two reminders of the same message can be distinguished only by their times.
  while (isTaken(moment)) moment++
  // Stored, so that a reminder whose answer is lost is looked for at the requested time.
  if (moment !== inSeconds(at)) saveProgress({ ...reminder, at: moment * 1_000 })
  const { reminder_id } = await connection.call(
    later.createReminder,
    { message_id: messageId, scheduled_delivery_timestamp: moment, ...(note === '' ? {} : { note }) },
    { signal },
  )
  return reminder_id
}

/** Fetches all reminders from the server. */
export async function remindersOnServer({
  connection,
  signal,
}: SendContext): Promise<readonly ApiReminder[]> {
  return (await connection.call(later.getReminders, {}, { signal })).reminders
}

/** Creates a reminder of a message (specification, POST /reminders). */
export const remindMe: OfflineAction<'remind-me'> = {
  isRepeatable: false,
  lane: ({ messageId }) => `remind:${messageId}`,
  apply() {},
  restores(db, { messageId, at, note }, earlier) {
    if (earlier.name !== 'change-reminder' || earlier.at !== null) return null
    const { was, instead, ...deletion } = earlier
    const isSame =
      was !== undefined &&
      was['failed'] !== true &&
      deletion.messageId === messageId &&
      was['scheduled_delivery_timestamp'] === inSeconds(at) &&
      shownNote(was) === note.trim()
    if (!isSame) return null
    putObject(db, 'reminder', deletion.reminderId, was)
    return { id: deletion.reminderId, rest: instead === undefined ? null : { ...deletion, ...instead } }
  },
  makes: {
    kind: 'reminder',
    onServer: remindersOnServer,
    isMade: (_db, { messageId, at }, one) =>
      one['reminder_target_message_id'] === messageId &&
      one['scheduled_delivery_timestamp'] === inSeconds(at),
    // One that was brought in the meantime is made again: to be reminded twice is better than not at all.
    mayBeMade: (_db, { messageId }, one) => one['reminder_target_message_id'] === messageId,
  },
  async send(action, context) {
    const reminders = await remindersOnServer(context)
    const isTaken = (moment: number) =>
      reminders.some(
        (known) =>
          known.reminder_target_message_id === action.messageId &&
          known.scheduled_delivery_timestamp === moment,
      )
    return await makeReminder(action, isTaken, context)
  },
  // Only their times tell two reminders of one message apart.
  join: (earlier, later) =>
    earlier.messageId === later.messageId && inSeconds(earlier.at) === inSeconds(later.at)
      ? later
      : undefined,
}
