import fc from 'fast-check'
import { expect } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { channelId as asChannelId, groupId, provisionalId, userId } from '../../../src-shared/ids.ts'
import { channelFields } from '../../../src-main/store/channels.ts'
import { folderIds } from '../../../src-main/store/channel-folders.ts'
import { object, objectsOf } from '../../../src-main/store/objects.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { channelPermission, idsIn } from '../../../src-main/store/permissions.ts'
import { allFolders } from '../../../src-server/channels/channel-folders.ts'
import { apiChannel, allChannels } from '../../../src-server/channels/channels.ts'
import { userGroupState } from '../../../src-server/people/user-groups.ts'
import { act, inWorld, roundMs, takeSteps } from './live-through.ts'
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
import type { World } from './world.ts'

/** An owner's changes of what is shared: groups, folders, a channel. Numbers wrap around what exists. */
export type OrganizationStep =
  | { do: 'member'; on: number; who: number; put: boolean }
  | { do: 'nest'; on: number; put: boolean }
  | { do: 'group'; on: number; what: number; value: number }
  | { do: 'folder'; on: number; which: number; what: number; value: number }
  | { do: 'order'; on: number; turned: boolean }
  | { do: 'channel'; on: number; what: number; value: number }
  | { do: 'create'; on: number; what: number }
  /** A message to the last channel created on that device, or to a newly created one. */
  | { do: 'write'; on: number; anew: boolean }
  /** A person is added to the channel or removed. */
  | { do: 'people'; on: number; put: boolean }
  /** A window asks for the channel's subscribers. */
  | { do: 'ask'; on: number }
  | Mishap

/** What the person does. */
type OwnStep = Exclude<OrganizationStep, Mishap>

export type OrganizationHistory = History<OrganizationStep>

const put = fc.boolean()
const value = fc.nat(2)
const kinds: StepKinds<OrganizationStep> = {
  member: [5, fc.record({ do: fc.constant('member'), on, who: fc.nat(1), put })],
  nest: [2, fc.record({ do: fc.constant('nest'), on, put })],
  group: [6, fc.record({ do: fc.constant('group'), on, what: fc.nat(3), value })],
  folder: [5, fc.record({ do: fc.constant('folder'), on, which: fc.nat(1), what: fc.nat(2), value })],
  order: [2, fc.record({ do: fc.constant('order'), on, turned: fc.boolean() })],
  channel: [9, fc.record({ do: fc.constant('channel'), on, what: fc.nat(7), value })],
  create: [2, fc.record({ do: fc.constant('create'), on, what: fc.nat(2) })],
  write: [4, fc.record({ do: fc.constant('write'), on, anew: fc.boolean() })],
  people: [4, fc.record({ do: fc.constant('people'), on, put })],
  ask: [2, fc.record({ do: fc.constant('ask'), on })],
  ...mishaps,
}

export const organizationHistory = historyOf(someDevices, stepOf(kinds, [], { fault: 2 }))

interface Shared {
  readonly outer: number
  readonly inner: number
  readonly folders: readonly number[]
  readonly members: number
  /** The names of everything that was created. */
  readonly created: string[]
  /** The channels that each device created, by their provisional ids. */
  readonly places: Map<ModelDevice, { readonly id: number; readonly name: string }[]>
  /** The messages, each with the name of its channel. */
  readonly written: { readonly name: string; readonly content: string }[]
}

/** Runs a history as an owner, ends all faults, discards refused changes, and checks that all agree. */
export async function runOrganizationHistory(history: OrganizationHistory): Promise<void> {
  const { steps } = history
  await inWorld(history, async (world) => {
    const { workspace, user } = world
    workspace.db.run('UPDATE users SET role = 100 WHERE user_id = ?', user.user_id)
    await world.pass(3_000)
    for (const name of ['outer', 'inner'])
      await world.ask('POST', '/user_groups/create', `name=${name}&description=&members=[]`)
    for (const name of ['ebb', 'flow']) await world.ask('POST', '/channel_folders/create', `name=${name}`)
    await world.pass(1_000)
    const groups = userGroupState(workspace, true)
    const idOf = (wanted: string) => groups.find(({ name }) => name === wanted)?.id ?? 0
    const shared: Shared = {
      outer: idOf('outer'),
      inner: idOf('inner'),
      folders: allFolders(workspace).map(({ folder_id }) => folder_id),
      members: idOf('role:members'),
      created: [],
      places: new Map(),
      written: [],
    }
    await takeSteps<OwnStep>(world, steps, (step) => take(world, shared, step))
    endMishaps(world)
    for (let round = 0; round < 5; round++) {
      await world.pass(roundMs)
      // A folder with channels cannot be archived, and another device's decision is not overwritten.
      for (const { account, store } of world.devices)
        for (const { localId, state } of outboxRows(store.db))
          if (state === 'refused') account.outbox.discard(localId)
    }
    check(world, shared)
  })
}

function take(world: World, shared: Shared, step: OwnStep): void {
  const device = world.devices[step.on % world.devices.length]
  if (device === undefined) return
  if (step.do === 'ask') {
    // A window whose request fails asks again when it is next opened.
    device.account.sync.loadSubscribers(asChannelId(world.channelId)).catch(() => {})
    return
  }
  const isWriting = step.do === 'write'
  if (!isWriting || step.anew || !shared.places.has(device))
    enact(
      shared,
      device,
      isWriting ? channelCreation(shared.created.length) : actionOf(world, shared, device, step),
    )
  // If the process ended with the commit of the channel, nobody writes into it.
  if (isWriting && !device.isKilled) write(shared, device)
}

const channelCreation = (count: number): Action => ({
  name: 'create-channel',
  channelName: `created ${count}`,
  description: '',
  access: 'public',
  folderId: null,
  people: [],
})

/** Enqueues an action, and records what it creates. */
function enact(shared: Shared, device: ModelDevice, action: Action): void {
  const localId = act(device, action)
  // Recorded only after it is saved.
  if (action.name === 'create-group') shared.created.push(action.groupName)
  if (action.name === 'create-folder') shared.created.push(action.folderName)
  if (action.name === 'create-channel') {
    shared.created.push(action.channelName)
    const own = shared.places.get(device) ?? []
    shared.places.set(device, [...own, { id: provisionalId(localId), name: action.channelName }])
  }
}

/** Writes to a channel's provisional id, as a window does that was opened at that time. */
function write({ places, written }: Shared, device: ModelDevice): void {
  const place = places.get(device)?.at(-1)
  if (place === undefined) return
  const content = `Words ${written.length}`
  const conversation = { kind: 'topic', channelId: asChannelId(place.id), topic: 'ebb' } as const
  device.account.outbox.enqueue({ name: 'send-message', conversation, content, draftId: null })
  written.push({ name: place.name, content })
}

const at = <T>(list: readonly T[], index: number): T => {
  const one = list[index % list.length]
  if (one === undefined) throw new Error('There is nothing to choose from.')
  return one
}

function actionOf(
  { channelId: channel, user, other }: World,
  { outer, inner, folders, members, created }: Shared,
  { store: { db } }: ModelDevice,
  step: Exclude<OrganizationStep, Mishap | { do: 'ask' } | { do: 'write' }>,
): Action {
  const holders = (which: number) =>
    at(
      [
        { people: [], groups: [] },
        { people: [userId(other.user_id)], groups: [] },
        { people: [], groups: [groupId(members)] },
      ],
      which,
    )
  switch (step.do) {
    case 'member': {
      const one = userId(at([user.user_id, other.user_id], step.who))
      return {
        name: 'set-group-member',
        groupId: groupId(outer),
        member: { kind: 'person', userId: one },
        on: step.put,
      }
    }
    case 'nest':
      return {
        name: 'set-group-member',
        groupId: groupId(outer),
        member: { kind: 'group', groupId: groupId(inner) },
        on: step.put,
      }
    case 'group': {
      const group = object(db, 'user-group', outer)
      const change = { name: 'change-group', groupId: groupId(outer) } as const
      if (step.what === 0) {
        const before = String(group?.['name'])
        return { ...change, property: 'name', value: at(['outer', 'outermost'], step.value), before }
      }
      if (step.what === 1)
        return { ...change, property: 'description', value: at(['', 'One', 'Two'], step.value) }
      if (step.what === 2) return { ...change, property: 'active', value: step.value !== 0 }
      return { ...change, property: 'mention', value: holders(step.value) }
    }
    case 'folder': {
      // An older service has no folders.
      const change = { name: 'change-folder', folderId: folders[step.which] ?? 0 } as const
      const names = [`drawer ${step.which}`, `shelf ${step.which}`]
      if (step.what === 0) return { ...change, property: 'name', value: at(names, step.value) }
      if (step.what === 1)
        return { ...change, property: 'description', value: at(['', 'One', 'Two'], step.value) }
      return { ...change, property: 'archived', value: step.value === 0 }
    }
    case 'people': {
      const who = userId(other.user_id)
      return { name: 'set-channel-member', channelId: asChannelId(channel), userId: who, on: step.put }
    }
    case 'order':
      return { name: 'order-folders', order: step.turned ? folders.toReversed() : folders }
    case 'channel': {
      const change = { name: 'change-channel', channelId: asChannelId(channel) } as const
      const now = channelFields(db, channel)
      switch (step.what) {
        case 0:
          return {
            ...change,
            property: 'name',
            value: at(['gauges', 'sounds'], step.value),
            before: now?.name,
          }
        case 1:
          return { ...change, property: 'description', value: at(['', 'One', 'Two'], step.value) }
        case 2: {
          const accesses = ['public', 'private', 'private-no-history'] as const
          return { ...change, property: 'access', value: at(accesses, step.value) }
        }
        case 3:
          return {
            ...change,
            property: 'folder',
            value: at([null, ...folders], step.value),
            before: now?.folderId,
          }
        case 4:
          return { ...change, property: 'topics', value: at(['inherit', 'optional', 'required'], step.value) }
        case 5:
          return { ...change, property: 'retention', value: at([null, -1, 30], step.value) }
        case 6:
          return { ...change, property: 'archived', value: step.value === 0 }
        default:
          return { ...change, property: 'post', value: holders(step.value) }
      }
    }
    case 'create': {
      const called = `created ${created.length}`
      if (step.what === 0)
        return { name: 'create-group', groupName: called, description: '', people: [], groups: [] }
      if (step.what === 1) return { name: 'create-folder', folderName: called, description: '' }
      return channelCreation(created.length)
    }
  }
}

const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

function onService({ workspace, user, channelId: id }: World, { outer }: Shared): unknown {
  const group = userGroupState(workspace, true).find((one) => one.id === outer)
  // An older server tells nobody of an archived channel.
  const told = allChannels(workspace).filter((one) => one.is_archived === 0 || workspace.featureLevel >= 315)
  const row = told.find(({ channel_id }) => channel_id === id)
  const channel = row && apiChannel(workspace, user, row)
  return {
    group: group && {
      name: group.name,
      description: group.description,
      isActive: !group.deactivated,
      members: sorted(group.members),
      inner: sorted(group.direct_subgroup_ids),
      mention: group.can_mention_group,
    },
    folders: allFolders(workspace).map((one) => ({
      id: one.folder_id,
      name: one.name,
      description: one.description,
      is_archived: one.is_archived,
    })),
    channel: channel && {
      name: channel.name,
      description: channel.description,
      isPrivate: channel.invite_only,
      isWebPublic: channel.is_web_public,
      hasSharedHistory: channel.history_public_to_subscribers,
      folderId: channel.folder_id ?? null,
      topicsPolicy: channel.topics_policy,
      retentionDays: channel.message_retention_days ?? null,
      isArchived: channel.is_archived,
      people: workspace.db
        .all<{ user_id: number }>(
          'SELECT user_id FROM subscriptions WHERE channel_id = ? AND is_active = 1 ORDER BY user_id',
          id,
        )
        .map(({ user_id }) => user_id),
      count: channel.subscriber_count,
      post: channel.can_send_message_group,
    },
    groups: userGroupState(workspace, true).length,
    channels: told.length,
  }
}

function onDevice({ store: { db } }: ModelDevice, id: number, { outer }: Shared): unknown {
  const group = object(db, 'user-group', outer)
  const channel = channelFields(db, id)
  return {
    group: group && {
      name: group['name'],
      description: group['description'],
      isActive: group['deactivated'] !== true,
      members: sorted(idsIn(group['members'])),
      inner: sorted(idsIn(group['direct_subgroup_ids'])),
      mention: group['can_mention_group'],
    },
    folders: folderIds(db).map((folder) =>
      db.get(
        'SELECT folder_id AS id, name, description, is_archived FROM channel_folders WHERE folder_id = ?',
        [folder],
      ),
    ),
    channel: channel && {
      ...channel,
      people: db
        .all<{ user_id: number }>('SELECT user_id FROM subscribers WHERE channel_id = ? ORDER BY user_id', [
          id,
        ])
        .map(({ user_id }) => user_id),
      count: db.get<{ n: number }>('SELECT subscriber_count AS n FROM channels WHERE channel_id = ?', [id])
        ?.n,
      post: channelPermission(db, id, 'can_send_message_group'),
    },
    groups: objectsOf(db, 'user-group').length,
    channels: db.get<{ n: number }>('SELECT count(*) AS n FROM channels')?.n,
  }
}

function check(world: World, shared: Shared): void {
  const { workspace } = world
  const service = onService(world, shared)
  for (const [index, device] of world.devices.entries()) {
    const waiting = outboxRows(device.store.db).map(({ name, state, reason }) => ({ name, state, reason }))
    expect(waiting, `device ${index}: nothing is stuck`).toEqual([])
    expect(onDevice(device, world.channelId, shared), `device ${index}: shows what the service has`).toEqual(
      service,
    )
  }
  const names = [
    ...userGroupState(workspace, true).map(({ name }) => name),
    ...allFolders(workspace).map(({ name }) => name),
    ...allChannels(workspace).map(({ name }) => name),
  ]
  for (const name of shared.created)
    expect(
      names.filter((one) => one === name),
      `${name} is created once`,
    ).toHaveLength(1)
  for (const { name } of shared.written) {
    const there = workspace.db.all<{ content: string }>(
      `SELECT content FROM messages JOIN channels USING (channel_id)
       WHERE channels.name = ? AND sender_id = ? AND topic = 'ebb' ORDER BY message_id`,
      name,
      world.user.user_id,
    )
    expect(
      there.map(({ content }) => content),
      `${name} has what was written into it, in order`,
    ).toEqual(shared.written.filter((one) => one.name === name).map(({ content }) => content))
  }
}
