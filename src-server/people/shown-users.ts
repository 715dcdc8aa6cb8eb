import type { ApiUser } from '../../src-shared/api/users.ts'
import type { Database } from '../database.ts'
import { jsonOf } from '../events/ready-json.ts'
import { avatarUrl } from './avatars.ts'
import { isAdministrator, isGuest, isOwner } from '../permissions/roles.ts'
import { mayKnowAddress } from './user-access.ts'
import type { UserRow } from '../workspace.ts'

/** People in their last API form, by row: a row is the same object until somebody changes it. */
const shown = new WeakMap<UserRow, ApiUser>()

/** A person for a reader who may see the real address; all other readers get `apiUserFor`. */
export function apiUser(user: UserRow): ApiUser {
  const known = shown.get(user)
  if (known !== undefined) return known
  const person = Object.freeze(newApiUser(user))
  jsonOf(person)
  shown.set(user, person)
  return person
}

function newApiUser(user: UserRow): ApiUser {
  return {
    user_id: user.user_id,
    email: user.email,
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    date_joined: new Date(user.date_joined * 1000).toISOString(),
    is_active: user.is_active === 1,
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_guest: isGuest(user),
    is_bot: user.bot_type !== null,
    bot_type: user.bot_type,
    bot_owner_id: user.bot_owner_id,
    // Only the five roles of the specification are ever written.
    role: user.role as ApiUser['role'],
    timezone: user.timezone,
    avatar_url: avatarUrl(user),
    avatar_version: user.avatar_version,
    ...(user.bot_type === null ? { profile_data: profileOf(user) } : {}),
  }
}

/** A person's values as the API shows them. */
export const profileOf = (user: UserRow): Record<string, { value: string; rendered_value?: string }> =>
  // `setProfileValue` wrote it.
  JSON.parse(user.profile_data) as Record<string, { value: string; rendered_value?: string }>

/** A person, as the API shows them to a given reader. */
export function apiUserFor(db: Database, viewer: UserRow, user: UserRow): ApiUser {
  return mayKnowAddress(db, viewer, user) ? apiUser(user) : { ...apiUser(user), delivery_email: null }
}
