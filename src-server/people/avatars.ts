import type { UserRow } from '../workspace.ts'

/** The path of a person's picture, below the root. */
export const avatarUrl = (user: UserRow): string => `/avatar/${user.user_id}?version=${user.avatar_version}`

/** The same picture in a larger size. */
export const largeAvatarUrl = (user: UserRow): string =>
  `/avatar/${user.user_id}/medium?version=${user.avatar_version}`
