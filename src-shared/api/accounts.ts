import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { profileValue } from './profile-fields.ts'
import { role } from './wire.ts'

const changes = {
  full_name: z.string().optional(),
  role: role.optional(),
  profile_data: z.array(profileValue).optional(),
}

/** What administrators do with accounts, and ending one's own. */
export const accounts = {
  createUser: endpoint({
    method: 'POST',
    path: '/users',
    input: z.object({ email: z.string(), password: z.string(), full_name: z.string() }),
    output: z.looseObject({ user_id: z.int() }),
  }),
  updateUser: endpoint({
    method: 'PATCH',
    path: '/users/{user_id}',
    input: z.object({ user_id: z.int(), ...changes }),
    output: z.looseObject({}),
  }),
  updateUserByEmail: endpoint({
    method: 'PATCH',
    path: '/users/{email}',
    since: 313,
    input: z.object({ email: z.string(), ...changes }),
    output: z.looseObject({}),
  }),
  deactivateUser: endpoint({
    method: 'DELETE',
    path: '/users/{user_id}',
    input: z.object({ user_id: z.int(), deactivation_notification_comment: z.string().optional() }),
    output: z.looseObject({}),
  }),
  reactivateUser: endpoint({
    method: 'POST',
    path: '/users/{user_id}/reactivate',
    input: z.object({ user_id: z.int() }),
    output: z.looseObject({}),
  }),
  deactivateOwnUser: endpoint({
    method: 'DELETE',
    path: '/users/me',
    input: z.object({}),
    output: z.looseObject({}),
  }),
}
