import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import { organization, succeeded, type Answer, setRealmPermission } from '../../support/organization.ts'

// The table of error codes (specification, Errors), row by row.

/** Passes notifications on for a server that knows no device. */
const bouncer = createServer((_request, response) => void response.writeHead(404).end())
const org = organization({ configuration: { pushBouncerUrl: 'http://127.0.0.1:9' } })
beforeAll(async () => {
  await new Promise<void>((resolve) => bouncer.listen(0, '127.0.0.1', resolve))
  const { port } = bouncer.address() as AddressInfo
  Object.assign(org.service.workspace.configuration, { pushBouncerUrl: `http://127.0.0.1:${port}` })
})
afterAll(() => void bouncer.close())

const permit = (
  setting: 'create_multiuse_invite_group' | 'can_add_subscribers_group',
  group: 'all' | 'few',
) => {
  const { db } = org.service.workspace
  setRealmPermission(db, setting, systemGroupId(db, group === 'all' ? 'role:members' : 'role:administrators'))
}
const draft = { type: '', to: [], topic: '', content: 'words' }
const message = () => org.member.send(org.plaza, 'Errors', 'a message')

const rows: readonly (readonly [what: string, code: string, ask: () => Promise<Answer>])[] = [
  ['an invalid user group', 'BAD_REQUEST', () => org.owner.patch('/user_groups/99999', { name: 'x' })],
  [
    'an invalid user group as the holder of a permission',
    'BAD_REQUEST',
    async () => {
      const wish = { name: 'holders', description: '', members: [] }
      const { group_id } = succeeded(await org.owner.post('/user_groups/create', wish))
      return org.owner.patch(`/user_groups/${group_id}`, { can_join_group: { new: 99_999 } })
    },
  ],
  [
    'an invalid channel folder',
    'BAD_REQUEST',
    () => org.admin.patch('/channel_folders/99999', { name: 'x' }),
  ],
  ['a message that is missing', 'BAD_REQUEST', () => org.member.get('/messages/99999')],
  [
    'a message that is not visible',
    'BAD_REQUEST',
    async () => org.member.get(`/messages/${await org.owner.send([org.other], '', 'between us')}`),
  ],
  ['a draft that does not exist', 'BAD_REQUEST', () => org.member.patch('/drafts/99999', { draft })],
  [
    'a saved snippet that does not exist',
    'BAD_REQUEST',
    () => org.member.patch('/saved_snippets/99999', { title: 'x' }),
  ],
  [
    'an invalid emoji code',
    'BAD_REQUEST',
    async () =>
      org.member.post(`/messages/${await message()}/reactions`, { emoji_name: 'tada', emoji_code: '1f600' }),
  ],
  [
    'an invalid channel whose topics are wanted',
    'BAD_REQUEST',
    () => org.member.get('/users/me/99999/topics'),
  ],
  [
    'an invalid channel in an invitation',
    'BAD_REQUEST',
    () => org.admin.post('/invites/multiuse', { stream_ids: [99_999] }),
  ],
  [
    'no permission to create invitations',
    'BAD_REQUEST',
    () => {
      permit('create_multiuse_invite_group', 'few')
      return org.member.post('/invites/multiuse')
    },
  ],
  [
    'no permission to subscribe others to the channels of an invitation',
    'BAD_REQUEST',
    () => {
      permit('create_multiuse_invite_group', 'all')
      permit('can_add_subscribers_group', 'few')
      return org.member.post('/invites/multiuse', { stream_ids: [org.plaza] })
    },
  ],
  [
    'a reaction that exists',
    'REACTION_ALREADY_EXISTS',
    async () => {
      const at = `/messages/${await message()}/reactions`
      succeeded(await org.member.post(at, { emoji_name: 'tada' }))
      return org.member.post(at, { emoji_name: 'tada' })
    },
  ],
  [
    'a device that the server does not know',
    'INVALID_PUSH_DEVICE_TOKEN',
    () => org.member.post('/mobile_push/test_notification', { token: 'unknown' }),
  ],
  [
    'a device that the bouncer does not know',
    'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    async () => {
      succeeded(await org.member.post('/users/me/android_gcm_reg_id', { token: 'known-here' }))
      return org.member.post('/mobile_push/test_notification', { token: 'known-here' })
    },
  ],
  [
    'a queue that was collected',
    'BAD_EVENT_QUEUE_ID',
    async () => {
      const { id } = await org.member.register({ event_types: ['message'], fetch_event_types: [] })
      await org.clock.advance(10 * 60_000 + 1_000)
      return org.member.get('/events', { queue_id: id, last_event_id: -1, dont_block: true })
    },
  ],
]

test.each(rows)(
  'ERROR-01: Each condition in the table is answered with its code, in an envelope with a human-readable message (%s).',
  async (_what, code, ask) => {
    const { body, status } = await ask()
    expect({ result: body['result'], code: body['code'] }).toEqual({ result: 'error', code })
    expect(body['msg']).toMatch(/\S/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  },
)

const spectator: readonly (readonly [string, string])[] = [
  ['client_gravatar', 'true'],
  ['include_subscribers', 'true'],
]

test.each(spectator)(
  'ERROR-02: Options that require an account are rejected when registering without one (%s).',
  async (name, value) => {
    const { db } = org.service.workspace
    db.run("INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')")
    succeeded(await org.nobody.post('/register', { fetch_event_types: [] }))
    const { body } = await org.nobody.post('/register', { fetch_event_types: [], [name]: value })
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
    db.run("DELETE FROM realm WHERE name = 'enable_spectator_access'")
  },
)
