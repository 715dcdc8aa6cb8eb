import type { z } from 'zod'
import type { groupSettingValue } from '../../src-shared/api/wire.ts'
import type { Database } from '../database.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import type { ChannelRow, UserRow } from '../workspace.ts'
import {
  activeOnly,
  groupById,
  isInGroup,
  membersOf,
  systemGroupId,
  type GroupRow,
  type SystemGroupName,
} from './groups.ts'
import { isGuest } from './roles.ts'

/** Who holds a permission: a group, or people and groups by name (specification, Group-setting value). */
export type GroupSettingValue = z.output<typeof groupSettingValue>

interface Setting {
  /** Who holds it where nobody chose; the creator of the channel or group where it says so. */
  readonly default: SystemGroupName | 'creator'
  /** System groups that must not hold it, beside `role:internet`, which never may. */
  readonly never?: readonly SystemGroupName[]
  /** Only these groups may hold it, and nothing but a group. */
  readonly only?: readonly SystemGroupName[]
}

const everyone: Setting = { default: 'role:everyone' }
const members: Setting = { default: 'role:members', never: ['role:everyone'] }
const administrators: Setting = { default: 'role:administrators', never: ['role:everyone'] }
const nobody: Setting = { default: 'role:nobody', never: ['role:everyone'] }
const nobodyOrAll: Setting = { default: 'role:nobody' }
const creator: Setting = { default: 'creator', never: ['role:everyone'] }

/** Every permission that is held by groups and people, by what it is about. */
export const permissionSettings = {
  realm: {
    can_access_all_users_group: { default: 'role:everyone', only: ['role:everyone', 'role:members'] },
    can_add_custom_emoji_group: members,
    can_add_subscribers_group: members,
    can_create_bots_group: members,
    can_create_groups: members,
    can_create_public_channel_group: members,
    can_create_private_channel_group: members,
    can_create_web_public_channel_group: {
      default: 'role:owners',
      only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
    },
    can_create_write_only_bots_group: members,
    can_delete_any_message_group: administrators,
    can_delete_own_message_group: everyone,
    can_invite_users_group: members,
    can_manage_all_groups: { default: 'role:owners', never: ['role:everyone', 'role:nobody'] },
    can_manage_billing_group: {
      default: 'role:administrators',
      never: ['role:everyone', 'role:nobody'],
    },
    can_mention_many_users_group: { default: 'role:administrators' },
    can_move_messages_between_channels_group: members,
    can_move_messages_between_topics_group: everyone,
    can_resolve_topics_group: everyone,
    can_set_delete_message_policy_group: { default: 'role:moderators', never: ['role:everyone'] },
    can_set_topics_policy_group: { default: 'role:members' },
    can_summarize_topics_group: everyone,
    create_multiuse_invite_group: administrators,
    direct_message_initiator_group: everyone,
    direct_message_permission_group: everyone,
  },
  channel: {
    can_add_subscribers_group: nobody,
    can_administer_channel_group: creator,
    can_delete_any_message_group: nobodyOrAll,
    can_delete_own_message_group: nobodyOrAll,
    can_move_messages_out_of_channel_group: nobodyOrAll,
    can_move_messages_within_channel_group: nobodyOrAll,
    can_remove_subscribers_group: { default: 'role:administrators', never: ['role:everyone'] },
    can_resolve_topics_group: nobodyOrAll,
    can_send_message_group: everyone,
    can_subscribe_group: nobody,
  },
  group: {
    can_add_members_group: creator,
    can_join_group: nobody,
    can_leave_group: everyone,
    can_manage_group: creator,
    can_mention_group: { default: 'role:everyone', never: ['role:owners'] },
    can_remove_members_group: nobody,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Setting>>>>

export type PermissionKind = keyof typeof permissionSettings
export type RealmPermission = keyof (typeof permissionSettings)['realm']
export type ChannelPermission = keyof (typeof permissionSettings)['channel']
export type GroupPermission = keyof (typeof permissionSettings)['group']

// The keys of the tables are the types' own.
export const realmPermissions = Object.keys(permissionSettings.realm) as RealmPermission[]
export const channelPermissions = Object.keys(permissionSettings.channel) as ChannelPermission[]
export const groupPermissions = Object.keys(permissionSettings.group) as GroupPermission[]

function settingOf(kind: PermissionKind, name: string): Setting {
  const settings: Readonly<Record<string, Setting>> = permissionSettings[kind]
  const setting = settings[name]
  if (setting === undefined) throw new Error(`there is no ${kind} permission ${name}`)
  return setting
}

/** What a permission is about, as the tables know it. */
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
  // Written by `writePermission`.
  if (row !== undefined) return JSON.parse(row.value) as GroupSettingValue
  const preset = settingOf(kind, name).default
  if (preset !== 'creator') return systemGroupId(db, preset)
  return creatorId === null
    ? systemGroupId(db, 'role:nobody')
    : { direct_members: [creatorId], direct_subgroups: [] }
}

/** Everybody holds nothing in a system group: those have no permissions of their own. */
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

/** As `channelPermissionValues`, for many channels: what is kept is read once. */
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
    showsDeactivated(db)
      ? []
      : db
          .all<{ user_id: number }>('SELECT user_id FROM users WHERE is_active = 0')
          .map((row) => row.user_id),
  )
  const presets = new Map<string, number>()
  const preset = (name: SystemGroupName) => {
    const id = presets.get(name) ?? systemGroupId(db, name)
    presets.set(name, id)
    return id
  }
  const valueIn = (row: ChannelRow, name: ChannelPermission): GroupSettingValue => {
    const own = stored.get(`${row.channel_id} ${name}`)
    // Written by `writePermission`.
    if (own !== undefined) return JSON.parse(own) as GroupSettingValue
    const { default: given }: Setting = permissionSettings.channel[name]
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
    // Every name of the list is given its value here.
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
  // Every name of the list is given its value here.
  return Object.fromEntries(names.map((name) => [name, shown(db, value(name))])) as Record<
    Name,
    GroupSettingValue
  >
}

/** Whether a person holds a permission of the organization. */
export const mayInRealm = (db: Database, user: UserRow, name: RealmPermission): boolean =>
  isHolder(db, user, settingOf('realm', name), valueOf(db, theRealm, name))

/** Whether a person holds a channel's permission; says nothing of whether they may see the channel. */
export const mayInChannel = (
  db: Database,
  user: UserRow,
  channel: ChannelRow,
  name: ChannelPermission,
): boolean => isHolder(db, user, settingOf('channel', name), valueOf(db, ownedChannel(channel), name))

/** Whether a person holds a permission over a user group. */
export const mayInGroup = (db: Database, user: UserRow, group: GroupRow, name: GroupPermission): boolean =>
  isHolder(db, user, settingOf('group', name), groupValue(db, group, name))

function isHolder(db: Database, user: UserRow, setting: Setting, value: GroupSettingValue): boolean {
  // Guests never come by what the organization cannot give to everybody.
  if (isGuest(user) && setting.never?.includes('role:everyone') === true) return false
  if (typeof value === 'number') return isInGroup(db, user, value)
  return (
    value.direct_members.includes(user.user_id) ||
    value.direct_subgroups.some((id) => isInGroup(db, user, id))
  )
}

/** Everybody active who holds a channel's permission. */
export function holdersInChannel(db: Database, channel: ChannelRow, name: ChannelPermission): number[] {
  const value = valueOf(db, ownedChannel(channel), name)
  const holders =
    typeof value === 'number'
      ? membersOf(db, value)
      : [...value.direct_members, ...value.direct_subgroups.flatMap((id) => membersOf(db, id))]
  if (settingOf('channel', name).never?.includes('role:everyone') !== true) return holders
  const guests = new Set(
    db.all<{ user_id: number }>('SELECT user_id FROM users WHERE role = 600').map((row) => row.user_id),
  )
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

/** One group by name is that group; nobody and nothing is the group of nobody; lists are sorted sets. */
function normalized(db: Database, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
  const direct_members = sorted(value.direct_members)
  const direct_subgroups = sorted(value.direct_subgroups)
  const [only] = direct_subgroups
  if (direct_members.length > 0 || direct_subgroups.length > 1) return { direct_members, direct_subgroups }
  return only ?? systemGroupId(db, 'role:nobody')
}

/** A value that somebody wants for a permission, as it is kept; refuses what must not hold it. */
function checkedValue(
  db: Database,
  kind: PermissionKind,
  name: string,
  wanted: GroupSettingValue,
): GroupSettingValue {
  const setting = settingOf(kind, name)
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

/** A wish to change a permission: the new value and, when given, what it is thought to be now. */
export interface PermissionChange {
  readonly new: GroupSettingValue
  readonly old?: GroupSettingValue | undefined
}

/** A permission that is about to change, with the value as it will be kept. */
export interface CheckedPermission {
  readonly setting: string
  readonly value: GroupSettingValue
}

/**
 * Checks wishes to change permissions of one channel or group, or of the organization when `row` is null; those that change nothing are left out. Refuses with
 * EXPECTATION_MISMATCH when `old` is not what is there.
 */
export function checkedChanges(
  db: Database,
  kind: PermissionKind,
  row: ChannelRow | GroupRow | null,
  wishes: Readonly<Record<string, PermissionChange | undefined>>,
): CheckedPermission[] {
  const owned: Owned =
    row === null
      ? theRealm
      : { kind, id: 'channel_id' in row ? row.channel_id : row.group_id, creatorId: row.creator_id }
  return Object.entries(wishes).flatMap(([setting, wish]) => {
    if (wish === undefined) return []
    const before = JSON.stringify(normalized(db, shown(db, valueOf(db, owned, setting))))
    if (wish.old !== undefined && JSON.stringify(normalized(db, wish.old)) !== before) {
      throw new ServiceError(
        'EXPECTATION_MISMATCH',
        `'old' value does not match the current value of '${setting}'.`,
      )
    }
    const value = checkedValue(db, kind, setting, wish.new)
    return JSON.stringify(value) === before ? [] : [{ setting, value }]
  })
}

/** Checks the permissions that something new is to have. */
export function checkedPermissions(
  db: Database,
  kind: 'channel' | 'group',
  wishes: Readonly<Record<string, GroupSettingValue | undefined>>,
): CheckedPermission[] {
  return Object.entries(wishes).flatMap(([setting, wanted]) =>
    wanted === undefined ? [] : [{ setting, value: checkedValue(db, kind, setting, wanted) }],
  )
}

/** Keeps checked permissions of a channel or group. */
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

/** Whether a permission of the organization is the owners' to give: those that nobody else holds at first. */
export const isOwnersPermission = (name: string): boolean =>
  settingOf('realm', name).default === 'role:owners'

/** Gives a permission of the organization to others; refuses what must not hold it. */
export function setRealmPermission(db: Database, name: RealmPermission, wanted: GroupSettingValue): void {
  writePermissions(db, 'realm', 0, [{ setting: name, value: checkedValue(db, 'realm', name, wanted) }])
}

/** Where a group holds a permission, by what the permission is about. */
export function usesOfGroup(
  db: Database,
  groupId: number,
): { kind: PermissionKind; id: number; settings: string[] }[] {
  const uses = new Map<string, { kind: PermissionKind; id: number; settings: string[] }>()
  const rows = db.all<{ kind: PermissionKind; object_id: number; setting: string; value: string }>(
    'SELECT * FROM permission_values ORDER BY kind, object_id, setting',
  )
  for (const { kind, object_id, setting, value } of rows) {
    // Written by `writePermissions`.
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

/** What may hold each permission, in the form clients are told. */
export function supportedPermissionSettings(): Record<string, Record<string, object>> {
  const described = (settings: Readonly<Record<string, Setting>>, ofCreator: string) =>
    Object.fromEntries(
      Object.entries(settings).map(([name, setting]) => [
        name,
        {
          require_system_group: setting.only !== undefined,
          allow_internet_group: false,
          allow_nobody_group: isAllowed(setting, 'role:nobody'),
          allow_everyone_group: isAllowed(setting, 'role:everyone'),
          default_group_name: setting.default === 'creator' ? ofCreator : setting.default,
          default_for_system_groups: ofCreator === 'group_creator' ? 'role:nobody' : null,
          allowed_system_groups: setting.only ?? [],
        },
      ]),
    )
  return {
    realm: described(permissionSettings.realm, ''),
    stream: described(permissionSettings.channel, 'stream_creator_or_nobody'),
    group: described(permissionSettings.group, 'group_creator'),
  }
}

const isAllowed = ({ never, only }: Setting, name: SystemGroupName): boolean =>
  never?.includes(name) !== true && only?.includes(name) !== false
