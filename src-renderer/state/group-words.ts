import type { UserGroup } from '../../src-shared/model/profile.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** A group's name on screen: system groups in words, other groups by their name with an @ before it. */
export function groupWords({ name, isSystem }: Pick<UserGroup, 'name' | 'isSystem'>): string {
  const roles: Readonly<Record<string, string>> = t.holders.roles
  const words = isSystem ? roles[name.replace(/^role:/, '')] : undefined
  return words ?? `@${name}`
}
