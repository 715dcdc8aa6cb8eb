import type { InputOf } from '../../src-shared/api/endpoint.ts'
import type { Handlers } from '../../src-shared/api/index.ts'
import type { settings as endpoints } from '../../src-shared/api/settings.ts'
import { checkedName } from '../people/accounts.ts'
import { checkedPassword, hashPasswordAside, isPassword } from '../people/passwords.ts'
import { assertFreeEmail, startEmailChange } from '../people/email-changes.ts'
import { publishConsent } from '../exports/exports.ts'
import { languages } from '../organization/languages.ts'
import { assertKnownValues } from '../organization/setting-values.ts'
import { assertMayChangeOwn } from '../permissions/accounts.ts'
import { assertPerson } from '../permissions/roles.ts'
import { badRequest } from '../service-error.ts'
import { putSetting, settingOf } from '../people/settings.ts'
import { apiEmailFor, mayKnowAddress } from '../people/user-access.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

type Changes = InputOf<typeof endpoints.updateSettings>

export const settings: Pick<
  Handlers<HandlerContext>,
  'updateSettings' | 'updateDisplaySettings' | 'updateNotificationSettings'
> = {
  updateSettings,
  updateDisplaySettings: updateSettings,
  updateNotificationSettings: updateSettings,
}

/** Makes all of the changes or, if one is refused, none. */
async function updateSettings(
  input: Changes,
  { workspace, user }: HandlerContext,
): Promise<Record<string, unknown>> {
  assertPerson(user)
  const { full_name, email, old_password, new_password, ...changes } = input
  const passwordHash =
    new_password === undefined ? null : await newHash(workspace, user, old_password, new_password)
  const name = full_name === undefined ? null : checkedName(full_name)
  if (name !== null && name !== user.full_name) assertMayChangeOwn(workspace.db, user, 'name')
  const newEmail = email === undefined || email === user.delivery_email ? null : email.trim()
  if (newEmail !== null) {
    assertMayChangeOwn(workspace.db, user, 'email')
    assertFreeEmail(workspace, user, newEmail)
  }
  assertKnownValues(changes)

  const done: Record<string, unknown> = {}
  workspace.db.transaction(() => {
    const { db } = workspace
    if (passwordHash !== null)
      db.run('UPDATE users SET password_hash = ? WHERE user_id = ?', passwordHash, user.user_id)
    if (name !== null && name !== user.full_name) {
      rename(workspace, user, name)
      done['full_name'] = name
    }
    if (changes.timezone !== undefined && changes.timezone !== user.timezone) {
      db.run('UPDATE users SET timezone = ? WHERE user_id = ?', changes.timezone, user.user_id)
      publishPerson(workspace, user, { email: user.email, timezone: changes.timezone })
    }
    for (const [property, value] of Object.entries(changes)) {
      if (value === undefined || value === settingOf(db, user.user_id, property)) continue
      putSetting(db, user.user_id, property, value)
      done[property] = value
      if (property === 'enable_drafts_synchronization' && value === false) {
        // No event: the drafts on the person's devices stay (specification, PATCH /settings, rule 3).
        db.run('DELETE FROM drafts WHERE user_id = ?', user.user_id)
      }
      publishSetting(workspace, user, property, value)
      if (property === 'allow_private_data_export') publishConsent(workspace, user.user_id)
      if (property === 'email_address_visibility') showAddress(workspace, user, value)
    }
  })
  if (newEmail !== null) startEmailChange(workspace, user, newEmail)
  // Before level 78, the answer repeated what changed (specification, PATCH /settings).
  return workspace.featureLevel < 78 ? done : {}
}

async function newHash(
  workspace: Workspace,
  user: UserRow,
  old: string | undefined,
  wanted: string,
): Promise<string> {
  if (old === undefined) throw badRequest('To set a new password, send the present one too.')
  const attempts = `password of ${user.user_id}`
  workspace.logins.begin(attempts)
  if (!(await isPassword(old, user.password_hash))) throw badRequest('Wrong password!')
  workspace.logins.succeeded(attempts)
  return hashPasswordAside(checkedPassword(wanted), workspace.configuration.passwordCost)
}

function rename(workspace: Workspace, user: UserRow, name: string): void {
  workspace.db.run('UPDATE users SET full_name = ? WHERE user_id = ?', name, user.user_id)
  publishPerson(workspace, user, { full_name: name })
}

const publishPerson = (workspace: Workspace, user: UserRow, changed: Record<string, unknown>) =>
  workspace.publish(null, {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.user_id, ...changed },
  })

/**
 * Gives a person the API email that follows from who may see their real address, and tells everybody what they may
 * see.
 */
function showAddress(workspace: Workspace, user: UserRow, visibility: unknown): void {
  const { db } = workspace
  const email = apiEmailFor(user, visibility)
  db.run('UPDATE users SET email = ? WHERE user_id = ?', email, user.user_id)
  if (email !== user.email) publishPerson(workspace, user, { new_email: email })
  const person = { user_id: user.user_id, delivery_email: user.delivery_email }
  const others = db
    .all<UserRow>('SELECT * FROM users WHERE is_active = 1')
    .filter((one) => !mayKnowAddress(db, one, { ...user, email }))
    .map((one) => one.user_id)
  // The first event goes only to people who may see the address; the second removes it from those who could before.
  workspace.publish(null, { type: 'realm_user', op: 'update', person })
  workspace.publish(others, { type: 'realm_user', op: 'update', person: { ...person, delivery_email: null } })
}

function publishSetting(workspace: Workspace, user: UserRow, property: string, value: unknown): void {
  const language =
    property === 'default_language' && typeof value === 'string' ? { language_name: languages[value] } : {}
  workspace.publish([user.user_id], { type: 'user_settings', op: 'update', property, value, ...language })
  // Clients that do not know this setting know it as being away.
  if (property === 'presence_enabled')
    workspace.publish(null, { type: 'user_status', user_id: user.user_id, away: value !== true })
}
