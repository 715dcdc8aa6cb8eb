import type { UserGroup } from '../../src-shared/model/profile.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** What a group is called on screen: those of roles in words, others by their name with the @ before it. */
export function groupWords({ name, isSystem }: Pick<UserGroup, 'name' | 'isSystem'>): string {
  const roles: Readonly<Record<string, string>> = t.holders.roles
  const words = isSystem ? roles[name.replace(/^role:/, '')] : undefined
  return words ?? `@${name}`
}
