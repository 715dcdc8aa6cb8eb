import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireSeconds } from './wire.ts'

/** The Draft object as it is sent; `id` must not travel with it (specification, Draft object). */
const apiDraftContent = z.strictObject({
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: wireSeconds.optional(),
})

/** The Draft object as it is fetched. */
export const apiDraft = z.looseObject({
  id: z.int(),
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: wireSeconds.default(0),
})
export type ApiDraft = z.output<typeof apiDraft>
export type ApiDraftContent = z.output<typeof apiDraftContent>

const draftsSince = 87

/** How many drafts the answer to a registration has at most; `getDrafts` has all of them. */
export const mostDraftsInState = 1_000

/** Drafts that the server keeps for all of a person's devices. */
export const drafts = {
  getDrafts: endpoint({
    method: 'GET',
    path: '/drafts',
    since: draftsSince,
    input: z.object({}),
    output: z.looseObject({ count: z.int(), drafts: z.array(apiDraft) }),
  }),
  createDrafts: endpoint({
    method: 'POST',
    path: '/drafts',
    since: draftsSince,
    input: z.object({ drafts: z.array(apiDraftContent) }),
    output: z.looseObject({ ids: z.array(z.int()) }),
  }),
  editDraft: endpoint({
    method: 'PATCH',
    path: '/drafts/{draft_id}',
    since: draftsSince,
    input: z.object({ draft_id: z.int(), draft: apiDraftContent }),
    output: z.looseObject({}),
  }),
  deleteDraft: endpoint({
    method: 'DELETE',
    path: '/drafts/{draft_id}',
    since: draftsSince,
    input: z.object({ draft_id: z.int() }),
    output: z.looseObject({}),
  }),
}
