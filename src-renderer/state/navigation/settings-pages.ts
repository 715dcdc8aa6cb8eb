/** The pages of the settings, as they appear in addresses. */
export const settingsPages = [
  'profile',
  'appearance',
  'reading',
  'notifications',
  'alert-words',
  'muted',
  'privacy',
  'drafts',
  'keyboard',
  'window',
  'organizations',
  'about',
] as const
export type SettingsPage = (typeof settingsPages)[number]
