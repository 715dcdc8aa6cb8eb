import { route } from '../../state/navigation/route.svelte.ts'
import { keepInEntry, keptInEntry } from '../../state/navigation/history-entry.ts'
import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'

type Params = ParamsOf<'recent-conversations'>
type Filter = Omit<Params['filter'], 'text'>

const field = 'recentChoices'

/** The filter and order of recent conversations, kept as long as the window is open and over a reload. */
class Choices {
  filter = $state.raw<Filter>({ withDirects: true, withMuted: false, onlyUnread: false, onlyOwn: false })
  order = $state<Params['order']>('newest')

  /** The view opens: its entry in the window's history may have choices of its own. */
  open(): void {
    // Only `keep` writes it.
    const kept = keptInEntry(field) as Pick<Choices, 'filter' | 'order'> | undefined
    if (kept === undefined) return
    this.filter = kept.filter
    this.order = kept.order
  }

  /** Stores the choices with the entry; for an effect. */
  keep(): void {
    // Whoever closes the channels over the view is back at it in a new entry.
    void route.current
    const { filter, order } = this
    keepInEntry({ [field]: { filter, order } })
  }

  toggle(key: keyof Filter): void {
    this.filter = { ...this.filter, [key]: !this.filter[key] }
  }
}

export const choices = new Choices()
