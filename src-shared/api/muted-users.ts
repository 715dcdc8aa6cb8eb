import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** People whose messages a person does not want to see. */
export const mutedUsers = {
  muteUser: endpoint({
    method: 'POST',
    path: '/users/me/muted_users/{muted_user_id}',
    since: 48,
    input: z.object({ muted_user_id: z.int() }),
    output: z.looseObject({}),
  }),
  unmuteUser: endpoint({
    method: 'DELETE',
    path: '/users/me/muted_users/{muted_user_id}',
    since: 48,
    input: z.object({ muted_user_id: z.int() }),
    output: z.looseObject({}),
  }),
}
