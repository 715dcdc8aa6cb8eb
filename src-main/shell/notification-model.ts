/** How many notifications can still be answered; the oldest are given up first. */
export const notificationsKept = 50

/** The body of a notification. Notification servers on Linux read it as markup. */
export function notificationBody(platform: NodeJS.Platform, text: string): string {
  if (platform !== 'linux') return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Whether a closed notification cannot be answered any more. Windows also calls those closed that it only moved to its
 * notification centre.
 */
export function forgets(platform: NodeJS.Platform, reason: string | undefined): boolean {
  return platform !== 'win32' || reason === 'userCanceled'
}
