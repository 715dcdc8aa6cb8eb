import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'

type Params = ParamsOf<'topic-list'>

/** What a person chose to see of a channel's topics; stays while the window does. */
class TopicChoices {
  resolved = $state<Params['filter']['resolved']>('any')
  onlyUnread = $state(false)
  order = $state<Params['order']>('newest')
}

export const topicChoices = new TopicChoices()
