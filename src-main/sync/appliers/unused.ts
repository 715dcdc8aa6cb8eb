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
