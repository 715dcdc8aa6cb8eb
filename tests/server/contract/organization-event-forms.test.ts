import { expect, test } from 'vitest'
import { reactivateOrganization } from '../../../src-server/organization/deactivation.ts'
import { captureEvents, expectComplete, expectDescribed } from '../../support/event-capture.ts'
import { authorization, formWith, png, sendFile } from '../../support/files.ts'
import { openApi } from '../../support/openapi.ts'
import {
  formerOrganizationEventForms,
  organizationEventForms,
} from '../../support/organization-event-forms.ts'
import { fresh, organization, succeeded, type Answer, type Person } from '../../support/organization.ts'

// The exact form of every event (specification, Events): each is made by doing the thing over HTTP, and held against
// a table that says its keys and the kind of each value.

const org = organization()
const { heard, captured } = captureEvents(org)
const done = async (answer: Promise<Answer>) => succeeded(await answer)
const upload = async (who: Person, name: string): Promise<string> =>
  succeeded(await sendFile(org.service, who, '/user_uploads', [name, png, 'image/png'])).url
const inSeconds = (count: number) => Math.floor(org.clock.now() / 1000) + count

test('FORM-07: User events have exactly their documented keys.', async () => {
  const { owner, member, admin } = org
  await heard('realm_user add', async () => {
    const { invite_link } = await done(owner.post('/invites/multiuse', {}))
    const who = { full_name: fresh('Formed'), email: `${fresh('formed').replace(' ', '-')}@example.org` }
    const joined = await fetch(invite_link, {
      method: 'POST',
      body: new URLSearchParams({ ...who, password: 'tide tables' }),
    })
    expect(joined.status).toBe(200)
  })
  await heard('realm_user update full_name', () =>
    done(member.patch('/settings', { full_name: 'Mara Formed' })),
  )
  await heard('realm_user update avatar_source+avatar_url+avatar_url_medium+avatar_version', async () => {
    succeeded(await sendFile(org.service, member, '/users/me/avatar', ['a.png', png, 'image/png']))
    await done(member.delete('/users/me/avatar'))
  })
  await heard('realm_user update email+timezone', () =>
    done(member.patch('/settings', { timezone: 'Asia/Tokyo' })),
  )
  const someone = org.join(fresh('Someone'))
  await heard('realm_user update role', () => done(owner.patch(`/users/${someone.id}`, { role: 300 })))
  await heard('realm_user update is_active', async () => {
    await done(owner.delete(`/users/${someone.id}`))
    await done(owner.post(`/users/${someone.id}/reactivate`))
  })
  await heard('realm_user update delivery_email', async () => {
    await done(admin.patch('/settings', { email: 'ada@elsewhere.example.org' }))
    const link = /https?:\S+confirm-email\S+/.exec(org.service.mails.at(-1)?.text ?? '')?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
  })
  const fields = [
    { field_type: 1, name: 'Short' },
    { field_type: 2, name: 'Long' },
    { field_type: 6, name: 'Mentor' },
  ]
  const made: number[] = []
  await heard('custom_profile_fields', async () => {
    for (const field of fields) made.push((await done(owner.post('/realm/profile_fields', field))).id)
    await done(owner.patch(`/realm/profile_fields/${made[0]}`, { display_in_profile_summary: true }))
  })
  await heard('realm_user update custom_profile_field', async () => {
    const data = [
      { id: made[0], value: 'short' },
      { id: made[1], value: '*long*' },
      { id: made[2], value: [owner.id] },
    ]
    await done(member.patch('/users/me/profile_data', { data }))
    await done(member.delete('/users/me/profile_data', { data: made }))
  })
})

test('FORM-08: Bot events have exactly their documented keys.', async () => {
  const { owner, member, other } = org
  const ids: number[] = []
  await heard('realm_bot add, realm_user add', async () => {
    const generic = {
      full_name: fresh('Formed bot'),
      short_name: fresh('formed').replace(' ', '-'),
      bot_type: 1,
    }
    ids.push((await done(member.post('/bots', generic))).user_id)
    const outgoing = {
      full_name: fresh('Outgoing bot'),
      short_name: fresh('outgoing').replace(' ', '-'),
      bot_type: 3,
      payload_url: JSON.stringify('https://example.com/hook'),
    }
    ids.push((await done(member.post('/bots', outgoing))).user_id)
  })
  const [generic = 0, outgoing = 0] = ids
  await heard('realm_bot update', async () => {
    await done(member.patch(`/bots/${generic}`, { full_name: fresh('Renamed bot') }))
    await done(member.patch(`/bots/${generic}`, { default_sending_stream: 'plaza' }))
    await done(member.patch(`/bots/${generic}`, { default_all_public_streams: true }))
    await done(member.patch(`/bots/${generic}`, { default_events_register_stream: 'plaza' }))
    const body = formWith(['a.png', png, 'image/png'])
    const headers = { authorization: authorization(member) }
    const answer = await fetch(`${org.service.baseUrl}/bots/${generic}`, { method: 'PATCH', body, headers })
    expect(answer.status).toBe(200)
    await done(
      member.patch(`/bots/${outgoing}`, { service_payload_url: JSON.stringify('https://example.com/b') }),
    )
    await done(member.post(`/bots/${generic}/api_key/regenerate`))
  })
  await heard('realm_bot delete, realm_bot add, realm_user update bot_owner_id', () =>
    done(owner.patch(`/bots/${generic}`, { bot_owner_id: other.id })),
  )
  await heard('realm_bot update, realm_user update is_active', async () => {
    await done(owner.delete(`/bots/${outgoing}`))
    await done(owner.post(`/users/${outgoing}/reactivate`))
  })
})

test('FORM-09: User group events have exactly their documented keys.', async () => {
  const { owner, member, other } = org
  const group = { name: fresh('group'), description: 'd', members: [member.id] }
  await heard('user_group add', () => done(owner.post('/user_groups/create', group)))
  const groups = (await done(owner.get('/user_groups'))).user_groups
  const { id } = groups.at(-1)
  const second = { name: fresh('group'), description: 'd', members: [] }
  const inner = (await done(owner.post('/user_groups/create', second))).group_id
  await heard('user_group update', async () => {
    await done(owner.patch(`/user_groups/${id}`, { name: fresh('group'), description: 'e' }))
    const permissions = Object.keys(groups.at(-1)).filter((key) => key.startsWith('can_'))
    for (const permission of permissions)
      await done(
        owner.patch(`/user_groups/${id}`, {
          [permission]: { new: { direct_members: [owner.id, other.id], direct_subgroups: [] } },
        }),
      )
  })
  await heard('user_group add_members, user_group remove_members', () =>
    done(owner.post(`/user_groups/${id}/members`, { add: [other.id], delete: [member.id] })),
  )
  await heard('user_group add_subgroups', () =>
    done(owner.post(`/user_groups/${id}/subgroups`, { add: [inner] })),
  )
  await heard('user_group remove_subgroups', () =>
    done(owner.post(`/user_groups/${id}/subgroups`, { delete: [inner] })),
  )
  await heard('user_group update, user_group remove', () => done(owner.post(`/user_groups/${id}/deactivate`)))
  await heard('user_group update, user_group add', () =>
    done(owner.patch(`/user_groups/${id}`, { deactivated: false })),
  )
})

test('FORM-10: Organization events have exactly their documented keys.', async () => {
  const { owner, plaza } = org
  const values: [string, unknown][] = [
    ['name', fresh('Organization')],
    ['description', 'about us'],
    ['enable_spectator_access', true],
    ['enable_read_receipts', false],
    ['name_changes_disabled', true],
    ['email_changes_disabled', true],
    ['avatar_changes_disabled', true],
    ['message_edit_history_visibility_policy', 'moves'],
    ['message_content_delete_limit_seconds', 1000],
    ['move_messages_within_stream_limit_seconds', 1000],
    ['move_messages_between_streams_limit_seconds', 1000],
    ['moderation_request_channel_id', plaza],
    ['welcome_message_custom_text', 'welcome'],
  ]
  for (const [property, value] of values)
    await heard(`realm update ${property}`, () => done(owner.patch('/realm', { [property]: value })))
  await heard('realm update_dict default', async () => {
    await done(owner.patch('/realm', { topics_policy: 'disable_empty_topic' }))
    await done(owner.patch('/realm', { topics_policy: 'allow_empty_topic' }))
    await done(owner.patch('/realm', { message_content_edit_limit_seconds: 1000 }))
    await done(owner.patch('/realm', { allow_message_editing: false }))
    await done(owner.patch('/realm', { allow_message_editing: true }))
    const holders = { direct_members: [owner.id], direct_subgroups: [] }
    await done(owner.patch('/realm', { can_create_groups: { new: holders } }))
  })
  await heard('realm_emoji update', async () => {
    succeeded(await sendFile(org.service, owner, '/realm/emoji/formed', ['e.png', png, 'image/png']))
    await done(owner.delete('/realm/emoji/formed'))
  })
  await heard('realm_linkifiers', async () => {
    const filter = { pattern: 'F(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
    const { id } = await done(owner.post('/realm/filters', filter))
    await done(owner.delete(`/realm/filters/${id}`))
  })
  await heard('realm_playgrounds', async () => {
    const playground = { name: 'P', pygments_language: 'Python', url_template: 'https://example.com/{code}' }
    const { id } = await done(owner.post('/realm/playgrounds', playground))
    await done(owner.delete(`/realm/playgrounds/${id}`))
  })
  await heard('realm_export', async () => {
    await done(owner.post('/export/realm'))
    await expect.poll(async () => (await done(owner.get('/export/realm'))).exports.at(-1).pending).toBe(false)
  })
  await heard('realm_export_consent', () =>
    done(org.other.patch('/settings', { allow_private_data_export: true })),
  )
  await heard('default_stream_groups', () =>
    done(
      owner.post('/default_stream_groups/create', {
        group_name: 'g',
        description: 'd',
        stream_names: ['plaza'],
      }),
    ),
  )
  await heard('realm_domains add, realm_domains change', async () => {
    await done(owner.post('/realm/domains', { domain: 'example.org', allow_subdomains: false }))
    await done(owner.patch('/realm/domains/example.org', { allow_subdomains: true }))
  })
  await heard('realm update emails_restricted_to_domains', () =>
    done(owner.patch('/realm', { emails_restricted_to_domains: true })),
  )
  await heard('realm_domains remove, realm update emails_restricted_to_domains', () =>
    done(owner.delete('/realm/domains/example.org')),
  )
  await heard('realm deactivated', async () => {
    await done(owner.post('/realm/deactivate'))
    reactivateOrganization(org.service.workspace)
  })
  await heard('realm update_dict icon, realm update_dict logo, realm update_dict night_logo', async () => {
    for (const path of ['/realm/icon', '/realm/logo?night=false', '/realm/logo?night=true']) {
      succeeded(await sendFile(org.service, owner, path, ['a.png', png, 'image/png']))
      await done(owner.delete(path))
    }
  })
  await heard('realm_user_settings_defaults update', async () => {
    for (const fields of [{ enter_sends: true }, { color_scheme: 2 }, { web_home_view: 'all_messages' }])
      await done(owner.patch('/realm/user_settings_defaults', fields))
  })
  await heard('invites_changed', () => done(owner.post('/invites/multiuse', {})))
})

test('FORM-11: Events about a user’s own data have exactly their documented keys.', async () => {
  const { member, other, plaza } = org
  await heard('drafts add, drafts update, drafts remove', async () => {
    const draft = { type: 'stream', to: [plaza], topic: 'Form', content: 'x' }
    const direct = { type: 'private', to: [other.id], topic: '', content: 'x' }
    const loose = { type: '', to: [], topic: '', content: 'x' }
    const { ids } = await done(member.post('/drafts', { drafts: [draft, direct, loose] }))
    await done(member.patch(`/drafts/${ids[0]}`, { draft: { ...draft, content: 'y' } }))
    for (const id of ids) await done(member.delete(`/drafts/${id}`))
  })
  await heard('saved_snippets add, saved_snippets update, saved_snippets remove', async () => {
    const { saved_snippet_id: id } = await done(member.post('/saved_snippets', { title: 't', content: 'c' }))
    await done(member.patch(`/saved_snippets/${id}`, { title: 'u' }))
    await done(member.delete(`/saved_snippets/${id}`))
  })
  await heard('navigation_view add, navigation_view update, navigation_view remove', async () => {
    await done(member.post('/navigation_views', { fragment: 'a/b', is_pinned: true, name: 'n' }))
    await done(member.post('/navigation_views', { fragment: 'inbox', is_pinned: true }))
    await done(member.patch('/navigation_views/a/b', { is_pinned: false }))
    await done(member.patch('/navigation_views/a/b', { name: 'm' }))
    for (const fragment of ['a/b', 'inbox']) await done(member.delete(`/navigation_views/${fragment}`))
  })
  await heard('scheduled_messages add, scheduled_messages update, scheduled_messages remove', async () => {
    const at = { scheduled_delivery_timestamp: inSeconds(3600) }
    const late = { type: 'channel', to: plaza, topic: 'Form', content: 'x', ...at }
    const direct = { type: 'direct', to: [other.id], content: 'x', ...at }
    for (const fields of [late, direct]) {
      const { scheduled_message_id: id } = await done(member.post('/scheduled_messages', fields))
      await done(member.patch(`/scheduled_messages/${id}`, { content: 'y' }))
      await done(member.delete(`/scheduled_messages/${id}`))
    }
  })
  await heard('reminders add, reminders remove', async () => {
    const message_id = await member.send(plaza, 'Form', 'remind me')
    const at = { message_id, scheduled_delivery_timestamp: inSeconds(3600) }
    const { reminder_id } = await done(member.post('/reminders', at))
    await done(member.delete(`/reminders/${reminder_id}`))
  })
  await heard('attachment add, attachment update, attachment remove', async () => {
    const url = await upload(member, 'dot.png')
    const id = await member.send(plaza, 'Form', `[dot](${url})`)
    await done(member.delete(`/messages/${id}`))
    const { attachments } = await done(member.get('/attachments'))
    for (const one of attachments) await done(member.delete(`/attachments/${one.id}`))
  })
  await heard('user_settings update, update_display_settings, update_global_notifications', async () => {
    await done(member.patch('/settings', { twenty_four_hour_time: true }))
    await done(member.patch('/settings', { default_language: 'de' }))
    await done(member.patch('/settings', { color_scheme: 2 }))
    await done(member.patch('/settings', { enable_sounds: false }))
    await done(member.patch('/settings', { presence_enabled: false }))
    await done(member.patch('/settings', { presence_enabled: true }))
  })
  await heard('alert_words', async () => {
    await done(member.post('/users/me/alert_words', { alert_words: ['otter'] }))
    await done(member.delete('/users/me/alert_words', { alert_words: ['otter'] }))
  })
  await heard('muted_users', async () => {
    await done(member.post(`/users/me/muted_users/${other.id}`))
    await done(member.delete(`/users/me/muted_users/${other.id}`))
  })
})

test('FORM-14: Every kind of event about users and the organization was received, and every optional key was once present and once absent.', () => {
  expectComplete(captured, organizationEventForms, formerOrganizationEventForms)
})

const described = openApi()
test.skipIf(described === null)(
  'FORM-15: Every event about users and the organization conforms to an independent OpenAPI description of the interface.',
  () => expectDescribed(captured, described, organizationEventForms, formerOrganizationEventForms),
)
