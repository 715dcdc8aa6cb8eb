import type { FeedMessage, WaitingMessage } from '../../../src-shared/model/message.ts'
import { isResolved } from '../../../src-shared/topic-names.ts'
import type { TopicMove } from '../../../src-shared/model/move.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { isMuted } from '../../state/reading/mute-topic.ts'
import { openProfile } from '../../state/open-profile.svelte.ts'
import type { FeedActs } from './feed-acts.svelte.ts'
import type { MessageCommand, TopicCommand } from './feed-keys.ts'
import { isMyReaction, thumbsUp } from './message-reactions.ts'
import { isStuck } from '../../../src-shared/model/outbox.ts'
import { canTakeBack } from './send-words.ts'

/** Runs a command on a message, whose row is null while it is not drawn. Returns whether there was anything to do. */
export function actOnMessage(
  acts: FeedActs,
  name: MessageCommand,
  message: FeedMessage,
  row: HTMLElement | null,
): boolean {
  const press = (selector: string): boolean => {
    const button = row?.querySelector<HTMLElement>(selector) ?? null
    button?.click()
    return button !== null
  }
  // A click on a film belongs to its player.
  const viewFilm = (): boolean => {
    const film = row?.querySelector('.message_inline_image video') ?? null
    film?.dispatchEvent(new CustomEvent('viewfilm', { bubbles: true }))
    return film !== null
  }
  switch (name) {
    case 'copy-text':
      acts.words.copyText(message)
      return true
    case 'copy-link':
      acts.words.copyLink(message)
      return true
    case 'choose-emoji':
      if (row === null) return false
      acts.chooseEmoji(message, row.querySelector<HTMLElement>('.mt [data-chooses-reaction]') ?? row)
      return true
    case 'thumbs-up':
      acts.react(message.id, thumbsUp, !isMyReaction(message, thumbsUp))
      return true
    case 'first-reaction': {
      const [first] = message.reactions
      if (first !== undefined) acts.react(message.id, first.emoji, !first.isMine)
      return first !== undefined
    }
    case 'collapse':
      // A long message that is not collapsed is folded on this device only.
      if (message.isCollapsed || !press('.more-text')) acts.collapse(message)
      return true
    case 'show-picture':
      return press('.message_inline_image a img') || viewFilm()
    case 'move':
      if (message.conversation.kind !== 'topic') return false
      acts.open('move', message)
      return true
    case 'history':
    case 'readers':
    case 'remind':
    case 'report':
      acts.open(name, message)
      return true
    case 'delete':
      acts.askToDelete(message)
      return true
    case 'menu':
      row
        ?.querySelector('.mt [aria-haspopup="menu"]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      return row !== null
    case 'edit':
      acts.edit(message)
      return true
    case 'reply':
      acts.words.reply(message)
      return true
    case 'quote':
      acts.words.quote(message)
      return true
    case 'forward':
      acts.words.forward(message)
      return true
    case 'reply-direct':
      acts.words.replyDirect(message)
      return true
    case 'mention':
      acts.words.mention(message)
      return true
    case 'star':
      acts.star(message)
      return true
    case 'unread-from-here':
      acts.keepUnreadFrom(message)
      return true
    case 'context':
      acts.openInContext(message)
      return true
    case 'open-conversation':
      acts.openConversation(message)
      return true
    case 'profile': {
      const anchor = row?.querySelector<HTMLElement>('.who .name') ?? row
      if (anchor != null) openProfile.open({ kind: 'person', userId: message.senderId }, anchor)
      return anchor != null
    }
    case 'retry':
      return false
    case 'visibility':
    case 'follow':
    case 'resolve':
    case 'move-topic':
      return actOnTopic(acts, name, message)
  }
}

function actOnTopic(acts: FeedActs, name: TopicCommand, message: FeedMessage): boolean {
  const { recipient, conversation } = message
  if (recipient.kind !== 'topic' || conversation.kind !== 'topic') return false
  const { channelId, topic } = conversation
  switch (name) {
    case 'visibility':
      acts.toggleMute(conversation, recipient)
      return true
    case 'follow':
      acts.setVisibility(channelId, topic, recipient.visibility === 'followed' ? 'none' : 'followed')
      return true
    case 'resolve':
      acts.toggleResolved(message)
      return true
    case 'move-topic':
      acts.openTopicMove(message)
      return true
  }
}

/** The action of a command for a message that waits to be sent or was refused; null if there is none. */
export function waitingAct(
  acts: FeedActs,
  name: MessageCommand,
  item: WaitingMessage,
): { readonly words?: string; run(): void } | null {
  switch (name) {
    case 'edit':
      return canTakeBack(item.state)
        ? { words: t.feed.message.edit, run: () => acts.words.takeBack(item) }
        : null
    case 'retry':
      return isStuck(item.state) ? { run: () => acts.retry(item.localId) } : null
    case 'delete':
      return canTakeBack(item.state)
        ? { words: t.feed.message.discard, run: () => acts.askToDiscard(item) }
        : null
    case 'copy-text':
      return { run: () => acts.words.copyText(item) }
    case 'reply':
      return { run: () => acts.words.reply(item) }
    case 'open-conversation':
      return { run: () => acts.openConversation(item) }
    default:
      return null
  }
}

/** The label of a command for the topic of a message; `move` is the topic's waiting change. */
export function topicWords(
  command: TopicCommand,
  { recipient, conversation }: FeedMessage,
  move: TopicMove | null,
): string {
  const visibility = recipient.kind === 'topic' ? recipient.visibility : 'none'
  const words = t.feed.topic
  switch (command) {
    case 'visibility':
      return recipient.kind === 'topic' && isMuted(recipient) ? words.unmute : words.mute
    case 'follow':
      return visibility === 'followed' ? words.unfollow : words.follow
    case 'resolve': {
      const isDone = conversation.kind === 'topic' && isResolved(move?.to?.topic ?? conversation.topic)
      return isDone ? words.unresolveThis : words.resolveThis
    }
    case 'move-topic':
      return words.renameOrMove
  }
}
