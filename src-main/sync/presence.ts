import { users } from '../../src-shared/api/users.ts'
import { background } from '../../src-shared/background.ts'
import { minuteMs } from '../../src-shared/durations.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { createAlarm } from '../../src-shared/clock/alarm.ts'
import { waitAfter } from '../api/backoff.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store } from '../store/database.ts'
import type { Link } from './link.ts'
import type { ServerTime } from './server-time.ts'
import { presenceSteps, writeInSteps } from './snapshot.ts'

const pingMs = minuteMs

/** Reports every minute whether the person is here, and learns who else is: large servers send no events about it. */
export interface Presence {
  /** The connection is back: reports at once instead of at the end of the minute. */
  cameOnline(): void
  /**
   * The person is here from now on: reported at once, unless the last report says so. If that failed, it is retried
   * first when the server may be asked again.
   */
  personCame(): void
}

/** Starts the reports of one account; they go on until `signal` aborts. `isActive` tells whether the person is here. */
export function startPresence(parts: {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly link: Link
  readonly serverTime: ServerTime
  isActive(): boolean
  log(line: string): void
}): Presence {
  const { store, connection, clock, signal, link, serverTime } = parts
  let lastUpdateId = -1
  /** Whether the last report said that the person is here, and arrived. */
  let wasActive = false
  /** Reports that failed in a row. */
  let failed = 0
  const alarm = createAlarm(clock, signal)
  const backOnline = createAlarm(clock, signal)

  const ping = async () => {
    const isActive = parts.isActive()
    wasActive = isActive
    const answer = await connection.call(
      users.updatePresence,
      {
        status: isActive ? 'active' : 'idle',
        ping_only: false,
        new_user_input: isActive,
        slim_presence: true,
        last_update_id: lastUpdateId,
      },
      { signal },
    )
    if (signal.aborted) return
    serverTime.learn(answer.server_timestamp)
    lastUpdateId = answer.presence_last_update_id ?? lastUpdateId
    await writeInSteps({ store, clock, signal }, presenceSteps(answer.presences ?? {}, serverTime))
  }

  const run = async () => {
    while (!signal.aborted) {
      const { signal: rung } = alarm
      const { signal: back } = backOnline
      let restMs = 0
      let restsUntil = back
      if (link.state.status === 'online') {
        try {
          await ping()
          failed = 0
        } catch (error) {
          if (signal.aborted) return
          wasActive = false
          failed++
          const failure = failureOf(error)
          restMs = waitAfter(failure, failed, clock)
          // The server asked for patience itself.
          if (failure.kind === 'rateLimited') restsUntil = signal
          // The poll detects and reports connection problems; presence just skips this round.
          if (failed === 1 && (failure.kind === 'bug' || failure.kind === 'malformed'))
            parts.log(`presence: ${failure.message}`)
          if (failure.kind === 'rejected') {
            parts.log(`presence: not kept for this account: ${failure.message}`)
            return
          }
        }
      }
      await clock.wait(restMs, restsUntil)
      await clock.wait(Math.max(0, pingMs - restMs), AbortSignal.any([rung, back]))
    }
  }
  background(run(), (line) => parts.log(`presence: ${line}`))

  return {
    cameOnline: () => backOnline.ring(),
    personCame() {
      if (!wasActive) alarm.ring()
    },
  }
}
