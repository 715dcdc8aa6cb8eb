import type { UserGroup } from '../../src-shared/model/profile.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** The system groups, the largest first. */
const systemGroups = [
  'role:internet',
  'role:everyone',
  'role:members',
  'role:fullmembers',
  'role:moderators',
  'role:administrators',
  'role:owners',
]

/** Where a group stands in a choice: the system groups by size, then the others. */
const placeOf = ({ name }: Pick<UserGroup, 'name'>): number => {
  const at = systemGroups.indexOf(name)
  return at === -1 ? systemGroups.length : at
}

/** Orders groups for a choice: the system groups, the largest first, then the others as they are. */
export const byReach = (one: Pick<UserGroup, 'name'>, other: Pick<UserGroup, 'name'>): number =>
  placeOf(one) - placeOf(other)

/** A group's name on screen: system groups in words, other groups by their name with an @ before it. */
export function groupWords({ name, isSystem }: Pick<UserGroup, 'name' | 'isSystem'>): string {
  const roles: Readonly<Record<string, string>> = t.holders.roles
  const words = isSystem ? roles[name.replace(/^role:/, '')] : undefined
  return words ?? `@${name}`
}
