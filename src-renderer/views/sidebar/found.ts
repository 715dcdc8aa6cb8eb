import type { JumpTarget } from '../../../src-shared/model/search-results.ts'
import type { ChannelId } from '../../../src-shared/ids.ts'
import type { TopicSummary } from '../../../src-shared/model/channel.ts'
import { isResolved } from '../../../src-shared/topic-names.ts'
import type { Person } from '../../../src-shared/model/user.ts'
import { matchesFilter } from '../../state/matches-filter.ts'

/** A topic of any channel, with what its row needs. */
export type FoundTopic = Omit<TopicSummary, 'newestMessageId'> &
  Partial<Pick<TopicSummary, 'newestMessageId'>> & { readonly channelId: ChannelId }

/** Topics whose own name fits; the query also finds topics by the name of their channel. */
export const foundTopics = (targets: readonly JumpTarget[], filter: string): FoundTopic[] =>
  targets.flatMap((target) =>
    target.kind === 'conversation' &&
    target.label.kind === 'topic' &&
    matchesFilter(target.label.topic, filter) &&
    target.conversation.kind === 'topic'
      ? [
          {
            channelId: target.label.channelId,
            topic: target.conversation.topic,
            displayName: target.label.topic,
            isEmptyTopic: target.label.isEmptyTopic,
            isResolved: isResolved(target.label.topic),
            visibility: target.label.visibility,
            unreadCount: target.unreadCount,
            hasMention: target.hasMention,
          },
        ]
      : [],
  )

/** People whose name fits. */
export const foundPeople = (targets: readonly JumpTarget[], filter: string): Person[] =>
  targets.flatMap((target) =>
    target.kind === 'person' && matchesFilter(target.person.fullName, filter) ? [target.person] : [],
  )
