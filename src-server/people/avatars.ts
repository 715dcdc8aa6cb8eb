import type { UserRow } from '../workspace.ts'

/** The path of a person's picture, below the root. */
export const avatarUrl = (user: UserRow): string => `/avatar/${user.user_id}?version=${user.avatar_version}`

/** Where the picture comes from: U uploaded, G drawn by the service. */
export const avatarSource = (user: UserRow): 'U' | 'G' => (user.avatar_file === null ? 'G' : 'U')

/** The same picture in a larger size. */
export const largeAvatarUrl = (user: UserRow): string =>
  `/avatar/${user.user_id}/medium?version=${user.avatar_version}`
