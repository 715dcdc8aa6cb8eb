import { fresh } from '../../support/organization.ts'
import {
  everybody,
  withNobody,
  people,
  afterwards,
  farAway,
  profileField,
  type OrganizationRule,
} from './rule.ts'

const draft = { type: 'private', to: [], topic: '', content: 'Draft' }

/** What concerns whoever asks: the own account, settings, queues, notes and messages. */
export const ownRules: readonly OrganizationRule[] = [
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
      afterwards(await who.post('/register'), async ({ queue_id, last_event_id }) =>
        afterwards(await who.get('/events', { queue_id, last_event_id, dont_block: true }), () =>
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
    endpoints: ['getStatus'],
    what: 'See a status',
    allowed: everybody,
    ask: (who, { member }) => who.get(`/users/${member.id}/status`),
  },
  {
    endpoints: ['updateOwnStatus'],
    what: 'Set the own status',
    allowed: people,
    ask: (who) => who.post('/users/me/status', { status_text: 'Here' }),
  },
  {
    endpoints: ['sendMessage', 'setTypingStatus'],
    what: 'Write to somebody directly',
    allowed: everybody,
    ask: async (who, { member }) =>
      afterwards(await who.post('/messages', { type: 'direct', to: [member.id], content: 'Hello' }), () =>
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
      afterwards(await who.post('/mark_all_as_read'), () =>
        // The lobby is a channel of the guest’s.
        who.post('/mark_stream_as_read', { stream_id: lobby }),
      ),
  },
  {
    endpoints: ['getDrafts', 'createDrafts', 'editDraft', 'deleteDraft'],
    what: 'Keep drafts',
    allowed: everybody,
    ask: async (who) =>
      afterwards(await who.post('/drafts', { drafts: [draft] }), async ({ ids: [id] }) =>
        afterwards(await who.patch(`/drafts/${id}`, { draft }), async () =>
          afterwards(await who.get('/drafts'), () => who.delete(`/drafts/${id}`)),
        ),
      ),
  },
  {
    endpoints: ['getSavedSnippets', 'createSavedSnippet', 'editSavedSnippet', 'deleteSavedSnippet'],
    what: 'Keep snippets',
    allowed: everybody,
    ask: async (who) =>
      afterwards(
        await who.post('/saved_snippets', { title: 'a', content: 'b' }),
        async ({ saved_snippet_id: id }) =>
          afterwards(await who.patch(`/saved_snippets/${id}`, { title: 'c' }), async () =>
            afterwards(await who.get('/saved_snippets'), () => who.delete(`/saved_snippets/${id}`)),
          ),
      ),
  },
  {
    endpoints: ['getNavigationViews', 'addNavigationView', 'editNavigationView', 'removeNavigationView'],
    what: 'Keep views of the navigation',
    allowed: everybody,
    ask: async (who) =>
      afterwards(
        await who.post('/navigation_views', { fragment: 'narrow/near/7', is_pinned: true, name: 'Seven' }),
        async () =>
          afterwards(await who.patch('/navigation_views/narrow%2Fnear%2F7', { is_pinned: false }), async () =>
            afterwards(await who.get('/navigation_views'), () =>
              who.delete('/navigation_views/narrow%2Fnear%2F7'),
            ),
          ),
      ),
  },
  {
    endpoints: ['getAlertWords', 'addAlertWords', 'removeAlertWords'],
    what: 'Keep alert words',
    allowed: everybody,
    ask: async (who) =>
      afterwards(await who.post('/users/me/alert_words', { alert_words: ['tide'] }), async () =>
        afterwards(await who.get('/users/me/alert_words'), () =>
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
      return afterwards(await who.post(`/users/me/muted_users/${id}`), () =>
        who.delete(`/users/me/muted_users/${id}`),
      )
    },
  },
  {
    endpoints: ['updateSettings', 'updateDisplaySettings', 'updateNotificationSettings'],
    what: 'Change the own settings',
    allowed: people,
    ask: async (who) =>
      afterwards(await who.patch('/settings', { enter_sends: true }), async () =>
        afterwards(await who.patch('/settings/display', { color_scheme: 2 }), () =>
          who.patch('/settings/notifications', { enable_sounds: true }),
        ),
      ),
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
    endpoints: ['getScheduledMessages', 'editScheduledMessage', 'deleteScheduledMessage'],
    what: 'List, change and drop what one will write later',
    allowed: everybody,
    ask: async (who, { member }) => {
      const message = { type: 'direct', to: [member.id], content: 'Later' }
      const later = { scheduled_delivery_timestamp: farAway }
      return afterwards(
        await who.post('/scheduled_messages', { ...message, ...later }),
        async ({ scheduled_message_id: id }) =>
          afterwards(await who.patch(`/scheduled_messages/${id}`, { content: 'Much later' }), async () =>
            afterwards(await who.get('/scheduled_messages'), () => who.delete(`/scheduled_messages/${id}`)),
          ),
      )
    },
  },
  {
    endpoints: ['getReminders', 'deleteReminder'],
    what: 'List and drop the own reminders',
    allowed: everybody,
    ask: async (who, { member }) =>
      afterwards(
        await who.post('/messages', { type: 'direct', to: [member.id], content: 'Remember' }),
        async ({ id: message_id }) =>
          afterwards(
            await who.post('/reminders', { message_id, scheduled_delivery_timestamp: farAway }),
            async ({ reminder_id }) =>
              afterwards(await who.get('/reminders'), () => who.delete(`/reminders/${reminder_id}`)),
          ),
      ),
  },
  {
    endpoints: ['updateOwnProfile', 'clearOwnProfile'],
    what: 'Fill in the own profile, and clear it',
    allowed: people,
    ask: async (who, { owner }) => {
      const { id } = (await owner.post('/realm/profile_fields', profileField())).body
      return afterwards(await who.patch('/users/me/profile_data', { data: [{ id, value: 'x' }] }), () =>
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
