import { parseEvent, type QueueRow, type RawEvent } from '../../src-shared/api/events.ts'
import { leftOutOf } from '../../src-shared/api/messages.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { UserId } from '../../src-shared/ids.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import { advanceCursor, setAsideOnce, countUnknown, readCursor, setAside } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { holderOf, isClosedTo, ownHolder, refreshOwnRights, refreshPosting } from '../store/permissions.ts'
import { noteApplied } from '../store/event-progress.ts'
import { doubtedChannels } from '../store/doubted-channels.ts'
import { hasMessagesOf, lostChannels, noteLost } from '../store/lost-channels.ts'
import { hasMessage } from '../store/messages.ts'
import { wantAnew } from '../store/missing.ts'
import { hasDeleted } from '../store/deleted-messages.ts'
import { hasUnfinishedMoves } from '../store/moves.ts'
import { outboxRows, type OutboxRow } from '../store/outbox.ts'
import { organizationNumber } from '../store/organization.ts'
import { applyEvent } from './appliers/index.ts'
import { strangeFields, unusedEvents } from './appliers/unused.ts'
import { said, type ApplyContext } from './appliers/context.ts'
import { deletedSteps } from './deleted-messages.ts'
import { doubtSteps } from './doubted-channels.ts'
import { transactionsOf, type EventTransaction } from './event-transactions.ts'
import { lostSteps } from './lost-channels.ts'
import { movedSteps } from './outdated-words.ts'
import type { RequestsInFlight } from './requests-in-flight.ts'
import { writeInSteps } from './snapshot.ts'
import type { ServerTime } from './server-time.ts'
import type { SyncHooks } from './sync.ts'

/** How many announced messages are remembered. */
const rememberedArrivals = 1_000
/** Events that concern a single message: if such an event cannot be read, the message is fetched anew. */
const ofOneMessage: ReadonlySet<string> = new Set(['reaction', 'submessage'])
/** The properties of a channel that say who can read it. */
const accessProperties: ReadonlySet<string> = new Set(['access', 'subscribe', 'addSubscribers'])
/** How long a typing notice holds if the server does not say. */
const typingExpiryMs = 45_000

/** What an event is about: servers say twice, in an older form too, what is muted. */
const kindOf = (event: RawEvent | null): unknown =>
  event?.type === 'subscription' ? Reflect.get(event, 'property') : event?.type
const olderForms: readonly (readonly [unknown, string])[] = [
  ['muted_topics', 'user_topic'],
  ['in_home_view', 'is_muted'],
]

/** Whether the events are one, apart from its older form. */
function isSingle(rows: readonly QueueRow[]): boolean {
  const kinds = rows.map(({ event }) => kindOf(event))
  return (
    kinds.filter((kind) => !olderForms.some(([older, newer]) => kind === older && kinds.includes(newer)))
      .length === 1
  )
}

/**
 * Whether it may concern messages of a large move or deletion whose steps are not done; a channel that is joined may
 * bring such messages back.
 */
const isAboutOthers = ({ event }: QueueRow): boolean =>
  event?.type === 'update_message' ||
  event?.type === 'delete_message' ||
  (event?.type === 'subscription' && Reflect.get(event, 'op') === 'add')

/** An event that could not be applied. The transaction was rolled back; earlier parts of a very large one stay. */
export class EventTrouble extends Error {
  readonly event: RawEvent

  constructor(event: RawEvent, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.event = event
  }
}

/** What remains to be done after the commit of a batch. */
export interface Applied {
  /** New messages. */
  readonly arrived: readonly number[]
  readonly joined: ReadonlySet<number>
  readonly needsRegistration: boolean
}

/** What applying needs from the other parts of sync. */
export interface ApplierParts {
  readonly store: Store
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  readonly requestsInFlight: RequestsInFlight
  readonly serverTime: ServerTime
  readonly hooks: Pick<
    SyncHooks,
    | 'draftsEvent'
    | 'draftsSwitched'
    | 'ownMessageArrived'
    | 'objectMade'
    | 'creationHeard'
    | 'topicMoved'
    | 'messagesDeleted'
  > & {
    /** Runs in the batch's transaction, after its events; throws only for the device's failures. */
    reapply(data: 'page' | 'event' | 'events'): void
  }
  /** Types of events that recently made the account register anew: if such an event fails now, it is set aside. */
  skippedTypes(): ReadonlySet<string>
  log(line: string): void
}

/** Applies the events of a queue. */
export interface Applier {
  /**
   * Applies events in small transactions, each with the cursor of what it completes; calls `done` after each commit, and
   * then removes messages that can no longer be read. Sets aside what is not an event. Throws `EventTrouble` if an event
   * could not be applied.
   */
  apply(rows: readonly QueueRow[], done: (applied: Applied) => void): Promise<void>
}

/**
 * Whether a waiting change that an event of this batch has not settled closes a channel to the person here: they leave
 * it, or change who can read it.
 */
function isClosedHere({ action }: OutboxRow, channelId: number, context: ApplyContext): boolean {
  switch (action?.name) {
    case 'unsubscribe':
      return action.channelId === channelId && !context.said.has(said.subscription(channelId))
    case 'set-channel-member':
      return (
        action.channelId === channelId &&
        action.userId === context.ownUserId &&
        !context.said.has(said.subscription(channelId))
      )
    case 'change-channel':
      return (
        action.channelId === channelId &&
        accessProperties.has(action.property) &&
        !context.said.has(said.channel(channelId, action.property))
      )
    default:
      return false
  }
}

/** The group that a waiting change may take the person out of, if no event of this batch has settled that. */
function groupLeftHere({ action }: OutboxRow, { ownUserId, said: all }: ApplyContext): number | null {
  if (action?.name === 'change-group') {
    const isEnd = action.property === 'active' && action.value === false
    return isEnd && !all.has(said.active(action.groupId)) ? action.groupId : null
  }
  if (action?.name !== 'set-group-member' || action.on || all.has(said.group(action.groupId))) return null
  const { groupId, member } = action
  const id = member.kind === 'person' ? member.userId : member.groupId
  if (member.kind === 'person' && id !== ownUserId) return null
  return all.has(said.member(groupId, member.kind, id)) ? null : groupId
}

/**
 * Lists channels as lost that the person may not read any more. Who still sees that a channel exists, as administrators
 * do, hears nothing else of it. A channel that is closed only by a change that waits here can still be read.
 */
function loseClosed(db: WritableDb, closed: readonly number[], context: ApplyContext): void {
  const lost = closed.filter((id) => hasMessagesOf(db, id))
  if (lost.length === 0) return
  const waiting = outboxRows(db).filter(({ state }) => state !== 'refused')
  const left = waiting.map((row) => groupLeftHere(row, context)).filter((id) => id !== null)
  /** The person as they are on the server, or with more groups. */
  const there = left.length > 0 ? holderOf(db, context.ownUserId, left) : null
  for (const id of lost) {
    if (waiting.some((row) => isClosedHere(row, id, context))) continue
    if (there !== null && !isClosedTo(db, there, id)) continue
    noteLost(db, id)
    // A page under way may have messages that can no longer be read.
    context.touchedAll = true
  }
}

/** Creates the applier of one account. */
export function createApplier(parts: ApplierParts): Applier {
  const { store, clock, hooks, requestsInFlight } = parts
  /** The last announced messages, oldest first. */
  const announced = new Set<number>()
  /** Unknown fields that were counted since the start: a newer server may send one with each event. */
  const noted = new Set<string>()
  /** The last event of which a part overtook all requests; its number counts in its queue only. */
  let overtakenBy: string | null = null

  /** The new messages that were not announced before: a server may report one twice. */
  const firstHeard = (ids: readonly number[]): number[] =>
    ids.filter((id) => {
      if (announced.has(id)) return false
      announced.add(id)
      for (const oldest of announced) {
        if (announced.size <= rememberedArrivals) break
        announced.delete(oldest)
      }
      return true
    })

  const applyOne = (db: WritableDb, raw: RawEvent, context: ApplyContext, skipped: ReadonlySet<string>) => {
    const parsed = parseEvent(raw)
    if (parsed.kind === 'unknown') {
      const { type, op } = parsed
      if (op !== null) context.stranger(db, 'op', `${type}/${op}`)
      else if (!Object.hasOwn(unusedEvents, type)) context.stranger(db, 'event', type)
      return
    }
    if (parsed.kind === 'known') {
      const { event } = parsed
      for (const field of strangeFields(event)) context.strangeFields.add(`${event.type}.${field}`)
      if (event.type === 'message') {
        const parts = leftOutOf(Reflect.get(raw, 'message'), event.payload.message)
        for (const { field, reason, body } of parts)
          setAsideOnce(db, `message:${field}`, reason, body, clock.now())
      }
    }
    if (parsed.kind === 'malformed' && ofOneMessage.has(raw.type)) {
      const id = Number(Reflect.get(raw, 'message_id'))
      if (Number.isSafeInteger(id) && id > 0) {
        setAsideOnce(db, raw.type, parsed.reason, raw, clock.now())
        context.touched.push(id)
        if (hasMessage(db, id)) wantAnew(db, [id])
        return
      }
    }
    if (!skipped.has(raw.type)) {
      if (parsed.kind === 'malformed') throw new Error(`malformed: ${parsed.reason}`)
      applyEvent(db, parsed.event, context)
      return
    }
    // An event of this type failed before the last registration: another failure now costs only this event.
    try {
      if (parsed.kind === 'malformed') throw new Error(`malformed: ${parsed.reason}`)
      // A savepoint inside the batch's transaction.
      store.write((inner) => applyEvent(inner, parsed.event, context))
    } catch (error) {
      if (failureOf(error).kind === 'device') throw error
      const reason = failureOf(error).message
      parts.log(`sync: set aside an event of type ${raw.type}: ${reason}`)
      setAside(db, raw.type, reason, raw, clock.now())
    }
  }

  const applySome = ({ rows, completed, part }: EventTransaction): Applied => {
    const { generation, featureLevel, lastEventId } = readCursor(store.db)
    const context: ApplyContext = {
      ownUserId: parts.ownUserId,
      generation,
      featureLevel,
      now: clock.now(),
      isFirstPart: part?.goesOn !== true,
      isLastPart: part === null || part.applied === null,
      typingExpiryMs:
        organizationNumber(store.db, 'server_typing_started_expiry_period_milliseconds') ?? typingExpiryMs,
      serverTime: parts.serverTime,
      draftsEvent: (db, payload) => hooks.draftsEvent(db, payload),
      draftsSwitched: (db, areKept) => hooks.draftsSwitched(db, areKept),
      ownMessageArrived: (db, id, messageId) => hooks.ownMessageArrived(db, id, messageId),
      objectMade: (db, kind, one) => hooks.objectMade(db, kind, one),
      creationHeard: (db) => hooks.creationHeard(db),
      topicMoved: (db, from, to) => hooks.topicMoved(db, from, to),
      messagesDeleted: (db, ids) => hooks.messagesDeleted(db, ids),
      stranger: (db, kind, name) => countUnknown(db, kind, name, clock.now()),
      strangeFields: new Set(),
      touched: [],
      displaced: [],
      touchedAll: false,
      joined: new Set(),
      said: new Set(),
      arrived: [],
      rightsChanged: false,
      changedChannels: new Set(),
      needsRegistration: false,
    }
    const skipped = parts.skippedTypes()
    let current: RawEvent | null = null
    try {
      store.write((db) => {
        for (const row of rows) {
          current = row.event
          if (row.event !== null) applyOne(db, row.event, context, skipped)
          else setAsideOnce(db, 'event', row.reason, row.body, clock.now())
        }
        if (context.rightsChanged) loseClosed(db, refreshOwnRights(db, parts.ownUserId), context)
        else if (context.changedChannels.size > 0) {
          const who = ownHolder(db, parts.ownUserId)
          loseClosed(db, refreshPosting(db, who, [...context.changedChannels]), context)
        }
        for (const field of context.strangeFields)
          if (!noted.has(field)) context.stranger(db, 'eventField', field)
        hooks.reapply(isSingle(rows) ? 'event' : 'events')
        if (part !== null) noteApplied(db, part.eventId, part.applied)
        // Must be last: an event counts as seen only together with its effect.
        advanceCursor(db, completed ?? lastEventId, clock.now(), parts.serverTime.heardNow())
      })
    } catch (error) {
      if (failureOf(error).kind === 'device') throw error
      if (current === null) throw error
      throw new EventTrouble(current, error)
    }
    for (const field of context.strangeFields) noted.add(field)
    requestsInFlight.touch(context.touched, context.displaced)
    const ofEvent = part === null ? null : `${generation}:${part.eventId}`
    // What was asked for after the first part of an event was asked for after the whole of it happened.
    if (context.touchedAll && (ofEvent === null || ofEvent !== overtakenBy)) {
      requestsInFlight.overtakeAll()
      overtakenBy = ofEvent
    }
    return { ...context, arrived: firstHeard(context.arrived) }
  }

  return {
    async apply(rows, done) {
      let isFirst = true
      for (const some of transactionsOf(rows, store.db)) {
        if (!isFirst) await clock.wait(0, parts.signal)
        isFirst = false
        if (parts.signal.aborted) return
        // Before an event concerns the same messages; no other can.
        if (some.rows.some(isAboutOthers)) {
          if (hasUnfinishedMoves(store.db)) await writeInSteps(parts, movedSteps())
          if (hasDeleted(store.db)) await writeInSteps(parts, deletedSteps())
        }
        if (parts.signal.aborted) return
        done(applySome(some))
        // At once: before the page of a channel that the person joined can arrive.
        if (doubtedChannels(store.db).length > 0) await writeInSteps(parts, doubtSteps(store))
        // Before later events, which may let the person in again.
        if (lostChannels(store.db).length > 0)
          await writeInSteps({ ...parts, reapply: () => hooks.reapply('page') }, lostSteps(store))
      }
    },
  }
}
