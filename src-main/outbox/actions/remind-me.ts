import { later, type ApiReminder } from '../../../src-shared/api/later.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { objectsOf } from '../../store/objects.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'

/** When the server took too long to be reached, it reminds as soon as it can, seconds. */
const soonestSeconds = 60

export const inSeconds = (ms: number): number => Math.round(ms / 1_000)

/** A reminder that is to be made, with the moment that it was asked for, epoch milliseconds. */
type Wish = ActionOf<'remind-me'> | (ActionOf<'change-reminder'> & { readonly at: number })

/** Has the server make a reminder, at its moment, or soon when that is over, unless `isThere` knows it already. */
export async function makeReminder(
  wish: Wish,
  isThere: (moment: number) => boolean,
  { connection, signal, clock, goOnWith }: SendContext,
): Promise<void> {
  const { messageId, at, note } = wish
  if (isThere(inSeconds(at))) return
  let moment = Math.max(inSeconds(at), inSeconds(clock.now()) + soonestSeconds)
  // Of the same message, only their moments tell two of them apart.
  while (isThere(moment)) moment++
  // A later attempt looks for the moment that this one asks for.
  if (moment !== inSeconds(at)) goOnWith({ ...wish, at: moment * 1_000 })
  await connection.call(
    later.createReminder,
    { message_id: messageId, scheduled_delivery_timestamp: moment, ...(note === '' ? {} : { note }) },
    { signal },
  )
}

/** The reminders that the server has. */
export async function remindersOnServer({
  connection,
  signal,
}: SendContext): Promise<readonly ApiReminder[]> {
  return (await connection.call(later.getReminders, {}, { signal })).reminders
}

/** Has the server bring a message back (specification, POST /reminders). */
export const remindMe: OfflineAction<'remind-me'> = {
  // Repeating looks first, so that an answer that was lost makes no second one.
  isRepeatable: true,
  lane: ({ messageId }) => `remind:${messageId}`,
  conversation: () => null,
  apply() {},
  isHere: (db, { messageId, at }) =>
    objectsOf(db, 'reminder').some(
      (known) =>
        known['reminder_target_message_id'] === messageId &&
        known['scheduled_delivery_timestamp'] === inSeconds(at),
    ),
  async send(action, context) {
    const reminders = await remindersOnServer(context)
    const isThere = (moment: number) =>
      reminders.some(
        (known) =>
          known.reminder_target_message_id === action.messageId &&
          known.scheduled_delivery_timestamp === moment,
      )
    await makeReminder(action, isThere, context)
    return null
  },
  concerns: () => [],
  join: (earlier, later) => (earlier.messageId === later.messageId ? later : undefined),
}
