import type { Handlers } from '../../src-shared/api/index.ts'
import { newApiKey } from '../people/accounts.ts'
import { longestEmail } from '../people/email-changes.ts'
import { hashPasswordAside, isPassword, longestPassword, needsRehash } from '../people/passwords.ts'
import type { PasswordCost } from '../configuration.ts'
import { pictureUrl } from '../organization/organization-pictures.ts'
import { render } from '../markdown/render.ts'
import { ServiceError } from '../service-error.ts'
import { versions } from '../service-version.ts'
import { isDeactivated, allowsSpectators, realmValue, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** The organization's description as HTML, rendered in its founder's name. */
function descriptionOf(workspace: Workspace): string {
  const founder = workspace.db.get<UserRow>('SELECT * FROM users ORDER BY user_id LIMIT 1')
  const text = realmValue(workspace.db, 'description')
  return founder === undefined ? '' : render(workspace, founder, text).html
}

const nobodysHashes = new Map<PasswordCost, string>()
/** The hash of a password that nobody knows, of the same work as those of people. */
async function nobodysHash(cost: PasswordCost): Promise<string> {
  const hash = nobodysHashes.get(cost) ?? (await hashPasswordAside(newApiKey(), cost))
  nobodysHashes.set(cost, hash)
  return hash
}

const wrongPassword = () =>
  new ServiceError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', {}, 401)

export const session: Pick<
  Handlers<HandlerContext>,
  'getServerSettings' | 'fetchApiKey' | 'regenerateApiKey'
> = {
  getServerSettings: (_input, { workspace }) => ({
    authentication_methods: {
      password: true,
      dev: false,
      email: true,
      ldap: false,
      remoteuser: false,
      saml: false,
      'openid connect': false,
      // No external account can sign in to this service.
      github: false,
      azuread: false,
      gitlab: false,
      apple: false,
      google: false,
    },
    external_authentication_methods: [],
    ...versions(workspace),
    push_notifications_enabled: workspace.configuration.pushBouncerUrl !== null,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: workspace.url,
    realm_uri: workspace.url,
    realm_name: realmValue(workspace.db, 'name'),
    realm_icon: pictureUrl(workspace, 'icon'),
    realm_description: descriptionOf(workspace),
    realm_web_public_access_enabled:
      allowsSpectators(workspace.db) &&
      workspace.db.get('SELECT 1 FROM channels WHERE is_web_public = 1 AND is_archived = 0') !== undefined,
  }),
  fetchApiKey: async ({ username, password }, { workspace }) => {
    const { passwordCost } = workspace.configuration
    if (isDeactivated(workspace.db))
      throw new ServiceError('REALM_DEACTIVATED', 'This organization has been deactivated', {}, 401)
    // Nobody has such a name or password, so it is neither remembered nor hashed.
    if (username.length > longestEmail || password.length > longestPassword) throw wrongPassword()
    workspace.logins.begin(username)
    const user = workspace.db.get<UserRow>(
      'SELECT * FROM users WHERE email = ? OR delivery_email = ?',
      username,
      username,
    )
    // An unknown name takes as long as a wrong password, so the time does not reveal who has an account.
    const isRight = await isPassword(password, user?.password_hash ?? (await nobodysHash(passwordCost)))
    if (!isRight || user?.password_hash == null) {
      throw wrongPassword()
    }
    if (user.is_active === 0) throw new ServiceError('USER_DEACTIVATED', 'Account is deactivated', {}, 401)
    workspace.logins.succeeded(username)
    // The password is known only now: from now on it is as hard to guess as one that is set today.
    if (needsRehash(user.password_hash, passwordCost))
      workspace.db.run(
        'UPDATE users SET password_hash = ? WHERE user_id = ? AND password_hash = ?',
        await hashPasswordAside(password, passwordCost),
        user.user_id,
        user.password_hash,
      )
    return { api_key: user.api_key, email: user.delivery_email, user_id: user.user_id }
  },
  regenerateApiKey: (_input, { workspace, user }) => {
    const api_key = newApiKey()
    workspace.db.run('UPDATE users SET api_key = ? WHERE user_id = ?', api_key, user.user_id)
    return { api_key }
  },
}
