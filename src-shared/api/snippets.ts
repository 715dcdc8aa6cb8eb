import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireWholeSeconds } from './wire.ts'

/** A saved text that a person inserts into messages. */
export const apiSnippet = z.looseObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  /** UNIX seconds. */
  date_created: wireWholeSeconds.default(0),
})
export type ApiSnippet = z.output<typeof apiSnippet>

export const snippetEvent = z.discriminatedUnion('op', [
  z.looseObject({ op: z.literal('add'), saved_snippet: apiSnippet }),
  z.looseObject({ op: z.literal('update'), saved_snippet: apiSnippet }),
  z.looseObject({ op: z.literal('remove'), saved_snippet_id: z.int() }),
])

/** Saved snippets (specification, PATCH /saved_snippets/{saved_snippet_id}). */
export const snippets = {
  getSavedSnippets: endpoint({
    method: 'GET',
    path: '/saved_snippets',
    input: z.object({}),
    output: z.looseObject({ saved_snippets: z.array(apiSnippet) }),
  }),
  createSavedSnippet: endpoint({
    method: 'POST',
    path: '/saved_snippets',
    input: z.object({ title: z.string(), content: z.string() }),
    output: z.looseObject({ saved_snippet_id: z.int() }),
  }),
  editSavedSnippet: endpoint({
    method: 'PATCH',
    path: '/saved_snippets/{saved_snippet_id}',
    since: 368,
    input: z.object({
      saved_snippet_id: z.int(),
      title: z.string().optional(),
      content: z.string().optional(),
    }),
    output: z.looseObject({}),
  }),
  deleteSavedSnippet: endpoint({
    method: 'DELETE',
    path: '/saved_snippets/{saved_snippet_id}',
    input: z.object({ saved_snippet_id: z.int() }),
    output: z.looseObject({}),
  }),
}
