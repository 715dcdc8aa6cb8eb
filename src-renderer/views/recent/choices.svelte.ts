import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'

type Params = ParamsOf<'recent-conversations'>
type Filter = Omit<Params['filter'], 'text'>

/** The filter and order of recent conversations, kept as long as the window is open. */
class Choices {
  filter = $state.raw<Filter>({ withDirects: true, withMuted: false, onlyUnread: false, onlyOwn: false })
  order = $state<Params['order']>('newest')

  toggle(key: keyof Filter): void {
    this.filter = { ...this.filter, [key]: !this.filter[key] }
  }
}

export const choices = new Choices()
