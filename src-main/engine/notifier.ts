import type { AccountId } from '../../src-shared/ids.ts'
import { conversationKey } from '../../src-shared/model/conversation.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { decide } from '../notifications/decide.ts'
import type { QueryContext } from '../queries/context.ts'
import { noticeFacts, noticeSettings, type NoticeFacts } from '../queries/notice-facts.ts'
import { unreadAmong } from '../store/unread.ts'
import type { AccountEvents } from './account-events.ts'

/** If more messages than this arrive at once, one notice sums them up. */
const mostAtOnce = 5
/** How many conversations that notice names. */
const mostNamed = 3

type Settings = ReturnType<typeof noticeSettings>

/** A message that the person is notified of. */
interface Told {
  readonly facts: NoticeFacts
  readonly isSilent: boolean
}

/** Notifies of an account's messages. */
export interface Notifier {
  /**
   * Notifies of messages that arrived together, except of those that the settings exclude or that the person is
   * looking at.
   */
  arrived(messageIds: readonly number[]): void
  /** Withdraws the notices whose messages have all been read or are gone. */
  unreadChanged(): void
}

/** Creates the notifier of one account; `queryContext` reads its file as it is at each call. */
export function createNotifier(parts: {
  readonly accountId: AccountId
  readonly events: AccountEvents
  queryContext(): QueryContext
}): Notifier {
  const { accountId, events } = parts

  /** What there is to tell of a message, with whether silently; null if nothing. */
  const toldOf = (id: number, settings: Settings): Told | null => {
    const here = { isEnabledHere: events.notificationsEnabled(), isQuiet: events.isQuiet() }
    const facts = noticeFacts(parts.queryContext(), id, here, settings)
    if (facts === null) return null
    const decision = decide(facts.subject, facts.rules, events.attention())
    return decision.kind === 'quiet' ? null : { facts, isSilent: decision.isSilent }
  }

  const noticeOf = ({ facts, isSilent }: Told): Notice => ({
    id: `${accountId}-${facts.messageId}`,
    accountId,
    messageIds: [facts.messageId],
    conversation: facts.subject.conversation,
    ...facts.words(),
    avatarUrl: facts.avatarUrl,
    isSilent,
  })

  const summaryOf = (told: readonly Told[]): Notice => {
    const places = new Map(told.map(({ facts }) => [conversationKey(facts.subject.conversation), facts]))
    const named = [...places.values()]
      .slice(0, mostNamed)
      .map((facts) => facts.place())
      .join(', ')
    const messageIds = told.map(({ facts }) => facts.messageId)
    return {
      id: `${accountId}-${messageIds.at(-1)}-and-earlier`,
      accountId,
      messageIds,
      conversation: places.size === 1 ? (told[0]?.facts.subject.conversation ?? null) : null,
      title:
        places.size === 1
          ? t.native.newMessages(told.length)
          : t.native.newMessagesIn(told.length, places.size),
      body: places.size > mostNamed ? `${named}, …` : named,
      avatarUrl: null,
      isSilent: told.every(({ isSilent }) => isSilent),
    }
  }

  return {
    arrived(messageIds) {
      const { db } = parts.queryContext()
      const unread = unreadAmong(db, messageIds)
      const settings = noticeSettings(db)
      const told = messageIds.filter((id) => unread.has(id)).flatMap((id) => toldOf(id, settings) ?? [])
      if (told.length > mostAtOnce) events.notify(summaryOf(told))
      else for (const one of told) events.notify(noticeOf(one))
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
