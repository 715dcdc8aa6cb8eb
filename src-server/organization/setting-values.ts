import type { InputOf } from '../../src-shared/api/endpoint.ts'
import type { settings as endpoints } from '../../src-shared/api/settings.ts'
import { notificationSounds } from '../people/settings.ts'
import { badRequest } from '../service-error.ts'
import { languages } from './languages.ts'

/** Refuses values that the schema allows but that do not exist. */
export function assertKnownValues({
  timezone,
  default_language,
  notification_sound,
}: Pick<
  InputOf<typeof endpoints.updateSettings>,
  'timezone' | 'default_language' | 'notification_sound'
>): void {
  if (timezone !== undefined && timezone !== '' && !isTimeZone(timezone))
    throw badRequest('timezone is not a recognized time zone')
  if (default_language !== undefined && !Object.hasOwn(languages, default_language))
    throw badRequest('Invalid default_language')
  if (notification_sound !== undefined && ![...notificationSounds, 'none'].includes(notification_sound))
    throw badRequest(`Invalid notification sound '${notification_sound}'`)
}

function isTimeZone(name: string): boolean {
  try {
    // Intl also accepts offsets such as +02:00, but they name no zone.
    return /^[A-Za-z]/.test(name) && Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
