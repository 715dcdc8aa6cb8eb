import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const token = z.string()

/** Mobile devices that want notifications (specification, POST /mobile_push/test_notification). */
export const mobilePush = {
  sendTestNotification: endpoint({
    method: 'POST',
    path: '/mobile_push/test_notification',
    input: z.object({ token: token.optional() }),
    output: z.looseObject({}),
  }),
  /** For devices that receive encrypted notifications. */
  sendEncryptedTestNotification: endpoint({
    method: 'POST',
    path: '/mobile_push/e2ee/test_notification',
    since: 420,
    input: z.object({ push_account_id: z.int().optional() }),
    output: z.looseObject({}),
  }),
  registerEncryptedDevice: endpoint({
    method: 'POST',
    path: '/mobile_push/register',
    since: 406,
    input: z.object({
      token_kind: z.enum(['fcm', 'apns']),
      push_account_id: z.int(),
      push_public_key: z.string(),
      bouncer_public_key: z.string(),
      encrypted_push_registration: z.string(),
    }),
    output: z.looseObject({}),
  }),
  addAppleDevice: endpoint({
    method: 'POST',
    path: '/users/me/apns_device_token',
    input: z.object({ token, appid: z.string() }),
    output: z.looseObject({}),
  }),
  removeAppleDevice: endpoint({
    method: 'DELETE',
    path: '/users/me/apns_device_token',
    input: z.object({ token }),
    output: z.looseObject({}),
  }),
  addAndroidDevice: endpoint({
    method: 'POST',
    path: '/users/me/android_gcm_reg_id',
    input: z.object({ token }),
    output: z.looseObject({}),
  }),
  removeAndroidDevice: endpoint({
    method: 'DELETE',
    path: '/users/me/android_gcm_reg_id',
    input: z.object({ token }),
    output: z.looseObject({}),
  }),
}
