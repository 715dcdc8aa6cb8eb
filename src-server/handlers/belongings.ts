import { alertWordsOf } from '../people/alert-words.ts'
import { remindersOf } from '../messages/reminders.ts'
import { scheduledOf } from '../messages/scheduled-messages.ts'
import { customEmojiState } from '../markdown/custom-emoji.ts'
import { domainList } from '../people/domains.ts'
import { fieldKinds, profileFieldsOf } from '../organization/profile-fields.ts'
import { apiBot, botsOf } from '../people/bots.ts'
import { alertWords } from './alert-words.ts'
import type { Registration } from './initial-state.ts'
import { bots } from './bots.ts'
import { customEmoji } from './custom-emoji.ts'
import { domains } from './domains.ts'
import { later } from './later.ts'
import { linkifierList, linkifiers, playgroundList } from './linkifiers.ts'
import { mobilePush } from './mobile-push.ts'
import { navigationViews, navigationViewsOf } from './navigation-views.ts'
import { presence } from './presence.ts'
import { profileFields } from './profile-fields.ts'
import { snippets, snippetsOf } from './snippets.ts'
import { status, statuses } from './status.ts'
import { submessages } from './submessages.ts'
import { uploads } from './uploads.ts'

/** The handlers of `belongings` in src-shared/api. */
export const belongings = {
  ...snippets,
  ...linkifiers,
  ...domains,
  ...presence,
  ...status,
  ...alertWords,
  ...mobilePush,
  ...navigationViews,
  ...uploads,
  ...later,
  ...submessages,
  ...customEmoji,
  ...bots,
  ...profileFields,
}

/** What each of their fetch types adds to the state that registering a queue returns. */
export const belongingsParts: Readonly<Record<string, (asked: Registration) => object>> = {
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
