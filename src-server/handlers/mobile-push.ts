import type { Handlers } from '../../src-shared/api/index.ts'
import { pushTo, type PushDevice, type PushOutcome } from '../people/push-bouncer.ts'
import { assertPerson } from '../permissions/roles.ts'
import { badRequest, notFound, ServiceError } from '../service-error.ts'
import { realmValue, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestToken = 4_096

export const mobilePush: Pick<
  Handlers<HandlerContext>,
  | 'sendTestNotification'
  | 'sendEncryptedTestNotification'
  | 'registerEncryptedDevice'
  | 'addAppleDevice'
  | 'removeAppleDevice'
  | 'addAndroidDevice'
  | 'removeAndroidDevice'
> = {
  sendTestNotification: async ({ token }, { workspace, user }) => {
    assertPerson(user)
    const devices = workspace.db.all<PushDevice>(
      'SELECT token, kind, app_id FROM push_devices WHERE user_id = ? ORDER BY token',
      user.user_id,
    )
    const wanted = token === undefined ? devices : devices.filter((device) => device.token === token)
    if (token !== undefined && wanted.length === 0)
      throw new ServiceError('INVALID_PUSH_DEVICE_TOKEN', 'This server does not know that device.')
    const { pushBouncerUrl } = workspace.configuration
    if (pushBouncerUrl === null)
      throw new ServiceError(
        'PUSH_SERVICE_NOT_CONFIGURED',
        'This server is not set up to send notifications to mobile devices.',
      )
    for (const device of wanted) {
      const outcome = await pushTo(pushBouncerUrl, device, testPayload(workspace, user))
      if (outcome !== 'accepted') throw refusals[outcome]()
    }
    return {}
  },
  // The bouncer of this service does not support encrypted notifications, so no device is ever registered for them.
  sendEncryptedTestNotification: (_input, { user }) => {
    assertPerson(user)
    throw new ServiceError('NO_ACTIVE_PUSH_DEVICE', 'No device is registered for encrypted notifications.')
  },
  registerEncryptedDevice: (_input, { user }) => {
    assertPerson(user)
    throw new ServiceError(
      'PUSH_SERVICE_NOT_CONFIGURED',
      'This server is not set up to send encrypted notifications to mobile devices.',
    )
  },
  addAppleDevice: ({ token, appid }, { workspace, user }) => {
    add(workspace, user, { token, kind: 'apns', app_id: appid })
    return {}
  },
  removeAppleDevice: ({ token }, { workspace, user }) => {
    remove(workspace, user, token, 'apns')
    return {}
  },
  addAndroidDevice: ({ token }, { workspace, user }) => {
    add(workspace, user, { token, kind: 'fcm', app_id: '' })
    return {}
  },
  removeAndroidDevice: ({ token }, { workspace, user }) => {
    remove(workspace, user, token, 'fcm')
    return {}
  },
}

const refusals: Readonly<Record<Exclude<PushOutcome, 'accepted'>, () => ServiceError>> = {
  'unknown-device': () =>
    new ServiceError(
      'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
      'The service that passes notifications on does not know that device.',
    ),
  unreachable: () =>
    new ServiceError(
      'FAILED_TO_CONNECT_BOUNCER',
      'The service that passes notifications on cannot be reached now. Try again later.',
      {},
      502,
    ),
  failed: () =>
    new ServiceError(
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
      'The service that passes notifications on is in trouble. Try again later.',
      {},
      502,
    ),
}

const testPayload = (workspace: Workspace, user: UserRow) => ({
  ...(workspace.featureLevel < 234
    ? { event: 'test-by-device-token' }
    : { event: 'test', realm_name: realmValue(workspace.db, 'name') }),
  realm_url: workspace.url,
  user_id: user.user_id,
  time: workspace.now(),
})

function add(workspace: Workspace, user: UserRow, { token, kind, app_id }: PushDevice): void {
  assertPerson(user)
  if (token === '' || token.length > longestToken) throw badRequest('Empty or invalid length token')
  if (kind === 'apns' && !/^[0-9a-f]+$/i.test(token)) throw badRequest('Invalid APNS token')
  if (kind === 'apns' && !/^[.a-zA-Z0-9-]+$/.test(app_id)) throw badRequest('Invalid app ID')
  workspace.db.run(
    'INSERT OR REPLACE INTO push_devices VALUES (?, ?, ?, ?)',
    user.user_id,
    token,
    kind,
    app_id,
  )
}

function remove(workspace: Workspace, user: UserRow, token: string, kind: PushDevice['kind']): void {
  assertPerson(user)
  const { changes } = workspace.db.run(
    'DELETE FROM push_devices WHERE user_id = ? AND token = ? AND kind = ?',
    user.user_id,
    token,
    kind,
  )
  if (changes === 0) throw notFound('Token does not exist')
}
