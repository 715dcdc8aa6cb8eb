import type { Handlers } from '../../src-shared/api/index.ts'
import { assertAdministrator, assertPerson } from '../permissions/roles.ts'
import { checkedEmoji } from '../markdown/emoji-names.ts'
import { badRequest } from '../service-error.ts'
import { putSetting, settingOf } from '../people/settings.ts'
import { canAccessUser, knownUserIds } from '../people/user-access.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestText = 60

interface StatusRow {
  readonly user_id: number
  readonly status_text: string
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

interface Changes {
  readonly status_text?: string | undefined
  readonly emoji_name?: string | undefined
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
}

/** The statuses that a person may see, by user id; people without one are left out. */
export function statuses(workspace: Workspace, viewer: UserRow): Record<string, object> {
  const known = knownUserIds(workspace.db, viewer)
  const rows = workspace.db.all<StatusRow>('SELECT * FROM user_status ORDER BY user_id')
  return Object.fromEntries(
    rows
      .filter((row) => known === null || known.has(row.user_id))
      .map((row): [string, object] => [String(row.user_id), shown(workspace, row.user_id)])
      .filter(([, status]) => Object.keys(status).length > 0),
  )
}

function shown(workspace: Workspace, userId: number): Record<string, string | boolean> {
  const row = rowOf(workspace, userId)
  const isAway = settingOf(workspace.db, userId, 'presence_enabled') === false
  return {
    ...(row.status_text === '' ? {} : { status_text: row.status_text }),
    ...(row.emoji_name === ''
      ? {}
      : { emoji_name: row.emoji_name, emoji_code: row.emoji_code, reaction_type: row.reaction_type }),
    ...(isAway ? { away: true } : {}),
  }
}

function rowOf(workspace: Workspace, userId: number): StatusRow {
  return (
    workspace.db.get<StatusRow>('SELECT * FROM user_status WHERE user_id = ?', userId) ?? {
      user_id: userId,
      status_text: '',
      emoji_name: '',
      emoji_code: '',
      reaction_type: '',
    }
  )
}

export const status: Pick<Handlers<HandlerContext>, 'getStatus' | 'updateOwnStatus' | 'updateStatus'> = {
  getStatus: ({ user_id }, { workspace, user }) => {
    const person = userById(workspace.db, user_id)
    if (person === undefined || !canAccessUser(workspace.db, user, user_id)) throw badRequest('No such user')
    // Only the specification's three namespaces are ever written.
    return { status: shown(workspace, user_id) as { reaction_type?: 'unicode_emoji' } }
  },
  updateOwnStatus: ({ away, ...changes }, { workspace, user }) => {
    assertPerson(user)
    change(workspace, user, changes, away)
    return {}
  },
  updateStatus: ({ user_id, ...changes }, { workspace, user }) => {
    assertPerson(user)
    assertAdministrator(user)
    const person = userById(workspace.db, user_id)
    if (person === undefined || person.bot_type !== null) throw badRequest('No such user')
    change(workspace, person, changes, undefined)
    return {}
  },
}

function change(workspace: Workspace, user: UserRow, changes: Changes, away: boolean | undefined): void {
  const { status_text, emoji_name, emoji_code, reaction_type } = changes
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    if (emoji_code !== undefined || reaction_type !== undefined)
      throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.')
    throw badRequest('Client did not pass any new values.')
  }
  const text = status_text?.trim()
  if (text !== undefined && [...text].length > longestText)
    throw badRequest(`A status may have ${longestText} characters at most.`)
  if (text?.includes('\0') === true) throw badRequest('A status must not contain null bytes.')
  const emoji =
    emoji_name === undefined
      ? {}
      : emoji_name === ''
        ? { emoji_name: '', emoji_code: '', reaction_type: '' }
        : checkedEmoji(workspace.db, { emoji_name, emoji_code, reaction_type })
  const changed = { ...(text === undefined ? {} : { status_text: text }), ...emoji }
  const row = { ...rowOf(workspace, user.user_id), ...changed }
  workspace.db.run(
    'INSERT OR REPLACE INTO user_status VALUES (?, ?, ?, ?, ?)',
    user.user_id,
    row.status_text,
    row.emoji_name,
    row.emoji_code,
    row.reaction_type,
  )
  if (away !== undefined) {
    putSetting(workspace.db, user.user_id, 'presence_enabled', !away)
    workspace.publish([user.user_id], {
      type: 'user_settings',
      op: 'update',
      property: 'presence_enabled',
      value: !away,
    })
  }
  workspace.publish(null, {
    type: 'user_status',
    user_id: user.user_id,
    ...changed,
    ...(away === undefined ? {} : { away }),
  })
}
