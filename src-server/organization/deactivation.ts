import { organizationId } from '../files/attachments.ts'
import { roles } from '../../src-shared/roles.ts'
import { isDeactivated, realmValue, type UserRow, type Workspace } from '../workspace.ts'

/**
 * Deactivates the organization. Everybody is told, and from then on nobody can sign in, join, read or write, and
 * nothing is delivered. All its data stays, and the operator can reopen it. Its owners are told so by mail.
 */
export function deactivateOrganization(workspace: Workspace): void {
  const { db } = workspace
  db.run("INSERT OR REPLACE INTO realm VALUES ('is_deactivated', 'true')")
  workspace.publish(null, { type: 'realm', op: 'deactivated', realm_id: organizationId })
  const name = realmValue(db, 'name')
  const owners = db.all<UserRow>(
    'SELECT * FROM users WHERE role = ? AND is_active = 1 AND bot_type IS NULL',
    roles.owner,
  )
  for (const { delivery_email: to } of owners) {
    workspace.configuration.sendMail({
      to,
      subject: `${name} has been deactivated`,
      text: [
        `${name} has been deactivated by an owner. Nobody can sign in any more.`,
        'Messages and files are kept. Whoever runs the service can bring the organization back as it was.',
      ].join('\n\n'),
    })
  }
}

/** Reopens a deactivated organization as it was; returns whether it was deactivated. */
export function reactivateOrganization({ db }: Pick<Workspace, 'db'>): boolean {
  if (!isDeactivated(db)) return false
  db.run("DELETE FROM realm WHERE name = 'is_deactivated'")
  return true
}
