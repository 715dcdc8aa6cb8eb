import { users } from '../../src-shared/api/users.ts'
import { background } from '../../src-shared/background.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { conversationKey } from '../../src-shared/model/conversation.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import type { WritingPlace } from '../../src-shared/model/writing-place.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { settingValue } from '../store/account-settings.ts'
import { readCursor } from '../store/cursor.ts'
import type { Store } from '../store/database.ts'
import { isInProvisionalChannel } from '../store/provisional.ts'
import { isDirectMessage } from '../store/messages.ts'
import { organizationNumber } from '../store/organization.ts'
import { editingKey } from '../store/typing.ts'

/** The intervals for repeating a notice and for ending it after inactivity, if the server does not say. */
const usualStartedWaitMs = 30_000
const usualStoppedWaitMs = 12_000

/**
 * Tells others that the person is writing or editing a message.
 *
 * 1. A notice is sent only as often as the server asks for, however often typing is reported. When nothing was reported
 *    for the time that the server sets, others are told that it is over.
 * 2. No notice is sent if the person's settings forbid it, without a connection, or to a server without such notices.
 */
export interface TypingNotices {
  /** The person is writing there, or has stopped. Never rejects: a lost notice does no harm. */
  report(place: WritingPlace, isWriting: boolean): Promise<void>
}

/** Creates the notices of one account; none is sent once `signal` has aborted. */
export function createTypingNotices(parts: {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  isOnline(): boolean
  log(line: string): void
}): TypingNotices {
  const { store, connection, clock, signal } = parts
  /** The places for which others were notified: when, and the timer that will end the notice. */
  const told = new Map<string, { at: number; rest: AbortController }>()

  const mayTell = (place: WritingPlace): boolean => {
    if (!parts.isOnline() || isInProvisionalChannel(place)) return false
    const { featureLevel } = readCursor(store.db)
    const isDirect =
      place.kind === 'direct' || (place.kind === 'message' && isDirectMessage(store.db, place.messageId))
    return (
      settingValue(store.db, isDirect ? 'sendsDirectTyping' : 'sendsTopicTyping') &&
      (place.kind !== 'topic' || isAble(featureLevel, 'channelTyping')) &&
      (place.kind !== 'message' || isAble(featureLevel, 'editTyping'))
    )
  }

  const tell = async (place: WritingPlace, op: 'start' | 'stop'): Promise<void> => {
    if (!mayTell(place)) return
    try {
      if (place.kind === 'message')
        await connection.call(users.setMessageTypingStatus, { message_id: place.messageId, op }, { signal })
      else
        await connection.call(
          users.setTypingStatus,
          place.kind === 'topic'
            ? { type: 'stream', op, stream_id: place.channelId, topic: place.topic }
            : { type: 'direct', op, to: place.userIds.length > 0 ? [...place.userIds] : [parts.ownUserId] },
          { signal },
        )
    } catch (error) {
      // Only bugs are logged.
      if (failureOf(error).kind === 'bug') parts.log(failureOf(error).message)
    }
  }

  const report = async (place: WritingPlace, isWriting: boolean): Promise<void> => {
    const key = place.kind === 'message' ? editingKey(place.messageId) : conversationKey(place)
    const before = told.get(key)
    before?.rest.abort()
    if (!isWriting) {
      told.delete(key)
      return before === undefined ? undefined : tell(place, 'stop')
    }
    const startedWaitMs =
      organizationNumber(store.db, 'server_typing_started_wait_period_milliseconds') ?? usualStartedWaitMs
    const stoppedWaitMs =
      organizationNumber(store.db, 'server_typing_stopped_wait_period_milliseconds') ?? usualStoppedWaitMs
    const now = clock.now()
    // The clock may have been set back; that must not suppress notices.
    const isDue = before === undefined || now - before.at >= startedWaitMs || now < before.at
    if (isDue && !mayTell(place)) {
      told.delete(key)
      return
    }
    const rest = new AbortController()
    told.set(key, { at: isDue ? now : before.at, rest })
    const waited = clock.wait(stoppedWaitMs, AbortSignal.any([signal, rest.signal]))
    // What may be told is read from the file, which a disk can refuse.
    background(
      waited.then(() => (signal.aborted || rest.signal.aborted ? undefined : report(place, false))),
      (line) => parts.log(`typing: ${line}`),
    )
    if (isDue) await tell(place, 'start')
  }
  return { report }
}
