import { alertWordsOf } from '../people/alert-words.ts'
import { remindersOf } from '../messages/reminders.ts'
import { scheduledOf } from '../messages/scheduled-messages.ts'
import { customEmojiState } from '../markdown/custom-emoji.ts'
import { domainList } from '../people/domains.ts'
import { fieldKinds, profileFieldsOf } from '../organization/profile-fields.ts'
import { apiBot, botsOf } from '../people/bots.ts'
import type { Registration } from './registration.ts'
import { linkifierList, playgroundList } from './linkifiers.ts'
import { navigationViewsOf } from './navigation-views.ts'
import { snippetsOf } from './snippets.ts'
import { statuses } from './status.ts'

/** What each fetch type of a small list adds to the state that registering a queue returns. */
export const smallListParts: Readonly<Record<string, (asked: Registration) => object>> = {
  saved_snippets: ({ workspace, user }) => ({ saved_snippets: snippetsOf(workspace, user.user_id) }),
  navigation_views: ({ workspace, user }) => ({
    navigation_views: navigationViewsOf(workspace, user.user_id),
  }),
  realm_linkifiers: ({ workspace, capabilities }) => ({
    realm_linkifiers: capabilities.linkifier_url_template === true ? linkifierList(workspace) : [],
  }),
  realm_domains: ({ workspace }) => ({ realm_domains: domainList(workspace.db) }),
  realm_filters: () => ({ realm_filters: [] }),
  user_status: ({ workspace, user }) => ({ user_status: statuses(workspace, user) }),
  realm_emoji: ({ workspace }) => ({ realm_emoji: customEmojiState(workspace.db) }),
  custom_profile_fields: ({ workspace }) => ({
    custom_profile_fields: profileFieldsOf(workspace.db),
    custom_profile_field_types: fieldKinds,
  }),
  realm_bot: ({ workspace, user }) => ({
    realm_bots: botsOf(workspace, user).map((bot) => apiBot(workspace, bot)),
  }),
  scheduled_messages: ({ workspace, user }) => ({ scheduled_messages: scheduledOf(workspace, user) }),
  reminders: ({ workspace, user }) => ({ reminders: remindersOf(workspace, user) }),
  alert_words: ({ workspace, user }) => ({ alert_words: alertWordsOf(workspace.db, user.user_id) }),
  realm_playgrounds: ({ workspace }) => ({ realm_playgrounds: playgroundList(workspace) }),
}
