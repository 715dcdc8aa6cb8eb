import { roles } from '../../src-shared/roles.ts'
import type { z } from 'zod'
import type { groupSettingValue } from '../../src-shared/api/wire.ts'
import type { Database } from '../database.ts'
import type { ChannelRow, UserRow } from '../workspace.ts'
import {
  activeOnly,
  isInGroup,
  membersOf,
  systemGroupId,
  type GroupRow,
  type SystemGroupName,
} from './groups.ts'
import { isGuest } from './roles.ts'
import {
  channelPermissions,
  groupPermissions,
  permissionSettings,
  realmPermissions,
  permissionSetting,
  type ChannelPermission,
  type GroupPermission,
  type PermissionKind,
  type RealmPermission,
  type PermissionSetting,
} from './setting-table.ts'

/** Who holds a permission: one group, or a list of people and groups (specification, Group-setting value). */
export type GroupSettingValue = z.output<typeof groupSettingValue>

/** The subject of a permission, as the tables identify it. */
interface Owned {
  readonly kind: PermissionKind
  readonly id: number
  readonly creatorId: number | null
}
const theRealm: Owned = { kind: 'realm', id: 0, creatorId: null }
const ownedChannel = (row: ChannelRow): Owned => ({
  kind: 'channel',
  id: row.channel_id,
  creatorId: row.creator_id,
})
const ownedGroup = (row: GroupRow): Owned => ({ kind: 'group', id: row.group_id, creatorId: row.creator_id })

function valueOf(db: Database, { kind, id, creatorId }: Owned, name: string): GroupSettingValue {
  const row = db.get<{ value: string }>(
    'SELECT value FROM permission_values WHERE kind = ? AND object_id = ? AND setting = ?',
    kind,
    id,
    name,
  )
  // `writePermissions` wrote it.
  if (row !== undefined) return JSON.parse(row.value) as GroupSettingValue
  const preset = permissionSetting(kind, name).default
  if (preset !== 'creator') return systemGroupId(db, preset)
  return creatorId === null
    ? systemGroupId(db, 'role:nobody')
    : { direct_members: [creatorId], direct_subgroups: [] }
}

/** Nobody holds a permission over a system group: these have no permissions of their own. */
const groupValue = (db: Database, group: GroupRow, name: GroupPermission): GroupSettingValue =>
  group.is_system === 1 ? systemGroupId(db, 'role:nobody') : valueOf(db, ownedGroup(group), name)

/** Who holds each permission of the organization, as clients see it. */
export const realmPermissionValues = (db: Database): Record<RealmPermission, GroupSettingValue> =>
  valuesOf(db, realmPermissions, (name) => valueOf(db, theRealm, name))

/** Who holds each permission in a channel, as clients see it. */
export const channelPermissionValues = (
  db: Database,
  row: ChannelRow,
): Record<ChannelPermission, GroupSettingValue> =>
  valuesOf(db, channelPermissions, (name) => valueOf(db, ownedChannel(row), name))

/** Like `channelPermissionValues`, for many channels: the stored values are read once. */
export function channelPermissionReader(
  db: Database,
): (row: ChannelRow) => Record<ChannelPermission, GroupSettingValue> {
  const stored = new Map(
    db
      .all<{ object_id: number; setting: string; value: string }>(
        `SELECT object_id, setting, value FROM permission_values WHERE kind = 'channel'`,
      )
      .map((row) => [`${row.object_id} ${row.setting}`, row.value]),
  )
  const inactive = new Set(
    showsDeactivated(db) ? [] : db.column<number>('SELECT user_id FROM users WHERE is_active = 0'),
  )
  const presets = new Map<string, number>()
  const preset = (name: SystemGroupName) => {
    const id = presets.get(name) ?? systemGroupId(db, name)
    presets.set(name, id)
    return id
  }
  const valueIn = (row: ChannelRow, name: ChannelPermission): GroupSettingValue => {
    const own = stored.get(`${row.channel_id} ${name}`)
    // `writePermissions` wrote it.
    if (own !== undefined) return JSON.parse(own) as GroupSettingValue
    const { default: given }: PermissionSetting = permissionSettings.channel[name]
    if (given !== 'creator') return preset(given)
    return row.creator_id === null
      ? preset('role:nobody')
      : { direct_members: [row.creator_id], direct_subgroups: [] }
  }
  const shownTo = (value: GroupSettingValue): GroupSettingValue =>
    typeof value === 'number'
      ? value
      : { ...value, direct_members: value.direct_members.filter((id) => !inactive.has(id)) }
  return (row) =>
    // Every name of the list gets its value here.
    Object.fromEntries(channelPermissions.map((name) => [name, shownTo(valueIn(row, name))])) as Record<
      ChannelPermission,
      GroupSettingValue
    >
}

/** Who holds each permission over a user group, as clients see it. */
export const groupPermissionValues = (
  db: Database,
  row: GroupRow,
): Record<GroupPermission, GroupSettingValue> =>
  valuesOf(db, groupPermissions, (name) => groupValue(db, row, name))

function valuesOf<Name extends string>(
  db: Database,
  names: readonly Name[],
  value: (name: Name) => GroupSettingValue,
): Record<Name, GroupSettingValue> {
  // Every name of the list gets its value here.
  return Object.fromEntries(names.map((name) => [name, shown(db, value(name))])) as Record<
    Name,
    GroupSettingValue
  >
}

/** Who holds a permission of a channel or group, or of the organization when `row` is null, as clients see it. */
export function shownHolders(
  db: Database,
  row: ChannelRow | GroupRow | null,
  name: string,
): GroupSettingValue {
  if (row === null) return shown(db, valueOf(db, theRealm, name))
  return shown(db, valueOf(db, 'channel_id' in row ? ownedChannel(row) : ownedGroup(row), name))
}

/** Whether a person holds a permission of the organization. */
export const mayInRealm = (db: Database, user: UserRow, name: RealmPermission): boolean =>
  isHolder(db, user, permissionSetting('realm', name), valueOf(db, theRealm, name))

/** Whether a person holds a channel's permission. It does not say whether they may see the channel. */
export const mayInChannel = (
  db: Database,
  user: UserRow,
  channel: ChannelRow,
  name: ChannelPermission,
): boolean => isHolder(db, user, permissionSetting('channel', name), valueOf(db, ownedChannel(channel), name))

/** Whether a person holds a permission over a user group. */
export const mayInGroup = (db: Database, user: UserRow, group: GroupRow, name: GroupPermission): boolean =>
  isHolder(db, user, permissionSetting('group', name), groupValue(db, group, name))

function isHolder(
  db: Database,
  user: UserRow,
  setting: PermissionSetting,
  value: GroupSettingValue,
): boolean {
  // Guests never get a permission that the organization cannot give to everybody.
  if (isGuest(user) && setting.never?.includes('role:everyone') === true) return false
  if (typeof value === 'number') return isInGroup(db, user, value)
  return (
    value.direct_members.includes(user.user_id) ||
    value.direct_subgroups.some((id) => isInGroup(db, user, id))
  )
}

/** All active people who hold a channel's permission. */
export function holdersInChannel(db: Database, channel: ChannelRow, name: ChannelPermission): number[] {
  const value = valueOf(db, ownedChannel(channel), name)
  const holders =
    typeof value === 'number'
      ? membersOf(db, value)
      : [...value.direct_members, ...value.direct_subgroups.flatMap((id) => membersOf(db, id))]
  if (permissionSetting('channel', name).never?.includes('role:everyone') !== true) return holders
  const guests = new Set(db.column<number>('SELECT user_id FROM users WHERE role = ?', roles.guest))
  return activeOnly(db, holders).filter((id) => !guests.has(id))
}

/** A value as clients see it: without deactivated people (specification, Group-setting value). */
function shown(db: Database, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const active = activeOnly(db, value.direct_members)
  const isWhole = active.length === value.direct_members.length || showsDeactivated(db)
  return isWhole ? value : { ...value, direct_members: active }
}

/** Whether deactivated holders are shown, as on levels before 303. */
const showsDeactivated = (db: Database): boolean =>
  db.get("SELECT 1 FROM realm WHERE name = 'shows_deactivated_holders'") !== undefined

/** Where a group holds a permission, by the subject of the permission. */
export function usesOfGroup(
  db: Database,
  groupId: number,
): { kind: PermissionKind; id: number; settings: string[] }[] {
  const uses = new Map<string, { kind: PermissionKind; id: number; settings: string[] }>()
  const rows = db.all<{ kind: PermissionKind; object_id: number; setting: string; value: string }>(
    'SELECT * FROM permission_values ORDER BY kind, object_id, setting',
  )
  for (const { kind, object_id, setting, value } of rows) {
    // `writePermissions` wrote it.
    const parsed = JSON.parse(value) as GroupSettingValue
    const isUsed = typeof parsed === 'number' ? parsed === groupId : parsed.direct_subgroups.includes(groupId)
    if (!isUsed) continue
    const key = `${kind}:${object_id}`
    const use = uses.get(key) ?? { kind, id: object_id, settings: [] }
    use.settings.push(setting)
    uses.set(key, use)
  }
  return [...uses.values()]
}
