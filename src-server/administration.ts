import { isAdministrator } from './permissions.ts'
import { ServiceError } from './service-error.ts'
import type { UserRow } from './workspace.ts'

/** Refuses everybody but administrators and owners. */
export function assertAdministrator(user: UserRow): void {
  if (!isAdministrator(user)) {
    throw new ServiceError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
  }
}
