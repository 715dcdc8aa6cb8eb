import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { inSpecificationNames } from './wire.ts'

const externalMethod = z.looseObject({
  name: z.string(),
  display_name: z.string(),
  display_icon: z.string().nullish(),
  login_url: z.string(),
  signup_url: z.string().optional(),
})

/** Global server settings (specification, GET /server_settings); older servers omit keys, so all are optional. */
const serverSettings = z.looseObject({
  authentication_methods: z.record(z.string(), z.boolean()).optional(),
  external_authentication_methods: z.array(externalMethod).optional(),
  service_feature_level: z.int().optional(),
  service_version: z.string().optional(),
  service_merge_base: z.string().optional(),
  push_notifications_enabled: z.boolean().optional(),
  is_incompatible: z.boolean().optional(),
  email_auth_enabled: z.boolean().optional(),
  require_email_format_usernames: z.boolean().optional(),
  realm_url: z.string().optional(),
  realm_uri: z.string().optional(),
  realm_name: z.string().optional(),
  realm_icon: z.string().optional(),
  realm_description: z.string().optional(),
  realm_web_public_access_enabled: z.boolean().optional(),
})

/** Finding out what a server is and signing in. */
export const session = {
  getServerSettings: endpoint({
    method: 'GET',
    path: '/server_settings',
    authenticated: false,
    input: z.object({}),
    output: z.preprocess(inSpecificationNames, serverSettings),
  }),
  fetchApiKey: endpoint({
    method: 'POST',
    path: '/fetch_api_key',
    authenticated: false,
    input: z.object({ username: z.string(), password: z.string() }),
    output: z.looseObject({ api_key: z.string(), email: z.string(), user_id: z.int().optional() }),
  }),
  regenerateApiKey: endpoint({
    method: 'POST',
    path: '/users/me/api_key/regenerate',
    input: z.object({}),
    output: z.looseObject({ api_key: z.string() }),
  }),
}
