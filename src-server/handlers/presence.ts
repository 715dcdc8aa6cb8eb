import type { Handlers } from '../../src-shared/api/index.ts'
import { badRequest } from '../service-error.ts'
import { settingOf } from '../settings.ts'
import { canAccessUser, knownUserIds } from '../user-access.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** A person who was active this long ago still counts as online, for events. */
const onlineSeconds = 140
/** How far idling may be behind activity before it shows. */
const legacyIdleSeconds = 70
const offlineSeconds = 200
const daySeconds = 24 * 60 * 60
const defaultHistoryDays = 14

type PresentRow = UserRow & { readonly presence_update_id: number }

/** Presence of everybody who ever sent one, by user id, in the modern form. */
export function presences(
  workspace: Workspace,
): Record<string, { active_timestamp: number; idle_timestamp: number }> {
  return Object.fromEntries(presentUsers(workspace).map((user) => [String(user.user_id), modern(user)]))
}

/** The same in the legacy form, by email: website and aggregated hold the same. */
export function legacyPresences(workspace: Workspace) {
  return Object.fromEntries(presentUsers(workspace).map((user) => [user.email, legacy(user)]))
}

/** Grows with every change of anybody's presence. */
export function presenceUpdateId(workspace: Workspace): number {
  return workspace.db.get<{ id: number | null }>('SELECT max(presence_update_id) AS id FROM users')?.id ?? 0
}

function presentUsers(workspace: Workspace): PresentRow[] {
  return workspace.db.all<PresentRow>(
    'SELECT * FROM users WHERE idle_at > 0 AND is_active = 1 ORDER BY user_id',
  )
}

const modern = (user: UserRow) => ({ active_timestamp: user.active_at, idle_timestamp: user.idle_at })

function legacy(user: UserRow) {
  const isActive = user.active_at + legacyIdleSeconds >= user.idle_at
  const entry = {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? user.active_at : user.idle_at,
  }
  return { website: { ...entry, pushable: false }, aggregated: entry }
}

export const presence: Pick<
  Handlers<HandlerContext>,
  'updatePresence' | 'getRealmPresence' | 'getUserPresence'
> = {
  updatePresence: (input, { workspace, user }) => {
    if (user.bot_type !== null) throw badRequest('This endpoint does not accept bot requests.')
    const now = workspace.now()
    if (settingOf(workspace.db, user.user_id, 'presence_enabled') === true) {
      const wasOnline = user.active_at + onlineSeconds >= now
      workspace.db.run(
        'UPDATE users SET active_at = ?, idle_at = ?, presence_update_id = ? WHERE user_id = ?',
        input.status === 'active' ? now : user.active_at,
        now,
        presenceUpdateId(workspace) + 1,
        user.user_id,
      )
      if (!wasOnline && input.status === 'active') publishPresence(workspace, user.user_id)
    }
    if (input.ping_only === true) return {}
    const since = now - (input.history_limit_days ?? defaultHistoryDays) * daySeconds
    const known = knownUserIds(workspace.db, user)
    const shown = presentUsers(workspace).filter(
      (one) =>
        one.idle_at >= since &&
        (known === null || known.has(one.user_id)) &&
        one.presence_update_id > (input.last_update_id ?? -1),
    )
    const isModern = input.slim_presence === true || input.last_update_id !== undefined
    return {
      presences: Object.fromEntries(
        shown.map((one) => (isModern ? [String(one.user_id), modern(one)] : [one.email, legacy(one)])),
      ),
      server_timestamp: now,
      presence_last_update_id: presenceUpdateId(workspace),
    }
  },
  getRealmPresence: (_input, { workspace, user }) => {
    const known = workspace.configuration.limitsPresence ? knownUserIds(workspace.db, user) : null
    const shown = presentUsers(workspace).filter((one) => known === null || known.has(one.user_id))
    return {
      server_timestamp: workspace.now(),
      presences: Object.fromEntries(shown.map((one) => [one.email, legacy(one)])),
    }
  },
  getUserPresence: ({ user_id_or_email: wanted }, { workspace, user }) => {
    const person = /^\d{1,15}$/.test(wanted)
      ? userById(workspace.db, Number(wanted))
      : workspace.db.get<UserRow>('SELECT * FROM users WHERE email = ? OR delivery_email = ?', wanted, wanted)
    if (person === undefined || !canAccessUser(workspace.db, user, person.user_id))
      throw badRequest('No such user')
    if (person.bot_type !== null) throw badRequest('Presence is not supported for bot users.')
    if (person.idle_at === 0) throw badRequest(`No presence data for ${wanted}`)
    const { status, timestamp } = legacy(person).aggregated
    const isOffline = timestamp + offlineSeconds < workspace.now()
    return {
      presence: {
        website: { status, timestamp },
        aggregated: { status: isOffline ? 'offline' : status, timestamp },
      },
    }
  },
}

function publishPresence(workspace: Workspace, userId: number): void {
  const user = userById(workspace.db, userId)
  if (user === undefined) return
  for (const queue of workspace.queues.interested('presence', null)) {
    const viewer = userById(workspace.db, queue.userId)
    if (viewer === undefined || !canAccessUser(workspace.db, viewer, userId)) continue
    workspace.queues.push(
      queue,
      queue.capabilities.simplified_presence_events === true
        ? { type: 'presence', presences: { [String(userId)]: modern(user) } }
        : {
            type: 'presence',
            user_id: userId,
            email: user.email,
            server_timestamp: workspace.now(),
            presence: { website: legacy(user).website },
          },
    )
  }
}
