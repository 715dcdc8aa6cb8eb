import { beforeAll, expect, test } from 'vitest'
import { systemGroupId, type SystemGroupName } from '../../../src-server/permissions/groups.ts'
import { unusedEvents } from '../../../src-main/sync/appliers/unused.ts'
import { serverEvents } from '../../../src-shared/api/events.ts'
import {
  fresh,
  organization,
  succeeded,
  type Answer,
  type Person,
  type Queue,
} from '../../support/organization.ts'

// Who hears of what (specification, Events): every kind of event, to those whom it concerns and to nobody else.

const org = organization()
const roles = ['owner', 'admin', 'moderator', 'member', 'other', 'guest', 'bot'] as const
type Role = (typeof roles)[number]
const everybody: readonly Role[] = roles
const inPlaza: readonly Role[] = ['owner', 'admin', 'moderator', 'member', 'other']
const people: readonly Role[] = [...inPlaza, 'guest']

const queues = new Map<Role, Queue>()
const seen = new Set<string>()
beforeAll(async () => {
  for (const role of roles)
    queues.set(role, await org[role].listen({ fetch_event_types: [], apply_markdown: true }))
})

type Event = Answer['body']

/** Does something and tells which kinds of events came to whom because of it. */
async function heard(
  act: () => Promise<unknown>,
): Promise<{ by: Record<string, Role[]>; events: Map<Role, Event[]> }> {
  for (const queue of queues.values()) await queue.events()
  await act()
  const by: Record<string, Role[]> = {}
  const events = new Map<Role, Event[]>()
  for (const [role, queue] of queues) {
    const own = await queue.events()
    events.set(role, own)
    for (const event of own) {
      seen.add(event['type'])
      const kind = [event['type'], event['op']].filter((part) => part !== undefined).join(' ')
      by[kind] = [...new Set([...(by[kind] ?? []), role])]
    }
  }
  return { by, events }
}
const only = async (act: () => Promise<unknown>) => (await heard(act)).by
const ids = ({ members }: Answer['body']): number[] => members.map((one: { user_id: number }) => one.user_id)
const done = async (answer: Promise<Answer>) => succeeded(await answer)

test("HEAR-01: A channel message goes to the channel's subscribers; in a private channel, to no other user.", async () => {
  expect((await only(() => org.member.send(org.plaza, 'Hear', 'all of you')))['message']).toEqual(inPlaza)
  expect((await only(() => org.member.send(org.cellar, 'Hear', 'you two')))['message']).toEqual([
    'owner',
    'member',
  ])
})

test('HEAR-02: A direct message goes to the users in the conversation, including the sender.', async () => {
  expect((await only(() => org.member.send([org.other], '', 'you')))['message']).toEqual(['member', 'other'])
})

test('HEAR-03: A queue for all public channels also gets messages of channels its user is not subscribed to, but nothing private.', async () => {
  const all = await org.other.listen({
    all_public_streams: true,
    event_types: ['message'],
    fetch_event_types: [],
  })
  await org.member.send(org.lobby, 'Hear', 'overheard')
  await org.member.send(org.cellar, 'Hear', 'not overheard')
  const events = await all.events()
  expect(events.map((event) => event['message'].content)).toEqual(['overheard'])
  expect(events[0]?.['flags']).toEqual([])
  // Guests do not overhear, also if they were members when they asked.
  const person = org.join(fresh('Demoted'))
  const former = await person.listen({
    all_public_streams: true,
    event_types: ['message'],
    fetch_event_types: [],
  })
  await done(org.owner.patch(`/users/${person.id}`, { role: 600 }))
  await org.member.send(org.lobby, 'Hear', 'not for guests')
  expect(await former.events()).toEqual([])
})

test('HEAR-04: The message event is exactly as specified, with the flags beside the message.', async () => {
  const { events } = await heard(() => org.member.send(org.plaza, 'Shape', `@**${org.other.name}** *look*`))
  const [event] = events.get('other') ?? []
  expect(Object.keys(event ?? {}).sort()).toEqual(['flags', 'message', 'type'])
  expect(event?.['flags']).toEqual(['mentioned'])
  expect(Object.keys(event?.['message']).sort()).toEqual(
    (
      'avatar_url client content content_type display_recipient id is_me_message reactions recipient_id ' +
      'sender_email sender_full_name sender_id sender_realm_str stream_id subject submessages timestamp topic_links type'
    ).split(' '),
  )
  expect(events.get('member')?.[0]?.['flags']).toEqual(['read'])
})

test('HEAR-05: Edits, moves, reactions and deletions are sent to the users who have the message.', async () => {
  const id = await org.member.send(org.plaza, 'Changing', 'one')
  const change = (fields: object) => () => done(org.member.patch(`/messages/${id}`, { ...fields }))
  expect(await only(change({ content: 'two' }))).toEqual({ update_message: inPlaza })
  const silent = { send_notification_to_new_thread: false }
  expect((await only(change({ topic: 'Changed', ...silent })))['update_message']).toEqual(inPlaza)
  const react = { emoji_name: 'tada' }
  expect(await only(() => done(org.other.post(`/messages/${id}/reactions`, react)))).toEqual({
    'reaction add': inPlaza,
  })
  expect(await only(() => done(org.other.delete(`/messages/${id}/reactions`, react)))).toEqual({
    'reaction remove': inPlaza,
  })
  expect(await only(() => done(org.admin.delete(`/messages/${id}`)))).toEqual({ delete_message: inPlaza })
  // Whoever acts where they are not subscribed hears of it too.
  const inLobby: Role[] = ['admin', 'member', 'guest']
  const [one, other] = [
    await org.member.send(org.lobby, 'Not mine', 'one'),
    await org.member.send(org.lobby, 'Not mine', 'two'),
  ]
  const move = (fields: object) => () => done(org.admin.patch(`/messages/${one}`, { ...fields, ...silent }))
  expect(await only(move({ topic: 'Moved' }))).toEqual({ update_message: inLobby })
  expect((await only(move({ stream_id: org.plaza })))['update_message']).toContain('admin')
  expect((await only(move({ stream_id: org.lobby })))['update_message']).toContain('admin')
  expect(await only(() => done(org.admin.delete(`/messages/${other}`)))).toEqual({ delete_message: inLobby })
  const removal = () => done(org.admin.post(`/streams/${org.lobby}/delete_topic`, { topic_name: 'Moved' }))
  expect(await only(removal)).toEqual({ delete_message: inLobby })
})

test('HEAR-06: For a direct message, edits, reactions and deletions are sent only to the users in the conversation.', async () => {
  const id = await org.member.send([org.other], '', 'one')
  const two: Role[] = ['member', 'other']
  expect(await only(() => done(org.member.patch(`/messages/${id}`, { content: 'two' })))).toEqual({
    update_message: two,
  })
  const react = { emoji_name: 'tada' }
  expect(await only(() => done(org.other.post(`/messages/${id}/reactions`, react)))).toEqual({
    'reaction add': two,
  })
  expect(await only(() => done(org.member.delete(`/messages/${id}`)))).toEqual({ delete_message: two })
})

test("HEAR-07: Changes to a user's flags, drafts, snippets, settings, alert words, mutes and topic policies are sent to that user only.", async () => {
  const id = await org.other.send(org.plaza, 'Own', 'read me')
  const mine: Role[] = ['member']
  const own = async (act: () => Promise<unknown>, ...kinds: string[]) =>
    expect(await only(act)).toEqual(Object.fromEntries(kinds.map((kind) => [kind, mine])))
  const { member } = org
  await own(
    () => done(member.post('/messages/flags', { op: 'add', flag: 'read', messages: [id] })),
    'update_message_flags add',
  )
  await own(
    () => done(member.post('/messages/flags', { op: 'remove', flag: 'read', messages: [id] })),
    'update_message_flags remove',
  )
  const draft = { type: '', to: [], topic: '', content: 'x' }
  await own(() => done(member.post('/drafts', { drafts: [draft] })), 'drafts add')
  await own(() => done(member.post('/saved_snippets', { title: 't', content: 'c' })), 'saved_snippets add')
  await own(() => done(member.patch('/settings', { twenty_four_hour_time: true })), 'user_settings update')
  await own(() => done(member.post('/users/me/alert_words', { alert_words: ['otter'] })), 'alert_words')
  await own(() => done(member.post(`/users/me/muted_users/${org.moderator.id}`)), 'muted_users')
  await own(() => done(member.delete(`/users/me/muted_users/${org.moderator.id}`)), 'muted_users')
  await own(
    () => done(member.post('/user_topics', { stream_id: org.plaza, topic: 'Own', visibility_policy: 3 })),
    'user_topic',
    'muted_topics',
  )
  const pin = { stream_id: org.plaza, property: 'pin_to_top', value: true }
  await own(
    () => done(member.post('/users/me/subscriptions/properties', { subscription_data: [pin] })),
    'subscription update',
  )
})

test('HEAR-08: Typing notifications are sent to the users who would receive the message.', async () => {
  const typing = (to: object) => () => done(org.member.post('/typing', { op: 'start', ...to }))
  const others = inPlaza.filter((role) => role !== 'member')
  const channel =
    (await only(typing({ type: 'stream', stream_id: org.plaza, topic: 'Hear' })))['typing start'] ?? []
  expect(channel.filter((role) => role !== 'member')).toEqual(others)
  const direct = (await only(typing({ type: 'direct', to: [org.other.id] })))['typing start'] ?? []
  expect(direct.filter((role) => role !== 'member')).toEqual(['other'])
})

test('HEAR-09: A new channel is announced to the users who can see it, and its subscribers get their subscriptions.', async () => {
  const make = (fields: object) => () =>
    done(
      org.member.post('/channels/create', {
        name: fresh('new'),
        subscribers: [org.member.id, org.other.id],
        ...fields,
      }),
    )
  const open = await only(make({}))
  expect(open['subscription add']).toEqual(['member', 'other'])
  expect(open['stream create']).toEqual(everybody.filter((role) => role !== 'guest'))
  const closed = await only(make({ invite_only: true }))
  expect(closed['subscription add']).toEqual(['member', 'other'])
  expect(closed['stream create']).toEqual(['owner', 'admin', 'member', 'other'])
})

test('HEAR-10: A change to a private channel is sent to the users who can see it.', async () => {
  const rename = await only(() => done(org.owner.patch(`/streams/${org.cellar}`, { description: 'deep' })))
  expect(rename['stream update']).toEqual(['owner', 'admin', 'member'])
})

test('HEAR-11: Changes to organization-wide data are sent to all users in the organization.', async () => {
  const { owner } = org
  const filter = { pattern: 'H(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
  expect(await only(() => done(owner.post('/realm/filters', filter)))).toEqual({
    realm_linkifiers: everybody,
  })
  const playground = { name: 'P', pygments_language: 'Python', url_template: 'https://example.com/{code}' }
  expect(await only(() => done(owner.post('/realm/playgrounds', playground)))).toEqual({
    realm_playgrounds: everybody,
  })
  const folder = await only(() => done(owner.post('/channel_folders/create', { name: 'F', description: '' })))
  expect(folder['channel_folder add']).toEqual(expect.arrayContaining(['owner', 'member', 'other']))
  const group = { name: fresh('group'), description: '', members: [org.member.id] }
  expect(Object.keys(await only(() => done(owner.post('/user_groups/create', group))))).toEqual([
    'user_group add',
  ])
})

test('HEAR-12: A user’s new name is sent to all users who may know of them.', async () => {
  const renamed = await only(() => done(org.member.patch('/settings', { full_name: 'Mara Newname' })))
  expect(renamed['realm_user update']).toEqual(expect.arrayContaining([...people]))
})

test('HEAR-13: Presence and status of a user are sent to all users who may know of them.', async () => {
  const present = await only(() => done(org.member.post('/users/me/presence', { status: 'active' })))
  expect(present['presence']).toEqual(expect.arrayContaining(['owner', 'other']))
  const status = await only(() => done(org.member.post('/users/me/status', { status_text: 'out' })))
  expect(status['user_status']).toEqual(expect.arrayContaining(['owner', 'other']))
})

test('HEAR-14: A queue gets no event of a type it did not ask for.', async () => {
  const queue = await org.other.listen({ event_types: ['reaction'], fetch_event_types: [] })
  const id = await org.member.send(org.plaza, 'Types', 'x')
  succeeded(await org.member.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  expect((await queue.events()).map((event) => event['type'])).toEqual(['reaction'])
})

test('HEAR-15: A user who has left an organization gets no more events.', async () => {
  const gone: Person = org.join(fresh('Gone'))
  const queue = await gone.listen({ fetch_event_types: [] })
  succeeded(
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'plaza' }],
      principals: [gone.id],
    }),
  )
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  const answer = await gone.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
  expect(answer.status).toBe(401)
})

test('HEAR-17: A limited guest gets an event when another user becomes visible to them, and when one is no longer visible.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const stranger = org.join(fresh('Stranger'))
    const queue = await org.guest.listen({ event_types: ['realm_user'], fetch_event_types: [] })
    const former = await org.guest.register({ event_types: ['realm_user'], fetch_event_types: [] })
    const others = await org.member.listen({ event_types: ['realm_user'], fetch_event_types: [] })
    const lobby = { subscriptions: [{ name: 'lobby' }], principals: [stranger.id] }
    await done(org.owner.post('/users/me/subscriptions', lobby))
    expect(await queue.events()).toMatchObject([
      { op: 'add', person: { user_id: stranger.id, full_name: stranger.name } },
    ])
    await done(
      org.owner.delete('/users/me/subscriptions', { subscriptions: ['lobby'], principals: [stranger.id] }),
    )
    const gone = {
      type: 'realm_user',
      op: 'remove',
      person: { user_id: stranger.id, full_name: 'Unknown user' },
    }
    expect(await queue.events()).toEqual([gone])
    expect((await former.events()).at(-1)).toMatchObject(gone)
    await stranger.send([org.guest], '', 'hello')
    expect(await queue.events()).toMatchObject([
      { op: 'add', person: { user_id: stranger.id, full_name: stranger.name } },
    ])
    await stranger.send([org.guest], '', 'hello again')
    expect(await queue.events()).toEqual([])
    expect(await others.events()).toEqual([])
  })
})

test('HEAR-25: A user who becomes a limited guest loses access to other users, and regains it with another role.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const person = org.join(fresh('Changing'))
    const friend = org.join(fresh('Friend'))
    await friend.send([person], '', 'hello')
    const queue = await person.listen({ event_types: ['realm_user'], fetch_event_types: [] })
    const everybody = ids(await done(person.get('/users')))
    await done(org.owner.patch(`/users/${person.id}`, { role: 600 }))
    const known = ids(await done(person.get('/users')))
    expect(known).toEqual(expect.arrayContaining([person.id, friend.id, org.bot.id]))
    const lost = everybody.filter((id) => !known.includes(id)).sort((a, b) => a - b)
    expect(lost).toContain(org.other.id)
    const [role, ...removals] = await queue.events()
    expect(role).toMatchObject({ op: 'update', person: { user_id: person.id, role: 600 } })
    expect(removals).toEqual(
      lost.map((user_id) => ({
        type: 'realm_user',
        op: 'remove',
        person: { user_id, full_name: 'Unknown user' },
      })),
    )
    await done(org.owner.patch(`/users/${person.id}`, { role: 400 }))
    const [back, ...additions] = await queue.events()
    expect(back).toMatchObject({ op: 'update', person: { user_id: person.id, role: 400 } })
    expect(additions.map((event) => [event['op'], event['person'].user_id])).toEqual(
      lost.map((id) => ['add', id]),
    )
    expect(additions.find((event) => event['person'].user_id === org.other.id)).toMatchObject({
      person: { full_name: org.other.name, email: org.other.email },
    })
    // From one role that knows everybody to another nothing is lost.
    await done(org.owner.patch(`/users/${person.id}`, { role: 300 }))
    expect(await queue.events()).toHaveLength(1)
  })
})

test('HEAR-26: When guest access to users is limited or restored, listening guests get events that remove or add the users concerned.', async () => {
  const system = (name: SystemGroupName) => ({ new: systemGroupId(org.service.workspace.db, name) })
  const wanted = { event_types: ['realm_user'], fetch_event_types: [] }
  const [guest, member] = [await org.guest.listen(wanted), await org.member.listen(wanted)]
  await done(org.owner.patch('/realm', { can_access_all_users_group: system('role:members') }))
  const lost = (await guest.events()).map((event) => [event['op'], event['person'].user_id])
  expect(lost).toContainEqual(['remove', org.other.id])
  expect(lost).not.toContainEqual(['remove', org.member.id])
  await done(org.owner.patch('/realm', { can_access_all_users_group: system('role:everyone') }))
  const met = (await guest.events()).map((event) => [event['op'], event['person'].user_id])
  expect(met).toEqual(lost.map(([, id]) => ['add', id]))
  expect(await member.events()).toEqual([])
})

test('HEAR-18: Limited guests get nothing about users they do not know: no name, presence, status or profile.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const stranger = org.join(fresh('Stranger'))
    const { by } = await heard(async () => {
      await done(stranger.patch('/settings', { full_name: fresh('Renamed') }))
      await done(stranger.patch('/settings', { timezone: 'Asia/Tokyo' }))
      await done(stranger.post('/users/me/presence', { status: 'active' }))
      await done(stranger.post('/users/me/status', { status_text: 'away' }))
      await done(org.owner.patch(`/users/${stranger.id}`, { role: 300 }))
      await done(org.owner.delete(`/users/${stranger.id}`))
    })
    for (const kind of ['realm_user update', 'presence', 'user_status']) {
      expect([kind, by[kind]?.includes('other')]).toEqual([kind, true])
      expect([kind, by[kind]?.includes('guest')]).toEqual([kind, false])
    }
    // Of a reaction they hear, but not whose it is.
    const id = await org.member.send(org.lobby, 'Strangers', 'hello')
    const { events } = await heard(() =>
      done(org.other.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })),
    )
    expect(events.get('guest')?.map((event) => event['user'])).toEqual([
      { user_id: org.other.id, email: `user${org.other.id}@hidden.invalid`, full_name: 'Unknown user' },
    ])
    expect(events.get('member')?.map((event) => event['user'].full_name)).toEqual([org.other.name])
    // Whoever comes anew is shown as somebody unknown, to clients that cannot do without.
    const former = await org.guest.register({ event_types: ['realm_user'], fetch_event_types: [] })
    const knowing = await org.guest.listen({ event_types: ['realm_user'], fetch_event_types: [] })
    const { invite_link } = await done(org.owner.post('/invites/multiuse', {}))
    const who = { full_name: fresh('Newcomer'), email: `${fresh('new').replace(' ', '-')}@example.org` }
    await fetch(invite_link, {
      method: 'POST',
      body: new URLSearchParams({ ...who, password: 'tide tables' }),
    })
    expect(await former.events()).toMatchObject([{ op: 'add', person: { full_name: 'Unknown user' } }])
    expect(await knowing.events()).toEqual([])
  })
})

test('HEAR-19: In a private channel with protected history, changes to a message are sent only to the users who received it.', async () => {
  const old = await org.member.send(org.cellar, 'Protected', 'before')
  await done(
    org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'cellar' }],
      principals: [org.other.id],
    }),
  )
  const before: Role[] = ['owner', 'member']
  const after: Role[] = ['owner', 'member', 'other']
  const react = { emoji_name: 'tada' }
  const change = { content: 'changed' }
  const send = () => org.member.send(org.cellar, 'Protected', 'after')
  expect((await only(send))['message']).toEqual(after)
  const recent = await send()
  for (const [id, audience] of [
    [old, before],
    [recent, after],
  ] as const) {
    const edit = () => done(org.member.patch(`/messages/${id}`, change))
    expect((await only(edit))['update_message']).toEqual(audience)
    const like = () => done(org.owner.post(`/messages/${id}/reactions`, react))
    expect((await only(like))['reaction add']).toEqual(audience)
    const type = () => done(org.member.post(`/messages/${id}/typing`, { op: 'start' }))
    expect((await only(type))['typing_edit_message start']).toEqual(audience)
    const remove = () => done(org.owner.delete(`/messages/${id}`))
    expect((await only(remove))['delete_message']).toEqual(audience)
  }
})

test('HEAR-20: A user who left a private channel gets no more events about it, not even for messages they had received.', async () => {
  const id = await org.member.send(org.cellar, 'Left', 'all of you')
  const moving = await org.member.send(org.cellar, 'Left', 'moved later')
  const vault = { name: fresh('vault'), invite_only: true, subscribers: [org.owner.id, org.member.id] }
  const { id: stream_id } = await done(org.owner.post('/channels/create', vault))
  await done(org.other.delete('/users/me/subscriptions', { subscriptions: ['cellar'] }))
  const { by } = await heard(async () => {
    await org.member.send(org.cellar, 'Left', 'without you')
    await done(org.member.patch(`/messages/${id}`, { content: 'changed' }))
    await done(org.owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    await done(
      org.member.post('/typing', { op: 'start', type: 'stream', stream_id: org.cellar, topic: 'Left' }),
    )
    await done(org.owner.patch(`/streams/${org.cellar}`, { description: 'deeper' }))
    await done(org.owner.delete(`/messages/${id}`))
    await done(org.member.patch(`/messages/${moving}`, { stream_id, send_notification_to_new_thread: false }))
  })
  expect(Object.entries(by).filter(([, audience]) => audience.includes('other'))).toEqual([])
  expect(Object.keys(by)).toEqual(expect.arrayContaining(['message', 'update_message', 'delete_message']))
})

test('HEAR-27: The initial state of a new queue contains nothing about channels the user can no longer read.', async () => {
  const { id: stream_id } = await done(
    org.owner.post('/channels/create', { name: fresh('open'), subscribers: [org.owner.id] }),
  )
  const said = {
    type: 'stream',
    to: stream_id,
    topic: 'Said in passing',
    content: 'x',
    read_by_sender: false,
  }
  const { id } = await done(org.other.post('/messages', said))
  const muted = { stream_id, topic: 'Muted in passing', visibility_policy: 1 }
  await done(org.other.post('/user_topics', muted))
  await done(org.owner.patch(`/streams/${stream_id}`, { is_private: true, new_name: fresh('closed') }))
  await done(org.owner.patch(`/messages/${id}`, { topic: 'Renamed in private' }))
  const former = { event_types: ['message', 'update_message_flags', 'muted_topics'] }
  const { state } = await org.other.register(former)
  expect(
    state['unread_msgs'].streams.filter((one: { stream_id: number }) => one.stream_id === stream_id),
  ).toEqual([])
  expect(state['muted_topics'].filter(([, topic]: [string, string]) => topic === muted.topic)).toEqual([])
})

test('HEAR-21: Deactivating an account ends its queues and those of its bots at once, even during a waiting poll.', async () => {
  const leaver = org.join(fresh('Leaver'))
  const robot = org.joinBot(fresh('Robot'), leaver)
  const [own, theirs] = [await leaver.register(), await robot.register()]
  const poll = (who: Person, queue: Queue, more: object = {}) =>
    who.get('/events', { queue_id: queue.id, last_event_id: -1, ...more })
  const waiting = poll(leaver, own)
  await expect.poll(() => org.clock.waits, { interval: 2 }).not.toEqual([])
  await done(org.owner.delete(`/users/${leaver.id}`))
  expect((await waiting).body['code']).toBe('BAD_EVENT_QUEUE_ID')
  expect((await poll(robot, theirs, { dont_block: true })).status).toBe(401)
  await done(org.owner.post(`/users/${leaver.id}/reactivate`))
  expect((await poll(leaver, own, { dont_block: true })).body['code']).toBe('BAD_EVENT_QUEUE_ID')
})

test('HEAR-22: A user who can see a private channel without being subscribed gets events about the channel and its subscribers, but not its messages.', async () => {
  const { by } = await heard(async () => {
    await org.member.send(org.cellar, 'Admin', 'not for administrators')
    await done(org.owner.patch(`/streams/${org.cellar}`, { description: fresh('deep') }))
    const people = { subscriptions: [{ name: 'cellar' }], principals: [org.moderator.id] }
    await done(org.owner.post('/users/me/subscriptions', people))
    await done(
      org.owner.delete('/users/me/subscriptions', {
        subscriptions: ['cellar'],
        principals: [org.moderator.id],
      }),
    )
  })
  expect(by['message']).toEqual(['owner', 'member'])
  expect(by['stream update']).toEqual(['owner', 'admin', 'member'])
  expect(by['subscription peer_add']).toEqual(['owner', 'admin', 'member'])
  expect(by['subscription peer_remove']).toEqual(['owner', 'admin', 'member'])
  expect(by['stream create']).toEqual(['moderator'])
  expect(by['stream delete']).toEqual(['moderator'])
})

test('HEAR-23: Guests get no events about channels they are not subscribed to, nor about the default channels.', async () => {
  const { by } = await heard(async () => {
    const { id } = await done(
      org.owner.post('/channels/create', { name: fresh('open'), subscribers: [org.owner.id] }),
    )
    await done(org.owner.patch(`/streams/${id}`, { description: 'open' }))
    await done(org.owner.post('/default_streams', { stream_id: id }))
    await done(org.owner.delete('/default_streams', { stream_id: id }))
    await done(org.owner.delete(`/streams/${id}`))
  })
  for (const kind of ['stream create', 'stream update', 'default_streams']) {
    expect([kind, by[kind]?.includes('other')]).toEqual([kind, true])
    expect([kind, by[kind]?.includes('guest')]).toEqual([kind, false])
  }
})

test('HEAR-24: Events about a bot and its key go to its owner and administrators; events about a new invite link, to its creator and administrators.', async () => {
  const bot = { full_name: fresh('Robot'), short_name: fresh('robot').replace(' ', '-') }
  expect((await only(() => done(org.member.post('/bots', bot))))['realm_bot add']).toEqual([
    'owner',
    'admin',
    'member',
  ])
  expect((await only(() => done(org.owner.post('/invites/multiuse', {}))))['invites_changed']).toEqual([
    'owner',
    'admin',
  ])
})

test('HEAR-16: Every event seen in these tests is of a type that clients of this product know.', async () => {
  const known: readonly string[] = [...Object.keys(serverEvents), ...Object.keys(unusedEvents)]
  expect([...seen].filter((type) => !known.includes(type))).toEqual([])
  expect(seen.size).toBeGreaterThan(15)
})
