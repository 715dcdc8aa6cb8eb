import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { role, wireWholeSeconds } from './wire.ts'

/** A way into the organization: a link that any number of people can follow, or a mail to one person. */
const apiInvitation = z.looseObject({
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int(),
  expiry_date: wireWholeSeconds.nullable(),
  invited_as: role,
  is_multiuse: z.boolean(),
  /** Only for links. */
  link_url: z.string().optional(),
  /** Only for mails. */
  email: z.string().optional(),
  notify_referrer_on_join: z.boolean().optional(),
})
export type ApiInvitation = z.output<typeof apiInvitation>

/** The fields that every invitation has. */
const invitation = {
  invite_expires_in_minutes: z.int().positive().nullable().optional(),
  invite_as: role.optional(),
  stream_ids: z.array(z.int()).optional(),
  group_ids: z.array(z.int()).optional(),
  include_realm_default_subscriptions: z.boolean().optional(),
  /** Plain text; empty means no welcome text. The text `null`, like no value, means the organization's own. */
  welcome_message_custom_text: z.string().optional(),
}

/** Invitations: reusable ones (specification, POST /invites/multiuse), and those by mail. */
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
    input: z.object(invitation),
    output: z.looseObject({ invite_link: z.string() }),
  }),
  sendInvitations: endpoint({
    method: 'POST',
    path: '/invites',
    input: z.object({
      ...invitation,
      /** Addresses, separated by commas or line breaks. */
      invitee_emails: z.string(),
      stream_ids: z.array(z.int()),
      notify_referrer_on_join: z.boolean().optional(),
    }),
    output: z.looseObject({}),
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/invites/{invite_id}/resend',
    input: z.object({ invite_id: z.int() }),
    output: z.looseObject({}),
  }),
  revokeMailInvitation: endpoint({
    method: 'DELETE',
    path: '/invites/{invite_id}',
    input: z.object({ invite_id: z.int() }),
    output: z.looseObject({}),
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: '/invites/multiuse/{invite_id}',
    input: z.object({ invite_id: z.int() }),
    output: z.looseObject({}),
  }),
}
