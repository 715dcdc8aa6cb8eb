import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { role, wireSeconds } from './wire.ts'

/** The User object (specification, User object). */
export const apiUser = z.looseObject({
  user_id: z.int(),
  delivery_email: z.string().nullish(),
  email: z.string(),
  full_name: z.string(),
  date_joined: z.string().optional(),
  is_active: z.boolean().optional(),
  is_owner: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  is_guest: z.boolean().optional(),
  is_bot: z.boolean().default(false),
  bot_type: z.int().nullish(),
  bot_owner_id: z.int().nullish(),
  role: role.catch(400).default(400),
  timezone: z.string().default(''),
  avatar_url: z.string().nullish(),
  avatar_version: z.int().optional(),
  profile_data: z.record(z.string(), z.unknown()).optional(),
})
export type ApiUser = z.output<typeof apiUser>

/** When a person was last active and last connected; in seconds. */
export const modernPresence = z.looseObject({
  active_timestamp: wireSeconds.default(0),
  idle_timestamp: wireSeconds.default(0),
})

const legacyPresenceEntry = z.looseObject({
  client: z.string().optional(),
  status: z.string(),
  timestamp: wireSeconds,
  pushable: z.boolean().optional(),
})
export const legacyPresence = z.record(z.string(), legacyPresenceEntry)

/** People, their presence and what they are typing. */
export const users = {
  getOwnUser: endpoint({
    method: 'GET',
    path: '/users/me',
    input: z.object({}),
    output: apiUser.extend({ max_message_id: z.int().optional() }),
  }),
  getUsers: endpoint({
    method: 'GET',
    path: '/users',
    input: z.object({
      client_gravatar: z.boolean().optional(),
      include_custom_profile_fields: z.boolean().optional(),
      user_ids: z.array(z.int()).optional(),
    }),
    output: z.looseObject({ members: z.array(apiUser) }),
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/users/{user_id}',
    input: z.object({
      user_id: z.int(),
      client_gravatar: z.boolean().optional(),
      include_custom_profile_fields: z.boolean().optional(),
    }),
    output: z.looseObject({ user: apiUser }),
  }),
  getUserByEmail: endpoint({
    method: 'GET',
    path: '/users/{email}',
    since: 39,
    input: z.object({
      email: z.string(),
      client_gravatar: z.boolean().optional(),
      include_custom_profile_fields: z.boolean().optional(),
    }),
    output: z.looseObject({ user: apiUser }),
  }),
  updatePresence: endpoint({
    method: 'POST',
    path: '/users/me/presence',
    input: z.object({
      status: z.enum(['active', 'idle']),
      ping_only: z.boolean().optional(),
      new_user_input: z.boolean().optional(),
      slim_presence: z.boolean().optional(),
      last_update_id: z.int().optional(),
      history_limit_days: z.int().optional(),
    }),
    output: z.looseObject({
      presences: z.record(z.string(), z.unknown()).optional(),
      server_timestamp: wireSeconds.optional(),
      presence_last_update_id: z.int().optional(),
    }),
  }),
  getRealmPresence: endpoint({
    method: 'GET',
    path: '/realm/presence',
    input: z.object({}),
    output: z.looseObject({ server_timestamp: wireSeconds, presences: z.record(z.string(), legacyPresence) }),
  }),
  getUserPresence: endpoint({
    method: 'GET',
    path: '/users/{user_id_or_email}/presence',
    input: z.object({ user_id_or_email: z.string() }),
    output: z.looseObject({ presence: legacyPresence }),
  }),
  /** Tells others that the caller is editing a message. */
  setMessageTypingStatus: endpoint({
    method: 'POST',
    path: '/messages/{message_id}/typing',
    since: 361,
    input: z.object({ message_id: z.int(), op: z.enum(['start', 'stop']) }),
    output: z.looseObject({}),
  }),
  setTypingStatus: endpoint({
    method: 'POST',
    path: '/typing',
    input: z.object({
      type: z.enum(['direct', 'private', 'stream', 'channel']).optional(),
      op: z.enum(['start', 'stop']),
      to: z.array(z.int()).optional(),
      stream_id: z.int().optional(),
      topic: z.string().optional(),
    }),
    output: z.looseObject({}),
  }),
}
