import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

interface Pushed {
  token: string
  kind: string
  app_id: string
  payload: Record<string, unknown>
}

const received: Pushed[] = []
/** Answers as the bouncer would: 404 for a device whose token begins with dead, 500 for one that begins with 5. */
const bouncer = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (body += part))
  request.on('end', () => {
    const pushed = JSON.parse(body) as Pushed
    received.push(pushed)
    response.statusCode = pushed.token.startsWith('dead') ? 404 : pushed.token.startsWith('5') ? 500 : 200
    response.end()
  })
})
const configuration = { pushBouncerUrl: 'http://127.0.0.1:9' }
const org = organization({ configuration })
beforeAll(async () => {
  await new Promise<void>((resolve) => bouncer.listen(0, '127.0.0.1', resolve))
  const { port } = bouncer.address() as AddressInfo
  Object.assign(org.service.workspace.configuration, { pushBouncerUrl: `http://127.0.0.1:${port}` })
})
afterAll(() => void bouncer.close())

const notify = (fields = {}) => org.member.post('/mobile_push/test_notification', fields)

test('PUSH-01: A token unknown to the server is rejected with INVALID_PUSH_DEVICE_TOKEN.', async () => {
  refused(await notify({ token: 'c0ffee' }), 'INVALID_PUSH_DEVICE_TOKEN')
  succeeded(await org.other.post('/users/me/android_gcm_reg_id', { token: 'others' }))
  refused(await notify({ token: 'others' }), 'INVALID_PUSH_DEVICE_TOKEN')
})

test('PUSH-02: With a token, only that device is notified; the event is test and names the organization.', async () => {
  succeeded(
    await org.member.post('/users/me/apns_device_token', { token: 'c0ffee', appid: 'org.example.app' }),
  )
  succeeded(await org.member.post('/users/me/android_gcm_reg_id', { token: 'android-1' }))
  received.length = 0
  succeeded(await notify({ token: 'c0ffee' }))
  expect(received).toMatchObject([
    {
      token: 'c0ffee',
      kind: 'apns',
      app_id: 'org.example.app',
      payload: { event: 'test', realm_name: 'Local workspace', user_id: org.member.id },
    },
  ])
})

test('PUSH-03: Without a token, all registered devices are notified.', async () => {
  received.length = 0
  succeeded(await notify())
  expect(received.map(({ token }) => token).sort()).toEqual(['android-1', 'c0ffee'])
})

test('PUSH-04: A device unknown to the bouncer is rejected with INVALID_REMOTE_PUSH_DEVICE_TOKEN.', async () => {
  succeeded(
    await org.member.post('/users/me/apns_device_token', { token: 'deadbeef', appid: 'org.example.app' }),
  )
  refused(await notify({ token: 'deadbeef' }), 'INVALID_REMOTE_PUSH_DEVICE_TOKEN')
  succeeded(await org.member.delete('/users/me/apns_device_token', { token: 'deadbeef' }))
})

test('PUSH-05: A failure of the bouncer is answered with status 502 and its own error code.', async () => {
  succeeded(await org.member.post('/users/me/android_gcm_reg_id', { token: '500' }))
  refused(await notify({ token: '500' }), 'INTERNAL_SERVER_ERROR_ON_BOUNCER', 502)
  const { pushBouncerUrl } = org.service.workspace.configuration
  Object.assign(org.service.workspace.configuration, configuration)
  refused(await notify({ token: '500' }), 'FAILED_TO_CONNECT_BOUNCER', 502)
  Object.assign(org.service.workspace.configuration, { pushBouncerUrl })
  succeeded(await org.member.delete('/users/me/android_gcm_reg_id', { token: '500' }))
})

test('PUSH-06: A device is registered only once and removed on request; its token is then unknown.', async () => {
  succeeded(await org.member.post('/users/me/android_gcm_reg_id', { token: 'android-1' }))
  succeeded(await org.member.delete('/users/me/android_gcm_reg_id', { token: 'android-1' }))
  refused(await org.member.delete('/users/me/android_gcm_reg_id', { token: 'android-1' }), 'BAD_REQUEST', 404)
  refused(await notify({ token: 'android-1' }), 'INVALID_PUSH_DEVICE_TOKEN')
})

test('PUSH-07: Tokens cannot be empty; tokens for Apple devices are hexadecimal and need an app id.', async () => {
  refused(await org.member.post('/users/me/android_gcm_reg_id', { token: '' }))
  refused(await org.member.post('/users/me/android_gcm_reg_id', { token: 'x'.repeat(4_097) }))
  refused(
    await org.member.post('/users/me/apns_device_token', { token: 'not hex', appid: 'org.example.app' }),
  )
  refused(await org.member.post('/users/me/apns_device_token', { token: 'c0ffee', appid: '../x' }))
  // Bots carry no devices.
  refused(await org.bot.post('/users/me/apns_device_token', { token: 'c0ffee', appid: 'org.example.app' }))
  refused(await org.bot.post('/users/me/android_gcm_reg_id', { token: 'robot' }))
  refused(await org.bot.post('/mobile_push/test_notification'))
})

test('PUSH-08: A server without a bouncer reports that push notifications are not configured.', async () => {
  const { pushBouncerUrl } = org.service.workspace.configuration
  Object.assign(org.service.workspace.configuration, { pushBouncerUrl: null })
  refused(await notify(), 'PUSH_SERVICE_NOT_CONFIGURED')
  Object.assign(org.service.workspace.configuration, { pushBouncerUrl })
})

test('PUSH-09: The server settings and the answer to a registration state whether push notifications are enabled.', async () => {
  const told = async () => [
    succeeded(await org.nobody.get('/server_settings')).push_notifications_enabled,
    (await org.member.register({ fetch_event_types: ['realm'] })).state.realm_push_notifications_enabled,
  ]
  expect(await told()).toEqual([true, true])
  const { pushBouncerUrl } = org.service.workspace.configuration
  Object.assign(org.service.workspace.configuration, { pushBouncerUrl: null })
  expect(await told()).toEqual([false, false])
  Object.assign(org.service.workspace.configuration, { pushBouncerUrl })
})

test('PUSH-10: No device exists for encrypted notifications, and none can be registered.', async () => {
  refused(await org.member.post('/mobile_push/e2ee/test_notification'), 'NO_ACTIVE_PUSH_DEVICE')
  const device = {
    token_kind: 'fcm',
    push_account_id: 7,
    push_public_key: 'key',
    bouncer_public_key: 'key',
    encrypted_push_registration: 'sealed',
  }
  refused(await org.member.post('/mobile_push/register', device), 'PUSH_SERVICE_NOT_CONFIGURED')
  refused(await org.bot.post('/mobile_push/register', device))
  refused(await org.bot.post('/mobile_push/e2ee/test_notification'))
})
