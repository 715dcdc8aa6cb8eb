import type { AccountId } from '../../src-shared/ids.ts'
import { conversationKey } from '../../src-shared/model/conversation.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { decide } from '../notifications/decide.ts'
import type { QueryContext } from '../queries/labels.ts'
import { noticeFacts } from '../queries/notice-facts.ts'
import { unreadAmong } from '../store/unread.ts'
import type { AccountEvents } from './account-events.ts'

/** If more messages than this arrive at once, one notice sums them up. */
const mostAtOnce = 5
/** How many conversations that notice names. */
const mostNamed = 3

/** Notifies of an account's messages. */
export interface Notifier {
  /**
   * Notifies of messages that arrived together, except of those that the settings exclude or that the person is
   * looking at; see `noticeFacts` for `byWildcard`.
   */
  arrived(messageIds: readonly number[], byWildcard: ReadonlySet<number>): void
  /** Withdraws the notices whose messages have all been read or are gone. */
  unreadChanged(): void
}

export function createNotifier(parts: {
  readonly accountId: AccountId
  readonly events: AccountEvents
  queryContext(): QueryContext
}): Notifier {
  const { accountId, events } = parts

  /** The notice of a message, with the name of its conversation; null if there must be none. */
  const noticeOf = (id: number, isOnlyByWildcard: boolean) => {
    const facts = noticeFacts(parts.queryContext(), id, isOnlyByWildcard, {
      isEnabledHere: events.notificationsEnabled(),
      isQuiet: events.isQuiet(),
    })
    if (facts === null) return null
    const decision = decide(facts.subject, facts.rules, events.attention())
    if (decision.kind === 'quiet') return null
    const { conversation } = facts.subject
    const notice: Notice = {
      id: `${accountId}-${id}`,
      accountId,
      messageIds: [facts.messageId],
      conversation,
      title: facts.title,
      body: facts.body,
      avatarUrl: facts.avatarUrl,
      isSilent: decision.isSilent,
    }
    return { notice, conversation, place: facts.place }
  }

  const summaryOf = (told: readonly NonNullable<ReturnType<typeof noticeOf>>[]): Notice => {
    const places = new Map(told.map(({ conversation, place }) => [conversationKey(conversation), place]))
    const named = [...places.values()].slice(0, mostNamed).join(', ')
    const messageIds = told.flatMap(({ notice }) => notice.messageIds)
    return {
      id: `${accountId}-${messageIds.at(-1)}-and-earlier`,
      accountId,
      messageIds,
      conversation: places.size === 1 ? (told[0]?.conversation ?? null) : null,
      title:
        places.size === 1
          ? t.native.newMessages(told.length)
          : t.native.newMessagesIn(told.length, places.size),
      body: places.size > mostNamed ? `${named}, …` : named,
      avatarUrl: null,
      isSilent: told.every(({ notice }) => notice.isSilent),
    }
  }

  return {
    arrived(messageIds, byWildcard) {
      const told = messageIds.flatMap((id) => noticeOf(id, byWildcard.has(id)) ?? [])
      if (told.length > mostAtOnce) events.notify(summaryOf(told))
      else for (const { notice } of told) events.notify(notice)
    },
    unreadChanged() {
      const notices = events.notices().filter(({ messageIds }) => messageIds.length > 0)
      if (notices.length === 0) return
      const unread = unreadAmong(
        parts.queryContext().db,
        notices.flatMap(({ messageIds }) => messageIds),
      )
      const past = notices.filter(({ messageIds }) => !messageIds.some((id) => unread.has(id)))
      if (past.length > 0) events.withdraw(past)
    },
  }
}
