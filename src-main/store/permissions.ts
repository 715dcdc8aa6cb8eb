import type { Role } from '../../src-shared/model/permissions.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { objectsOf } from './objects.ts'
import { organizationValue } from './settings.ts'

/** Roles as the wire numbers them; a smaller number may more. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

/** What a person with this role is. */
export function roleName(role: number): Role {
  if (role <= roles.owner) return 'owner'
  if (role <= roles.administrator) return 'administrator'
  if (role <= roles.moderator) return 'moderator'
  return role < roles.guest ? 'member' : 'guest'
}

/** The groups that every organization has, and the least role that is in each. */
const systemGroups: Readonly<Record<string, number>> = {
  'role:internet': roles.guest,
  'role:everyone': roles.guest,
  'role:members': roles.member,
  // Members of some time are in it too; the server lists them.
  'role:fullmembers': roles.moderator,
  'role:moderators': roles.moderator,
  'role:administrators': roles.administrator,
  'role:owners': roles.owner,
  'role:nobody': 0,
}

/** Who holds a permission where the server does not say. */
export interface Preset {
  /** The least role; 0 for nobody. */
  readonly role: number
  /** Guests never hold it, whatever group it is given to. */
  readonly isNotForGuests?: boolean
  /** The field in which older servers say it, and the least role for each of its numbers. */
  readonly policy?: { readonly field: string; readonly roles: readonly (number | undefined)[] }
}

/** What decides what a person may do: who they are and which groups they are in. */
export interface Holder {
  readonly userId: number
  readonly role: number
  readonly groups: ReadonlySet<number>
}

/** The own user with the groups that were worked out last. */
export function ownHolder(db: ReadableDb, ownUserId: number): Holder {
  return {
    userId: ownUserId,
    role: roleOf(db, ownUserId),
    groups: new Set(
      db.all<{ group_id: number }>('SELECT group_id FROM own_groups').map(({ group_id }) => group_id),
    ),
  }
}

const roleOf = (db: ReadableDb, userId: number): number =>
  db.get<{ role: number }>('SELECT role FROM users WHERE user_id = ?', [userId])?.role ?? roles.member

/** Anybody, with the groups that they are in: directly, by role, or through groups within groups. */
function holder(db: ReadableDb, userId: number): Holder {
  const role = roleOf(db, userId)
  const groups = new Set<number>()
  const outer = new Map<number, number[]>()
  const reached: number[] = []
  for (const { id, name, members, direct_subgroup_ids, is_system_group, deactivated } of objectsOf(
    db,
    'user-group',
  )) {
    if (typeof id !== 'number') continue
    for (const inner of idsIn(direct_subgroup_ids)) {
      // The members of an inner system group are in the outer one; their nesting says nothing new of a role.
      const around = outer.get(inner)
      if (around === undefined) outer.set(inner, [id])
      else around.push(id)
    }
    const leastRole = is_system_group === true && typeof name === 'string' ? systemGroups[name] : undefined
    const isByRole = leastRole !== undefined && role <= leastRole
    // Whoever loses a role may be listed a moment longer; only this one group is more than a role.
    const isListed =
      (leastRole === undefined || name === 'role:fullmembers') && idsIn(members).includes(userId)
    if (deactivated !== true && (isByRole || isListed)) reached.push(id)
  }
  for (let id = reached.pop(); id !== undefined; id = reached.pop()) {
    if (groups.has(id)) continue
    groups.add(id)
    reached.push(...(outer.get(id) ?? []))
  }
  return { userId, role, groups }
}

export const idsIn = (list: unknown): number[] =>
  Array.isArray(list) ? list.filter((id) => typeof id === 'number') : []

/**
 * Whether somebody holds a permission, given as the server told it: a group, or people and groups by name. Where it
 * told nothing, or a group that is not known, an older server's policy decides, and then the preset.
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

/** What the numbers of older servers' policies stand for; how long a full member has been here is not looked at. */
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

/** Whether somebody holds a permission of the organization; `field` is its name without "realm_". */
export function holdsInOrganization(db: ReadableDb, who: Holder, field: string, preset: Preset): boolean {
  const policy = preset.policy === undefined ? undefined : organizationValue(db, preset.policy.field)
  return holds(db, who, organizationValue(db, `realm_${field}`), preset, policy)
}

/** What a channel says about who may do what in it. */
export interface PermittingChannel {
  readonly channel_id: number
  readonly permissions: string
  readonly is_private: number
  readonly is_web_public: number
  readonly is_archived: number
  readonly is_subscribed: number
}

const nobody: Preset = { role: 0 }
const nobodyAndNoGuest: Preset = { role: 0, isNotForGuests: true }

/** Permissions of a channel and who holds them where nobody chose. */
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
    // The first number was everybody, guests too.
    policy: { field: 'stream_post_policy', roles: policyRoles.with(1, roles.guest) },
  },
  can_subscribe_group: nobodyAndNoGuest,
} as const satisfies Readonly<Record<string, Preset>>
export type ChannelPermission = keyof typeof channelPresets

/** Permissions over a group and who holds them where nobody chose. */
export const groupPresets = {
  can_add_members_group: nobodyAndNoGuest,
  can_join_group: nobodyAndNoGuest,
  can_leave_group: { role: roles.guest },
  can_manage_group: nobodyAndNoGuest,
  can_mention_group: { role: roles.guest },
  can_remove_members_group: nobodyAndNoGuest,
} as const satisfies Readonly<Record<string, Preset>>

/** Asks for permissions in one channel. */
export interface ChannelRights {
  holds(name: ChannelPermission): boolean
  readonly mayRead: boolean
  readonly mayPost: boolean
}

/** What somebody may do in a channel that they know of. */
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
  const isLetIn = () => holdsHere('can_subscribe_group') || holdsHere('can_add_subscribers_group')
  const mayRead = isOpen || channel.is_subscribed === 1 || isLetIn()
  return {
    holds: holdsHere,
    mayRead,
    get mayPost() {
      const isInside = channel.is_subscribed === 1 || (!isGuest && mayRead)
      return channel.is_archived === 0 && isInside && holdsHere('can_send_message_group')
    },
  }
}

/** Who holds one permission of a channel, as the wire says it; undefined where nobody said. */
export function channelPermission(db: ReadableDb, channelId: number, name: string): unknown {
  const row = db.get<{ permissions: string }>('SELECT permissions FROM channels WHERE channel_id = ?', [
    channelId,
  ])
  // As above.
  return row && (JSON.parse(row.permissions) as Readonly<Record<string, unknown>>)[name]
}

/** Changes who holds one permission of a channel. */
export function setChannelPermission(db: WritableDb, channelId: number, name: string, value: unknown): void {
  db.run(`UPDATE channels SET permissions = json_set(permissions, ?, json(?)) WHERE channel_id = ?`, [
    `$."${name}"`,
    JSON.stringify(value ?? null),
    channelId,
  ])
}

/**
 * Works out anew which groups the own user is in and where they may write: after any change of groups or of the own
 * role. For a change of channels or subscriptions `refreshPosting` is enough.
 */
export function refreshOwnRights(db: WritableDb, ownUserId: number): void {
  refreshPosting(db, refreshOwnGroups(db, ownUserId), null)
}

/** Works out anew which groups the own user is in, and nothing of what follows from it. */
export function refreshOwnGroups(db: WritableDb, ownUserId: number): Holder {
  const who = holder(db, ownUserId)
  const ids = JSON.stringify([...who.groups])
  db.run('DELETE FROM own_groups WHERE group_id NOT IN (SELECT value FROM json_each(?))', [ids])
  db.run('INSERT OR IGNORE INTO own_groups SELECT value FROM json_each(?)', [ids])
  return who
}

/** Works out anew in which of these channels somebody may write; null: in all. */
export function refreshPosting(db: WritableDb, who: Holder, channelIds: readonly number[] | null): void {
  const channels = db.all<PermittingChannel & { can_post: number }>(
    `SELECT channel_id, permissions, is_private, is_web_public, is_archived, is_subscribed, can_post FROM channels
     WHERE ?1 IS NULL OR channel_id IN (SELECT value FROM json_each(?1))`,
    { 1: channelIds === null ? null : JSON.stringify(channelIds) },
  )
  for (const channel of channels) {
    const canPost = channelRights(db, who, channel).mayPost ? 1 : 0
    if (canPost !== channel.can_post)
      db.run('UPDATE channels SET can_post = ? WHERE channel_id = ?', [canPost, channel.channel_id])
  }
}
