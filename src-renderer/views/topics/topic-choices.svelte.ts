import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'

type Params = ParamsOf<'topic-list'>

/** The filter and order of a channel's topics, kept as long as the window is open. */
class TopicChoices {
  resolved = $state<Params['filter']['resolved']>('any')
  onlyUnread = $state(false)
  onlyFollowed = $state(false)
  order = $state<Params['order']>('newest')
}

export const topicChoices = new TopicChoices()
