import { randomUUID } from 'node:crypto'
import type { ClientCapabilities } from '../../src-shared/api/queue.ts'
import { minuteMs } from '../../src-shared/durations.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import { jsonOf, readyJson } from './ready-json.ts'
import { ServiceError } from '../service-error.ts'

/** An event before it has an id in a queue. */
export type NewEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/** What a client asked for when it registered. */
export interface QueueOptions {
  readonly userId: number
  /** Null: every type. */
  readonly eventTypes: readonly string[] | null
  readonly capabilities: ClientCapabilities
  readonly applyMarkdown: boolean
  readonly allPublicStreams: boolean
  /** Whether presence is by user id alone, without emails. */
  readonly slimPresence: boolean
  /** Which messages it asked for, as the client named them. */
  readonly narrow: readonly (readonly [operator: string, operand: string])[]
  /** Whether a `message` event passes that narrow. */
  readonly passes: (event: NewEvent) => boolean
  readonly lifespanMs: number
}

interface Queue extends QueueOptions {
  readonly id: string
  readonly events: { id: number; event: NewEvent }[]
  nextId: number
  /** The highest id that the client has processed. */
  acknowledged: number
  touchedAt: number
  waiter: (() => void) | null
}

/** A queue as it is saved while no service runs; its filter is rebuilt from its narrow. */
export interface KeptQueue extends Omit<QueueOptions, 'passes'> {
  readonly id: string
  readonly events: readonly { readonly id: number; readonly event: NewEvent }[]
  readonly nextId: number
  readonly acknowledged: number
}

/** Names of parts of the state that also request their events, whose type has another name. */
const synonyms: Readonly<Record<string, string>> = {
  realm_user_groups: 'user_group',
  channel_folders: 'channel_folder',
  navigation_views: 'navigation_view',
}

const idleMs = 10 * minuteMs
/** One person has at most this many queues; another one ends that whose client has been away longest. */
const mostQueues = 100
/** At most this many events wait for a client; with more, its queue ends, and the client registers anew. */
const mostUndelivered = 10_000
const heartbeatMs = 50_000
/** Polls that start within this many milliseconds share a heartbeat. */
const sharedHeartbeatMs = 1_000

const wokenAtOnce = 16
/** The number of promises between the event and its answer, plus a margin. */
const turnsOfAnAnswer = 12

/** Polls that share a heartbeat, unless an event comes first. */
interface Heartbeat {
  readonly begunAt: number
  readonly queues: Set<Queue>
  /** Call when none of them waits any more. */
  end(): void
}

/**
 * An event as one client gets it. Many clients get the same event under different ids; its content is serialized once.
 */
export class SentEvent {
  /** The other fields that clients get appear only in its JSON. */
  readonly [field: string]: unknown
  readonly id: number
  readonly #event: NewEvent

  constructor(id: number, event: NewEvent) {
    this.id = id
    this.#event = event
  }

  get type(): string {
    return this.#event.type
  }

  toJSON(): object {
    return { ...this.#event, id: this.id }
  }

  /** Equal to what `JSON.stringify` makes of it. */
  get [readyJson](): string {
    return `${jsonOf(this.#event).slice(0, -1)},"id":${this.id}}`
  }
}

/**
 * The event queues of all clients, in memory. A service that is told to end saves them (`kept-queues.ts`). A service
 * that is killed loses them, and clients register anew (specification, Events).
 */
export class EventQueues {
  readonly #queues = new Map<string, Queue>()
  readonly #byUser = new Map<number, Set<Queue>>()
  /** Queues that asked for every public channel. */
  readonly #overhearing = new Set<Queue>()
  readonly #clock: Clock
  /** Queues that have events to deliver and whose polls were not answered yet. */
  readonly #woken = new Set<Queue>()
  /** The heartbeat of the polls that started just now. */
  #heartbeat: Heartbeat | null = null
  readonly #formsFor: (event: NewEvent, queue: QueueOptions) => readonly NewEvent[]

  /** `formsFor` turns an event into what one queue's client can handle. */
  constructor(clock: Clock, formsFor: (event: NewEvent, queue: QueueOptions) => readonly NewEvent[]) {
    this.#clock = clock
    this.#formsFor = formsFor
  }

  /** How many polls are waiting for an event. */
  get waiting(): number {
    return [...this.#queues.values()].filter(({ waiter }) => waiter !== null).length
  }

  register(options: QueueOptions): { queueId: string; lastEventId: number } {
    for (const queue of this.#queues.values()) if (this.#isExpired(queue)) this.#forget(queue)
    this.#makeRoom(options.userId)
    const id = randomUUID()
    this.#add({ ...options, id, events: [], nextId: 0, acknowledged: -1 })
    return { queueId: id, lastEventId: -1 }
  }

  /** Ends a person's longest idle queue if they have as many as they may. */
  #makeRoom(userId: number): void {
    const own = [...(this.#byUser.get(userId) ?? [])]
    if (own.length < mostQueues) return
    // A client that waits for events is not idle.
    const activeAt = ({ waiter, touchedAt }: Queue) => (waiter === null ? touchedAt : Infinity)
    this.#end(own.reduce((idlest, queue) => (activeAt(queue) < activeAt(idlest) ? queue : idlest)))
  }

  #add(queue: Omit<Queue, 'touchedAt' | 'waiter'>): void {
    const added: Queue = { ...queue, touchedAt: this.#clock.now(), waiter: null }
    this.#queues.set(queue.id, added)
    const own = this.#byUser.get(queue.userId)
    if (own === undefined) this.#byUser.set(queue.userId, new Set([added]))
    else own.add(added)
    if (queue.allPublicStreams) this.#overhearing.add(added)
  }

  /** Every queue that has not expired, as JSON of a `KeptQueue`. */
  *toKeep(): Iterable<{ id: string; content: string }> {
    for (const queue of this.#queues.values()) {
      if (this.#isExpired(queue)) continue
      const { events, touchedAt: _at, waiter: _waiter, passes: _passes, ...rest } = queue
      const sent = events.map(({ id, event }) => `{"id":${id},"event":${jsonOf(event)}}`)
      yield { id: queue.id, content: `${JSON.stringify(rest).slice(0, -1)},"events":[${sent.join()}]}` }
    }
  }

  /** Restores a saved queue; its client has as much time to return as after a poll. */
  restore(kept: KeptQueue, passes: QueueOptions['passes']): void {
    this.#add({ ...kept, passes, events: [...kept.events] })
  }

  /**
   * The queues of these people (everybody if null) that want events of this type; expired queues are deleted. With
   * `overheard`, it includes the queues whose clients asked for every public channel.
   */
  interested(type: string, userIds: ReadonlySet<number> | null, overheard = false): Queue[] {
    const found: Queue[] = []
    const now = this.#clock.now()
    for (const queue of this.#candidates(userIds, overheard)) {
      if (this.#isExpired(queue, now)) {
        this.#forget(queue)
      } else if (
        queue.eventTypes === null ||
        queue.eventTypes.some((asked) => (synonyms[asked] ?? asked) === type)
      ) {
        found.push(queue)
      }
    }
    return found
  }

  #candidates(userIds: ReadonlySet<number> | null, overheard: boolean): Iterable<Queue> {
    if (userIds === null) return this.#queues.values()
    const own: Queue[] = []
    // Either the people or the queues may be few; iterate over the smaller set.
    if (userIds.size < this.#byUser.size) {
      for (const userId of userIds) own.push(...(this.#byUser.get(userId) ?? []))
    } else {
      for (const [userId, queues] of this.#byUser) if (userIds.has(userId)) own.push(...queues)
    }
    return overheard && this.#overhearing.size > 0 ? new Set([...own, ...this.#overhearing]) : own
  }

  #isExpired(queue: Queue, now = this.#clock.now()): boolean {
    const idle = now - queue.touchedAt
    return queue.waiter === null && idle > Math.max(idleMs, queue.lifespanMs)
  }

  #forget(queue: Queue): void {
    this.#queues.delete(queue.id)
    this.#overhearing.delete(queue)
    const own = this.#byUser.get(queue.userId)
    own?.delete(queue)
    if (own?.size === 0) this.#byUser.delete(queue.userId)
  }

  /** Deletes a queue; a poll that waits for it is told that it is gone. */
  #end(queue: Queue): void {
    this.#forget(queue)
    queue.waiter?.()
  }

  /** Puts an event into a queue, in the forms that its client can handle; does nothing if the queue has ended. */
  push(queue: { readonly id: string }, event: NewEvent): void {
    const known = this.#queues.get(queue.id)
    if (known === undefined) return
    const forms = this.#formsFor(event, known)
    for (const form of forms) known.events.push({ id: known.nextId++, event: form })
    if (known.events.length > mostUndelivered) this.#end(known)
    else if (forms.length > 0) this.#wakeSoon(known)
  }

  #wakeSoon(queue: Queue): void {
    if (queue.waiter === null) return
    if (this.#woken.size === 0) void this.#wake()
    this.#woken.add(queue)
  }

  /**
   * Answers the waiting polls a few at a time, and starts the next few when these are answered: the first of a
   * thousand need not wait until the last one's answer is ready.
   */
  async #wake(): Promise<void> {
    let count = 0
    await Promise.resolve()
    for (const queue of this.#woken) {
      this.#woken.delete(queue)
      queue.waiter?.()
      if (++count % wokenAtOnce === 0)
        for (let turn = 0; turn < turnsOfAnAnswer; turn++) await Promise.resolve()
    }
  }

  /** Ends a queue of this person; refuses any other person's queue. */
  remove(queueId: string, userId: number): void {
    this.#end(this.#own(queueId, userId))
  }

  /** Ends every queue of a person whose account is deactivated. */
  removeOf(userId: number): void {
    for (const queue of [...(this.#byUser.get(userId) ?? [])]) this.#end(queue)
  }

  /** Deletes every queue, as ten idle minutes would. */
  expireAll(): void {
    for (const queue of [...this.#queues.values()]) this.#end(queue)
  }

  /** Returns events after `lastEventId`, which acknowledges all earlier ones; waits for one unless `dontBlock`. */
  async events(
    queueId: string,
    userId: number,
    lastEventId: number,
    dontBlock: boolean,
    whenGone: (listener: () => void) => void,
  ): Promise<SentEvent[]> {
    const queue = this.#own(queueId, userId)
    queue.touchedAt = this.#clock.now()
    if (lastEventId >= queue.nextId || lastEventId < queue.acknowledged) {
      throw new ServiceError('BAD_REQUEST', 'An event newer than what is kept has been acknowledged already.')
    }
    queue.acknowledged = lastEventId
    while (queue.events[0] !== undefined && queue.events[0].id <= lastEventId) queue.events.shift()
    if (queue.events.length === 0 && !dontBlock) await this.#park(queue, whenGone)
    if (!this.#queues.has(queueId)) throw badQueue(queueId)
    queue.touchedAt = this.#clock.now()
    return queue.events.map(({ id, event }) => new SentEvent(id, event))
  }

  /** Waits for an event or a heartbeat. A second poll ends the first. */
  #park(queue: Queue, whenGone: (listener: () => void) => void): Promise<void> {
    queue.waiter?.()
    const heartbeat = this.#nextHeartbeat()
    return new Promise((resolve) => {
      const wake = () => {
        // Another poll waits by now.
        if (queue.waiter !== wake) return
        queue.waiter = null
        heartbeat.queues.delete(queue)
        if (heartbeat.queues.size === 0) heartbeat.end()
        resolve()
      }
      queue.waiter = wake
      heartbeat.queues.add(queue)
      whenGone(wake)
    })
  }

  /** The heartbeat for a poll that starts to wait now. */
  #nextHeartbeat(): Heartbeat {
    const now = this.#clock.now()
    const known = this.#heartbeat
    if (known !== null && Math.abs(now - known.begunAt) < sharedHeartbeatMs) return known
    const ended = new AbortController()
    const heartbeat: Heartbeat = {
      begunAt: now,
      queues: new Set(),
      end: () => {
        if (this.#heartbeat === heartbeat) this.#heartbeat = null
        // With a reason, because without one each call creates a new error.
        ended.abort('over')
      },
    }
    void this.#clock.wait(heartbeatMs, ended.signal).then(() => {
      for (const queue of [...heartbeat.queues]) {
        queue.events.push({ id: queue.nextId++, event: { type: 'heartbeat' } })
        queue.waiter?.()
      }
    })
    this.#heartbeat = heartbeat
    return heartbeat
  }

  #own(queueId: string, userId: number): Queue {
    const queue = this.#queues.get(queueId)
    const isExpired = queue !== undefined && this.#isExpired(queue)
    if (isExpired) this.#forget(queue)
    if (queue === undefined || isExpired || queue.userId !== userId) throw badQueue(queueId)
    return queue
  }
}

function badQueue(queueId: string): ServiceError {
  return new ServiceError('BAD_EVENT_QUEUE_ID', `There is no event queue with the id ${queueId}.`, {
    queue_id: queueId,
  })
}
