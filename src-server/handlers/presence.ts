import type { Handlers } from '../../src-shared/api/index.ts'
import { daySeconds } from '../../src-shared/durations.ts'
import { assertPerson } from '../permissions/roles.ts'
import { badRequest } from '../service-error.ts'
import { settingOf } from '../people/settings.ts'
import { canAccessUser, knownUserIds, personByEmail } from '../people/user-access.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** In events, a person who was active this recently counts as online. */
const onlineSeconds = 140
/** How much older the last activity may be than the last connection before the person counts as idle. */
const legacyIdleSeconds = 70
const offlineSeconds = 200
const defaultHistoryDays = 14

/** When a person was last there, in UNIX seconds; 0: never. */
interface PresenceRow {
  readonly user_id: number
  readonly email: string
  readonly active_at: number
  readonly idle_at: number
  readonly update_id: number
}

/** By user id in the modern form; by email in the older form, where website and aggregated contain the same. */
export const shownPresences = (people: readonly PresenceRow[], isModern: boolean): Record<string, object> =>
  Object.fromEntries(
    people.map((one) => (isModern ? [String(one.user_id), modern(one)] : [one.email, legacy(one)])),
  )

/** Rises with every change of anybody's presence. */
export function presenceUpdateId(workspace: Workspace): number {
  return workspace.db.get<{ id: number | null }>('SELECT max(update_id) AS id FROM presence')?.id ?? 0
}

/** Everybody who ever reported presence. */
export const presentPeople = ({ db }: Workspace): PresenceRow[] =>
  db.all<PresenceRow>(
    `SELECT p.*, u.email FROM presence p JOIN users u USING (user_id)
     WHERE p.idle_at > 0 AND u.is_active = 1 ORDER BY p.user_id`,
  )

const presenceOf = ({ db }: Workspace, user: UserRow): PresenceRow =>
  db.get<PresenceRow>(
    'SELECT p.*, ? AS email FROM presence p WHERE user_id = ?',
    user.email,
    user.user_id,
  ) ?? {
    user_id: user.user_id,
    email: user.email,
    active_at: 0,
    idle_at: 0,
    update_id: 0,
  }

const modern = (row: PresenceRow) => ({ active_timestamp: row.active_at, idle_timestamp: row.idle_at })

function legacy({ active_at, idle_at }: PresenceRow) {
  const isActive = active_at + legacyIdleSeconds >= idle_at
  const entry = {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? active_at : idle_at,
  }
  return { website: { ...entry, pushable: false }, aggregated: entry }
}

export const presence: Pick<
  Handlers<HandlerContext>,
  'updatePresence' | 'getRealmPresence' | 'getUserPresence'
> = {
  updatePresence: (input, { workspace, user }) => {
    assertPerson(user)
    const now = workspace.now()
    if (settingOf(workspace.db, user.user_id, 'presence_enabled') === true) {
      const before = presenceOf(workspace, user)
      const wasOnline = before.active_at + onlineSeconds >= now
      workspace.db.run(
        'INSERT OR REPLACE INTO presence VALUES (?, ?, ?, ?)',
        user.user_id,
        input.status === 'active' ? now : before.active_at,
        now,
        presenceUpdateId(workspace) + 1,
      )
      if (!wasOnline && input.status === 'active') publishPresence(workspace, user.user_id)
    }
    if (input.ping_only === true) return {}
    const since = now - (input.history_limit_days ?? defaultHistoryDays) * daySeconds
    const known = knownUserIds(workspace.db, user)
    const shown = presentPeople(workspace).filter(
      (one) =>
        one.idle_at >= since &&
        (known === null || known.has(one.user_id)) &&
        one.update_id > (input.last_update_id ?? -1),
    )
    const isModern = input.slim_presence === true || input.last_update_id !== undefined
    return {
      presences: shownPresences(shown, isModern),
      server_timestamp: now,
      presence_last_update_id: presenceUpdateId(workspace),
    }
  },
  getRealmPresence: (_input, { workspace, user }) => {
    const known = workspace.configuration.limitsPresence ? knownUserIds(workspace.db, user) : null
    const shown = presentPeople(workspace).filter((one) => known === null || known.has(one.user_id))
    return {
      server_timestamp: workspace.now(),
      presences: Object.fromEntries(shown.map((one) => [one.email, legacy(one)])),
    }
  },
  getUserPresence: ({ user_id_or_email: wanted }, { workspace, user }) => {
    const person = /^\d{1,15}$/.test(wanted)
      ? userById(workspace.db, Number(wanted))
      : personByEmail(workspace.db, user, wanted)
    if (person === undefined || !canAccessUser(workspace.db, user, person.user_id))
      throw badRequest('No such user')
    if (person.bot_type !== null) throw badRequest('Presence is not supported for bot users.')
    const known = presenceOf(workspace, person)
    if (known.idle_at === 0) throw badRequest(`No presence data for ${wanted}`)
    const { status, timestamp } = legacy(known).aggregated
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
  const own = presenceOf(workspace, user)
  for (const queue of workspace.queues.interested('presence', null)) {
    const viewer = userById(workspace.db, queue.userId)
    if (viewer === undefined || !canAccessUser(workspace.db, viewer, userId)) continue
    workspace.queues.push(
      queue,
      queue.capabilities.simplified_presence_events === true
        ? { type: 'presence', presences: { [String(userId)]: modern(own) } }
        : {
            type: 'presence',
            user_id: userId,
            ...(queue.slimPresence ? {} : { email: user.email }),
            server_timestamp: workspace.now(),
            presence: { website: legacy(own).website },
          },
    )
  }
}
