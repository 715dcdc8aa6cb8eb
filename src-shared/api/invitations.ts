import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { role } from './wire.ts'

/** A link with which people come into the organization, as often as somebody follows it. */
export const apiInvitation = z.looseObject({
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int(),
  expiry_date: z.int().nullable(),
  invited_as: role,
  is_multiuse: z.boolean(),
  link_url: z.string().optional(),
  notify_referrer_on_join: z.boolean().optional(),
})
export type ApiInvitation = z.output<typeof apiInvitation>

/** Reusable invitations (specification, POST /invites/multiuse). */
export const invitations = {
  getInvitations: endpoint({
    method: 'GET',
    path: '/invites',
    input: z.object({}),
    output: z.looseObject({ invites: z.array(apiInvitation) }),
  }),
  createInvitation: endpoint({
    method: 'POST',
    path: '/invites/multiuse',
    input: z.object({
      invite_expires_in_minutes: z.int().positive().nullable().optional(),
      invite_as: role.optional(),
      stream_ids: z.array(z.int()).optional(),
      group_ids: z.array(z.int()).optional(),
      include_realm_default_subscriptions: z.boolean().optional(),
      /** Plain text, of which `null` is none: nothing but that word stands for the organization's own. */
      welcome_message_custom_text: z.string().optional(),
    }),
    output: z.looseObject({ invite_link: z.string() }),
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: '/invites/multiuse/{invite_id}',
    input: z.object({ invite_id: z.int() }),
    output: z.looseObject({}),
  }),
}
