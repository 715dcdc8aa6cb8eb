import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'

type Params = ParamsOf<'recent-conversations'>
type Filter = Omit<Params['filter'], 'text'>

/** What a person chose to see of recent conversations; stays while the window does. */
class Choices {
  filter = $state.raw<Filter>({ withDirects: true, withMuted: false, onlyUnread: false, onlyOwn: false })
  order = $state<Params['order']>('newest')

  toggle(key: keyof Filter): void {
    this.filter = { ...this.filter, [key]: !this.filter[key] }
  }
}

export const choices = new Choices()
