import { test } from 'vitest'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import { captureEvents, expectComplete, expectDescribed } from '../../support/event-capture.ts'
import { eventForms, formerEventForms } from '../../support/event-forms.ts'
import { openApi } from '../../support/openapi.ts'
import {
  fresh,
  organization,
  succeeded,
  type Answer,
  type Fields,
  type Person,
} from '../../support/organization.ts'

// The exact form of every event (specification, Events): each is made by doing the thing over HTTP, and held against
// a table that says its keys and the kind of each value.

const org = organization()
const { heard, captured, clients } = captureEvents(org)
const done = async (answer: Promise<Answer>) => succeeded(await answer)

test('FORM-01: The events for new, changed and deleted messages have exactly the specified keys.', async () => {
  const { member, other, owner, plaza, cellar } = org
  await heard('message in a channel, message direct', async () => {
    await member.send(plaza, 'Form', `@**${other.name}** hello`)
    await member.send([other], '', 'hello')
    const { queue } = clients.find(({ owner }) => owner === member) ?? {}
    const local = { queue_id: queue?.id, local_id: '7.01' }
    const places = [
      { type: 'stream', to: plaza, topic: 'Form' },
      { type: 'direct', to: [other.id] },
    ]
    for (const place of places) await done(member.post('/messages', { ...place, content: 'mine', ...local }))
    await member.send(plaza, 'Form', '/poll Which?\none\ntwo')
  })
  const id = await member.send(plaza, 'Form', 'first')
  const direct = await member.send([other], '', 'first')
  const change = (what: number, fields: object) =>
    done(owner.patch(`/messages/${what}`, { send_notification_to_new_thread: false, ...fields }))
  await heard('update_message words', async () => {
    await done(member.patch(`/messages/${id}`, { content: 'second' }))
    await done(member.patch(`/messages/${direct}`, { content: 'second' }))
  })
  await heard('update_message topic', () => change(id, { topic: 'Form two', propagate_mode: 'change_one' }))
  await heard('update_message channel', () => change(id, { stream_id: cellar }))
  await heard('update_message topic+channel', () => change(id, { stream_id: plaza, topic: 'Form three' }))
  await heard('update_message words+topic', () =>
    done(member.patch(`/messages/${id}`, { content: 'third', topic: 'Form four' })),
  )
  await heard('delete_message in a channel, delete_message direct', async () => {
    await done(owner.delete(`/messages/${id}`))
    await done(member.delete(`/messages/${direct}`))
  })
})

test('FORM-02: The events for flags, reactions and submessages have exactly the specified keys.', async () => {
  const { member, other, plaza } = org
  const id = await other.send(plaza, 'Marks', `@**${member.name}**`)
  const direct = await other.send([member], '', 'x')
  const flag = (op: string, name: string) =>
    done(member.post('/messages/flags', { op, flag: name, messages: [id, direct] }))
  await heard('update_message_flags add, update_message_flags remove', async () => {
    for (const name of ['read', 'starred', 'collapsed']) {
      await flag('add', name)
      await flag('remove', name)
    }
    await done(member.post('/mark_all_as_read'))
  })
  await heard('reaction add, reaction remove', async () => {
    const path = `/messages/${id}/reactions`
    for (const kind of [{ emoji_name: 'tada' }, { emoji_name: 'zulip' }]) {
      await done(member.post(path, kind))
      await done(member.delete(path, kind))
    }
  })
  const poll = await member.send(plaza, 'Marks', '/poll Which?\none\ntwo')
  await heard('submessage', () =>
    done(
      other.post('/submessage', {
        message_id: poll,
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
      }),
    ),
  )
})

test('FORM-03: The events for presence, status and typing have exactly the specified keys.', async () => {
  const { member, other, plaza } = org
  await heard('presence', () => done(member.post('/users/me/presence', { status: 'active' })))
  await heard('user_status', async () => {
    await done(member.post('/users/me/status', { status_text: 'out', emoji_name: 'car' }))
    await done(member.post('/users/me/status', { status_text: '' }))
    await done(member.post('/users/me/status', { emoji_name: '' }))
    await done(member.post('/users/me/status', { away: true }))
    await done(member.post('/users/me/status', { away: false }))
  })
  const typing = async (who: Person, fields: object) => {
    await done(who.post('/typing', { op: 'start', ...fields }))
    await done(who.post('/typing', { op: 'stop', ...fields }))
  }
  await heard(
    'typing start in a channel, typing stop in a channel, typing start direct, typing stop direct',
    async () => {
      await typing(member, { type: 'stream', stream_id: plaza, topic: 'Form' })
      await typing(member, { type: 'direct', to: [other.id] })
    },
  )
  const messages = [await member.send(plaza, 'Form', 'edit me'), await member.send([other], '', 'edit me')]
  await heard(
    'typing_edit_message start in a channel, typing_edit_message stop in a channel, ' +
      'typing_edit_message start direct, typing_edit_message stop direct',
    async () => {
      for (const id of messages)
        for (const op of ['start', 'stop']) await done(member.post(`/messages/${id}/typing`, { op }))
    },
  )
})

test('FORM-04: The events for subscriptions have exactly the specified keys.', async () => {
  const { member, other, plaza } = org
  const subscriptions = [{ name: 'lobby' }]
  await heard('subscription add, subscription peer_add', () =>
    done(other.post('/users/me/subscriptions', { subscriptions })),
  )
  await heard('subscription remove, subscription peer_remove', () =>
    done(other.delete('/users/me/subscriptions', { subscriptions: ['lobby'] })),
  )
  const values: Record<string, boolean | string> = {
    color: '#c2c2c2',
    is_muted: true,
    pin_to_top: true,
    desktop_notifications: true,
    audible_notifications: true,
    push_notifications: true,
    email_notifications: true,
    wildcard_mentions_notify: false,
  }
  await heard(
    [...Object.keys(values), 'in_home_view'].map((property) => `subscription update ${property}`).join(','),
    async () => {
      for (const [property, value] of Object.entries(values)) {
        const subscription_data = [{ stream_id: plaza, property, value }]
        await done(member.post('/users/me/subscriptions/properties', { subscription_data }))
      }
    },
  )
  await heard('user_topic, muted_topics', async () => {
    for (const visibility_policy of [1, 2, 3, 0])
      await done(member.post('/user_topics', { stream_id: plaza, topic: 'Form', visibility_policy }))
  })
  await done(
    member.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: plaza, property: 'is_muted', value: false }],
    }),
  )
})

test('FORM-05: The events for channels have exactly the specified keys.', async () => {
  const { owner, other } = org
  const name = fresh('formed')
  let id = 0
  await heard('stream create, subscription add', async () => {
    id = (await done(owner.post('/channels/create', { name, subscribers: [owner.id, other.id] }))).id
  })
  const group = { direct_members: [owner.id, other.id], direct_subgroups: [] }
  const folder = (await done(owner.post('/channel_folders/create', { name: fresh('folder') })))
    .channel_folder_id
  const edit = (fields: Fields) => done(owner.patch(`/streams/${id}`, fields))
  const properties: [string, Fields][] = [
    ['name', { new_name: fresh('renamed') }],
    ['description', { description: 'about *forms*' }],
    ['message_retention_days', { message_retention_days: 'unlimited' }],
    ['folder_id', { folder_id: folder }],
    ['topics_policy', { topics_policy: 'disable_empty_topic' }],
  ]
  for (const [property, fields] of properties) await heard(`stream update ${property}`, () => edit(fields))
  const permissions = Object.keys(eventForms)
    .filter((kind) => /^stream update can_/.test(kind))
    .map((kind) => kind.replace('stream update ', ''))
  for (const permission of permissions)
    await heard(`stream update ${permission}`, () => edit({ [permission]: { new: group } }))
  await heard('stream update stream_post_policy, stream update is_announcement_only', () =>
    edit({ can_send_message_group: { new: systemGroupId(org.service.workspace.db, 'role:everyone') } }),
  )
  await heard('stream delete, stream update invite_only', () => edit({ is_private: true }))
  await heard('stream create', () => edit({ is_private: false }))
  const first = await owner.send(id, 'First', 'first')
  await heard('stream update first_message_id', () => done(owner.delete(`/messages/${first}`)))
  await heard('default_streams', async () => {
    await done(owner.post('/default_streams', { stream_id: id }))
    await done(owner.delete('/default_streams', { stream_id: id }))
  })
  await heard('stream update is_archived, stream delete', () => done(owner.delete(`/streams/${id}`)))
  await heard('stream update is_archived, stream create', () => edit({ is_archived: false }))
})

test('FORM-06: The events for channel folders have exactly the specified keys.', async () => {
  const { owner } = org
  let id = 0
  await heard('channel_folder add', async () => {
    id = (await done(owner.post('/channel_folders/create', { name: fresh('folder') }))).channel_folder_id
  })
  await heard('channel_folder update', async () => {
    for (const fields of [{ name: fresh('folder') }, { description: 'a *b*' }, { is_archived: true }])
      await done(owner.patch(`/channel_folders/${id}`, fields))
    await done(owner.patch(`/channel_folders/${id}`, { is_archived: false }))
  })
  await heard('channel_folder reorder', async () => {
    const list = (await done(owner.get('/channel_folders', { include_archived: true }))).channel_folders
    const order = list.map((one: { id: number }) => one.id).reverse()
    await done(owner.patch('/channel_folders', { order }))
  })
})

test('FORM-12: Every kind of message and channel event was received, and every optional key was seen both present and absent.', () => {
  expectComplete(captured, eventForms, formerEventForms)
})

const described = openApi()
test.skipIf(described === null)(
  'FORM-13: Every message and channel event matches a third-party description of the interface.',
  () => expectDescribed(captured, described, eventForms, formerEventForms),
)
