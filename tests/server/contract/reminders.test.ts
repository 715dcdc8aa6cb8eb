import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const seconds = () => Math.floor(org.clock.now() / 1000)
const listOf = async (who: Person) => succeeded(await who.get('/reminders')).reminders
const remind = async (who: Person, message_id: number, after: number, fields: object = {}): Promise<number> =>
  succeeded(
    await who.post('/reminders', { message_id, scheduled_delivery_timestamp: seconds() + after, ...fields }),
  ).reminder_id
const newest = async (who: Person) =>
  succeeded(
    await who.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }),
  ).messages[0]

test('REMIND-01: A reminder is listed with its message, note and time, to its owner only.', async () => {
  const message = await org.other.send(org.plaza, 'plans', 'Bring the tent')
  const id = await remind(org.member, message, 3600, { note: 'ask for poles' })
  const [reminder] = await listOf(org.member)
  expect(reminder).toMatchObject({
    reminder_id: id,
    type: 'private',
    to: [org.member.id],
    reminder_target_message_id: message,
    scheduled_delivery_timestamp: seconds() + 3600,
    failed: false,
  })
  expect(reminder.content).toContain('Bring the tent')
  expect(reminder.content).toContain('ask for poles')
  expect(reminder.rendered_content).toContain('<blockquote>')
  expect(await listOf(org.other)).toEqual([])
  succeeded(await org.member.delete(`/reminders/${id}`))
})

test('REMIND-02: When a reminder is due, the user gets a direct message and the reminder is removed.', async () => {
  const message = await org.other.send(org.plaza, 'plans', 'Bring the stove')
  const queue = await org.member.register({ event_types: ['reminders'] })
  const id = await remind(org.member, message, 60)
  await org.clock.advance(59_000)
  expect(await listOf(org.member)).toHaveLength(1)
  await org.clock.advance(1_000)
  expect(await listOf(org.member)).toEqual([])
  const told = await newest(org.member)
  expect(told).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' })
  expect(told.content).toContain(`#**plaza>plans@${message}**`)
  expect(told.content).toContain('Bring the stove')
  expect(told.flags).not.toContain('read')
  expect(await queue.events()).toMatchObject([
    { type: 'reminders', op: 'add', reminders: [{ reminder_id: id, reminder_target_message_id: message }] },
    { type: 'reminders', op: 'remove', reminder_id: id },
  ])
})

test('REMIND-03: A reminder needs a message the user can read, a time in the future and a note of at most 1000 characters.', async () => {
  const hidden = await org.owner.send(org.cellar, 'secret', 'not for all')
  const own = await org.member.send(org.plaza, 'plans', 'mine')
  const post = (message_id: number, after: number, note?: string) =>
    org.other.post('/reminders', { message_id, scheduled_delivery_timestamp: seconds() + after, note })
  refused(await post(hidden, 60))
  refused(await post(99_999, 60))
  refused(await post(own, 0))
  refused(await post(own, 60, 'x'.repeat(1_001)))
  expect(await listOf(org.other)).toEqual([])
})

test('REMIND-04: A reminder does not reveal a message the user can no longer read.', async () => {
  const message = await org.owner.send(org.cellar, 'secret', 'the recipe')
  await remind(org.member, message, 60)
  org.service.workspace.db.run(
    'UPDATE subscriptions SET is_active = 0 WHERE user_id = ? AND channel_id = ?',
    org.member.id,
    org.cellar,
  )
  await org.clock.advance(60_000)
  expect((await newest(org.member)).content).not.toContain('the recipe')
  expect(await listOf(org.member)).toEqual([])
})

test('REMIND-05: A reminder that does not exist or belongs to another user is rejected with 404.', async () => {
  const id = await remind(org.member, await org.other.send(org.plaza, 'plans', 'x'), 3600)
  refused(await org.other.delete(`/reminders/${id}`), 'BAD_REQUEST', 404)
  succeeded(await org.member.delete(`/reminders/${id}`))
  refused(await org.member.delete(`/reminders/${id}`), 'BAD_REQUEST', 404)
})

test('REMIND-06: The register response holds the reminders and the maximum length of a note.', async () => {
  const id = await remind(org.member, await org.other.send(org.plaza, 'plans', 'x'), 3600)
  const { state } = await org.member.register({ fetch_event_types: ['reminders', 'realm'] })
  expect(state.reminders).toMatchObject([{ reminder_id: id }])
  expect(state.max_reminder_note_length).toBe(1000)
})

test('REMIND-07: A note cannot contain null bytes.', async () => {
  const message_id = await org.member.send(org.plaza, 'Notes', 'remind me')
  const at = { message_id, scheduled_delivery_timestamp: Math.floor(org.clock.now() / 1000) + 60 }
  refused(await org.member.post('/reminders', { ...at, note: 'a\0b' }))
  succeeded(await org.member.post('/reminders', { ...at, note: 'ab' }))
})
