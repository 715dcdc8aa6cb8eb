import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const report = (who: Person, id: number, fields: object, path = 'messages') =>
  who.post(`/${path}/${id}/report`, { report_type: 'spam', ...fields })
const newest = async () =>
  succeeded(
    await org.owner.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    }),
  ).messages[0]
const moderate = (channel: number) =>
  org.service.workspace.db.run(
    `INSERT OR REPLACE INTO realm VALUES ('moderation_request_channel_id', ?)`,
    String(channel),
  )

test('REPORT-01: Without a moderation channel, nothing can be reported.', async () => {
  const { state } = await org.member.register({ fetch_event_types: ['realm'] })
  expect(state.realm_moderation_request_channel_id).toBe(-1)
  refused(await report(org.member, await org.other.send(org.plaza, 'talk', 'buy this'), {}))
})

test('REPORT-02: A report is posted to that channel, which may be private, with its sender, the message and the reason.', async () => {
  moderate(org.cellar)
  const id = await org.other.send(org.plaza, 'talk', 'buy this now')
  succeeded(await report(org.admin, id, { description: 'third time' }))
  const told = await newest()
  expect(told).toMatchObject({
    stream_id: org.cellar,
    subject: 'Otto Other moderation requests',
    sender_full_name: 'Notification Bot',
  })
  for (const part of [org.admin.name, org.other.name, 'Spam', 'third time', 'buy this now'])
    expect(told.content).toContain(part)
  const { state } = await org.member.register({ fetch_event_types: ['realm'] })
  expect(state.realm_moderation_request_channel_id).toBe(org.cellar)
})

test('REPORT-03: Both spellings of the path are served.', async () => {
  const id = await org.other.send(org.plaza, 'talk', 'once more')
  succeeded(await report(org.admin, id, {}, 'message'))
  expect((await newest()).content).toContain('once more')
})

test('REPORT-04: The reason is one of five values; other requires a description, of at most 1000 characters.', async () => {
  const id = await org.other.send(org.plaza, 'talk', 'hm')
  for (const report_type of ['harassment', 'inappropriate', 'norms'])
    succeeded(await report(org.member, id, { report_type }))
  refused(await report(org.member, id, { report_type: 'boring' }))
  refused(await report(org.member, id, { report_type: 'other' }))
  succeeded(await report(org.member, id, { report_type: 'other', description: 'x'.repeat(1_000) }))
  refused(await report(org.member, id, { description: 'x'.repeat(1_001) }))
})

test('REPORT-05: A message the user cannot read cannot be reported.', async () => {
  refused(await report(org.other, await org.owner.send(org.cellar, 'talk', 'hidden'), {}))
})
