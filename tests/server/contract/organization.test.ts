import { expect, test } from 'vitest'
import { systemGroupId, type SystemGroupName } from '../../../src-server/permissions/groups.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
} from '../../support/organization.ts'

// What the organization decides for everybody (specification, Group-setting value and POST /register).

const org = organization()
const group = (name: SystemGroupName) => systemGroupId(org.service.workspace.db, name)
const change = (fields: Fields, who: Person = org.admin) => who.patch('/realm', fields)
const registered = async () => (await org.member.register({ fetch_event_types: ['realm'] })).state
const ofRealm = { event_types: ['realm'] }
const make = (who: Person) => who.post('/channels/create', { name: fresh('channel'), subscribers: [] })

test('ORG-01: A changed permission of the organization is sent to all users in an event and takes effect immediately.', async () => {
  const queue = await org.guest.listen(ofRealm)
  const moderators = group('role:moderators')
  succeeded(await make(org.member))
  succeeded(
    await change({ can_create_public_channel_group: { new: moderators, old: group('role:members') } }),
  )
  expect(await queue.events()).toEqual([
    {
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: { can_create_public_channel_group: moderators },
    },
  ])
  expect(await registered()).toMatchObject({ realm_can_create_public_channel_group: moderators })
  refused(await make(org.member))
  succeeded(await make(org.moderator))
  succeeded(await change({ can_create_public_channel_group: { new: group('role:members') } }))
})

test('ORG-02: A permission can be held by named users and groups.', async () => {
  const value = { direct_members: [org.other.id], direct_subgroups: [group('role:administrators')] }
  succeeded(await change({ can_create_public_channel_group: { new: value } }))
  expect(await registered()).toMatchObject({ realm_can_create_public_channel_group: value })
  succeeded(await make(org.other))
  succeeded(await make(org.admin))
  refused(await make(org.member))
  succeeded(await change({ can_create_public_channel_group: { new: group('role:members') } }))
})

test('ORG-03: A permission whose current value is not the expected one is not changed.', async () => {
  const wish = { new: group('role:moderators'), old: group('role:owners') }
  refused(await change({ name: 'Never', can_create_bots_group: wish }), 'EXPECTATION_MISMATCH')
  expect(await registered()).toMatchObject({
    realm_name: 'Local workspace',
    realm_can_create_bots_group: group('role:members'),
  })
})

test('ORG-04: Groups that may not hold a permission are rejected, and some permissions accept only a system group.', async () => {
  refused(await change({ can_create_bots_group: { new: group('role:everyone') } }))
  refused(await change({ can_create_bots_group: { new: group('role:internet') } }))
  refused(await change({ can_create_bots_group: { new: 99_999 } }))
  const members = { direct_members: [org.member.id], direct_subgroups: [] }
  expect(
    refused(await change({ can_access_all_users_group: { new: members } }), 'SYSTEM_GROUP_REQUIRED'),
  ).toMatchObject({ setting_name: 'can_access_all_users_group' })
  refused(await change({ can_access_all_users_group: { new: group('role:nobody') } }))
})

test('ORG-05: Only administrators may change the organization, and only owners some of its permissions.', async () => {
  for (const who of [org.moderator, org.member, org.guest, org.bot]) {
    refused(await change({ name: 'Ours' }, who), 'UNAUTHORIZED_PRINCIPAL')
  }
  const wish = { can_manage_all_groups: { new: group('role:administrators') } }
  refused(await change(wish), 'UNAUTHORIZED_PRINCIPAL')
  succeeded(await change(wish, org.owner))
  succeeded(await change({ can_manage_all_groups: { new: group('role:owners') } }, org.owner))
})

test('ORG-06: A group that holds a permission of the organization cannot be deactivated.', async () => {
  const { group_id } = succeeded(
    await org.member.post('/user_groups/create', { name: fresh('g'), description: '', members: [] }),
  )
  succeeded(await change({ can_create_bots_group: { new: group_id } }))
  const answer = await org.member.post(`/user_groups/${group_id}/deactivate`)
  expect(refused(answer, 'CANNOT_DEACTIVATE_GROUP_IN_USE')).toMatchObject({
    objections: [{ type: 'realm', settings: ['can_create_bots_group'] }],
  })
  succeeded(await change({ can_create_bots_group: { new: group('role:members') } }))
})

test('ORG-07: Changes of name, description and policies are sent in events; unchanged values are not.', async () => {
  const queue = await org.guest.listen(ofRealm)
  const wish = { name: ' Tide House ', topics_policy: 'disable_empty_topic', enable_read_receipts: true }
  succeeded(await change(wish))
  expect(await queue.events()).toEqual([
    { type: 'realm', op: 'update', property: 'name', value: 'Tide House' },
    {
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      // Older clients know the policy as a yes or no.
      data: { topics_policy: 'disable_empty_topic', mandatory_topics: true },
    },
  ])
  expect(await registered()).toMatchObject({
    realm_name: 'Tide House',
    realm_topics_policy: 'disable_empty_topic',
  })
  succeeded(await change({ name: 'Local workspace', topics_policy: 'allow_empty_topic' }))
})

test('ORG-08: Time limits are seconds or unlimited, and take effect immediately.', async () => {
  const message = await org.member.send(org.plaza, 'limits', 'First')
  const queue = await org.member.listen(ofRealm)
  succeeded(await change({ message_content_edit_limit_seconds: 60 }))
  org.clock.set(org.clock.now() + 120_000)
  refused(await org.member.patch(`/messages/${message}`, { content: 'Second' }))
  succeeded(await change({ message_content_edit_limit_seconds: '"unlimited"' }))
  succeeded(await org.member.patch(`/messages/${message}`, { content: 'Second' }))
  expect(await queue.events()).toMatchObject(
    [60, null].map((seconds) => ({
      data: { allow_message_editing: true, message_content_edit_limit_seconds: seconds },
    })),
  )
  refused(await change({ message_content_edit_limit_seconds: 0 }))
  refused(await change({ message_content_edit_limit_seconds: 'soon' }))
})

test('ORG-09: Texts of invalid length and a channel that does not exist are rejected.', async () => {
  refused(await change({ name: '' }))
  refused(await change({ name: 'x'.repeat(41) }))
  refused(await change({ description: 'x'.repeat(1_001) }))
  refused(await change({ welcome_message_custom_text: 'x'.repeat(8_001) }))
  refused(await change({ moderation_request_channel_id: 99_999 }))
  succeeded(await change({ moderation_request_channel_id: org.plaza }))
  expect(await registered()).toMatchObject({ realm_moderation_request_channel_id: org.plaza })
})

test('ORG-10: An administrator can send themselves a preview of the welcome bot’s message, of at most 8000 characters, which no other user receives.', async () => {
  const say = (text: string) =>
    org.admin.post('/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text })
  const messages = { event_types: ['message'] }
  const queues = [await org.admin.listen(messages), await org.owner.listen(messages)]
  const { message_id: id } = succeeded(await say('Mind the **tide**.'))
  const [own, others] = await Promise.all(queues.map((queue) => queue.events()))
  expect(own).toMatchObject([
    {
      type: 'message',
      message: { id, type: 'private', sender_full_name: 'Welcome Bot', content: 'Mind the **tide**.' },
    },
  ])
  expect(others).toEqual([])
  expect(await registered()).toMatchObject({ realm_welcome_message_custom_text: '' })
  for (const text of ['', ' ', 'x'.repeat(8_001)]) refused(await say(text))
  succeeded(await say('x'.repeat(8_000)))
})
