/**
 * The specification's events that change nothing on this device, each with the reason. They are ignored silently; a
 * type that is neither here nor in the table of appliers is counted as a stranger.
 */
export const unusedEvents: Readonly<Record<string, string>> = {
  default_stream_groups: 'the channels of new people are kept one by one',
  update_display_settings: 'an older form of user_settings, which comes as well',
  update_global_notifications: 'an older form of user_settings, which comes as well',
  onboarding_steps: 'hints of another app',
  has_zoom_token: 'calls are not begun from here',
  push_device: 'this is no telephone',
  realm_domains: 'asked for where an administrator changes them',
  realm_user_settings_defaults: 'asked for where an administrator changes them',
  realm_export: 'asked for where an administrator changes them',
  realm_export_consent: 'asked for where an administrator changes them',
  invites_changed: 'invitations are asked for where they are shown',
  web_reload_client: 'for pages that a server gives out itself',
  navigation_view: 'the places of another app',
}
