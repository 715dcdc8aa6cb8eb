import fc from 'fast-check'
import { expect } from 'vitest'
import type { Action, ActionOf } from '../../../src-shared/bridge/actions.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { channelId, messageId, userId, type LocalId } from '../../../src-shared/ids.ts'
import {
  conversationKey,
  directConversation,
  topicConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import { linkToFile } from '../../../src-shared/model/outgoing-file.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { markdownOf, messageInPlace } from '../../../src-main/store/messages.ts'
import { outboxRows, waitingEditOf, type OutboxRow } from '../../../src-main/store/outbox.ts'
import { rangesOf } from '../../../src-main/store/ranges.ts'
import { inWorld, nothingWaits, roundMs, takeSteps } from './live-through.ts'
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
import {
  checkWidgets,
  hearWidgets,
  isWidgetStep,
  newWidgetMemory,
  takeWidgetStep,
  widgetSteps,
  type WidgetMemory,
  type WidgetStep,
} from './widget-steps.ts'
import type { World } from './world.ts'

/** Something that a person does to messages, or that others do meanwhile. Numbers wrap around what exists. */
export type OutboxStep =
  /** `same`: the same words each time. */
  | { do: 'send'; on: number; to: number; same: boolean }
  /** Longer than the server stores, or exactly as long. */
  | { do: 'send-long'; on: number; to: number; over: boolean }
  | { do: 'send-file'; on: number; to: number }
  /** Takes back what this device sent last. */
  | { do: 'undo'; on: number }
  /** `sure`: sends the text that was on screen, so that another person's edit is detected. */
  | { do: 'edit'; on: number; message: number; sure: boolean }
  | { do: 'delete'; on: number; message: number }
  | { do: 'react'; on: number; message: number; emoji: number; put: boolean }
  /** `many` marks the newest message too. */
  | { do: 'star'; on: number; message: number; put: boolean; many: boolean }
  | { do: 'read'; on: number; message: number; put: boolean }
  | { do: 'read-all'; on: number; to: number }
  | { do: 'collapse'; on: number; message: number; put: boolean }
  /** Moves a message, it and the later ones of its topic, or its whole topic, to another topic or channel. */
  | { do: 'rename'; on: number; message: number; to: number; which: MovedPart }
  | { do: 'retry'; on: number; row: number }
  | { do: 'discard'; on: number; row: number }
  | { do: 'take-back'; on: number; row: number }
  /** Another person moves messages. */
  | { do: 'move'; message: number; to: number; which?: MovedPart }
  | { do: 'hear'; to: number }
  /** From now on the service refuses messages to the channel. */
  | { do: 'shut'; shut: boolean }
  | WidgetStep
  | Mishap
  | Repeat

type MovedPart = ActionOf<'move-messages'>['which']

/** What people do. */
type OwnStep = Exclude<OutboxStep, Mishap | Repeat>

export type OutboxHistory = History<OutboxStep>

const to = fc.nat(3)
const which = fc.constantFrom<MovedPart>('one', 'later', 'all')
const message = fc.nat(5)
const row = fc.nat(3)
const put = fc.boolean()
const kinds: StepKinds<OutboxStep> = {
  send: [9, fc.record({ do: fc.constant('send'), on, to, same: fc.boolean() })],
  'send-long': [1, fc.record({ do: fc.constant('send-long'), on, to, over: fc.boolean() })],
  'send-file': [2, fc.record({ do: fc.constant('send-file'), on, to })],
  undo: [2, fc.record({ do: fc.constant('undo'), on })],
  edit: [4, fc.record({ do: fc.constant('edit'), on, message, sure: fc.boolean() })],
  delete: [1, fc.record({ do: fc.constant('delete'), on, message })],
  react: [3, fc.record({ do: fc.constant('react'), on, message, emoji: fc.nat(1), put })],
  star: [3, fc.record({ do: fc.constant('star'), on, message, put, many: fc.boolean() })],
  read: [3, fc.record({ do: fc.constant('read'), on, message, put })],
  'read-all': [1, fc.record({ do: fc.constant('read-all'), on, to })],
  collapse: [2, fc.record({ do: fc.constant('collapse'), on, message, put })],
  rename: [2, fc.record({ do: fc.constant('rename'), on, message, to, which })],
  retry: [1, fc.record({ do: fc.constant('retry'), on, row })],
  discard: [1, fc.record({ do: fc.constant('discard'), on, row })],
  'take-back': [1, fc.record({ do: fc.constant('take-back'), on, row })],
  move: [1, fc.record({ do: fc.constant('move'), message, to, which })],
  hear: [2, fc.record({ do: fc.constant('hear'), to })],
  shut: [1, fc.record({ do: fc.constant('shut'), shut: fc.boolean() })],
  ...widgetSteps,
  ...mishaps,
  ...repeats,
}

/** All kinds of steps. */
export const outboxHistory = historyOf(someDevices, stepOf(kinds))
/** One device: every word and mark must end up as the person left it. */
export const soloHistory = historyOf(
  [1],
  stepOf(
    kinds,
    ['shut', 'move', 'rename', 'discard', 'take-back', 'send-long', 'send-file', 'undo', 'repeat'],
    { fault: 2, kill: 2 },
  ),
)

interface Sent {
  /** The first word of its text, which identifies it and never changes. */
  readonly token: string
  readonly device: number
  readonly conversation: string
}

/** What the person knows. */
interface Memory {
  texts: number
  readonly sent: Sent[]
  /** What each device sent last, and can take back. */
  readonly last: Map<number, { readonly id: LocalId; readonly token: string }>
  /** Tokens of discarded or taken back messages, once per time: these may be on the service or not. */
  readonly dropped: string[]
  /** Messages that somebody deleted, or tried to. */
  readonly deleted: Set<number>
  /** The tokens of those messages. */
  readonly deletedTokens: string[]
  /** How often somebody moved messages. */
  moves: number
  /** The last value of each mark: `star 3`, `react 3 1f44d`, `read 3`, `collapse 3`, `edit 3`. */
  readonly marks: Map<string, string>
  readonly widgets: WidgetMemory
  wasShut: boolean
}

const topics = ['drift', 'rope'] as const
const conversations = (world: World): readonly Conversation[] => [
  topicConversation(world.channelId, topics[0]),
  topicConversation(world.channelId, topics[1]),
  directConversation([world.other.user_id], userId(world.user.user_id)),
  topicConversation(world.farChannelId ?? 0, topics[0]),
]
/** Where messages of channels are moved. */
const placeAt = (world: World, to: number) => ({
  channelId: channelId((to < 2 ? world.channelId : world.farChannelId) ?? 0),
  topic: topics[to % 2] ?? '',
})
const modes = { one: 'change_one', later: 'change_later', all: 'change_all' } as const
const emoji = [
  { name: 'thumbs_up', code: '1f44d', type: 'unicode_emoji' },
  { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
] as const

/** Runs a history, ends all faults, and checks the guarantees of the outbox. */
export async function runOutboxHistory(history: OutboxHistory): Promise<void> {
  const { devices, steps } = history
  const memory: Memory = {
    texts: 0,
    sent: [],
    last: new Map(),
    dropped: [],
    deleted: new Set(),
    deletedTokens: [],
    moves: 0,
    marks: new Map(),
    widgets: newWidgetMemory(),
    wasShut: false,
  }
  const live = async (world: World) => {
    await world.pass(3_000)
    for (const to of [0, 1, 2]) await hear(world, memory, to)
    if (steps.some(isWidgetStep)) await hearWidgets(world)
    await world.pass(1_000)
    await takeSteps<OwnStep>(world, steps, (step) => take(world, memory, step))
    await heal(world, memory)
    check(world, memory)
    if (devices === 1) checkMarks(world, memory)
    checkWidgets(world, memory.widgets, memory.wasShut)
  }
  await inWorld(history, live, true)
}

/** The other person sends a message. */
async function hear(world: World, memory: Memory, to: number): Promise<void> {
  const text = `h${++memory.texts}`
  const { channelId, topic } = placeAt(world, to === 3 ? 2 : to)
  const target =
    to === 2 ? `type=private&to=[${world.user.user_id}]` : `type=stream&to=${channelId}&topic=${topic}`
  await world.ask('POST', '/messages', `${target}&content=${text}`, world.other)
}

interface ShownMessage {
  readonly id: number
  readonly text: string
  readonly isOwn: boolean
}

/** The messages that a device can show, newest first. */
const shown = (world: World, device: ModelDevice): ShownMessage[] =>
  device.store.db
    .all<{ message_id: number; content_html: string; sender_id: number }>(
      'SELECT message_id, content_html, sender_id FROM messages ORDER BY message_id DESC',
    )
    .map((row) => ({
      id: row.message_id,
      text: textOf(row.content_html),
      isOwn: row.sender_id === world.user.user_id,
    }))

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '')

const tokenOf = (text: string) => text.split(' ')[0] ?? ''

async function take(world: World, memory: Memory, step: OwnStep): Promise<void> {
  if (step.do === 'hear') {
    await hear(world, memory, step.to)
    return
  }
  if (step.do === 'shut') {
    memory.wasShut ||= step.shut
    world.workspace.db.run('UPDATE channels SET is_archived = ?', step.shut ? 1 : 0)
    return
  }
  if (step.do === 'move') {
    const ids = world.workspace.db
      .all<{ id: number }>(
        'SELECT message_id AS id FROM messages WHERE channel_id IS NOT NULL ORDER BY 1 DESC',
      )
      .map(({ id }) => id)
    const id = ids[step.message % Math.max(1, ids.length)]
    if (id === undefined) return
    memory.moves++
    const { channelId, topic } = placeAt(world, step.to)
    await world.ask(
      'PATCH',
      `/messages/${id}`,
      `topic=${topic}&stream_id=${channelId}&propagate_mode=${modes[step.which ?? 'one']}`,
    )
    return
  }
  const number = step.on % world.devices.length
  const device = world.devices[number]
  if (device === undefined) return
  const { outbox } = device.account
  const act = (action: Action) => outbox.enqueue(action)
  if (isWidgetStep(step)) {
    takeWidgetStep(device, memory.widgets, step)
    return
  }
  if (step.do === 'retry' || step.do === 'discard' || step.do === 'take-back') {
    const sends = outboxRows(device.store.db).filter(
      ({ action, state }) => action?.name === 'send-message' && state !== 'accepted',
    )
    const row = sends[step.row % Math.max(1, sends.length)]
    if (row !== undefined) settle(device, memory, row, step.do)
    return
  }
  if (step.do === 'send' || step.do === 'send-long' || step.do === 'send-file') {
    const conversation = conversations(world)[step.to]
    if (conversation === undefined) return
    const token = step.do === 'send' && step.same ? `same${number}` : `m${++memory.texts}`
    const content = `${token} ${wordsOf(device, step)}`
    const id = act({ name: 'send-message', conversation, content, draftId: null })
    memory.sent.push({ token, device: number, conversation: conversationKey(conversation) })
    memory.last.set(number, { id, token })
    return
  }
  if (step.do === 'undo') {
    undo(device, memory, memory.last.get(number))
    return
  }
  if (step.do === 'read-all') {
    const narrow = conversations(world)[step.to]
    const upTo = Math.max(0, ...shown(world, device).map(({ id }) => id))
    if (narrow === undefined || upTo === 0) return
    act({ name: 'mark-narrow-read', narrow, upTo: messageId(upTo) })
    const key = conversationKey(narrow)
    for (const { id } of readable(device))
      if (keyOf(device, id) === key) memory.marks.set(`read ${id}`, 'true')
    return
  }
  if (step.do === 'rename') {
    const moves = shown(world, device).flatMap(({ id }) => {
      const conversation = messageInPlace(device.store.db, id)?.conversation
      return conversation?.kind === 'topic' ? [{ id: messageId(id), from: conversation }] : []
    })
    const chosen = moves[step.message % Math.max(1, moves.length)]
    if (chosen === undefined) return
    const { channelId, topic } = chosen.from
    const to = placeAt(world, step.to)
    if (channelId === to.channelId && topic === to.topic) return
    act({
      name: 'move-messages',
      messageId: chosen.id,
      which: step.which,
      from: { channelId, topic },
      to,
    })
    memory.moves++
    return
  }
  const mine = step.do === 'edit' || step.do === 'delete'
  const list = shown(world, device).filter(({ isOwn }) => isOwn || !mine)
  const target = list[step.message % Math.max(1, list.length)]
  if (target === undefined) return
  const id = messageId(target.id)
  switch (step.do) {
    case 'edit': {
      const { db } = device.store
      const begun = waitingEditOf(db, id) ?? markdownOf(db, id) ?? target.text
      const content = `${tokenOf(target.text)} edit${++memory.texts}`
      act({ name: 'edit-message', messageId: id, content, previousContent: step.sure ? begun : null })
      memory.marks.set(`edit ${id}`, content)
      break
    }
    case 'delete':
      act({ name: 'delete-message', messageId: id })
      memory.deleted.add(id)
      memory.deletedTokens.push(tokenOf(target.text))
      break
    case 'react': {
      const one = emoji[step.emoji % 2] ?? emoji[0]
      act({ name: 'react', messageId: id, emoji: one, on: step.put })
      memory.marks.set(`react ${id} ${one.code}`, String(step.put))
      break
    }
    case 'star': {
      const newest = messageId(list[0]?.id ?? id)
      const messageIds = step.many && newest !== id ? [id, newest] : [id]
      act({ name: 'star-message', messageIds, on: step.put })
      for (const one of messageIds) memory.marks.set(`star ${one}`, String(step.put))
      break
    }
    case 'collapse':
      act({ name: 'collapse-message', messageIds: [id], on: step.put })
      memory.marks.set(`collapse ${id}`, String(step.put))
      break
    case 'read':
      act({ name: step.put ? 'mark-read' : 'mark-unread', messageIds: [id] })
      memory.marks.set(`read ${id}`, String(step.put))
      break
  }
}

type Sending = Extract<OutboxStep, { do: 'send' | 'send-long' | 'send-file' }>

/** The text of a message after its token. */
function wordsOf({ account: { files } }: ModelDevice, step: Sending): string {
  if (step.do === 'send') return 'said'
  if (step.do === 'send-long') return 'wave '.repeat(step.over ? 2_400 : 1_990)
  const fileId = files.begin('gauge.txt', 'text/plain', 3)
  files.append(fileId, Buffer.from('ebb'))
  return `[gauge.txt](${linkToFile(fileId)})`
}

function undo(
  { account: { outbox }, store }: ModelDevice,
  memory: Memory,
  last: { id: LocalId; token: string } | undefined,
) {
  if (last === undefined) return
  try {
    if (outbox.undoSend(last.id, () => true) === null) return
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'rejected' || failure.code !== 'TOO_LATE') throw error
    return
  }
  memory.dropped.push(last.token)
  for (const { action } of outboxRows(store.db))
    if (action?.name === 'delete-message') memory.deleted.add(action.messageId)
}

const readable = (device: ModelDevice) =>
  device.store.db.all<{ id: number }>('SELECT message_id AS id FROM messages')

function keyOf(device: ModelDevice, id: number): string | undefined {
  return device.store.db.get<{ key: string }>(
    'SELECT key FROM messages JOIN conversations USING (conversation_id) WHERE message_id = ?',
    [id],
  )?.key
}

function settle(device: ModelDevice, memory: Memory, row: OutboxRow, how: 'retry' | 'discard' | 'take-back') {
  const token = row.action?.name === 'send-message' ? tokenOf(row.action.content) : ''
  const { outbox } = device.account
  if (how === 'retry') {
    // Retrying an undecided send would be the person's own decision.
    if (row.state !== 'unsure' || row.reason === null) outbox.retry(row.localId)
  } else if (how === 'discard') {
    // What may have arrived can be discarded only once that is known.
    if (row.state === 'sending' || (row.state === 'unsure' && row.reason === null)) {
      expect(() => outbox.discard(row.localId)).toThrow('may already have this')
      return
    }
    outbox.discard(row.localId)
    memory.dropped.push(token)
  } else if (outbox.takeBack(row.localId, () => true) !== null) memory.dropped.push(token)
}

const mostRounds = 12

/** Ends all faults; the person retries refused messages and discards other refused changes. */
async function heal(world: World, memory: Memory): Promise<void> {
  endMishaps(world)
  world.workspace.db.run('UPDATE channels SET is_archived = 0')
  let calm = 0
  for (let round = 0; round < mostRounds && calm < 2; round++) {
    await world.pass(roundMs)
    for (const device of world.devices) {
      for (const row of outboxRows(device.store.db)) {
        if (row.state !== 'refused' && !(row.state === 'unsure' && row.reason !== null)) continue
        expect(row.reason, 'what is not sent is explained').not.toBe('')
        expect(mayBeRefused(world, memory, row), `may be refused: ${row.name}, ${row.reason ?? ''}`).toBe(
          true,
        )
        if (row.action?.name === 'send-message' && row.state === 'refused')
          device.account.outbox.retry(row.localId)
        else device.account.outbox.discard(row.localId)
      }
      device.account.sync.shown({ messageIds: readable(device).map(({ id }) => messageId(id)), feeds: [] })
    }
    calm = round > 0 && nothingWaits(world) ? calm + 1 : 0
  }
  await world.pass(roundMs)
}

/** Acceptable refusals: the channel was shut, or the message is gone or has changed. */
function mayBeRefused(world: World, memory: Memory, { action, state, reason }: OutboxRow): boolean {
  if (memory.wasShut) return true
  if (action === null || state === 'unsure') return false
  if (action.name === 'move-messages')
    return memory.deleted.has(action.messageId) || (memory.moves > 1 && reason === t.failures.movedMeanwhile)
  if (action.name !== 'edit-message') return false
  return world.devices.length > 1 || memory.deleted.has(action.messageId)
}

interface ServiceMessage {
  readonly id: number
  readonly content: string
  readonly where: string
  readonly isOwn: boolean
  readonly isRead: boolean
  readonly isStarred: boolean
  readonly isCollapsed: boolean
  readonly reactions: readonly string[]
}

const whereOf = (row: { channel_id: number | null; topic: string | null }) =>
  row.channel_id === null ? 'direct' : `${row.channel_id} ${row.topic ?? ''}`

function onService({ workspace, user }: World): ServiceMessage[] {
  return workspace.db
    .all<{
      message_id: number
      rendered: string
      channel_id: number | null
      topic: string
      sender_id: number
      is_read: number
      is_starred: number
      is_collapsed: number
    }>(
      `SELECT message_id, rendered, channel_id, topic, sender_id, is_read, is_starred, is_collapsed
       FROM messages JOIN user_messages USING (message_id) WHERE user_id = ${user.user_id} ORDER BY message_id`,
    )
    .map((row) => ({
      id: row.message_id,
      content: textOf(row.rendered),
      where: whereOf(row),
      isOwn: row.sender_id === user.user_id,
      isRead: row.is_read === 1,
      isStarred: row.is_starred === 1,
      isCollapsed: row.is_collapsed === 1,
      reactions: workspace.db
        .all<{ code: string }>(
          `SELECT emoji_code AS code FROM reactions WHERE message_id = ${row.message_id} ORDER BY emoji_code`,
        )
        .map(({ code }) => code),
    }))
}

function onDevice({ store }: ModelDevice, user: number): ServiceMessage[] {
  return store.db
    .all<{
      message_id: number
      content_html: string
      channel_id: number | null
      topic: string | null
      sender_id: number
      is_read: number
      is_starred: number
      is_collapsed: number
    }>(
      `SELECT message_id, content_html, conversations.channel_id, topic, sender_id,
         NOT EXISTS (SELECT 1 FROM unread WHERE unread.message_id = messages.message_id) AS is_read, is_starred, is_collapsed
       FROM messages LEFT JOIN conversations USING (conversation_id) ORDER BY message_id`,
    )
    .map((row) => ({
      id: row.message_id,
      content: textOf(row.content_html),
      where: whereOf(row),
      isOwn: row.sender_id === user,
      isRead: row.is_read === 1,
      isStarred: row.is_starred === 1,
      isCollapsed: row.is_collapsed === 1,
      reactions: store.db
        .all<{ code: string }>(
          'SELECT emoji_code AS code FROM reactions WHERE message_id = ? ORDER BY emoji_code',
          [row.message_id],
        )
        .map(({ code }) => code),
    }))
}

function check(world: World, memory: Memory): void {
  const service = onService(world)
  for (const [index, device] of world.devices.entries()) {
    expect(outboxRows(device.store.db), `device ${index}: nothing is stuck`).toEqual([])
    expect(onDevice(device, world.user.user_id), `device ${index}: shows what the service has`).toEqual(
      service,
    )
    expect(rangesOf(device.store.db, 'combined'), `device ${index}: history is complete`).toMatchObject([
      { reachesBeginning: true, isLive: true },
    ])
    checkRepeats(index, device)
  }

  const own = service.filter(({ isOwn }) => isOwn)
  const count = (list: readonly string[], token: string) => list.filter((one) => one === token).length
  const there = own.map(({ content }) => tokenOf(content))
  const tokens = memory.sent.map(({ token }) => token)
  for (const token of new Set([...tokens, ...there])) {
    const most = count(tokens, token)
    const least = most - count(memory.dropped, token) - count(memory.deletedTokens, token)
    expect(count(there, token), `${token} is there as often as it was sent`).toBeLessThanOrEqual(most)
    expect(count(there, token), `${token} is there as often as it was sent`).toBeGreaterThanOrEqual(least)
  }

  const order = new Map(own.map(({ id, content }) => [tokenOf(content), id]))
  const laneOf = ({ device, conversation }: Sent) => `${device} ${conversation}`
  for (const lane of new Set(memory.sent.map(laneOf))) {
    const ids = memory.sent
      .filter((sent) => laneOf(sent) === lane)
      .filter(({ token }) => !token.startsWith('same'))
      .flatMap(({ token }) => order.get(token) ?? [])
    expect(ids, `${lane}: in the order written`).toEqual(ids.toSorted((a, b) => a - b))
  }
}

/** Checks that a send that may have arrived was looked up before it was repeated. */
function checkRepeats(index: number, { requests }: ModelDevice): void {
  const doubtful = new Set<string>()
  for (const { method, path, form, outcome } of requests) {
    if (method === 'GET' && path.startsWith('/messages?') && outcome === 200) doubtful.clear()
    const id = form.get('local_id')
    if (method !== 'POST' || path !== '/messages' || id === null) continue
    expect(doubtful.has(id), `device ${index}: ${id} was looked up`).toBe(false)
    if (outcome !== 'none' && outcome !== 429 && outcome !== 400) doubtful.add(id)
  }
}

/** Checks, with one device, that every mark is as the person left it. */
function checkMarks(world: World, memory: Memory): void {
  const service = new Map(onService(world).map((one) => [one.id, one]))
  for (const [mark, last] of memory.marks) {
    const [kind, id, code] = mark.split(' ')
    const one = service.get(Number(id))
    if (one === undefined || memory.deleted.has(one.id)) continue
    if (memory.wasShut && (kind === 'edit' || kind === 'react')) continue
    const now =
      kind === 'edit'
        ? one.content
        : kind === 'star'
          ? String(one.isStarred)
          : kind === 'read'
            ? String(one.isRead)
            : kind === 'collapse'
              ? String(one.isCollapsed)
              : String(one.reactions.includes(code ?? ''))
    expect(now, mark).toBe(last)
  }
}
