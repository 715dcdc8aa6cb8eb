import type { UserRow, Workspace } from '../workspace.ts'

export { seedDemo } from './seed.ts'
export { startTeammates } from './teammates.ts'

/** The people who can sign in to the demo, for its start line. Maren comes first. */
export function demoAccounts(workspace: Workspace) {
  return workspace.db.all<UserRow>('SELECT * FROM users ORDER BY user_id').map((user) => ({
    email: user.email,
    api_key: user.api_key,
    password: user.bot_type === null ? 'low-water-at-six' : null,
    role: user.role,
    full_name: user.full_name,
    user_id: user.user_id,
    is_bot: user.bot_type !== null,
  }))
}
