import { setTimeout as sleep } from 'node:timers/promises'
import { reactivateOrganization } from '../../../src-server/organization/deactivation.ts'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import type { EndpointName } from '../../../src-shared/api/index.ts'
import { fresh, type Organization, setRealmPermission } from '../../support/organization.ts'
import {
  everybody,
  noGuests,
  administrators,
  afterwards,
  profileField,
  type OrganizationRule,
} from './rule.ts'

const folder = async (org: Organization): Promise<number> =>
  (await org.owner.post('/channel_folders/create', { name: fresh('folder') })).body['channel_folder_id']
const linkifier = () => ({
  pattern: `${fresh('T').replace(' ', '')}-(?P<id>[0-9]+)`,
  url_template: 'https://a.example/{id}',
})

/** What concerns the organization: its settings, lists and channels. */
export const organizationRules: readonly OrganizationRule[] = [
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
      afterwards(await who.delete('/realm/icon'), () => who.delete('/realm/logo', { night: true })),
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
      afterwards(await who.post('/realm/filters', linkifier()), async ({ id }) =>
        afterwards(await who.patch(`/realm/filters/${id}`, linkifier()), () =>
          who.delete(`/realm/filters/${id}`),
        ),
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
      return afterwards(await who.post('/default_stream_groups/create', made), async () => {
        const { id } = (await listed()).at(-1)
        const at = `/default_stream_groups/${id}`
        return afterwards(await who.patch(at, { new_description: 'Changed' }), async () =>
          afterwards(await who.patch(`${at}/streams`, { op: 'remove', stream_names: ['plaza'] }), () =>
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
      afterwards(await who.post('/export/realm'), async ({ id }) => {
        const listed = async () => (await owner.get('/export/realm')).body['exports'].at(-1)
        while ((await listed()).pending === true) await sleep(5)
        return afterwards(await who.get('/export/realm'), async () =>
          afterwards(await who.get('/export/realm/consents'), () => who.delete(`/export/realm/${id}`)),
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
      afterwards(
        await who.post('/realm/domains', { domain: 'wader.example', allow_subdomains: false }),
        async () =>
          afterwards(await who.patch('/realm/domains/wader.example', { allow_subdomains: true }), () =>
            who.delete('/realm/domains/wader.example'),
          ),
      ),
  },
  {
    endpoints: ['addPlayground', 'removePlayground'],
    what: 'Add and remove a code playground',
    allowed: administrators,
    ask: async (who) =>
      afterwards(
        await who.post('/realm/playgrounds', {
          name: fresh('Playground'),
          pygments_language: 'Python',
          url_template: 'https://a.example/{code}',
        }),
        ({ id }) => who.delete(`/realm/playgrounds/${id}`),
      ),
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
      return afterwards(await who.patch(`/channel_folders/${id}`, { description: 'x' }), () =>
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
    endpoints: ['getCustomEmoji', 'getProfileFields'],
    what: 'List the custom emoji and profile fields',
    allowed: everybody,
    ask: async (who) => afterwards(await who.get('/realm/emoji'), () => who.get('/realm/profile_fields')),
  },
  {
    endpoints: ['createProfileField', 'updateProfileField', 'deleteProfileField'],
    what: 'Make, change and remove a profile field',
    allowed: administrators,
    ask: async (who) =>
      afterwards(await who.post('/realm/profile_fields', profileField()), async ({ id }) =>
        afterwards(await who.patch(`/realm/profile_fields/${id}`, { hint: 'x' }), () =>
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
]

/** Endpoints whose answer does not depend on a role, and why the table leaves them out. */
export const withoutRule: Partial<Record<EndpointName, string>> = {
  setMessageTypingStatus: 'Whoever may change the message.',
  sendSubmessage: 'Whoever may read the message.',
  reportMessage: 'Whoever may read the message.',
  reportOneMessage: 'Whoever may read the message.',
  addCustomEmoji: 'Whoever holds can_add_custom_emoji_group, but no guest and no bot.',
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
  sendTestNotification: 'To the own devices; bots have none.',
  addAppleDevice: 'The own devices; bots have none.',
  removeAppleDevice: 'The own devices; bots have none.',
  addAndroidDevice: 'The own devices; bots have none.',
  removeAndroidDevice: 'The own devices; bots have none.',
  sendEncryptedTestNotification: 'To the own devices; bots have none.',
  registerEncryptedDevice: 'The own devices; bots have none.',
}
