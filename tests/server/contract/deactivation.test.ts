import { expect, test } from 'vitest'
import { reactivateOrganization } from '../../../src-server/organization/deactivation.ts'
import { authorization, png, sendFile } from '../../support/files.ts'
import { found, organization, refused, succeeded, type Organization } from '../../support/organization.ts'

// Owners end the organization: nobody is let in any more, and all that it has stays.

const org = organization()

/** Ends an organization of its own after a test looked at it. */
async function within(work: (org: Organization) => Promise<void>): Promise<void> {
  const own = await found({})
  await work(own).finally(() => own.service.close())
}
const end = async (own: Organization) => succeeded(await own.owner.post('/realm/deactivate'))

test('END-01: Only an owner can deactivate the organization.', async () => {
  for (const who of [org.admin, org.moderator, org.member, org.guest, org.bot])
    refused(await who.post('/realm/deactivate'), 'UNAUTHORIZED_PRINCIPAL')
  succeeded(await org.member.get('/users/me'))
})

test('END-02: A waiting client receives the deactivation even without a new poll, and all later access is rejected.', async () => {
  await within(async (own) => {
    succeeded(await own.owner.patch('/realm', { enable_spectator_access: true }))
    const queue = await own.guest.register({ event_types: ['realm'] })
    const poll = own.guest.get('/events', { queue_id: queue.id, last_event_id: queue.state.last_event_id })
    while (own.service.workspace.queues.waiting === 0) await own.member.get('/server_settings')
    expect(await end(own)).toEqual({ result: 'success', msg: '' })
    expect(succeeded(await poll).events).toEqual([
      { type: 'realm', op: 'deactivated', realm_id: 1, id: expect.any(Number) },
    ])
    for (const who of [own.owner, own.member, own.bot, own.nobody]) {
      refused(await who.post('/register'), 'UNAUTHORIZED', 401)
      refused(await who.post('/realm/deactivate'), 'UNAUTHORIZED', 401)
    }
    for (const password of ['correct horse battery', 'wrong']) {
      const answer = await own.nobody.post('/fetch_api_key', { username: own.member.email, password })
      refused(answer, 'REALM_DEACTIVATED', 401)
    }
    expect(succeeded(await own.nobody.get('/server_settings'))).toMatchObject({
      realm_web_public_access_enabled: false,
    })
  })
})

test('END-03: While deactivated, invitations do not work, files are not served and nothing is delivered; reactivation restores everything.', async () => {
  await within(async (own) => {
    const { url } = succeeded(await sendFile(own.service, own.member, '/user_uploads', ['a.png', png]))
    const { invite_link } = succeeded(await own.owner.post('/invites/multiuse'))
    const at = Math.floor(own.clock.now() / 1000) + 60
    const later = { type: 'channel', to: own.plaza, topic: 'Later', content: 'A word' }
    succeeded(await own.member.post('/scheduled_messages', { ...later, scheduled_delivery_timestamp: at }))
    await own.member.send(own.plaza, 'Before', 'The end')
    const file = () =>
      fetch(new URL(url, own.service.workspace.url), {
        headers: { authorization: authorization(own.member) },
      })
    const newest = async () =>
      succeeded(await own.member.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }))
        .messages[0].subject
    expect((await file()).status).toBe(200)
    await end(own)
    expect((await file()).status).toBe(401)
    expect((await fetch(invite_link)).status).toBe(404)
    await own.clock.advance(120_000)
    expect(own.service.database.all('SELECT has_failed FROM scheduled_messages')).toEqual([{ has_failed: 0 }])
    expect(reactivateOrganization(own.service.workspace)).toBe(true)
    expect(reactivateOrganization(own.service.workspace)).toBe(false)
    await own.service.stop()
    await own.service.start()
    await expect.poll(newest).toBe('Later')
    expect((await file()).status).toBe(200)
    expect((await fetch(invite_link)).status).toBe(200)
  })
})

test('END-04: Every owner is notified by mail that the data is kept.', async () => {
  await within(async (own) => {
    const second = own.join('Olga Owner', 100)
    own.joinBot('Owned', own.owner)
    await end(own)
    expect(own.service.mails.map((mail) => mail.to).sort()).toEqual([own.owner.email, second.email].sort())
    for (const mail of own.service.mails) expect(mail.text).toContain('kept')
  })
})
