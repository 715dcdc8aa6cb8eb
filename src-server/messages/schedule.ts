import { minuteMs, dayMs } from '../../src-shared/durations.ts'
import { deliverReminder, type ReminderRow } from './reminders.ts'
import { deliverScheduled, type ScheduledRow } from './scheduled-messages.ts'
import { isDeactivated, type Workspace } from '../workspace.ts'

/** The clock is checked at least this often, however far away the next delivery is, because the clock may be set. */
const longestWaitMs = minuteMs
/** With nothing to deliver, only the alarm matters. */
const idleMs = dayMs

/**
 * Sends scheduled messages and reminders when they are due, until `signal` aborts. At a start, it first sends what
 * fell due while the service was down. A deactivated organization sends nothing.
 */
export async function runSchedule(workspace: Workspace, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { signal: rung } = workspace.alarm
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

/** A broken delivery is logged and does not stop the others. */
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
  // What is still due could not be delivered just now; it is tried again in a second.
  return times.length === 0 ? null : Math.max(Math.min(...times), now() + 1)
}
