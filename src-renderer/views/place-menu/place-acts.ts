import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import type { TopicVisibility } from '../../../src-shared/model/message.ts'
import { moveIn, type TopicMove } from '../../../src-shared/model/move.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { copyToClipboard } from '../../state/clipboard.ts'
import { markPlaceUnread, unstarAll } from '../../state/reading/change-marked.ts'
import { markPlaceRead } from '../../state/reading/mark-read.ts'
import { openFind } from '../../state/reading/open-find.ts'
import type { MenuPlace } from '../../state/open-place-menu.svelte.ts'
import { once } from '../../state/data/once.ts'
import { messageOfTopic, noteMove, resolveTopic } from '../../state/reading/own-move.ts'
import { placeLink } from '../../state/navigation/place-link.ts'
import { route } from '../../state/navigation/route.svelte.ts'
import { toasts } from '../../state/toast.svelte.ts'

type TopicPlace = Extract<MenuPlace, { kind: 'topic' }>

/** The query for the newest message of a topic, which also says where a waiting change brings the topic. */
export const newestOf = (accountId: string, { channelId, topic }: TopicMove['from']) => ({
  accountId,
  narrow: topicConversation(channelId, topic),
  around: 'newest' as const,
  before: 1,
  after: 0,
})

/** The actions of the menus of places. All of them work offline; failures are shown as toasts. */
export class PlaceActs {
  readonly #bridge: Bridge
  readonly #account: Account

  constructor(bridge: Bridge, account: Account) {
    this.#bridge = bridge
    this.#account = account
  }

  open(narrow: Narrow): void {
    route.go({ view: 'feed', accountId: this.#account.id, narrow, near: null })
  }

  /** Opens the search in the messages of a place, after the menu has given the focus back. */
  find(narrow: Narrow): void {
    setTimeout(() => openFind.openIn(this.#account.id, narrow))
  }

  /** Marks a place as read, and offers to undo that. */
  markRead(narrow: Narrow, name: string): void {
    void markPlaceRead(this.#bridge, this.#account.id, { narrow, name })
  }

  /** Marks what this device has of a place as unread, and offers to undo that. */
  markUnread(narrow: Narrow, name: string): void {
    void markPlaceUnread(this.#bridge, this.#account.id, { narrow, name })
  }

  /** Removes all stars in a place, and offers to undo that. */
  unstarAll(narrow: Narrow): void {
    void unstarAll(this.#bridge, this.#account.id, narrow)
  }

  /**
   * Copies a link that every client can open. It contains the channel's name, for people who read it, and a message of
   * a topic, so that it survives a renaming.
   */
  copyLink(place: Parameters<typeof placeLink>[1], messageId: MessageId | null = null): void {
    this.#linkTo(place, messageId)
      .then(copyToClipboard)
      .then(
        () => toasts.show({ words: t.feed.notes.linkCopied, undo: null }),
        (error: unknown) => toasts.failed(error),
      )
  }

  async #linkTo(place: Parameters<typeof placeLink>[1], known: MessageId | null): Promise<string> {
    const { id: accountId } = this.#account
    const channel =
      place.kind === 'direct'
        ? null
        : await once(this.#bridge, 'channel', { accountId, channelId: place.channelId })
    let topicOf: MessageId | null = null
    if (place.kind === 'topic') {
      // Older servers do not know this part of a link.
      const { abilities } = await once(this.#bridge, 'account-settings', { accountId })
      if (abilities.withOperator) topicOf = known ?? (await messageOfTopic(this.#bridge, accountId, place))
    }
    return placeLink(this.#account, place, channel?.name ?? null, topicOf)
  }

  setVisibility({ channelId, topic }: TopicPlace, visibility: TopicVisibility): void {
    this.act({ name: 'set-topic-visibility', channelId, topic, visibility })
  }

  /** Marks a topic as resolved, or removes the mark, under the name that the topic will have by then. */
  setResolved(place: TopicPlace, goal: TopicMove['from'], on: boolean): void {
    void this.messageOf(place).then((messageId) => {
      if (messageId !== null) this.act(resolveTopic(messageId, goal, on))
    })
  }

  /**
   * A message of the topic that this device knows. If there is none any more, the result is null and a toast says so.
   */
  async messageOf({ channelId, topic, messageId }: TopicPlace): Promise<MessageId | null> {
    if (messageId !== null) return messageId
    try {
      const found = await messageOfTopic(this.#bridge, this.#account.id, { channelId, topic })
      if (found === null) toasts.show({ words: t.placeMenu.gone, undo: null })
      return found
    } catch (error) {
      toasts.failed(error)
      return null
    }
  }

  /** Where the waiting change of a topic brings it; the topic itself if there is none, or if that is not known. */
  async goalOf(place: TopicPlace): Promise<TopicMove['from']> {
    try {
      const { moving } = await once(this.#bridge, 'feed', newestOf(this.#account.id, place))
      return moveIn(moving, place)?.to ?? place
    } catch {
      return place
    }
  }

  /** Puts a change into the outbox. */
  act(action: ActionInput): void {
    if (action.name === 'move-messages') noteMove(this.#account.id, action)
    this.#bridge
      .call('act', { accountId: this.#account.id, action })
      .catch((error: unknown) => toasts.failed(error))
  }
}
