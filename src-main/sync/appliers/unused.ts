import { serverEvents, type ServerEvent, type ServerEventType } from '../../../src-shared/api/events.ts'
import { unknownFields } from '../../../src-shared/api/unknown-fields.ts'

/**
 * The specification's events that change nothing on this device, each with the reason. They are ignored silently; a
 * type that is neither here nor in the table of appliers is counted as a stranger.
 */
export const unusedEvents: Readonly<Record<string, string>> = {
  default_stream_groups: 'the channels of new people are kept one by one',
  update_display_settings: 'an older form of user_settings, which comes as well',
  update_global_notifications: 'an older form of user_settings, which comes as well',
  onboarding_steps: 'hints of another app',
  has_zoom_token: 'calls cannot be started from here',
  push_device: 'registration of phones for push notifications',
  realm_domains: 'fetched when an administrator opens the page that shows them',
  realm_user_settings_defaults: 'fetched when an administrator opens the page that shows them',
  realm_export: 'fetched when an administrator opens the page that shows them',
  realm_export_consent: 'fetched when an administrator opens the page that shows them',
  invites_changed: 'invitations are fetched when they are shown',
  web_reload_client: 'for web pages that a server delivers itself',
  navigation_view: 'the navigation of another app',
}

/** Fields that events have and nothing here needs. */
const unusedFields: { readonly [T in ServerEventType]?: readonly string[] } = {
  delete_message: ['message_type'],
  reaction: ['user'],
  realm: ['realm_id'],
  realm_user: ['person.avatar_url_medium', 'person.is_billing_admin'],
  restart: ['service_version', 'service_merge_base'],
  typing: ['message_type'],
  typing_edit_message: ['recipient'],
  update_message: ['topic_links'],
  update_message_flags: ['operation'],
  user_settings: ['language_name'],
}
const ofEveryEvent: ReadonlySet<string> = new Set(['id', 'type', 'op'])

/** The fields of an event that neither its schema nor the lists above mention. */
export const strangeFields = ({ type, payload }: ServerEvent): string[] =>
  unknownFields(serverEvents[type], payload).filter(
    (field) => !ofEveryEvent.has(field) && unusedFields[type]?.includes(field) !== true,
  )
