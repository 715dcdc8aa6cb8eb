import { deliverReminder, type ReminderRow } from './messages/reminders.ts'
import { deliverScheduled, type ScheduledRow } from './messages/scheduled-messages.ts'
import { isDeactivated, type Workspace } from './workspace.ts'

/** However far away the next delivery is, the clock is looked at this often: it may be set. */
const longestWaitMs = 60_000
/** With nothing to deliver only a ring matters. */
const idleMs = 24 * 60 * 60 * 1_000

/**
 * Sends scheduled messages and reminders when their time has come, until `signal` aborts. What fell due while the
 * service was away goes out first; nothing does once the organization was ended.
 */
export async function runSchedule(workspace: Workspace, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const rung = workspace.alarm.next()
    const isOver = isDeactivated(workspace.db)
    if (!isOver) deliverDue(workspace)
    const next = isOver ? null : nextDelivery(workspace)
    const waitMs = next === null ? idleMs : Math.min(longestWaitMs, next * 1_000 - workspace.clock.now())
    await workspace.clock.wait(Math.max(1, waitMs), AbortSignal.any([signal, rung]))
  }
}

function deliverDue(workspace: Workspace): void {
  const { db } = workspace
  const due = db.all<ScheduledRow>(
    'SELECT * FROM scheduled_messages WHERE has_failed = 0 AND deliver_at <= ? ORDER BY deliver_at, scheduled_id',
    workspace.now(),
  )
  for (const row of due) attempt(workspace, () => deliverScheduled(workspace, row))
  const reminders = db.all<ReminderRow>(
    'SELECT * FROM reminders WHERE deliver_at <= ? ORDER BY deliver_at, reminder_id',
    workspace.now(),
  )
  for (const row of reminders) attempt(workspace, () => deliverReminder(workspace, row))
}

/** One that is broken holds the others back no longer than a turn. */
function attempt(workspace: Workspace, deliver: () => void): void {
  try {
    deliver()
  } catch (error) {
    workspace.log(
      `A delivery failed and is tried again: ${error instanceof Error ? (error.stack ?? '') : ''}`,
    )
  }
}

function nextDelivery({ db, now }: Workspace): number | null {
  const times = [
    db.get<{ at: number | null }>('SELECT min(deliver_at) AS at FROM scheduled_messages WHERE has_failed = 0')
      ?.at,
    db.get<{ at: number | null }>('SELECT min(deliver_at) AS at FROM reminders')?.at,
  ].filter((at) => at !== null && at !== undefined)
  // What is due still was not deliverable just now: a while later it may be.
  return times.length === 0 ? null : Math.max(Math.min(...times), now() + 1)
}
