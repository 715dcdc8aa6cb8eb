import { route } from '../../state/navigation/route.svelte.ts'
import { keepInEntry, keptInEntry } from '../../state/navigation/history-entry.ts'
import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'

type Params = ParamsOf<'topic-list'>

const field = 'topicChoices'
type Kept = Pick<TopicChoices, 'resolved' | 'onlyUnread' | 'onlyFollowed' | 'order'>

/** The filter and order of a channel's topics, kept as long as the window is open and over a reload. */
class TopicChoices {
  resolved = $state<Params['filter']['resolved']>('any')
  onlyUnread = $state(false)
  onlyFollowed = $state(false)
  order = $state<Params['order']>('newest')

  /** The list opens: its entry in the window's history may have choices of its own. */
  open(): void {
    // Only `keep` writes it.
    const kept = keptInEntry(field) as Kept | undefined
    if (kept !== undefined) Object.assign(this, kept)
  }

  /** Stores the choices with the entry; for an effect. */
  keep(): void {
    // Whoever closes the channels over the view is back at it in a new entry.
    void route.current
    const { resolved, onlyUnread, onlyFollowed, order } = this
    keepInEntry({ [field]: { resolved, onlyUnread, onlyFollowed, order } satisfies Kept })
  }
}

export const topicChoices = new TopicChoices()
