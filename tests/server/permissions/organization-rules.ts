import { setTimeout as sleep } from 'node:timers/promises'
import { reactivateOrganization } from '../../../src-server/organization/deactivation.ts'
import { setRealmPermission, systemGroupId } from '../../../src-server/permissions.ts'
import type { EndpointName } from '../../../src-shared/api/index.ts'
import { fresh, type Answer, type Organization, type Person } from '../../support/organization.ts'
import type { Asker } from './channel-rules.ts'

export interface OrganizationRule {
  readonly endpoints: readonly EndpointName[]
  /** What is done, for the reader of the table. */
  readonly what: string
  readonly allowed: readonly Asker[]
  ask(who: Person, org: Organization): Promise<Answer>
}

const everybody: readonly Asker[] = ['owner', 'administrator', 'moderator', 'member', 'guest', 'bot']
const withNobody: readonly Asker[] = [...everybody, 'nobody']
const people = everybody.filter((one) => one !== 'bot')
const noGuests = everybody.filter((one) => one !== 'guest')
/** Neither guests nor bots. */
const members = people.filter((one) => one !== 'guest')
const administrators: readonly Asker[] = ['owner', 'administrator']
/** The member's own, and who manages those of all. */
const memberAndOwner: readonly Asker[] = ['owner', 'member']

/** What was made, then what is done with it; a refusal to make it is the answer. */
const then = async (made: Answer, next: (body: Answer['body']) => Promise<Answer>): Promise<Answer> =>
  made.body['result'] === 'success' ? next(made.body) : made

const groupOfMember = async (org: Organization): Promise<number> =>
  (
    await org.member.post('/user_groups/create', {
      name: fresh('group'),
      description: '',
      members: [org.member.id],
    })
  ).body['group_id']
const folder = async (org: Organization): Promise<number> =>
  (await org.owner.post('/channel_folders/create', { name: fresh('folder') })).body['channel_folder_id']
const linkifier = () => ({
  pattern: `${fresh('T').replace(' ', '')}-(?P<id>[0-9]+)`,
  url_template: 'https://a.example/{id}',
})
/** UNIX seconds, in the year 2096. */
const farAway = 4_000_000_000
const profileField = () => ({ name: fresh('Field'), field_type: 1 })
const draft = { type: 'private', to: [], topic: '', content: 'Draft' }

/** Everything else that an answer depends on who asks. */
export const organizationRules: readonly OrganizationRule[] = [
  {
    endpoints: ['getServerSettings'],
    what: 'Ask what the server is',
    allowed: withNobody,
    ask: (who) => who.get('/server_settings'),
  },
  {
    endpoints: ['registerQueue'],
    what: 'Register (without an account: where spectators are let in)',
    allowed: withNobody,
    ask: (who) => who.post('/register'),
  },
  {
    endpoints: ['getEvents', 'deleteQueue'],
    what: 'Fetch events of the own queue, and end it',
    allowed: everybody,
    ask: async (who) =>
      then(await who.post('/register'), async ({ queue_id, last_event_id }) =>
        then(await who.get('/events', { queue_id, last_event_id, dont_block: true }), () =>
          who.delete('/events', { queue_id }),
        ),
      ),
  },
  {
    endpoints: ['getOwnUser'],
    what: 'Look at oneself',
    allowed: everybody,
    ask: (who) => who.get('/users/me'),
  },
  {
    endpoints: ['getUsers', 'getUser', 'getUserByEmail'],
    what: 'Look at everybody and at somebody',
    allowed: everybody,
    ask: async (who, { member }) =>
      then(await who.get('/users'), async () =>
        then(await who.get(`/users/${member.id}`), () => who.get(`/users/${member.email}`)),
      ),
  },
  {
    endpoints: ['regenerateApiKey'],
    what: 'Ask for a new API key of one’s own',
    allowed: everybody,
    ask: (who, org) =>
      who.id === 0
        ? who.post('/users/me/api_key/regenerate')
        : (who.row.bot_type === null
            ? org.join(fresh('Key'), who.row.role)
            : org.joinBot(fresh('Key'), org.member)
          ).post('/users/me/api_key/regenerate'),
  },
  {
    endpoints: ['updatePresence'],
    what: 'Say that one is there',
    allowed: people,
    ask: (who) => who.post('/users/me/presence', { status: 'active' }),
  },
  {
    endpoints: ['getRealmPresence', 'getUserPresence'],
    what: 'See who is there',
    allowed: everybody,
    ask: async (who, { member }) => {
      await member.post('/users/me/presence', { status: 'active' })
      return then(await who.get('/realm/presence'), () => who.get(`/users/${member.id}/presence`))
    },
  },
  {
    endpoints: ['getStatus', 'updateOwnStatus'],
    what: 'See a status and set the own one',
    allowed: everybody,
    ask: async (who, { member }) =>
      then(await who.get(`/users/${member.id}/status`), () =>
        who.post('/users/me/status', { status_text: 'Here' }),
      ),
  },
  {
    endpoints: ['updateStatus'],
    what: 'Set the status of somebody else',
    allowed: administrators,
    ask: (who, { other }) => who.post(`/users/${other.id}/status`, { status_text: 'Ill' }),
  },
  {
    endpoints: ['sendMessage', 'setTypingStatus'],
    what: 'Write to somebody directly',
    allowed: everybody,
    ask: async (who, { member }) =>
      then(await who.post('/messages', { type: 'direct', to: [member.id], content: 'Hello' }), () =>
        who.post('/typing', { type: 'direct', op: 'start', to: [member.id] }),
      ),
  },
  {
    endpoints: ['renderMessage'],
    what: 'See how a message will look',
    allowed: everybody,
    ask: (who) => who.post('/messages/render', { content: '**Hello**' }),
  },
  {
    endpoints: ['markAllAsRead', 'markChannelAsRead'],
    what: 'Mark everything, or a channel, as read',
    allowed: everybody,
    ask: async (who, { lobby }) =>
      then(await who.post('/mark_all_as_read'), () =>
        // The lobby is a channel of the guest’s.
        who.post('/mark_stream_as_read', { stream_id: lobby }),
      ),
  },
  {
    endpoints: ['getDrafts', 'createDrafts', 'editDraft', 'deleteDraft'],
    what: 'Keep drafts',
    allowed: everybody,
    ask: async (who) =>
      then(await who.post('/drafts', { drafts: [draft] }), async ({ ids: [id] }) =>
        then(await who.patch(`/drafts/${id}`, { draft }), async () =>
          then(await who.get('/drafts'), () => who.delete(`/drafts/${id}`)),
        ),
      ),
  },
  {
    endpoints: ['getSavedSnippets', 'createSavedSnippet', 'editSavedSnippet', 'deleteSavedSnippet'],
    what: 'Keep snippets',
    allowed: everybody,
    ask: async (who) =>
      then(
        await who.post('/saved_snippets', { title: 'a', content: 'b' }),
        async ({ saved_snippet_id: id }) =>
          then(await who.patch(`/saved_snippets/${id}`, { title: 'c' }), async () =>
            then(await who.get('/saved_snippets'), () => who.delete(`/saved_snippets/${id}`)),
          ),
      ),
  },
  {
    endpoints: ['getNavigationViews', 'addNavigationView', 'editNavigationView', 'removeNavigationView'],
    what: 'Keep views of the navigation',
    allowed: everybody,
    ask: async (who) =>
      then(
        await who.post('/navigation_views', { fragment: 'narrow/near/7', is_pinned: true, name: 'Seven' }),
        async () =>
          then(await who.patch('/navigation_views/narrow%2Fnear%2F7', { is_pinned: false }), async () =>
            then(await who.get('/navigation_views'), () => who.delete('/navigation_views/narrow%2Fnear%2F7')),
          ),
      ),
  },
  {
    endpoints: ['getAlertWords', 'addAlertWords', 'removeAlertWords'],
    what: 'Keep alert words',
    allowed: everybody,
    ask: async (who) =>
      then(await who.post('/users/me/alert_words', { alert_words: ['tide'] }), async () =>
        then(await who.get('/users/me/alert_words'), () =>
          who.delete('/users/me/alert_words', { alert_words: ['tide'] }),
        ),
      ),
  },
  {
    endpoints: ['muteUser', 'unmuteUser'],
    what: 'Mute somebody, and take that back',
    allowed: everybody,
    ask: async (who, org) => {
      const { id } = org.join(fresh('Noise'))
      return then(await who.post(`/users/me/muted_users/${id}`), () =>
        who.delete(`/users/me/muted_users/${id}`),
      )
    },
  },
  {
    endpoints: ['updateSettings', 'updateDisplaySettings', 'updateNotificationSettings'],
    what: 'Change the own settings',
    allowed: people,
    ask: async (who) =>
      then(await who.patch('/settings', { enter_sends: true }), async () =>
        then(await who.patch('/settings/display', { color_scheme: 2 }), () =>
          who.patch('/settings/notifications', { enable_sounds: true }),
        ),
      ),
  },
  {
    endpoints: ['testWelcomeMessage'],
    what: 'See what somebody new would be told',
    allowed: administrators,
    ask: (who) =>
      who.post('/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'Welcome!' }),
  },
  {
    endpoints: ['deactivateOrganization'],
    what: 'End the organization',
    allowed: ['owner'],
    ask: (who, { service }) =>
      who.post('/realm/deactivate').finally(() => reactivateOrganization(service.workspace)),
  },
  {
    endpoints: ['removeIcon', 'removeLogo'],
    what: 'Take back the pictures of the organization, or choose others',
    allowed: administrators,
    ask: async (who) =>
      then(await who.delete('/realm/icon'), () => who.delete('/realm/logo', { night: true })),
  },
  {
    endpoints: ['updateDefaultSettings'],
    what: 'Say what settings new accounts start with',
    allowed: administrators,
    ask: (who) => who.patch('/realm/user_settings_defaults', { color_scheme: 2 }),
  },
  {
    endpoints: ['getLinkifiers'],
    what: 'List the linkifiers',
    allowed: everybody,
    ask: (who) => who.get('/realm/linkifiers'),
  },
  {
    endpoints: ['addLinkifier', 'updateLinkifier', 'removeLinkifier'],
    what: 'Add, change and remove a linkifier',
    allowed: administrators,
    ask: async (who) =>
      then(await who.post('/realm/filters', linkifier()), async ({ id }) =>
        then(await who.patch(`/realm/filters/${id}`, linkifier()), () => who.delete(`/realm/filters/${id}`)),
      ),
  },
  {
    endpoints: ['reorderLinkifiers'],
    what: 'Order the linkifiers',
    allowed: administrators,
    ask: async (who, { owner }) => {
      const { linkifiers } = (await owner.get('/realm/linkifiers')).body
      const ordered_linkifier_ids = linkifiers.map((one: { id: number }) => one.id)
      return who.patch('/realm/linkifiers', { ordered_linkifier_ids })
    },
  },
  {
    endpoints: [
      'addDefaultChannelGroup',
      'updateDefaultChannelGroup',
      'updateDefaultChannelGroupChannels',
      'removeDefaultChannelGroup',
    ],
    what: 'Make, change and remove a group of default channels',
    allowed: administrators,
    ask: async (who, { owner }) => {
      const made = { group_name: fresh('Offer'), description: '', stream_names: ['plaza'] }
      const listed = async () =>
        (await owner.register({ fetch_event_types: ['default_stream_groups'] })).state
          .realm_default_stream_groups
      return then(await who.post('/default_stream_groups/create', made), async () => {
        const { id } = (await listed()).at(-1)
        const at = `/default_stream_groups/${id}`
        return then(await who.patch(at, { new_description: 'Changed' }), async () =>
          then(await who.patch(`${at}/streams`, { op: 'remove', stream_names: ['plaza'] }), () =>
            who.delete(at),
          ),
        )
      })
    },
  },
  {
    endpoints: ['getExports', 'startExport', 'removeExport', 'getExportConsents'],
    what: 'Export the organization’s data, see the exports and who consents to them',
    allowed: administrators,
    ask: async (who, { owner }) =>
      then(await who.post('/export/realm'), async ({ id }) => {
        const listed = async () => (await owner.get('/export/realm')).body['exports'].at(-1)
        while ((await listed()).pending === true) await sleep(5)
        return then(await who.get('/export/realm'), async () =>
          then(await who.get('/export/realm/consents'), () => who.delete(`/export/realm/${id}`)),
        )
      }),
  },
  {
    endpoints: ['getDomains'],
    what: 'List the domains of the organization',
    allowed: everybody,
    ask: (who) => who.get('/realm/domains'),
  },
  {
    endpoints: ['addDomain', 'editDomain', 'removeDomain'],
    what: 'Add, change and remove a domain of the organization',
    allowed: ['owner'],
    ask: async (who) =>
      then(await who.post('/realm/domains', { domain: 'wader.example', allow_subdomains: false }), async () =>
        then(await who.patch('/realm/domains/wader.example', { allow_subdomains: true }), () =>
          who.delete('/realm/domains/wader.example'),
        ),
      ),
  },
  {
    endpoints: ['addPlayground', 'removePlayground'],
    what: 'Add and remove a code playground',
    allowed: administrators,
    ask: async (who) =>
      then(
        await who.post('/realm/playgrounds', {
          name: fresh('Playground'),
          pygments_language: 'Python',
          url_template: 'https://a.example/{code}',
        }),
        ({ id }) => who.delete(`/realm/playgrounds/${id}`),
      ),
  },
  {
    endpoints: ['createUser'],
    what: 'Make an account for somebody (other administrators: where the service names them)',
    allowed: ['owner'],
    ask: (who) => {
      const full_name = fresh('Made')
      return who.post('/users', {
        full_name,
        email: `${full_name.replace(' ', '-')}@example.org`,
        password: 'tide tables',
      })
    },
  },
  {
    endpoints: ['updateUser', 'updateUserByEmail', 'deactivateUser', 'reactivateUser'],
    what: 'Change the role of a member, deactivate the account and bring it back',
    allowed: administrators,
    ask: async (who, org) => {
      const { id, email } = org.join(fresh('Person'))
      const at = `/users/${id}`
      const changed = then(await who.patch(at, { role: 300 }), () =>
        who.patch(`/users/${email}`, { role: 400 }),
      )
      return then(await changed, async () => then(await who.delete(at), () => who.post(`${at}/reactivate`)))
    },
  },
  {
    endpoints: ['updateUser'],
    what: 'Make somebody an owner',
    allowed: ['owner'],
    ask: (who, org) => who.patch(`/users/${org.join(fresh('Person')).id}`, { role: 100 }),
  },
  {
    endpoints: ['deactivateOwnUser'],
    what: 'End the own account',
    allowed: people,
    ask: (who, org) => {
      if (who.id === 0) return who.delete('/users/me')
      const { role, bot_type } = who.row
      const another =
        bot_type === null ? org.join(fresh('Leaver'), role) : org.joinBot(fresh('Bot'), org.member)
      return another.delete('/users/me')
    },
  },
  {
    endpoints: ['updateOrganization'],
    what: 'Change the organization',
    allowed: administrators,
    ask: (who) => who.patch('/realm', { description: fresh('About us') }),
  },
  {
    endpoints: ['updateOrganization'],
    what: 'Say who manages all groups',
    allowed: ['owner'],
    ask: (who, { service }) => {
      const { db } = service.workspace
      // There and back: nobody who asks after this holds it.
      const value = { new: systemGroupId(db, 'role:administrators') }
      const answer = who.patch('/realm', { can_manage_all_groups: value })
      return answer.finally(() =>
        setRealmPermission(db, 'can_manage_all_groups', systemGroupId(db, 'role:owners')),
      )
    },
  },
  {
    endpoints: ['getBots'],
    what: 'List the own bots',
    allowed: everybody,
    ask: (who) => who.get('/bots'),
  },
  {
    endpoints: ['getBotStorage', 'updateBotStorage', 'removeBotStorage'],
    what: 'Keep something with the service as a bot',
    allowed: ['bot'],
    ask: async (who) =>
      then(await who.put('/bot_storage', { storage: { tide: 'low' } }), async () =>
        then(await who.get('/bot_storage'), () => who.delete('/bot_storage')),
      ),
  },
  {
    endpoints: ['createBot', 'deactivateBot'],
    what: 'Make a bot, and deactivate it',
    allowed: members,
    ask: async (who) => {
      const name = fresh('Bot')
      return then(
        await who.post('/bots', { full_name: name, short_name: name.replace(' ', '-').toLowerCase() }),
        ({ user_id }) => who.delete(`/bots/${user_id}`),
      )
    },
  },
  {
    endpoints: ['updateBot', 'regenerateBotKey'],
    what: 'Change the bot of a member, and its key',
    allowed: ['owner', 'administrator', 'member'],
    ask: async (who, org) => {
      const { id } = org.joinBot(fresh('Bot'), org.member)
      return then(await who.patch(`/bots/${id}`, { full_name: fresh('Renamed') }), () =>
        who.post(`/bots/${id}/api_key/regenerate`),
      )
    },
  },
  {
    endpoints: ['createChannel'],
    what: 'Make a public channel',
    allowed: noGuests,
    ask: (who) => who.post('/channels/create', { name: fresh('channel'), subscribers: [] }),
  },
  {
    endpoints: ['createChannel'],
    what: 'Make a private channel',
    allowed: noGuests,
    ask: (who) =>
      who.post('/channels/create', { name: fresh('channel'), subscribers: [], invite_only: true }),
  },
  {
    endpoints: ['createChannel'],
    what: 'Make a web-public channel',
    allowed: ['owner'],
    ask: (who) =>
      who.post('/channels/create', { name: fresh('channel'), subscribers: [], is_web_public: true }),
  },
  {
    endpoints: ['getChannelFolders'],
    what: 'List the channel folders',
    allowed: everybody,
    ask: (who) => who.get('/channel_folders'),
  },
  {
    endpoints: ['createChannelFolder'],
    what: 'Make a channel folder',
    allowed: administrators,
    ask: (who) => who.post('/channel_folders/create', { name: fresh('folder') }),
  },
  {
    endpoints: ['updateChannelFolder'],
    what: 'Change or archive a channel folder',
    allowed: administrators,
    ask: async (who, org) => {
      const id = await folder(org)
      return then(await who.patch(`/channel_folders/${id}`, { description: 'x' }), () =>
        who.patch(`/channel_folders/${id}`, { is_archived: true }),
      )
    },
  },
  {
    endpoints: ['reorderChannelFolders'],
    what: 'Order the channel folders',
    allowed: administrators,
    ask: async (who, { owner }) => {
      const { channel_folders } = (await owner.get('/channel_folders', { include_archived: true })).body
      return who.patch('/channel_folders', { order: channel_folders.map((one: { id: number }) => one.id) })
    },
  },
  {
    endpoints: ['getUserGroups', 'getUserGroupMembers', 'getUserGroupSubgroups', 'getIsUserGroupMember'],
    what: 'Look at user groups',
    allowed: members,
    ask: async (who, org) => {
      const at = `/user_groups/${await groupOfMember(org)}`
      return then(await who.get('/user_groups'), async () =>
        then(await who.get(`${at}/members`), async () =>
          then(await who.get(`${at}/subgroups`), () => who.get(`${at}/members/${org.member.id}`)),
        ),
      )
    },
  },
  {
    endpoints: ['createUserGroup'],
    what: 'Make a user group',
    allowed: members,
    ask: (who) => who.post('/user_groups/create', { name: fresh('group'), description: '', members: [] }),
  },
  {
    endpoints: ['updateUserGroup'],
    what: 'Change a user group that the member made',
    allowed: memberAndOwner,
    ask: async (who, org) => who.patch(`/user_groups/${await groupOfMember(org)}`, { description: 'x' }),
  },
  {
    endpoints: ['updateUserGroupMembers'],
    what: 'Put people into it and take them out',
    allowed: memberAndOwner,
    ask: async (who, org) => {
      const at = `/user_groups/${await groupOfMember(org)}/members`
      return who.post(at, { add: [org.other.id], delete: [org.member.id] })
    },
  },
  {
    endpoints: ['updateUserGroupSubgroups'],
    what: 'Put other groups into it',
    allowed: memberAndOwner,
    ask: async (who, org) => {
      const add = [await groupOfMember(org)]
      return who.post(`/user_groups/${await groupOfMember(org)}/subgroups`, { add })
    },
  },
  {
    endpoints: ['deactivateUserGroup'],
    what: 'Deactivate it',
    allowed: memberAndOwner,
    ask: async (who, org) => who.post(`/user_groups/${await groupOfMember(org)}/deactivate`),
  },
  {
    endpoints: ['createInvitation'],
    what: 'Make a link that invites people',
    allowed: administrators,
    ask: (who) => who.post('/invites/multiuse'),
  },
  {
    endpoints: ['sendInvitations', 'resendInvitation', 'revokeMailInvitation'],
    what: 'Invite somebody by mail, once more, and take that back',
    allowed: members,
    ask: async (who) => {
      const invitee_emails = `${fresh('Invited').replace(' ', '-')}@example.org`
      return then(await who.post('/invites', { invitee_emails, stream_ids: [] }), async () => {
        const { id } = (await who.get('/invites')).body['invites'].at(-1)
        return then(await who.post(`/invites/${id}/resend`), () => who.delete(`/invites/${id}`))
      })
    },
  },
  {
    endpoints: ['getInvitations'],
    what: 'List the own invitations',
    allowed: members,
    ask: (who) => who.get('/invites'),
  },
  {
    endpoints: ['revokeInvitation'],
    what: 'Take back the invitation of somebody else',
    allowed: administrators,
    ask: async (who, org) => {
      await org.owner.post('/invites/multiuse')
      const { invites } = (await org.owner.get('/invites')).body
      return who.delete(`/invites/multiuse/${invites.at(-1).id}`)
    },
  },
  {
    endpoints: ['getScheduledMessages', 'editScheduledMessage', 'deleteScheduledMessage'],
    what: 'List, change and drop what one will write later',
    allowed: everybody,
    ask: async (who, { member }) => {
      const message = { type: 'direct', to: [member.id], content: 'Later' }
      const later = { scheduled_delivery_timestamp: farAway }
      return then(
        await who.post('/scheduled_messages', { ...message, ...later }),
        async ({ scheduled_message_id: id }) =>
          then(await who.patch(`/scheduled_messages/${id}`, { content: 'Much later' }), async () =>
            then(await who.get('/scheduled_messages'), () => who.delete(`/scheduled_messages/${id}`)),
          ),
      )
    },
  },
  {
    endpoints: ['getReminders', 'deleteReminder'],
    what: 'List and drop the own reminders',
    allowed: everybody,
    ask: async (who, { member }) =>
      then(
        await who.post('/messages', { type: 'direct', to: [member.id], content: 'Remember' }),
        async ({ id: message_id }) =>
          then(
            await who.post('/reminders', { message_id, scheduled_delivery_timestamp: farAway }),
            async ({ reminder_id }) =>
              then(await who.get('/reminders'), () => who.delete(`/reminders/${reminder_id}`)),
          ),
      ),
  },
  {
    endpoints: ['getCustomEmoji', 'getProfileFields'],
    what: 'List the custom emoji and profile fields',
    allowed: everybody,
    ask: async (who) => then(await who.get('/realm/emoji'), () => who.get('/realm/profile_fields')),
  },
  {
    endpoints: ['createProfileField', 'updateProfileField', 'deleteProfileField'],
    what: 'Make, change and remove a profile field',
    allowed: administrators,
    ask: async (who) =>
      then(await who.post('/realm/profile_fields', profileField()), async ({ id }) =>
        then(await who.patch(`/realm/profile_fields/${id}`, { hint: 'x' }), () =>
          who.delete(`/realm/profile_fields/${id}`),
        ),
      ),
  },
  {
    endpoints: ['reorderProfileFields'],
    what: 'Order the profile fields',
    allowed: administrators,
    ask: async (who, { owner }) => {
      const { custom_fields } = (await owner.get('/realm/profile_fields')).body
      return who.patch('/realm/profile_fields', {
        order: custom_fields.map((one: { id: number }) => one.id),
      })
    },
  },
  {
    endpoints: ['updateOwnProfile', 'clearOwnProfile'],
    what: 'Fill in the own profile, and clear it',
    allowed: people,
    ask: async (who, { owner }) => {
      const { id } = (await owner.post('/realm/profile_fields', profileField())).body
      return then(await who.patch('/users/me/profile_data', { data: [{ id, value: 'x' }] }), () =>
        who.delete('/users/me/profile_data', { data: [id] }),
      )
    },
  },
  {
    endpoints: ['removeAvatar'],
    what: 'Take back the own picture',
    allowed: everybody,
    ask: (who) => who.delete('/users/me/avatar'),
  },
  {
    endpoints: ['getAttachments'],
    what: 'List the own uploads',
    allowed: everybody,
    ask: (who) => who.get('/attachments'),
  },
]

/** Endpoints whose answer does not depend on a role, and why the table leaves them out. */
export const withoutRule: Partial<Record<EndpointName, string>> = {
  setMessageTypingStatus: 'Whoever may change the message.',
  sendSubmessage: 'Whoever may read the message.',
  reportMessage: 'Whoever may read the message.',
  reportOneMessage: 'Whoever may read the message.',
  addCustomEmoji: 'Whoever holds can_add_custom_emoji_group.',
  removeCustomEmoji: 'Whoever made it, and administrators.',
  setAvatar: 'The own picture.',
  getIcon: 'Whoever has an account; the picture itself everybody sees.',
  getLogo: 'Whoever has an account; the picture itself everybody sees.',
  setIcon: 'Administrators.',
  setLogo: 'Administrators.',
  fetchApiKey: 'Whoever has the password gets the key.',
  uploadFile: 'Whoever has an account may upload; reading follows the messages that show a file.',
  getTemporaryUrl: 'Whoever may read a file.',
  deleteAttachment: 'Whoever uploaded it.',
  sendTestNotification: 'To the own devices.',
  addAppleDevice: 'The own devices.',
  removeAppleDevice: 'The own devices.',
  addAndroidDevice: 'The own devices.',
  removeAndroidDevice: 'The own devices.',
  sendEncryptedTestNotification: 'To the own devices.',
  registerEncryptedDevice: 'The own devices.',
}
