import { z } from 'zod'
import { apiLinkifier, apiPlayground, linkifiers } from './linkifiers.ts'
import { apiSnippet, snippetEvent, snippets } from './snippets.ts'

// What accounts and organizations have beside conversations and people: small lists that screens read whole.

/** Their endpoints, a part of `api`. */
export const belongings = { ...snippets, ...linkifiers }

/** Their events, a part of `serverEvents`. */
export const belongingsEvents = {
  saved_snippets: snippetEvent,
  realm_linkifiers: z.looseObject({ realm_linkifiers: z.array(apiLinkifier) }),
  realm_playgrounds: z.looseObject({ realm_playgrounds: z.array(apiPlayground) }),
}

/** Their fields of the snapshot. */
export const belongingsSnapshot = {
  saved_snippets: z.array(apiSnippet).optional(),
  realm_linkifiers: z.array(apiLinkifier).optional(),
  realm_playgrounds: z.array(apiPlayground).optional(),
}
