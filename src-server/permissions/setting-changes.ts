import type { Database } from '../database.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import type { ChannelRow } from '../workspace.ts'
import { activeOnly, groupById, systemGroupId, type GroupRow } from './groups.ts'
import { shownHolders, type GroupSettingValue } from './holders.ts'
import { permissionSetting, type PermissionKind } from './setting-table.ts'

/**
 * Normalizes a value: a single group in a list becomes that group, an empty list the group of nobody; lists are sorted
 * sets.
 */
function normalized(db: Database, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
  const direct_members = sorted(value.direct_members)
  const direct_subgroups = sorted(value.direct_subgroups)
  const [only] = direct_subgroups
  if (direct_members.length > 0 || direct_subgroups.length > 1) return { direct_members, direct_subgroups }
  return only ?? systemGroupId(db, 'role:nobody')
}

/** Validates a wanted value of a permission and returns its stored form; refuses groups that must not hold it. */
function checkedValue(
  db: Database,
  kind: PermissionKind,
  name: string,
  wanted: GroupSettingValue,
): GroupSettingValue {
  const setting = permissionSetting(kind, name)
  const value = normalized(db, wanted)
  const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups
  if (setting.only !== undefined) {
    const group = typeof value === 'number' ? groupById(db, value) : undefined
    if (group?.is_system !== 1) {
      throw new ServiceError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, {
        setting_name: name,
      })
    }
    const allowed: readonly string[] = setting.only
    if (!allowed.includes(group.name)) throw badRequest(`'${name}' cannot be set to '${group.name}'.`)
  }
  for (const id of groupIds) {
    const group = groupById(db, id)
    if (group === undefined) throw badRequest('Invalid user group')
    if (group.is_active === 0) throw badRequest('User group is deactivated.')
    const never: readonly string[] = ['role:internet', ...(setting.never ?? [])]
    if (group.is_system === 1 && never.includes(group.name)) {
      throw badRequest(`'${name}' setting cannot be set to '${group.name}' group.`)
    }
  }
  if (typeof value !== 'number') {
    const active = new Set(activeOnly(db, value.direct_members))
    const strange = value.direct_members.find((id) => !active.has(id))
    if (strange !== undefined) throw badRequest(`Invalid user ID: ${strange}`)
  }
  return value
}

/**
 * A requested change of a permission: the new value and, optionally, what the caller believes the present value is.
 */
export interface PermissionChange {
  readonly new: GroupSettingValue
  readonly old?: GroupSettingValue | undefined
}

/** A validated change of a permission, with the value to be stored. */
export interface CheckedPermission {
  readonly setting: string
  readonly value: GroupSettingValue
}

/**
 * Validates requested changes to permissions of one channel or group, or of the organization if `row` is null. Changes
 * that have no effect are left out. Refuses with EXPECTATION_MISMATCH if `old` is not the present value.
 */
export function checkedChanges(
  db: Database,
  kind: PermissionKind,
  row: ChannelRow | GroupRow | null,
  changes: Readonly<Record<string, PermissionChange | undefined>>,
): CheckedPermission[] {
  return Object.entries(changes).flatMap(([setting, change]) => {
    if (change === undefined) return []
    const before = JSON.stringify(normalized(db, shownHolders(db, row, setting)))
    if (change.old !== undefined && JSON.stringify(normalized(db, change.old)) !== before) {
      throw new ServiceError(
        'EXPECTATION_MISMATCH',
        `'old' value does not match the current value of '${setting}'.`,
      )
    }
    const value = checkedValue(db, kind, setting, change.new)
    return JSON.stringify(value) === before ? [] : [{ setting, value }]
  })
}

/** Validates the permissions of something new. */
export function checkedPermissions(
  db: Database,
  kind: 'channel' | 'group',
  wanted: Readonly<Record<string, GroupSettingValue | undefined>>,
): CheckedPermission[] {
  return Object.entries(wanted).flatMap(([setting, value]) =>
    value === undefined ? [] : [{ setting, value: checkedValue(db, kind, setting, value) }],
  )
}

/** Stores validated permissions of a channel or group. */
export function writePermissions(
  db: Database,
  kind: PermissionKind,
  id: number,
  permissions: readonly CheckedPermission[],
): void {
  for (const { setting, value } of permissions) {
    db.run(
      'INSERT OR REPLACE INTO permission_values VALUES (?, ?, ?, ?)',
      kind,
      id,
      setting,
      JSON.stringify(value),
    )
  }
}

/** Whether only owners may give a permission of the organization: those whose default holders are only owners. */
export const isOwnersPermission = (name: string): boolean =>
  permissionSetting('realm', name).default === 'role:owners'
