import { z } from 'zod'
import { alertWordsEvent } from './alert-words.ts'
import { apiBot, botEvent } from './bots.ts'
import { apiLinkifier, apiPlayground } from './linkifiers.ts'
import { apiReminder, apiScheduledMessage, reminderEvent, scheduledMessageEvent } from './later.ts'
import { apiProfileField, profileFieldsEvent } from './profile-fields.ts'
import { apiSnippet, snippetEvent } from './snippets.ts'
import { attachmentEvent } from './uploads.ts'
import { apiStatus, statusEvent } from './status.ts'

// What accounts and organizations have besides conversations and people: small lists that screens read whole. Their
// endpoints stand in the files of the resources.

/** Their events, a part of `serverEvents`. */
export const smallListEvents = {
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
export const smallListSnapshot = {
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
