import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { reactionType } from './wire.ts'

/** A person's status; empty fields are left out. */
export const apiStatus = z.looseObject({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.union([reactionType, z.literal('')]).optional(),
  away: z.boolean().optional(),
})

/** Only the fields that changed; an empty text means that it was cleared. */
export const statusEvent = apiStatus.extend({ user_id: z.int() })

const changes = {
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
}

/** Status texts and emoji beside people's names. */
export const status = {
  getStatus: endpoint({
    method: 'GET',
    path: '/users/{user_id}/status',
    input: z.object({ user_id: z.int() }),
    output: z.looseObject({ status: apiStatus }),
  }),
  updateOwnStatus: endpoint({
    method: 'POST',
    path: '/users/me/status',
    input: z.object({ ...changes, away: z.boolean().optional() }),
    output: z.looseObject({}),
  }),
  updateStatus: endpoint({
    method: 'POST',
    path: '/users/{user_id}/status',
    since: 407,
    input: z.object({ user_id: z.int(), ...changes }),
    output: z.looseObject({}),
  }),
}
