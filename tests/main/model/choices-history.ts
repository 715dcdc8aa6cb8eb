import fc from 'fast-check'
import { expect } from 'vitest'
import type { Action, ActionOf, SubscriptionProperty } from '../../../src-shared/bridge/actions.ts'
import { channelId, userId } from '../../../src-shared/ids.ts'
import { topicKey } from '../../../src-shared/topic-names.ts'
import { settingOnWire, settingsMissing, accountSetting } from '../../../src-main/store/account-settings.ts'
import { alertWords } from '../../../src-main/store/alert-words.ts'
import { isSubscribed } from '../../../src-main/store/channels.ts'
import { object } from '../../../src-main/store/objects.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { fullNameOf } from '../../../src-main/store/users.ts'
import { mutedUsersOf } from '../../../src-server/people/muted-users.ts'
import { statuses } from '../../../src-server/handlers/status.ts'
import { alertWordsOf } from '../../../src-server/people/alert-words.ts'
import { settingOf } from '../../../src-server/people/settings.ts'
import { subscribersOf, userById } from '../../../src-server/workspace.ts'
import { act, inWorld, nothingWaits, roundMs, takeSteps } from './live-through.ts'
import {
  endMishaps,
  historyOf,
  mishaps,
  on,
  someDevices,
  stepOf,
  type History,
  type Mishap,
  type StepKinds,
} from './mishaps.ts'
import type { ModelDevice } from './device.ts'
import { newestLevel, type World } from './world.ts'

/**
 * A person's choices for themselves: channels and settings for them, topics, people, words, settings, their name.
 * Numbers wrap around what exists.
 */
export type ChoiceStep =
  | { do: 'join'; on: number; channel: number; put: boolean }
  | { do: 'set'; on: number; channel: number; property: SubscriptionProperty; value: number }
  | { do: 'topic'; on: number; topic: number; value: number }
  | { do: 'mute'; on: number; put: boolean }
  | { do: 'word'; on: number; word: number; put: boolean }
  | { do: 'setting'; on: number; setting: number; value: number }
  | { do: 'status'; on: number; text: number; emoji: number }
  | { do: 'name'; on: number; name: number }
  /** The service limits the rate: what is done now waits while events arrive. */
  | { do: 'busy'; on: number }
  /** The same person on a device of another kind. */
  | { do: 'elsewhere'; what: 'join' | 'muted' | 'pinned' | 'topic' | 'mute'; which: number; put: boolean }
  | Mishap

/** What the person does. */
type OwnStep = Exclude<ChoiceStep, Mishap>

export type ChoiceHistory = History<ChoiceStep>

const properties = [
  'muted',
  'pinned',
  'color',
  'desktop',
  'sound',
  'push',
  'email',
  'wildcardMentions',
] as const
const whereabouts = ['join', 'muted', 'pinned', 'topic', 'mute'] as const
const channel = fc.nat(1)
const value = fc.nat(2)
const put = fc.boolean()
const kinds: StepKinds<ChoiceStep> = {
  join: [6, fc.record({ do: fc.constant('join'), on, channel, put })],
  set: [
    9,
    fc.record({
      do: fc.constant('set'),
      on,
      channel,
      // Booleans come most often, because their opposites cancel.
      property: fc.constantFrom<SubscriptionProperty>('muted', 'muted', 'pinned', ...properties),
      value,
    }),
  ],
  topic: [3, fc.record({ do: fc.constant('topic'), on, topic: fc.nat(1), value })],
  mute: [3, fc.record({ do: fc.constant('mute'), on, put })],
  word: [3, fc.record({ do: fc.constant('word'), on, word: fc.nat(2), put })],
  setting: [2, fc.record({ do: fc.constant('setting'), on, setting: fc.nat(2), value })],
  status: [3, fc.record({ do: fc.constant('status'), on, text: fc.nat(1), emoji: fc.nat(2) })],
  name: [2, fc.record({ do: fc.constant('name'), on, name: fc.nat(2) })],
  busy: [4, fc.record({ do: fc.constant('busy'), on })],
  elsewhere: [
    8,
    fc.record({ do: fc.constant('elsewhere'), what: fc.constantFrom(...whereabouts), which: fc.nat(1), put }),
  ],
  ...mishaps,
}

/** All kinds of steps. */
export const choiceHistory = historyOf(someDevices, stepOf(kinds, [], { fault: 2 }))
/** One device: every choice must end up as the person left it. */
export const soloChoices = historyOf([1], stepOf(kinds, ['elsewhere'], { fault: 2, kill: 2 }))

const disputes = ['join', 'muted', 'mute'] as const
const ownWish = (what: (typeof disputes)[number], put: boolean): ChoiceStep => {
  if (what === 'join') return { do: 'join', on: 0, channel: 0, put }
  if (what === 'mute') return { do: 'mute', on: 0, put }
  return { do: 'set', on: 0, channel: 0, property: 'muted', value: put ? 1 : 0 }
}
/** One choice that is changed here and elsewhere, back and forth, mostly before it can be sent. */
export const disputeHistory: fc.Arbitrary<ChoiceHistory> = fc.constantFrom(...disputes).chain((what) =>
  historyOf(
    [1],
    fc.oneof(
      { weight: 5, arbitrary: put.map((wish) => ownWish(what, wish)) },
      {
        weight: 4,
        arbitrary: put.map((wish): ChoiceStep => ({ do: 'elsewhere', what, which: 0, put: wish })),
      },
      { weight: 3, arbitrary: fc.constant<ChoiceStep>({ do: 'busy', on: 0 }) },
      { weight: 2, arbitrary: mishaps.pass[1] },
      { weight: 1, arbitrary: stepOf(mishaps) },
    ),
  ),
)

interface Memory {
  /** The channels that a person may join and leave, and choose settings for. */
  readonly channels: readonly number[]
  /** The last choice for each key: `join 2`, `2 is_muted`, `mute 9`, `word rope`, `name`. */
  readonly wishes: Map<string, string>
  /** How often the service was busy. */
  times: number
}

const topics = ['drift', 'rope'] as const
/** The first two are spellings of one word. */
const words = ['Rope', 'rope', 'gauge'] as const
const names = ['Maren', 'Maren Aske', 'M. Aske'] as const
const emoji = [
  null,
  { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
  { name: 'sailboat', code: '26f5', type: 'unicode_emoji' },
] as const
const visibilities = ['none', 'muted', 'followed'] as const
const settings = [
  { property: 'twentyFourHourTime', values: [false, true], since: 0 },
  { property: 'starredCounts', values: [false, true], since: 0 },
  { property: 'channelCounts', values: ['all', 'unmuted', 'none'], since: 210 },
] as const
const columns: Readonly<Record<SubscriptionProperty, string>> = {
  color: 'color',
  muted: 'is_muted',
  pinned: 'pin_to_top',
  desktop: 'desktop_notifications',
  sound: 'audible_notifications',
  push: 'push_notifications',
  email: 'email_notifications',
  wildcardMentions: 'wildcard_mentions_notify',
}
const at = <T>(list: readonly T[], index: number): T => {
  const one = list[index % list.length]
  if (one === undefined) throw new Error('There is nothing to choose from.')
  return one
}

/** Runs a history, ends all faults, and checks that the devices and the service agree. */
export async function runChoiceHistory(history: ChoiceHistory): Promise<void> {
  const { devices, steps } = history
  await inWorld(history, async (world) => {
    const memory: Memory = { channels: [world.channelId, world.channelId + 1], wishes: new Map(), times: 0 }
    await world.pass(3_000)
    await world.ask('POST', '/users/me/subscriptions', 'subscriptions=[{"name":"lamps"}]', world.other)
    await world.pass(1_000)
    await takeSteps<OwnStep>(world, steps, (step) => take(world, memory, step))
    endMishaps(world)
    for (let round = 0; round < 4; round++) {
      await world.pass(roundMs)
      if (round > 0 && nothingWaits(world)) break
    }
    check(world, memory)
    if (devices === 1 && steps.every((step) => step.do !== 'elsewhere')) checkWishes(world, memory)
  })
}

async function take(world: World, memory: Memory, step: OwnStep): Promise<void> {
  if (step.do === 'elsewhere') {
    await chooseElsewhere(world, memory, step)
    return
  }
  const device = world.devices[step.on % world.devices.length]
  if (device === undefined) return
  if (step.do === 'busy') {
    device.faults.calls.unshift('too-many')
  }
  const action = actionOf(world, memory, step)
  if (action === null) return
  // Settings are offered only for channels that the person is in.
  if (action.name === 'set-subscription' && !isSubscribed(device.store.db, action.channelId)) return
  if (action.name === 'update-setting' && settingsMissing(device.store.db).includes(action.property)) return
  act(device, action)
  const [what, wish] = wishOf(action)
  memory.wishes.set(what, wish)
}

function actionOf(world: World, memory: Memory, step: Exclude<OwnStep, { do: 'elsewhere' }>): Action | null {
  switch (step.do) {
    // An action that is sent at once and differs each time.
    case 'busy':
      return { name: 'set-status', text: `busy ${++memory.times}`, emoji: null }
    case 'join':
      return { name: step.put ? 'subscribe' : 'unsubscribe', channelId: idOf(memory.channels, step.channel) }
    case 'set':
      return {
        name: 'set-subscription',
        channelId: idOf(memory.channels, step.channel),
        property: step.property,
        value: subscriptionValue(step.property, step.value),
      }
    case 'topic':
      return {
        name: 'set-topic-visibility',
        channelId: channelId(world.channelId),
        topic: at(topics, step.topic),
        visibility: at(visibilities, step.value),
      }
    case 'mute':
      return { name: 'mute-person', userId: userId(world.other.user_id), on: step.put }
    case 'word':
      return { name: 'set-alert-word', word: at(words, step.word), on: step.put }
    case 'status':
      return { name: 'set-status', text: at(['', 'at sea'], step.text), emoji: at(emoji, step.emoji) }
    case 'name':
      return { name: 'set-own-name', fullName: at(names, step.name) }
    case 'setting': {
      const { property, values } = at(settings, step.setting)
      const chosen = values[step.value % values.length]
      return chosen === undefined ? null : { name: 'update-setting', property, value: chosen }
    }
  }
}

const idOf = (channels: readonly number[], index: number) => channelId(channels[index % channels.length] ?? 0)

function subscriptionValue(
  property: SubscriptionProperty,
  index: number,
): ActionOf<'set-subscription'>['value'] {
  if (property === 'color') return at(['tide', 'coral', 'fern'], index)
  if (property === 'muted' || property === 'pinned') return index % 2 === 1
  return at([false, true, null], index)
}

/** What an action concerns, and the value that it sets. */
function wishOf(action: Action): readonly [string, string] {
  switch (action.name) {
    case 'subscribe':
    case 'unsubscribe':
      return [`join ${action.channelId}`, String(action.name === 'subscribe')]
    case 'set-subscription':
      return [`${action.channelId} ${columns[action.property]}`, String(action.value)]
    case 'set-topic-visibility':
      return [`topic ${action.topic}`, action.visibility]
    case 'mute-person':
      return ['mute', String(action.on)]
    case 'set-alert-word':
      return [`word ${action.word.toLowerCase()}`, String(action.on)]
    case 'update-setting': {
      const { property, wireValue } = settingOnWire(action.property, action.value, newestLevel)
      return [`setting ${property}`, String(wireValue)]
    }
    case 'set-own-name':
      return ['name', action.fullName]
    case 'set-status':
      return ['status', JSON.stringify(statusOnWire(action))]
    default:
      throw new Error(`No choice: ${action.name}`)
  }
}

const statusOnWire = ({ text, emoji: one }: ActionOf<'set-status'>) => ({
  ...(text === '' ? {} : { status_text: text }),
  ...(one === null ? {} : { emoji_name: one.name, emoji_code: one.code, reaction_type: one.type }),
})

async function chooseElsewhere(
  world: World,
  { channels }: Memory,
  { what, which, put }: Extract<ChoiceStep, { do: 'elsewhere' }>,
): Promise<void> {
  const id = idOf(channels, which)
  const set = (property: string) =>
    world.ask(
      'POST',
      '/users/me/subscriptions/properties',
      `subscription_data=${JSON.stringify([{ stream_id: id, property, value: put }])}`,
    )
  switch (what) {
    case 'join': {
      const name = id === world.channelId ? 'gauges' : 'lamps'
      const subscriptions = JSON.stringify(put ? [{ name }] : [name])
      await world.ask(put ? 'POST' : 'DELETE', '/users/me/subscriptions', `subscriptions=${subscriptions}`)
      break
    }
    case 'muted':
      await set('is_muted')
      break
    case 'pinned':
      await set('pin_to_top')
      break
    case 'topic':
      await world.ask(
        'POST',
        '/user_topics',
        `stream_id=${world.channelId}&topic=${at(topics, which)}&visibility_policy=${put ? 3 : 0}`,
      )
      break
    case 'mute':
      await world.ask(put ? 'POST' : 'DELETE', `/users/me/muted_users/${world.other.user_id}`)
      break
  }
}

/** All choices of a person, in a form that is the same for the device and the service. */
interface Choices {
  readonly channels: readonly Readonly<Record<string, unknown>>[]
  readonly topics: readonly string[]
  readonly muted: readonly { readonly id: number; readonly since: number }[]
  readonly words: readonly string[]
  readonly status: unknown
  readonly name: string | undefined
  readonly settings: readonly unknown[]
}

const own = (columnOf: (column: string) => string, table: string, where: string) =>
  `SELECT ${Object.values(columns)
    .map((column) => `${columnOf(column)} AS ${column}`)
    .join(', ')} FROM ${table} WHERE ${where}`

function onService({ workspace, user }: World, { channels }: Memory): Choices {
  const { db } = workspace
  return {
    channels: channels.map((id) => {
      const people = subscribersOf(db, id)
      const isIn = people.includes(user.user_id)
      const where = `user_id = ${user.user_id} AND channel_id = ${id}`
      return {
        id,
        isIn,
        count: people.length,
        ...(isIn ? db.get<Record<string, unknown>>(own((column) => column, 'subscriptions', where)) : {}),
      }
    }),
    topics: db
      .all<{ topic_key: string; policy: number }>(
        `SELECT topic_key, policy FROM user_topics WHERE user_id = ${user.user_id} AND policy <> 0`,
      )
      .map(({ topic_key, policy }) => `${topic_key} ${['', 'muted', 'unmuted', 'followed'][policy] ?? ''}`)
      .sort(),
    muted: mutedUsersOf(workspace, user.user_id).map(({ id, timestamp }) => ({
      id,
      since: timestamp * 1_000,
    })),
    words: alertWordsOf(db, user.user_id).toSorted(),
    status: statuses(workspace, user)[String(user.user_id)] ?? {},
    name: userById(db, user.user_id)?.full_name,
    settings: settings.map(({ property, since }) =>
      workspace.featureLevel < since
        ? undefined
        : settingOf(db, user.user_id, settingOnWire(property, '', newestLevel).property),
    ),
  }
}

const columnHere: Readonly<Record<string, string>> = { pin_to_top: 'is_pinned' }

function onDevice({ store: { db } }: ModelDevice, user: number, { channels }: Memory): Choices {
  return {
    channels: channels.map((id) => {
      const isIn = isSubscribed(db, id)
      const count = db.get<{ n: number | null }>(
        `SELECT subscriber_count AS n FROM channels WHERE channel_id = ${id}`,
      )?.n
      return {
        id,
        isIn,
        count,
        ...(isIn
          ? db.get<Record<string, unknown>>(
              own((column) => columnHere[column] ?? column, 'channels', `channel_id = ${id}`),
            )
          : {}),
      }
    }),
    topics: db
      .all<{ topic_key: string; visibility: string }>('SELECT topic_key, visibility FROM topic_visibility')
      .map(({ topic_key, visibility }) => `${topic_key} ${visibility}`)
      .sort(),
    muted: db.all<{ id: number; since: number }>(
      'SELECT user_id AS id, since FROM muted_users ORDER BY user_id',
    ),
    words: alertWords(db).toSorted(),
    status: object(db, 'user-status', user) ?? {},
    name: fullNameOf(db, user),
    settings: settings.map(({ property }) =>
      accountSetting(db, settingOnWire(property, '', newestLevel).property),
    ),
  }
}

function check(world: World, memory: Memory): void {
  const service = onService(world, memory)
  for (const [index, device] of world.devices.entries()) {
    const waiting = outboxRows(device.store.db).map(({ name, state, reason }) => ({ name, state, reason }))
    expect(waiting, `device ${index}: nothing is stuck or refused`).toEqual([])
    expect(
      onDevice(device, world.user.user_id, memory),
      `device ${index}: shows what the service has`,
    ).toEqual(service)
  }
}

/** Checks, with one device, that everything is as the person left it. */
function checkWishes(world: World, memory: Memory): void {
  const service = onService(world, memory)
  for (const [what, wish] of memory.wishes) {
    const [kind, name] = what.split(' ')
    const channel = service.channels.find(({ id }) => String(id) === kind)
    if (kind === 'join')
      expect(String(service.channels.find(({ id }) => String(id) === name)?.['isIn']), what).toBe(wish)
    else if (kind === 'topic')
      expect(
        service.topics.find((one) => one.startsWith(topicKey(name ?? '')))?.split(' ')[1] ?? 'none',
      ).toBe(wish)
    else if (kind === 'mute') expect(String(service.muted.length === 1), what).toBe(wish)
    else if (kind === 'word')
      expect(String(service.words.some((word) => word.toLowerCase() === name)), what).toBe(wish)
    else if (kind === 'name') expect(service.name, what).toBe(wish)
    else if (kind === 'status') expect(service.status, what).toEqual(JSON.parse(wish))
    else if (kind === 'setting')
      expect(String(settingOf(world.workspace.db, world.user.user_id, name ?? '')), what).toBe(wish)
    // Skips colours, whose names differ on the service, and "the account's value", which is resolved when it is chosen.
    else if (channel?.['isIn'] === true && (wish === 'true' || wish === 'false'))
      expect(String(channel[name ?? ''] === 1), what).toBe(wish)
  }
}
