import { roles } from '../../src-shared/roles.ts'
import { isProvisional, userId } from '../../src-shared/ids.ts'
import type { OrganizationLists, Playground, UserGroup } from '../../src-shared/model/profile.ts'
import { groupPermissions, type GroupPermissionName } from '../../src-shared/model/organization-edits.ts'
import type { ReadableDb } from '../store/database.ts'
import { holdersIn } from '../store/holders.ts'
import { objectsOf } from '../store/objects.ts'
import { groupPresets, holds, holdsInOrganization, mayMention, ownHolder } from '../store/permissions.ts'
import { fieldKind } from '../store/profile-fields.ts'
import type { QueryContext } from './context.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []

const inOrder = (db: ReadableDb, kind: 'linkifier' | 'playground') =>
  objectsOf(db, kind).sort((a, b) => number(a['position']) - number(b['position']))

/** The organization's code playgrounds, in its order. */
export const playgrounds = (db: ReadableDb): Playground[] =>
  inOrder(db, 'playground').map(({ id, name, pygments_language, url_template }) => ({
    playgroundId: number(id),
    name: text(name),
    language: text(pygments_language),
    urlTemplate: text(url_template),
  }))

/** The short lists of the organization, for the screens that change them. */
export function lists({ db }: QueryContext): OrganizationLists {
  return {
    linkifiers: inOrder(db, 'linkifier').map(({ id, pattern, url_template }) => ({
      linkifierId: number(id),
      pattern: text(pattern),
      urlTemplate: text(url_template),
    })),
    playgrounds: playgrounds(db),
    profileFields: objectsOf(db, 'profile-field')
      .sort((a, b) => number(a['order']) - number(b['order']))
      .map(({ id, name, hint, type, required, editable_by_user }) => ({
        fieldId: number(id),
        name: text(name),
        hint: text(hint),
        kind: fieldKind(type),
        isRequired: required === true,
        isEditable: editable_by_user !== false,
      })),
    bots: objectsOf(db, 'bot')
      .map(({ user_id, full_name, is_active }) => ({
        userId: userId(number(user_id)),
        name: text(full_name),
        isActive: is_active !== false,
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    folders: db
      .all<{ folder_id: number; name: string; description: string; is_archived: number }>(
        'SELECT * FROM channel_folders ORDER BY position, folder_id',
      )
      .map(({ folder_id, name, description, is_archived }) => ({
        folderId: folder_id,
        name,
        description,
        isArchived: is_archived === 1,
        isWaiting: isProvisional(folder_id),
      })),
  }
}

/** Every known group, by name, with the own user's permissions over it. */
export function groups({ db, ownUserId }: QueryContext): UserGroup[] {
  const who = ownHolder(db, ownUserId)
  const managesAll = holdsInOrganization(db, who, 'can_manage_all_groups', {
    role: roles.owner,
    isNotForGuests: true,
  })
  const holders = holdersIn(db)
  const held = (group: Readonly<Record<string, unknown>>, name: GroupPermissionName) =>
    holders(group[groupPermissions[name].field])
  return objectsOf(db, 'user-group')
    .map((group): UserGroup => {
      const isSystem = group['is_system_group'] === true
      const may = (name: keyof typeof groupPresets) =>
        !isSystem && holds(db, who, group[name], groupPresets[name])
      const manage = !isSystem && (managesAll || may('can_manage_group'))
      const id = number(group['id'])
      return {
        groupId: id,
        name: text(group['name']),
        description: text(group['description']),
        isSystem,
        isDeactivated: group['deactivated'] === true,
        isWaiting: isProvisional(id),
        memberIds: numbers(group['members']).map(userId),
        subgroupIds: numbers(group['direct_subgroup_ids']),
        isOwn: who.groups.has(id),
        may: {
          manage,
          addMembers: manage || may('can_add_members_group'),
          removeMembers: manage || may('can_remove_members_group'),
          join: manage || may('can_add_members_group') || may('can_join_group'),
          leave: manage || may('can_remove_members_group') || may('can_leave_group'),
          mention: !isSystem && mayMention(db, who, group),
        },
        holders: {
          manage: held(group, 'manage'),
          addMembers: held(group, 'addMembers'),
          removeMembers: held(group, 'removeMembers'),
          join: held(group, 'join'),
          leave: held(group, 'leave'),
          mention: held(group, 'mention'),
        },
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}
