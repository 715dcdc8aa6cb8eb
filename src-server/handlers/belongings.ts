import type { Registration } from './initial-state.ts'
import { linkifierList, linkifiers, playgroundList } from './linkifiers.ts'
import { snippets, snippetsOf } from './snippets.ts'

/** The handlers of `belongings` in src-shared/api. */
export const belongings = { ...snippets, ...linkifiers }

/** What each of their fetch types adds to the state that registering a queue returns. */
export const belongingsParts: Readonly<Record<string, (asked: Registration) => object>> = {
  saved_snippets: ({ workspace, user }) => ({ saved_snippets: snippetsOf(workspace, user.user_id) }),
  realm_linkifiers: ({ workspace, capabilities }) => ({
    realm_linkifiers: capabilities.linkifier_url_template === true ? linkifierList(workspace) : [],
  }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_playgrounds: ({ workspace }) => ({ realm_playgrounds: playgroundList(workspace) }),
}
