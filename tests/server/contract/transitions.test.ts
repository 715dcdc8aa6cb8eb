import { expect, test } from 'vitest'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Answer,
  type Fields,
} from '../../support/organization.ts'

// States and transitions (specification), one row of its table after the other.

const org = organization()

interface Transition {
  readonly entity: string
  readonly from: string
  /** Brings a new entity into the state that it leaves; answers how to find it. */
  readonly begin: () => Promise<number | string>
  readonly by: string
  readonly move: (entity: number | string) => Promise<unknown>
  readonly to: string
  /** The state that can be seen from outside. */
  readonly look: (entity: number | string) => Promise<string>
}

const done = async (answer: Promise<Answer>) => void succeeded(await answer)
const minutes = (count: number) => org.clock.set(org.clock.now() + count * 60_000)

const newGroup = async (): Promise<number> =>
  succeeded(
    await org.owner.post('/user_groups/create', { name: fresh('group'), description: '', members: [] }),
  ).group_id
const deactivated = async () => {
  const id = await newGroup()
  await done(org.owner.post(`/user_groups/${id}/deactivate`))
  return id
}
const groupState = async (id: number | string) => {
  const fields = { include_deactivated_groups: true }
  const { user_groups: groups } = succeeded(await org.owner.get('/user_groups', fields))
  const group = groups.find((one: { id: number }) => one.id === id)
  return group.deactivated ? 'deactivated' : 'active'
}
const changeGroup = (fields: Fields) => (id: number | string) =>
  done(org.owner.patch(`/user_groups/${id}`, fields))
const group = { entity: 'user group', look: groupState } as const

const newFolder = async (): Promise<number> =>
  succeeded(await org.admin.post('/channel_folders/create', { name: fresh('Folder'), description: '' }))
    .channel_folder_id
const archive = (is_archived: boolean) => (id: number | string) =>
  done(org.admin.patch(`/channel_folders/${id}`, { is_archived }))
const folderState = async (id: number | string) => {
  const { channel_folders: folders } = succeeded(
    await org.admin.get('/channel_folders', { include_archived: true }),
  )
  return folders.find((one: { id: number }) => one.id === id).is_archived ? 'archived' : 'active'
}
const folder = { entity: 'channel folder', look: folderState } as const

const newQueue = async () =>
  (await org.member.register({ event_types: ['message'], fetch_event_types: [] })).id
const queueState = async (id: number | string) => {
  const fields = { queue_id: id, last_event_id: -1, dont_block: true }
  const { body } = await org.member.get('/events', fields)
  return body['result'] === 'success' ? 'registered' : body['code']
}

const newLink = (fields: Fields) => async (): Promise<string> =>
  succeeded(await org.admin.post('/invites/multiuse', fields)).invite_link
const linkState = async (url: number | string) =>
  (await fetch(String(url))).status === 200 ? 'valid' : 'expired'
const link = { entity: 'invitation link', from: 'valid', look: linkState } as const

const policyAt = (topic: number | string, visibility_policy: number) =>
  done(org.member.post('/user_topics', { stream_id: org.plaza, topic, visibility_policy }))
const policyState = async (topic: number | string) => {
  const { state } = await org.member.listen({ fetch_event_types: ['user_topic'] })
  const found = state['user_topics'].find((one: { topic_name: string }) => one.topic_name === topic)
  return String(found?.visibility_policy ?? 0)
}
const policies = [0, 1, 2, 3]

const transitions: readonly Transition[] = [
  {
    ...group,
    from: 'active',
    begin: newGroup,
    by: 'deactivating',
    move: (id) => done(org.owner.post(`/user_groups/${id}/deactivate`)),
    to: 'deactivated',
  },
  {
    ...group,
    from: 'deactivated',
    begin: deactivated,
    by: 'deactivated=false',
    move: changeGroup({ deactivated: false }),
    to: 'active',
  },
  {
    ...group,
    from: 'active',
    begin: newGroup,
    by: 'deactivated=true',
    move: changeGroup({ deactivated: true }),
    to: 'active',
  },
  {
    ...group,
    from: 'deactivated',
    begin: deactivated,
    by: 'deactivated=true',
    move: changeGroup({ deactivated: true }),
    to: 'deactivated',
  },
  {
    ...group,
    from: 'deactivated',
    begin: deactivated,
    by: 'a new name',
    move: (id) => changeGroup({ name: fresh('asleep') })(id),
    to: 'deactivated',
  },
  {
    ...group,
    from: 'deactivated',
    begin: deactivated,
    by: 'another field',
    move: changeGroup({ description: 'Asleep' }),
    to: 'deactivated',
  },
  {
    ...group,
    from: 'deactivated',
    begin: deactivated,
    by: 'new members',
    move: (id) => done(org.owner.post(`/user_groups/${id}/members`, { add: [org.other.id] })),
    to: 'deactivated',
  },
  {
    ...folder,
    from: 'active',
    begin: newFolder,
    by: 'is_archived=true',
    move: archive(true),
    to: 'archived',
  },
  {
    ...folder,
    from: 'archived',
    begin: async () => {
      const id = await newFolder()
      await archive(true)(id)
      return id
    },
    by: 'is_archived=false',
    move: archive(false),
    to: 'active',
  },
  {
    entity: 'event queue',
    from: 'registered',
    begin: newQueue,
    by: 'ten minutes of activity',
    move: async (id) => {
      for (let minute = 0; minute < 10; minute++) {
        minutes(1)
        await queueState(id)
      }
    },
    to: 'registered',
    look: queueState,
  },
  {
    entity: 'event queue',
    from: 'registered',
    begin: newQueue,
    by: 'ten minutes without activity',
    move: async () => {
      minutes(10)
      org.clock.set(org.clock.now() + 1_000)
    },
    to: 'BAD_EVENT_QUEUE_ID',
    look: queueState,
  },
  {
    ...link,
    begin: newLink({ invite_expires_in_minutes: 60 }),
    by: 'less than its minutes',
    move: async () => minutes(59),
    to: 'valid',
  },
  {
    ...link,
    begin: newLink({ invite_expires_in_minutes: 60 }),
    by: 'its minutes',
    move: async () => minutes(60),
    to: 'expired',
  },
  {
    ...link,
    begin: newLink({ invite_expires_in_minutes: null }),
    by: 'ten years, with null',
    move: async () => minutes(5_256_000),
    to: 'valid',
  },
  ...policies.flatMap((from) =>
    policies.map((to): Transition => ({
      entity: 'policy of a topic',
      from: String(from),
      begin: async () => {
        const topic = fresh('topic')
        await policyAt(topic, from)
        return topic
      },
      by: `policy ${to}`,
      move: (topic) => policyAt(topic, to),
      to: String(to),
      look: policyState,
    })),
  ),
]

test.each(transitions)(
  'STATE-01: Each transition in the table leads from its state to the next ($entity, $from, $by).',
  async ({ from, begin, move, to, look }) => {
    const entity = await begin()
    expect(await look(entity)).toBe(from)
    await move(entity)
    expect(await look(entity)).toBe(to)
  },
)

test('STATE-02: Only administrators of the organization can archive and unarchive folders.', async () => {
  const id = await newFolder()
  for (const is_archived of [true, false])
    for (const who of [org.moderator, org.member, org.guest])
      refused(await who.patch(`/channel_folders/${id}`, { is_archived }), 'UNAUTHORIZED_PRINCIPAL')
  expect(await folderState(id)).toBe('active')
})

test('STATE-03: A deactivated group cannot be given a permission or added to a group until it is reactivated; its own permissions can be changed.', async () => {
  const [asleep, awake] = [await deactivated(), await newGroup()]
  const give = (value: number) => org.owner.patch(`/user_groups/${awake}`, { can_join_group: { new: value } })
  refused(await give(asleep))
  refused(await org.owner.patch(`/streams/${org.plaza}`, { can_send_message_group: { new: asleep } }))
  refused(await org.owner.post(`/user_groups/${awake}/members`, { add_subgroups: [asleep] }))
  await changeGroup({ can_join_group: { new: awake } })(asleep)
  await changeGroup({ deactivated: false })(asleep)
  succeeded(await give(asleep))
})

test('STATE-04: In a channel that is not muted, policies 2 and 0 have the same effect.', async () => {
  const topic = fresh('topic')
  const id = await org.other.send(org.plaza, topic, 'hello')
  const found = async (operator: string, operand: string) => {
    const narrow = [
      { operator: 'channel', operand: org.plaza },
      { operator: 'topic', operand: topic },
      { operator, operand },
    ]
    const { messages } = succeeded(
      await org.member.get('/messages', { narrow, anchor: id, num_before: 0, num_after: 0 }),
    )
    return messages.length
  }
  const seen = async (policy: number) => {
    await policyAt(topic, policy)
    const { state } = await org.member.listen({ fetch_event_types: ['message', 'update_message_flags'] })
    return [await found('is', 'muted'), await found('in', 'home'), state['unread_msgs'].count]
  }
  expect(await seen(2)).toEqual(await seen(0))
  expect(await seen(1)).not.toEqual(await seen(0))
})

test('STATE-05: A live queue gets a heartbeat every minute.', async () => {
  const id = await newQueue()
  let last = -1
  for (let minute = 0; minute < 3; minute++) {
    const waiting = org.member.get('/events', { queue_id: id, last_event_id: last })
    await expect.poll(() => org.clock.waits, { interval: 2 }).not.toEqual([])
    await org.clock.advance(60_000)
    const { events } = succeeded(await waiting)
    expect(events).toEqual([{ type: 'heartbeat', id: last + 1 }])
    last += 1
  }
})
