import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import {
  organization,
  refused,
  succeeded,
  type Person,
  setRealmPermission,
} from '../../support/organization.ts'

const org = organization()
const realm = (name: string, value: string) =>
  org.service.workspace.db.run('INSERT OR REPLACE INTO realm VALUES (?, ?)', name, value)
const messageOf = async (person: Person, id: number, fields: object = {}) =>
  succeeded(await person.get(`/messages/${id}`, { allow_empty_topic_name: true, ...fields }))['message']
const changes = { event_types: ['update_message'], fetch_event_types: [] }
const silent = { send_notification_to_new_thread: false }

test('EDIT-01: The author can change the content; all users who received the message get an event with the old and new content.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'first *words*')
  const queue = await org.other.register(changes)
  expect(
    succeeded(await org.member.patch(`/messages/${id}`, { content: 'second' }))['detached_uploads'],
  ).toEqual([])
  const now = Math.floor(org.clock.now() / 1000)
  expect(await queue.events()).toEqual([
    {
      id: 0,
      type: 'update_message',
      user_id: org.member.id,
      edit_timestamp: now,
      message_id: id,
      message_ids: [id],
      flags: [],
      rendering_only: false,
      content: 'second',
      rendered_content: '<p>second</p>',
      orig_content: 'first *words*',
      orig_rendered_content: '<p>first <em>words</em></p>',
      is_me_message: false,
      stream_id: org.plaza,
      stream_name: 'plaza',
    },
  ])
  expect(await messageOf(org.other, id)).toMatchObject({
    content: '<p>second</p>',
    last_edit_timestamp: now,
    edit_history: [
      {
        user_id: org.member.id,
        timestamp: now,
        prev_content: 'first *words*',
        prev_rendered_content: '<p>first <em>words</em></p>',
      },
    ],
  })
})

test('EDIT-02: No other user can change the content, whatever their role.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'mine')
  for (const person of [org.other, org.admin, org.owner])
    refused(await person.patch(`/messages/${id}`, { content: 'theirs' }))
  expect((await messageOf(org.member, id)).content).toBe('<p>mine</p>')
})

test('EDIT-03: Content can be changed within the organization’s time limit, plus a short grace period.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'in time')
  await org.clock.advance(615_000)
  succeeded(await org.member.patch(`/messages/${id}`, { content: 'nearly late' }))
  await org.clock.advance(10_000)
  refused(await org.member.patch(`/messages/${id}`, { content: 'late' }))
  realm('message_content_edit_limit_seconds', '')
  succeeded(await org.member.patch(`/messages/${id}`, { content: 'no limit' }))
  realm('allow_message_editing', 'false')
  refused(await org.member.patch(`/messages/${id}`, { content: 'not at all' }))
  realm('allow_message_editing', 'true')
})

test('EDIT-04: Emptied content becomes a note; other content is normalized as when sending.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'much to say')
  succeeded(await org.member.patch(`/messages/${id}`, { content: '  ' }))
  expect((await messageOf(org.member, id, { apply_markdown: false })).content).toBe('(deleted)')
  succeeded(await org.member.patch(`/messages/${id}`, { content: '\n\nbody  \n' }))
  expect((await messageOf(org.member, id, { apply_markdown: false })).content).toBe('body')
  refused(await org.member.patch(`/messages/${id}`, { content: 'nul\0byte' }))
})

test('EDIT-05: prev_content_sha256 prevents an edit from overwriting another edit.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'straße')
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const change = (prev_content_sha256: string) =>
    org.member.patch(`/messages/${id}`, { content: 'changed', prev_content_sha256 })
  refused(await change(hash('strasse')), 'EXPECTATION_MISMATCH')
  expect((await messageOf(org.member, id)).content).toBe('<p>straße</p>')
  succeeded(await change(hash('straße')))
})

test('EDIT-06: Users whom the new content mentions are flagged as mentioned, and those it no longer mentions are not.', async () => {
  const id = await org.member.send(org.plaza, 'Words', `hello @**${org.other.name}**`)
  const [other, admin] = await Promise.all([org.other.register(changes), org.admin.register(changes)])
  succeeded(await org.member.patch(`/messages/${id}`, { content: `hello @**${org.admin.name}**` }))
  expect((await other.events())[0]?.['flags']).toEqual([])
  expect((await admin.events())[0]?.['flags']).toEqual(['mentioned'])
  expect((await messageOf(org.admin, id)).flags).toEqual(['mentioned'])
})

test('EDIT-07: A search finds the new content and not the old.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'aardvark')
  succeeded(await org.member.patch(`/messages/${id}`, { content: 'pangolin' }))
  const found = async (operand: string) =>
    succeeded(
      await org.other.get('/messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'search', operand }],
      }),
    )['messages'].map((message: { id: number }) => message.id)
  expect(await found('aardvark')).toEqual([])
  expect(await found('pangolin')).toEqual([id])
})

test('EDIT-08: The content of polls and to-do lists cannot be edited.', async () => {
  const id = await org.member.send(org.plaza, 'Words', '/poll Tea or coffee?\ntea\ncoffee')
  refused(await org.member.patch(`/messages/${id}`, { content: 'no poll' }))
})

test('EDIT-09: An edit that changes nothing, or of a message the user cannot read, is rejected.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'as it is')
  refused(await org.member.patch(`/messages/${id}`, {}))
  refused(await org.member.patch(`/messages/${id}`, { topic: 'Words' }))
  refused(await org.member.patch(`/messages/${id}`, { topic: ' Words ', stream_id: org.plaza }))
  refused(await org.member.patch(`/messages/${id}`, { propagate_mode: 'change_all' }))
  refused(await org.guest.patch(`/messages/${id}`, { content: 'x' }))
})

test('EDIT-10: Topic and content change together, in one event and one entry of the history.', async () => {
  const id = await org.member.send(org.plaza, 'Before', 'old')
  const queue = await org.other.register(changes)
  succeeded(await org.member.patch(`/messages/${id}`, { content: 'new', topic: 'After', ...silent }))
  const events = await queue.events()
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    content: 'new',
    orig_content: 'old',
    orig_subject: 'Before',
    subject: 'After',
  })
  expect((await messageOf(org.other, id)).edit_history).toEqual([
    {
      user_id: org.member.id,
      timestamp: expect.any(Number),
      prev_content: 'old',
      prev_rendered_content: '<p>old</p>',
      prev_topic: 'Before',
      topic: 'After',
    },
  ])
})

test('EDIT-11: Content and channel cannot be changed together.', async () => {
  const id = await org.member.send(org.plaza, 'Words', 'stay')
  refused(await org.member.patch(`/messages/${id}`, { content: 'go', stream_id: org.lobby }))
})

test('EDIT-12: The history starts with the original and contains each change.', async () => {
  const id = await org.member.send(org.plaza, 'One', 'a')
  const at = Math.floor(org.clock.now() / 1000)
  await org.clock.advance(5_000)
  succeeded(await org.member.patch(`/messages/${id}`, { content: 'b' }))
  await org.clock.advance(5_000)
  succeeded(await org.admin.patch(`/messages/${id}`, { topic: '', ...silent }))
  const { message_history } = succeeded(await org.other.get(`/messages/${id}/history`))
  const [author, mover] = [org.member.id, org.admin.id]
  const words = { content: 'b', rendered_content: '<p>b</p>' }
  expect(message_history).toEqual([
    { topic: 'One', content: 'a', rendered_content: '<p>a</p>', timestamp: at, user_id: author },
    {
      topic: 'One',
      ...words,
      timestamp: at + 5,
      user_id: author,
      prev_content: 'a',
      prev_rendered_content: '<p>a</p>',
    },
    { topic: 'general chat', ...words, timestamp: at + 10, user_id: mover, prev_topic: 'One' },
  ])
  const empty = succeeded(await org.other.get(`/messages/${id}/history`, { allow_empty_topic_name: true }))
  expect(empty['message_history'].at(-1).topic).toBe('')
  const shown = await messageOf(org.other, id, { allow_empty_topic_name: false })
  expect(shown.edit_history[0].topic).toBe('general chat')
})

test('EDIT-13: An organization can show only moves, or no history at all.', async () => {
  const id = await org.member.send(org.plaza, 'Kept', 'secret words')
  succeeded(await org.member.patch(`/messages/${id}`, { content: 'open words' }))
  succeeded(await org.member.patch(`/messages/${id}`, { topic: 'Moved', ...silent }))
  realm('message_edit_history_visibility_policy', 'moves')
  const { message_history } = succeeded(await org.other.get(`/messages/${id}/history`))
  expect(JSON.stringify(message_history)).not.toContain('secret')
  expect(message_history.map((version: { topic: string }) => version.topic)).toEqual(['Kept', 'Moved'])
  const moves = await messageOf(org.other, id)
  expect(moves.edit_history).toEqual([
    { user_id: org.member.id, timestamp: expect.any(Number), prev_topic: 'Kept', topic: 'Moved' },
  ])
  realm('message_edit_history_visibility_policy', 'none')
  refused(await org.other.get(`/messages/${id}/history`))
  expect(await messageOf(org.other, id)).not.toHaveProperty('edit_history')
  realm('message_edit_history_visibility_policy', 'all')
  refused(await org.guest.get(`/messages/${id}/history`))
})

test('EDIT-14: The newest change comes first in a history, and each entry contains only what it changed.', async () => {
  const attic = org.service.createChannel('attic', [org.member.id])
  const id = await org.member.send(org.plaza, 'First place', 'first words')
  const entry = { user_id: org.member.id, timestamp: expect.any(Number) }
  const changed = async (fields: object) =>
    succeeded(await org.member.patch(`/messages/${id}`, { ...fields, ...silent }))
  await changed({ content: 'second words' })
  await changed({ topic: 'Second place' })
  await changed({ stream_id: attic })
  await changed({ content: 'third words', topic: 'Third place' })
  const words = (text: string) => ({ prev_content: text, prev_rendered_content: `<p>${text}</p>` })
  expect((await messageOf(org.member, id)).edit_history).toEqual([
    { ...entry, ...words('second words'), prev_topic: 'Second place', topic: 'Third place' },
    { ...entry, prev_stream: org.plaza, stream: attic },
    { ...entry, prev_topic: 'First place', topic: 'Second place' },
    { ...entry, ...words('first words') },
  ])
})

const deletions = { event_types: ['delete_message', 'stream'], fetch_event_types: [] }

test('DEL-01: A deleted message no longer exists, all users who received it get an event, and it cannot be deleted again.', async () => {
  const id = await org.member.send(org.plaza, 'Going', 'soon gone')
  const [other, guest] = await Promise.all([org.other.register(deletions), org.guest.register(deletions)])
  succeeded(await org.admin.delete(`/messages/${id}`))
  expect(await other.events()).toEqual([
    {
      id: 0,
      type: 'delete_message',
      message_id: id,
      message_type: 'stream',
      stream_id: org.plaza,
      topic: 'Going',
    },
  ])
  expect(await guest.events()).toEqual([])
  refused(await org.other.get(`/messages/${id}`))
  refused(await org.admin.delete(`/messages/${id}`))
})

test('DEL-02: A direct message is deleted for all users in the conversation, with no channel or topic in the event.', async () => {
  const id = await org.member.send([org.other], '', 'never mind')
  const queue = await org.other.register(deletions)
  succeeded(await org.member.delete(`/messages/${id}`))
  expect(await queue.events()).toEqual([
    { id: 0, type: 'delete_message', message_id: id, message_type: 'private' },
  ])
})

test("DEL-03: Users can delete their own messages and those of their bots within the organization's time limit.", async () => {
  const own = await org.member.send(org.plaza, 'Going', 'mine')
  const bots = await org.bot.send(org.plaza, 'Going', 'my bot wrote this')
  refused(await org.other.delete(`/messages/${own}`))
  refused(await org.other.delete(`/messages/${bots}`))
  succeeded(await org.member.delete(`/messages/${bots}`))
  await org.clock.advance(601_000)
  refused(await org.member.delete(`/messages/${own}`))
  realm('message_content_delete_limit_seconds', '')
  succeeded(await org.member.delete(`/messages/${own}`))
})

test('DEL-08: The time limit includes its last second.', async () => {
  realm('message_content_delete_limit_seconds', '600')
  const [first, second] = [
    await org.member.send(org.plaza, 'Going', 'in the last second'),
    await org.member.send(org.plaza, 'Going', 'a second later'),
  ]
  await org.clock.advance(600_000)
  succeeded(await org.member.delete(`/messages/${first}`))
  await org.clock.advance(1_000)
  refused(await org.member.delete(`/messages/${second}`))
})

test('DEL-04: Administrators can delete any message at any time.', async () => {
  realm('message_content_delete_limit_seconds', '600')
  const id = await org.member.send(org.plaza, 'Going', 'long ago')
  await org.clock.advance(86_400_000)
  refused(await org.moderator.delete(`/messages/${id}`))
  succeeded(await org.admin.delete(`/messages/${id}`))
})

test('DEL-05: A channel can let additional users delete its messages.', async () => {
  const give = (setting: string, value: object) =>
    org.service.workspace.db.run(
      'INSERT OR REPLACE INTO permission_values VALUES (?, ?, ?, ?)',
      'channel',
      org.plaza,
      setting,
      JSON.stringify(value),
    )
  const id = await org.member.send(org.plaza, 'Going', 'for the other to delete')
  refused(await org.other.delete(`/messages/${id}`))
  give('can_delete_any_message_group', { direct_members: [org.other.id], direct_subgroups: [] })
  succeeded(await org.other.delete(`/messages/${id}`))
})

test('DEL-07: A channel can let users delete their own messages even where the organization does not.', async () => {
  const administrators = systemGroupId(org.service.workspace.db, 'role:administrators')
  setRealmPermission(org.service.workspace.db, 'can_delete_own_message_group', administrators)
  const loft = org.service.createChannel('loft', [org.owner.id, org.member.id, org.other.id])
  const [mine, theirs] = [
    await org.member.send(loft, 'Going', 'mine'),
    await org.other.send(loft, 'Going', 'theirs'),
  ]
  refused(await org.member.delete(`/messages/${mine}`))
  const only = { direct_members: [org.member.id], direct_subgroups: [] }
  succeeded(await org.owner.patch(`/streams/${loft}`, { can_delete_own_message_group: { new: only } }))
  succeeded(await org.member.delete(`/messages/${mine}`))
  refused(await org.other.delete(`/messages/${theirs}`))
  org.service.workspace.db.run('DELETE FROM permission_values')
})

test('DEL-06: When a channel loses its first message, users who can see it receive the new first_message_id.', async () => {
  const first = await org.member.send(org.lobby, 'Order', 'first')
  const second = await org.member.send(org.lobby, 'Order', 'second')
  const queue = await org.other.register(deletions)
  succeeded(await org.admin.delete(`/messages/${second}`))
  expect(await queue.events()).toEqual([])
  succeeded(await org.admin.delete(`/messages/${first}`))
  expect(await queue.events()).toMatchObject([
    { type: 'stream', op: 'update', stream_id: org.lobby, property: 'first_message_id', value: null },
  ])
})
