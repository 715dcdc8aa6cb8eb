import type { Suggestion } from '../../../src-shared/bridge/suggestion.ts'
import { channelLink, topicLink } from '../../../src-shared/model/message-link.ts'
import { isDoneAtOnce, type CommandName } from './known-words.ts'
import { linkLabel } from './link-label.ts'
import type { Trigger } from './trigger.ts'

/** One row of the list that opens while a person writes. */
export type Completion =
  | Suggestion
  | {
      readonly kind: 'emoji'
      readonly name: string
      /** Empty for an emoji of the organization, which is a picture. */
      readonly characters: string
      readonly imageUrl: string | null
    }
  | { readonly kind: 'language'; readonly name: string }
  | { readonly kind: 'command'; readonly name: CommandName; readonly words: string }
  | { readonly kind: 'snippet'; readonly title: string; readonly content: string }
  | { readonly kind: 'time'; readonly words: string; readonly mark: string }
  /** A topic that does not exist yet. */
  | { readonly kind: 'new-topic'; readonly topic: string }

/** The whole text after a completion, and the position of the caret. */
export interface Completed {
  readonly value: string
  readonly caret: number
  /** Whether the completion added a space before the caret. */
  readonly hasGap: boolean
}

/** The channel that a link without a channel name refers to. */
export interface HomeChannel {
  readonly channelId: number
  readonly name: string
}

/**
 * Replaces the typed text, from the trigger's start to the caret, by the completion. A space follows if the person will
 * continue with a new word.
 */
export function complete(
  value: string,
  caret: number,
  trigger: Trigger,
  chosen: Completion,
  home: HomeChannel | null,
): Completed {
  const text = completionText(trigger, chosen, home)
  const after = value.slice(caret)
  const gap = chosen.kind === 'language' || text === '' || /^[\s,.;:!?)]/.test(after) ? '' : ' '
  const fence = chosen.kind === 'language' ? afterLanguage(value, caret, trigger, chosen.name) : ''
  return {
    value: value.slice(0, trigger.start) + text + gap + fence + after,
    caret: trigger.start + text.length + gap.length + (fence === '' ? 0 : 1),
    hasGap: gap !== '',
  }
}

/** A link to a channel that still needs its topic; `>` makes it from a chosen channel. */
export function completeToTopic(
  value: string,
  caret: number,
  trigger: Trigger,
  channelName: string,
): Completed {
  const text = `#**${channelName}>`
  return {
    value: value.slice(0, trigger.start) + text + value.slice(caret),
    caret: trigger.start + text.length,
    hasGap: false,
  }
}

function completionText(trigger: Trigger, chosen: Completion, home: HomeChannel | null): string {
  const silent = trigger.kind === 'mention' && trigger.isSilent ? '_' : ''
  switch (chosen.kind) {
    case 'person': {
      const { fullName, userId } = chosen.person
      return `@${silent}**${fullName}${chosen.hasNamesake ? `|${userId}` : ''}**`
    }
    case 'group':
      return `@${silent}*${chosen.name}*`
    case 'wildcard':
      return `@${silent}**${chosen.name}**`
    case 'channel':
      return channelText(chosen.channel)
    case 'topic':
    case 'new-topic': {
      const channel =
        trigger.kind === 'topic' && trigger.channelName !== null
          ? { channelId: home?.name === trigger.channelName ? home.channelId : 0, name: trigger.channelName }
          : home
      return channel === null ? '' : topicText(channel, chosen.topic)
    }
    case 'emoji':
      // Emoji characters are the same on every server; emoji names differ.
      return chosen.characters === '' ? `:${chosen.name}:` : chosen.characters
    case 'language':
      return chosen.name
    case 'command':
      // A command that takes effect at once leaves nothing to send.
      return isDoneAtOnce(chosen.name) ? '' : `/${chosen.name}`
    case 'snippet':
      return chosen.content
    case 'time':
      return chosen.mark
  }
}

/** Characters that would end the short form of a link too early. */
const breaksLink = /[`>*&[\]]|\$\$/

/** The Markdown of a link to a channel: the short form, unless the name would break it. */
export function channelText(channel: { readonly channelId: number; readonly name: string }): string {
  return breaksLink.test(channel.name)
    ? `[#${linkLabel(channel.name)}](${channelLink(channel.channelId, channel.name)})`
    : `#**${channel.name}**`
}

/** The Markdown of a link to a topic, or to a message in it. */
export function topicText(
  channel: { readonly channelId: number; readonly name: string },
  topic: string,
  messageId: number | null = null,
): string {
  if (channel.channelId > 0 && (breaksLink.test(channel.name) || breaksLink.test(topic) || topic === '')) {
    const words = linkLabel(`#${channel.name} > ${topic}${messageId === null ? '' : ' @ 💬'}`)
    const near = messageId === null ? '' : `/near/${messageId}`
    return `[${words}](${topicLink(channel.channelId, channel.name, topic)}${near})`
  }
  return `#**${channel.name}>${topic}${messageId === null ? '' : `@${messageId}`}**`
}

/** The line of the code, and the end of the block where nothing follows. */
function afterLanguage(value: string, caret: number, { start, text }: Trigger, name: string): string {
  const mark = /(`{3,}|~{3,})\s*$/.exec(value.slice(0, start))?.[1] ?? '```'
  if (value.slice(caret).trim() === '') return `\n\n${mark}`
  // There was nothing to complete, so the key begins a line.
  return text.toLowerCase() === name ? '\n' : ''
}
