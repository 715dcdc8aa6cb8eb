import fc from 'fast-check'
import { expect } from 'vitest'
import type { Action, ActionOf } from '../../../src-shared/bridge/actions.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { messageId, userId, type LocalId } from '../../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../../src-shared/model/conversation.ts'
import { objectsOf, type ObjectKind } from '../../../src-main/store/objects.ts'
import { isUndecided } from '../../../src-shared/model/outbox.ts'
import { outboxRows, type OutboxRow } from '../../../src-main/store/outbox.ts'
import { snippetsOf } from '../../../src-server/handlers/snippets.ts'
import { remindersOf } from '../../../src-server/messages/reminders.ts'
import { scheduledOf } from '../../../src-server/messages/scheduled-messages.ts'
import { runSchedule } from '../../../src-server/messages/schedule.ts'
import { act, inWorld, nothingWaits, roundMs, takeSteps } from './live-through.ts'
import {
  endMishaps,
  historyOf,
  mishaps,
  on,
  repeats,
  someDevices,
  stepOf,
  type History,
  type Mishap,
  type Repeat,
  type StepKinds,
} from './mishaps.ts'
import type { ModelDevice } from './device.ts'
import type { World } from './world.ts'

/**
 * What a person stores on the server for later: scheduled messages, reminders and snippets. `which` counts among those
 * that the device shows. Numbers wrap around what exists.
 */
export type LaterStep =
  | { do: 'schedule'; on: number; to: number; at: number }
  | {
      do: 'edit'
      on: number
      which: number
      what: 'words' | 'time' | 'both' | 'now' | 'words-now'
      at: number
    }
  | { do: 'cancel'; on: number; which: number }
  /** Deletes a scheduled message, and undoes that. */
  | { do: 'cancel-undone'; on: number; which: number }
  | { do: 'remind'; on: number; message: number; at: number }
  | { do: 'change-reminder'; on: number; which: number; at: number }
  | { do: 'end-reminder'; on: number; which: number }
  | { do: 'save'; on: number }
  | { do: 'change-snippet'; on: number; which: number }
  | { do: 'delete-snippet'; on: number; which: number }
  /** In a window that still shows it as waiting, whatever became of it. `which` counts among what was made there. */
  | { do: 'late-edit'; on: number; which: number; at: number }
  /** From now on the service refuses messages to the channel. */
  | { do: 'shut'; shut: boolean }
  | Mishap
  | Repeat

/** What the person, or their administrator, does. */
type OwnStep = Exclude<LaterStep, Mishap | Repeat>

export type LaterHistory = History<LaterStep>

const which = fc.nat(1)
/** Index into `delaysMs`. */
const at = fc.nat(3)
const kinds: StepKinds<LaterStep> = {
  schedule: [6, fc.record({ do: fc.constant('schedule'), on, to: fc.nat(1), at })],
  edit: [
    8,
    fc.record({
      do: fc.constant('edit'),
      on,
      which,
      what: fc.constantFrom('words', 'time', 'both', 'now', 'words-now'),
      at,
    }),
  ],
  cancel: [3, fc.record({ do: fc.constant('cancel'), on, which })],
  'cancel-undone': [3, fc.record({ do: fc.constant('cancel-undone'), on, which })],
  remind: [4, fc.record({ do: fc.constant('remind'), on, message: fc.nat(2), at })],
  'change-reminder': [5, fc.record({ do: fc.constant('change-reminder'), on, which, at })],
  'end-reminder': [2, fc.record({ do: fc.constant('end-reminder'), on, which })],
  save: [4, fc.record({ do: fc.constant('save'), on })],
  'change-snippet': [5, fc.record({ do: fc.constant('change-snippet'), on, which })],
  'delete-snippet': [2, fc.record({ do: fc.constant('delete-snippet'), on, which })],
  'late-edit': [4, fc.record({ do: fc.constant('late-edit'), on, which: fc.nat(3), at })],
  shut: [1, fc.record({ do: fc.constant('shut'), shut: fc.boolean() })],
  ...mishaps,
  ...repeats,
}

/** All kinds of steps. */
export const laterHistory = historyOf(someDevices, stepOf(kinds, [], { fault: 2 }))
/** One device: everything must end up as the person left it. */
export const soloLater = historyOf([1], stepOf(kinds, ['shut'], { fault: 3, kill: 2 }))

/** The delays of the times that a person chooses. */
const delaysMs = [20_000, 90_000, 3_600_000, 7_200_000] as const

/** What the person knows of one thing that they made. */
interface Made {
  readonly kind: 'scheduled' | 'reminder' | 'snippet'
  /** The words that it should have now. */
  words: string
  /** Whether it was deleted, or was to be deleted. */
  isEnded: boolean
  /** Whether a change of it was refused. */
  isRefused: boolean
  /** How often its time or words were changed. */
  changes: number
  /** Where it was made, by which row and how. */
  readonly on: ModelDevice
  localId: LocalId
  readonly action: ActionOf<'schedule-message' | 'remind-me' | 'save-snippet'>
}

interface Memory {
  texts: number
  /** By the first word, which is never changed. */
  readonly made: Map<string, Made>
  wasShut: boolean
  /** Whether a device's clock was ever wrong: times that were chosen there may already be over. */
  readonly wasSkewed: boolean
}

const tokenOf = (text: string) => text.trim().split(' ')[0] ?? ''

/** Runs a history, ends all faults, and checks the guarantees of the outbox. */
export async function runLaterHistory(history: LaterHistory): Promise<void> {
  const { devices, steps } = history
  await inWorld(history, async (world) => {
    const ending = new AbortController()
    void runSchedule(world.workspace, ending.signal)
    const wasSkewed = steps.some((step) => step.do === 'skew')
    const memory: Memory = { texts: 0, made: new Map(), wasShut: false, wasSkewed }
    try {
      await world.pass(3_000)
      for (const name of ['one', 'two', 'three'])
        await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=${name}`)
      await world.pass(1_000)
      await takeSteps<OwnStep>(world, steps, (step) => take(world, memory, step))
      await heal(world, memory)
      check(world, memory, devices === 1)
    } finally {
      ending.abort()
    }
  })
}

function take(world: World, memory: Memory, step: OwnStep): void {
  if (step.do === 'shut') {
    memory.wasShut ||= step.shut
    world.workspace.db.run('UPDATE channels SET is_archived = ?', step.shut ? 1 : 0)
    return
  }
  const device = world.devices[step.on % world.devices.length]
  if (device === undefined) return
  if (step.do === 'schedule' || step.do === 'remind' || step.do === 'save') make(world, memory, device, step)
  else if (step.do === 'late-edit') editLate(world, memory, device, step)
  else if (step.do === 'cancel-undone') cancelAndUndo(world, memory, device, step)
  else change(world, memory, device, step)
}

type Making = Extract<LaterStep, { do: 'schedule' | 'remind' | 'save' }>

/** No two times are the same. */
const momentOf = (world: World, memory: Memory, device: ModelDevice, index: number) =>
  world.workspace.clock.now() + device.skewMs + (delaysMs[index] ?? 0) + ++memory.texts * 1_000

function make(world: World, memory: Memory, device: ModelDevice, step: Making): void {
  const token = `m${++memory.texts}`
  const words = `${token} said`
  const put = (kind: Made['kind'], action: Made['action']): void => {
    const localId = act(device, action)
    const made = { kind, action, words, isEnded: false, isRefused: false, changes: 0, on: device }
    memory.made.set(token, { ...made, localId })
  }
  switch (step.do) {
    case 'schedule':
      put('scheduled', {
        name: 'schedule-message',
        conversation: conversation(world, step.to),
        content: words,
        draftId: null,
        sendAt: momentOf(world, memory, device, step.at),
      })
      break
    case 'remind': {
      const id = messageId(step.message + 1)
      const at = momentOf(world, memory, device, step.at)
      const last = outboxRows(device.store.db).findLast(({ lane }) => lane === `remind:${id}`)
      put('reminder', { name: 'remind-me', messageId: id, at, note: words })
      // The last note for a moment counts as long as the reminder certainly is not on the service.
      const isJoined =
        last?.state === 'waiting' &&
        last.action?.name === 'remind-me' &&
        Math.round(last.action.at / 1_000) === Math.round(at / 1_000)
      if (isJoined) memory.made.delete(tokenOf(last.action.note))
      break
    }
    case 'save':
      // No server stores blank edges.
      put('snippet', { name: 'save-snippet', title: `${token} `, content: `${words}\n` })
      break
  }
}

const conversation = (world: World, to: number) =>
  to === 0
    ? topicConversation(world.channelId, 'drift')
    : directConversation([world.other.user_id], userId(world.user.user_id))

/** Changes something where it waits, or on the server if it has arrived, as a window does. */
function editLate(
  world: World,
  memory: Memory,
  device: ModelDevice,
  step: LaterStep & { do: 'late-edit' },
): void {
  // A changed reminder is another one, which the window shows.
  const own = [...memory.made].filter(
    ([, { on, isEnded, kind, changes }]) =>
      on === device && !isEnded && (kind !== 'reminder' || changes === 0),
  )
  const [token, made] = own[step.which % Math.max(1, own.length)] ?? []
  if (token === undefined || made === undefined) return
  const words = `${token} said ${++memory.texts}`
  const at = momentOf(world, memory, device, step.at)
  const to = {
    'schedule-message': { name: 'schedule-message', content: words, sendAt: at },
    'remind-me': { name: 'remind-me', at, note: words },
    'save-snippet': { name: 'save-snippet', title: token, content: words },
  } as const
  try {
    const change = to[made.action.name]
    const { isChanged, serverId } = device.account.outbox.changeWaiting(made.localId, change)
    if (serverId !== null) act(device, changeOf(made.action, serverId, words, at))
    else if (!isChanged) return
  } catch (error) {
    // The device was restarted since then, or the message was sent.
    const failure = failureOf(error)
    if (failure.kind === 'rejected' && failure.code === 'NOT_WAITING') return
    throw error
  }
  made.words = words
  made.changes++
}

function cancelAndUndo(
  world: World,
  memory: Memory,
  device: ModelDevice,
  step: LaterStep & { do: 'cancel-undone' },
): void {
  const shown = objectsOf(device.store.db, 'scheduled-message')
  const target = shown[step.which % Math.max(1, shown.length)]
  if (target === undefined) return
  const { scheduled_message_id: id, content, scheduled_delivery_timestamp: at, to } = target
  const sendAt = Number(at) * 1_000
  const made = memory.made.get(tokenIn(target))
  // What is over becomes a draft.
  if (made === undefined || sendAt <= world.workspace.clock.now() + device.skewMs) return
  act(device, { name: 'cancel-scheduled', scheduledId: Number(id) })
  made.isEnded = true
  made.localId = act(device, {
    name: 'schedule-message',
    conversation: conversation(world, typeof to === 'number' ? 0 : 1),
    content: String(content),
    sendAt,
    draftId: null,
  })
  made.isEnded = false
}

/** The change of what this made. */
function changeOf(made: Made['action'], id: number, words: string, at: number): Action {
  switch (made.name) {
    case 'schedule-message': {
      const { conversation } = made
      return { name: 'edit-scheduled', scheduledId: id, conversation, content: words, sendAt: at }
    }
    case 'remind-me':
      return { name: 'change-reminder', reminderId: id, messageId: made.messageId, at, note: words }
    case 'save-snippet':
      return { name: 'change-snippet', snippetId: id, title: tokenOf(words), content: words }
  }
}

type Changing = Exclude<LaterStep, Making | Mishap | Repeat | { do: 'shut' | 'late-edit' | 'cancel-undone' }>

const kindOf = (step: Changing): ObjectKind => {
  if (step.do === 'edit' || step.do === 'cancel') return 'scheduled-message'
  return step.do === 'change-reminder' || step.do === 'end-reminder' ? 'reminder' : 'saved-snippet'
}

function change(world: World, memory: Memory, device: ModelDevice, step: Changing): void {
  const kind = kindOf(step)
  const shown = objectsOf(device.store.db, kind)
  const target = shown[step.which % Math.max(1, shown.length)]
  if (target === undefined) return
  const token = tokenIn(target)
  const made = memory.made.get(token)
  if (made === undefined) throw new Error(`Nobody made ${JSON.stringify(target)}`)
  const words = `${token} said ${++memory.texts}`
  act(device, actionFor(world, memory, device, step, target, words))
  if (step.do === 'cancel' || step.do === 'end-reminder' || step.do === 'delete-snippet') made.isEnded = true
  else {
    made.changes++
    if (step.do !== 'edit' || step.what === 'words' || step.what === 'both' || step.what === 'words-now')
      made.words = words
  }
}

/** The first word of what the device shows. A waiting note is stored beside the server's fields. */
const tokenIn = (shown: Readonly<Record<string, unknown>>): string =>
  /\bm\d+\b/.exec(String(shown['note'] ?? shown['content']))?.[0] ?? ''

function actionFor(
  world: World,
  memory: Memory,
  device: ModelDevice,
  step: Changing,
  target: Readonly<Record<string, unknown>>,
  words: string,
): Action {
  const moment = (index: number) => momentOf(world, memory, device, index)
  const scheduledId = Number(target['scheduled_message_id'])
  const reminder = {
    name: 'change-reminder',
    reminderId: Number(target['reminder_id']),
    messageId: messageId(Number(target['reminder_target_message_id'])),
  } as const
  switch (step.do) {
    case 'edit':
      return {
        name: 'edit-scheduled',
        scheduledId,
        conversation: conversation(world, typeof target['to'] === 'number' ? 0 : 1),
        content: step.what === 'time' || step.what === 'now' ? null : words,
        sendAt:
          step.what === 'words'
            ? null
            : step.what === 'now' || step.what === 'words-now'
              ? 'now'
              : moment(step.at),
      }
    case 'cancel':
      return { name: 'cancel-scheduled', scheduledId }
    case 'change-reminder':
      return { ...reminder, at: moment(step.at), note: words }
    case 'end-reminder':
      return { ...reminder, at: null, note: '' }
    case 'change-snippet':
      return {
        name: 'change-snippet',
        snippetId: Number(target['id']),
        title: `${tokenOf(words)} `,
        content: words,
      }
    case 'delete-snippet':
      return { name: 'delete-snippet', snippetId: Number(target['id']), title: '' }
  }
}

const mostRounds = 8

/** Ends all faults; the person discards what was refused for an acceptable reason. */
async function heal(world: World, memory: Memory): Promise<void> {
  endMishaps(world)
  world.workspace.db.run('UPDATE channels SET is_archived = 0')
  for (let round = 0, calm = 0; round < mostRounds && calm < 2; round++) {
    await world.pass(roundMs)
    for (const device of world.devices) {
      for (const row of outboxRows(device.store.db)) {
        if (isUndecided(row)) decide(world, memory, device, row)
        if (row.state !== 'refused') continue
        expect(
          mayBeRefused(world, memory, row),
          `is refused for a reason: ${row.name}, ${row.reason ?? ''}`,
        ).toBe(true)
        const [, made] = madeIn(memory, row) ?? []
        if (made !== undefined) made.isRefused = true
        device.account.outbox.discard(row.localId)
      }
    }
    calm = nothingWaits(world) ? calm + 1 : 0
  }
  await world.pass(roundMs)
}

/** The person looks whether it is there, and discards it or sends it again. */
function decide(world: World, memory: Memory, device: ModelDevice, row: OutboxRow): void {
  const registrations = device.requests.filter(({ path }) => path.startsWith('/register'))
  expect(registrations, 'nobody can tell, because a queue was lost').not.toEqual([])
  const [token, made] = madeIn(memory, row) ?? []
  if (token === undefined || made === undefined) throw new Error(`Nobody can decide about ${row.name}.`)
  const isThere = listOf(world, made.kind).some((one) => tokenOf(one) === token) || wasTold(world, token)
  if (isThere || made.isEnded) device.account.outbox.discard(row.localId)
  else device.account.outbox.retry(row.localId)
}

/** The thing that a change concerns, if its words tell. */
function madeIn({ made }: Memory, { action }: OutboxRow): [string, Made] | undefined {
  if (action === null) return undefined
  const text = 'note' in action ? action.note : 'content' in action ? action.content : null
  return [...made].find(([token]) => token === tokenOf(text ?? ''))
}

/** Whether the refusal is acceptable: the thing is gone or was sent, its time is over, or the channel was shut. */
function mayBeRefused(world: World, memory: Memory, { action, reason }: OutboxRow): boolean {
  const { workspace, user } = world
  const isOver = (sendAt: number | 'now' | null) =>
    memory.wasSkewed || (typeof sendAt === 'number' && sendAt < workspace.clock.now() + 1_000)
  switch (action?.name) {
    case 'schedule-message':
      return (memory.wasShut || isOver(action.sendAt)) && !sent(world).includes(action.content)
    case 'edit-scheduled': {
      const there = scheduledOf(workspace, user).find(
        (one) => one.scheduled_message_id === action.scheduledId,
      )
      const { content, sendAt } = action
      // It may have been sent since the refusal.
      const isGone = there === undefined && reason === 'Scheduled message does not exist'
      return (
        (isGone || memory.wasShut || isOver(sendAt)) && (content === null || !sent(world).includes(content))
      )
    }
    case 'cancel-scheduled':
      return sent(world).some((one) => tokenOf(one) === tokenOf(action.was?.content ?? ''))
    case 'change-snippet':
      return snippetsOf(workspace, user.user_id).every(({ id }) => id !== action.snippetId)
    case 'remind-me':
    case 'change-reminder':
      return memory.wasSkewed
    default:
      return false
  }
}

/** The person's own messages. */
const sent = ({ workspace, user }: World): string[] =>
  workspace.db
    .all<{ content: string }>('SELECT content FROM messages WHERE sender_id = ?', user.user_id)
    .map(({ content }) => content)

const notes = ({ workspace, user }: World): string[] =>
  workspace.db
    .all<{ note: string }>('SELECT note FROM reminders WHERE user_id = ?', user.user_id)
    .map(({ note }) => note)

/** Everything of a kind that the service has, including messages that were sent. */
function listOf(world: World, kind: Made['kind']): string[] {
  const { workspace, user } = world
  if (kind === 'reminder') return notes(world)
  if (kind === 'snippet') return snippetsOf(workspace, user.user_id).map(({ content }) => content)
  return [...scheduledOf(workspace, user).map(({ content }) => content), ...sent(world)]
}

/** Whether the service has sent the reminder with this note. */
const wasTold = ({ workspace, user }: World, token: string): boolean =>
  workspace.db
    .all<{ content: string }>('SELECT content FROM messages WHERE sender_id <> ?', user.user_id)
    .some(({ content }) => content.includes(`${token} `))

const byId = (list: readonly object[]) => list.toSorted((one, other) => idOf(one) - idOf(other))
const idOf = (one: object): number =>
  Number(Object.entries(one).find(([name]) => /^(id|reminder_id|scheduled_message_id)$/.test(name))?.[1])

function check(world: World, memory: Memory, isSolo: boolean): void {
  const { workspace, user } = world
  const service: readonly [ObjectKind, readonly object[]][] = [
    ['scheduled-message', scheduledOf(workspace, user)],
    ['reminder', remindersOf(workspace, user)],
    ['saved-snippet', snippetsOf(workspace, user.user_id)],
  ]
  for (const [index, { store }] of world.devices.entries()) {
    const waiting = outboxRows(store.db).map(({ name, state, reason }) => ({ name, state, reason }))
    expect(waiting, `device ${index}: nothing is stuck`).toEqual([])
    for (const [kind, list] of service)
      expect(byId(objectsOf(store.db, kind)), `device ${index}: shows each ${kind} of the service`).toEqual(
        byId(list),
      )
  }
  for (const [token, made] of memory.made) {
    const { kind, words, isEnded, isRefused, changes } = made
    const there = listOf(world, kind).filter((one) => tokenOf(one) === token)
    // A changed time makes a new reminder: two devices that change the same one create two.
    const most = kind === 'reminder' && !isSolo ? 1 + changes : 1
    expect(there.length, `${token}: is there once`).toBeLessThanOrEqual(most)
    if (isEnded || isRefused || (kind === 'reminder' && wasTold(world, token))) continue
    expect(there.length, `${token}: is there`).toBeGreaterThanOrEqual(1)
    if (isSolo) expect(there, `${token}: is as the person left it`).toEqual([words])
  }
}
