import type { AccountId } from '../../src-shared/ids.ts'
import { decide } from '../notifications/decide.ts'
import type { QueryContext } from '../queries/labels.ts'
import { noticeFacts } from '../queries/notice-facts.ts'
import type { AccountEvents } from './account-events.ts'

/**
 * Returns a function that notifies of a new message, unless the settings forbid it or the person is looking at it; see
 * `noticeFacts` for `isOnlyByWildcard`.
 */
export function createNotifier(parts: {
  readonly accountId: AccountId
  readonly events: AccountEvents
  queryContext(): QueryContext
}): (messageId: number, isOnlyByWildcard: boolean) => void {
  const { accountId, events } = parts
  return (id, isOnlyByWildcard) => {
    const facts = noticeFacts(parts.queryContext(), id, isOnlyByWildcard, {
      isEnabledHere: events.notificationsEnabled(),
      isQuiet: events.isQuiet(),
    })
    if (facts === null) return
    const decision = decide(facts.subject, facts.rules, events.attention())
    if (decision.kind === 'quiet') return
    events.notify({
      id: `${accountId}-${id}`,
      accountId,
      messageId: facts.messageId,
      conversation: facts.subject.conversation,
      title: facts.title,
      body: facts.body,
      avatarUrl: facts.avatarUrl,
      isSilent: decision.isSilent,
    })
  }
}
