import { z } from 'zod'
import { alertWords, alertWordsEvent } from './alert-words.ts'
import { apiBot, botEvent, bots } from './bots.ts'
import { customEmoji } from './custom-emoji.ts'
import { domains } from './domains.ts'
import { apiLinkifier, apiPlayground, linkifiers } from './linkifiers.ts'
import { mobilePush } from './mobile-push.ts'
import { navigationViews } from './navigation-views.ts'
import { apiReminder, apiScheduledMessage, later, reminderEvent, scheduledMessageEvent } from './later.ts'
import { apiProfileField, profileFields, profileFieldsEvent } from './profile-fields.ts'
import { apiSnippet, snippetEvent, snippets } from './snippets.ts'
import { attachmentEvent, uploads } from './uploads.ts'
import { submessages } from './submessages.ts'
import { apiStatus, status, statusEvent } from './status.ts'

// What accounts and organizations have besides conversations and people: small lists that screens read whole.

/** Their endpoints, a part of `api`. */
export const belongings = {
  ...snippets,
  ...linkifiers,
  ...domains,
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

/** Their events, a part of `serverEvents`. */
export const belongingsEvents = {
  saved_snippets: snippetEvent,
  realm_linkifiers: z.looseObject({ realm_linkifiers: z.array(apiLinkifier) }),
  realm_playgrounds: z.looseObject({ realm_playgrounds: z.array(apiPlayground) }),
  user_status: statusEvent,
  alert_words: alertWordsEvent,
  attachment: attachmentEvent,
  realm_bot: botEvent,
  custom_profile_fields: profileFieldsEvent,
  scheduled_messages: scheduledMessageEvent,
  reminders: reminderEvent,
}

/** Their fields of the snapshot. */
export const belongingsSnapshot = {
  saved_snippets: z.array(apiSnippet).optional(),
  realm_linkifiers: z.array(apiLinkifier).optional(),
  realm_playgrounds: z.array(apiPlayground).optional(),
  user_status: z.record(z.string(), apiStatus).optional(),
  alert_words: z.array(z.string()).optional(),
  custom_profile_fields: z.array(apiProfileField).optional(),
  realm_bots: z.array(apiBot).optional(),
  scheduled_messages: z.array(apiScheduledMessage).optional(),
  reminders: z.array(apiReminder).optional(),
}
