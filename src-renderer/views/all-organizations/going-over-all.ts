import { openFind } from '../../state/reading/open-find.ts'
import { route, type AllPage } from '../../state/navigation/route.svelte.ts'
import type { WindowActs } from '../main-window/keys.ts'

interface Place {
  /** The open page. */
  page(): AllPage
  /** Opens the search over all organizations. */
  search(): void
}

/** The shortcuts that lead from one page over all organizations to another: those of the same views within one. */
export function goingOverAll({ page, search }: Place) {
  const go = (to: AllPage) => route.go({ view: 'all', page: to })
  return {
    find: () => {
      if (!openFind.open()) search()
    },
    'all-organizations': () => go('inbox'),
    inbox: () => go('inbox'),
    recent: () => {
      // When it is open already, the shortcut opens its find bar.
      if (page() !== 'recent' || !openFind.open()) go('recent')
    },
    starred: () => go('starred'),
    mentions: () => go('mentions'),
    drafts: () => {
      if (page() === 'drafts') route.leave('all-drafts', { view: 'all', page: 'inbox' })
      else go('drafts')
    },
    scheduled: () => go('scheduled'),
    back: () => history.back(),
    forward: () => history.forward(),
  } satisfies Partial<WindowActs>
}
