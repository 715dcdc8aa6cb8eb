import type { Role } from '../../src-shared/model/permissions.ts'
import { roles } from '../../src-shared/roles.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { objectsOf } from './objects.ts'
import { organizationValue } from './organization.ts'

/** The name of a role. */
export function roleName(role: number): Role {
  if (role <= roles.owner) return 'owner'
  if (role <= roles.administrator) return 'administrator'
  if (role <= roles.moderator) return 'moderator'
  return role < roles.guest ? 'member' : 'guest'
}

/** The groups that every organization has, and the least role in each. */
const systemGroups: Readonly<Record<string, number>> = {
  'role:internet': roles.guest,
  'role:everyone': roles.guest,
  'role:members': roles.member,
  // Members who joined long enough ago are in it too; the server lists them.
  'role:fullmembers': roles.moderator,
  'role:moderators': roles.moderator,
  'role:administrators': roles.administrator,
  'role:owners': roles.owner,
  'role:nobody': 0,
}

/** Who holds a permission if the server does not say. */
export interface Preset {
  /** The least role; 0 for nobody. */
  readonly role: number
  /** Whether guests never hold it, whatever group it is given to. */
  readonly isNotForGuests?: boolean
  /** The field that older servers use for it, and the least role for each of its numbers. */
  readonly policy?: { readonly field: string; readonly roles: readonly (number | undefined)[] }
}

/** What a person's permissions depend on: who they are and which groups they are in. */
export interface Holder {
  readonly userId: number
  readonly role: number
  readonly groups: ReadonlySet<number>
}

/** The own user with their groups as last computed. */
export function ownHolder(db: ReadableDb, ownUserId: number): Holder {
  return {
    userId: ownUserId,
    role: roleOf(db, ownUserId),
    groups: new Set(db.column<number>('SELECT group_id FROM own_groups')),
  }
}

const roleOf = (db: ReadableDb, userId: number): number =>
  db.get<{ role: number }>('SELECT role FROM users WHERE user_id = ?', [userId])?.role ?? roles.member

/**
 * A person with their groups: direct ones, those of their role, and those that contain these; as if they were also in
 * the groups `besides`.
 */
export function holderOf(db: ReadableDb, userId: number, besides: readonly number[] = []): Holder {
  const role = roleOf(db, userId)
  const groups = new Set<number>()
  const outer = new Map<number, number[]>()
  const reached = [...besides]
  for (const { id, name, members, direct_subgroup_ids, is_system_group, deactivated } of objectsOf(
    db,
    'user-group',
  )) {
    if (typeof id !== 'number') continue
    for (const inner of idsIn(direct_subgroup_ids)) {
      // System groups contain each other's members, so this nesting adds nothing to what the role says.
      const around = outer.get(inner)
      if (around === undefined) outer.set(inner, [id])
      else around.push(id)
    }
    const leastRole = is_system_group === true && typeof name === 'string' ? systemGroups[name] : undefined
    const isByRole = leastRole !== undefined && role <= leastRole
    // A person who loses a role may stay listed for a moment. Only full membership depends on more than a role.
    const isByList = leastRole === undefined || (name === 'role:fullmembers' && role < roles.guest)
    const isListed = isByList && idsIn(members).includes(userId)
    if (deactivated !== true && (isByRole || isListed)) reached.push(id)
  }
  for (let id = reached.pop(); id !== undefined; id = reached.pop()) {
    if (groups.has(id)) continue
    groups.add(id)
    reached.push(...(outer.get(id) ?? []))
  }
  return { userId, role, groups }
}

/** The numbers of a list from the server; none if it is no list. */
export const idsIn = (list: unknown): number[] =>
  Array.isArray(list) ? list.filter((id) => typeof id === 'number') : []

/**
 * Whether a person holds a permission, whose value is as on the wire: a group, or lists of people and groups. If the
 * server sent no value, or a group that is not known, an older server's policy decides, and otherwise the preset.
 */
export function holds(
  db: ReadableDb,
  who: Holder,
  value: unknown,
  preset: Preset,
  policy?: unknown,
): boolean {
  if (preset.isNotForGuests === true && who.role >= roles.guest) return false
  if (typeof value === 'number') {
    if (who.groups.has(value)) return true
    if (isKnownGroup(db, value)) return false
  } else if (typeof value === 'object' && value !== null) {
    const { direct_members, direct_subgroups }: Record<string, unknown> = { ...value }
    return (
      idsIn(direct_members).includes(who.userId) || idsIn(direct_subgroups).some((id) => who.groups.has(id))
    )
  }
  const least = typeof policy === 'number' ? preset.policy?.roles[policy] : undefined
  return who.role <= (least ?? preset.role)
}

const isKnownGroup = (db: ReadableDb, id: number): boolean =>
  db.get(`SELECT 1 FROM objects WHERE kind = 'user-group' AND object_id = ?`, [String(id)]) !== undefined

/** Whether every group in the value of a permission is known. */
const areGroupsKnown = (db: ReadableDb, value: unknown): boolean => {
  const { direct_subgroups }: Record<string, unknown> = Object(value)
  const groups = typeof value === 'number' ? [value] : idsIn(direct_subgroups)
  return groups.every((id) => isKnownGroup(db, id))
}

/** The least role for each number of older servers' policies; how long a full member has been here is ignored. */
export const policyRoles: readonly (number | undefined)[] = [
  undefined,
  roles.member,
  roles.administrator,
  roles.member,
  roles.moderator,
  roles.guest,
  0,
  roles.owner,
]

/** Whether a person holds a permission of the organization; `field` is its name without "realm_". */
export function holdsInOrganization(db: ReadableDb, who: Holder, field: string, preset: Preset): boolean {
  const policy = preset.policy === undefined ? undefined : organizationValue(db, preset.policy.field)
  return holds(db, who, organizationValue(db, `realm_${field}`), preset, policy)
}

/** The fields of a channel that decide what people may do in it. */
export interface PermittingChannel {
  readonly channel_id: number
  readonly permissions: string
  readonly is_private: number
  readonly is_web_public: number
  readonly has_shared_history: number
  readonly is_archived: number
  readonly is_subscribed: number
}

const nobody: Preset = { role: 0 }
const nobodyAndNoGuest: Preset = { role: 0, isNotForGuests: true }

/** The permissions of a channel, and who holds each if nobody chose. */
const channelPresets = {
  can_add_subscribers_group: nobodyAndNoGuest,
  can_administer_channel_group: nobodyAndNoGuest,
  can_delete_any_message_group: nobody,
  can_delete_own_message_group: nobody,
  can_move_messages_out_of_channel_group: nobody,
  can_move_messages_within_channel_group: nobody,
  can_remove_subscribers_group: { role: roles.administrator, isNotForGuests: true },
  can_resolve_topics_group: nobody,
  can_send_message_group: {
    role: roles.guest,
    // The first number meant everybody, including guests.
    policy: { field: 'stream_post_policy', roles: policyRoles.with(1, roles.guest) },
  },
  can_subscribe_group: nobodyAndNoGuest,
} as const satisfies Readonly<Record<string, Preset>>
export type ChannelPermission = keyof typeof channelPresets

/** Who holds one of these may read a private channel. */
const admitting = ['can_subscribe_group', 'can_add_subscribers_group'] as const

/** The permissions over a group, and who holds each if nobody chose. */
export const groupPresets = {
  can_add_members_group: nobodyAndNoGuest,
  can_join_group: nobodyAndNoGuest,
  can_leave_group: { role: roles.guest },
  can_manage_group: nobodyAndNoGuest,
  can_mention_group: { role: roles.guest },
  can_remove_members_group: nobodyAndNoGuest,
} as const satisfies Readonly<Record<string, Preset>>

/** Whether a person may mention a group, given in its form on the wire. */
export const mayMention = (db: ReadableDb, who: Holder, group: Readonly<Record<string, unknown>>): boolean =>
  holds(db, who, group['can_mention_group'], groupPresets.can_mention_group)

/** Answers whether a person has a permission in one channel. */
export interface ChannelRights {
  holds(name: ChannelPermission): boolean
  readonly mayRead: boolean
  /** Whether it is certain that they may not read it: no unknown group has a say in that. */
  readonly isClosed: boolean
  readonly mayPost: boolean
}

/** The rights of a person in a channel that they know of. */
export function channelRights(db: ReadableDb, who: Holder, channel: PermittingChannel): ChannelRights {
  // `putChannel` and `setChannelPermission` write an object.
  const values = JSON.parse(channel.permissions) as Readonly<Record<string, unknown>>
  const announces = values['is_announcement_only'] === true ? 2 : undefined
  const holdsHere = (name: ChannelPermission) => {
    const preset: Preset = channelPresets[name]
    const policy = preset.policy === undefined ? undefined : (values[preset.policy.field] ?? announces)
    return holds(db, who, values[name], preset, policy)
  }
  const isGuest = who.role >= roles.guest
  const isOpen = channel.is_web_public === 1 || (channel.is_private === 0 && !isGuest)
  const isLetIn = () => admitting.some(holdsHere)
  const mayRead = isOpen || channel.is_subscribed === 1 || isLetIn()
  return {
    holds: holdsHere,
    mayRead,
    get isClosed() {
      return !mayRead && (isGuest || admitting.every((name) => areGroupsKnown(db, values[name])))
    },
    get mayPost() {
      // Who would not receive a message of their own, nor find it in the history, cannot write it.
      const isShared = channel.is_private === 0 || channel.has_shared_history === 1
      const isInside = channel.is_subscribed === 1 || (!isGuest && mayRead && isShared)
      return channel.is_archived === 0 && isInside && holdsHere('can_send_message_group')
    },
  }
}

const permittingColumns =
  'channel_id, permissions, is_private, is_web_public, has_shared_history, is_archived, is_subscribed'

/** Whether it is certain that a person may not read a channel; also true if the channel is not here. */
export function isClosedTo(db: ReadableDb, who: Holder, channelId: number): boolean {
  const channel = db.get<PermittingChannel>(
    `SELECT ${permittingColumns} FROM channels WHERE channel_id = ?`,
    [channelId],
  )
  return channel === undefined || channelRights(db, who, channel).isClosed
}

/** The holders of one permission of a channel, in the wire's form; undefined if the server did not say. */
export function channelPermission(db: ReadableDb, channelId: number, name: string): unknown {
  const row = db.get<{ permissions: string }>('SELECT permissions FROM channels WHERE channel_id = ?', [
    channelId,
  ])
  // As above.
  return row && (JSON.parse(row.permissions) as Readonly<Record<string, unknown>>)[name]
}

/** Changes the holders of one permission of a channel. */
export function setChannelPermission(db: WritableDb, channelId: number, name: string, value: unknown): void {
  db.run(`UPDATE channels SET permissions = json_set(permissions, ?, json(?)) WHERE channel_id = ?`, [
    `$."${name}"`,
    JSON.stringify(value ?? null),
    channelId,
  ])
}

/**
 * Computes anew which groups the own user is in and where they may write: after any change of groups or of the own
 * role. For a change of channels or subscriptions `refreshPosting` is enough. Returns the same.
 */
export const refreshOwnRights = (db: WritableDb, ownUserId: number): number[] =>
  refreshPosting(db, refreshOwnGroups(db, ownUserId), null)

/** Computes anew which groups the own user is in, but nothing that depends on it. */
export function refreshOwnGroups(db: WritableDb, ownUserId: number): Holder {
  const who = holderOf(db, ownUserId)
  const ids = JSON.stringify([...who.groups])
  db.run('DELETE FROM own_groups WHERE group_id NOT IN (SELECT value FROM json_each(?))', [ids])
  db.run('INSERT OR IGNORE INTO own_groups SELECT value FROM json_each(?)', [ids])
  return who
}

/**
 * Computes anew in which of these channels the person may write; null: all channels. Returns those that they certainly
 * may not read, without archived ones.
 */
export function refreshPosting(db: WritableDb, who: Holder, channelIds: readonly number[] | null): number[] {
  const closed: number[] = []
  const channels = db.all<PermittingChannel & { can_post: number }>(
    `SELECT ${permittingColumns}, can_post FROM channels
     WHERE ?1 IS NULL OR channel_id IN (SELECT value FROM json_each(?1))`,
    { 1: channelIds === null ? null : JSON.stringify(channelIds) },
  )
  for (const channel of channels) {
    const rights = channelRights(db, who, channel)
    if (channel.is_archived === 0 && rights.isClosed) closed.push(channel.channel_id)
    const canPost = rights.mayPost ? 1 : 0
    if (canPost !== channel.can_post)
      db.run('UPDATE channels SET can_post = ? WHERE channel_id = ?', [canPost, channel.channel_id])
  }
  return closed
}
