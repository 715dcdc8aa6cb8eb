import { createUser, newApiKey } from '../people/accounts.ts'
import { roles } from '../../src-shared/roles.ts'
import { systemGroups } from '../permissions/groups.ts'
import type { UserRow, Workspace } from '../workspace.ts'

/** The groups that every organization has, by role. */
export function createSystemGroups(workspace: Workspace): void {
  for (const name of Object.keys(systemGroups)) {
    workspace.db.run('INSERT INTO user_groups (name, is_system) VALUES (?, 1)', name)
  }
}

/** Initializes an empty workspace: creates the groups and an owner with a generated password. */
export function foundOrganization(workspace: Workspace): { email: string; password: string; user: UserRow } {
  createSystemGroups(workspace)
  const email = 'owner@localhost'
  const password = newApiKey().slice(0, 16)
  const user = createUser(workspace, { fullName: 'Owner', email, role: roles.owner, password })
  return { email, password, user }
}
