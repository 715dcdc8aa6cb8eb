import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'

/** What is known of a new message when it is decided whether it raises a notification. */
export interface NoticeSubject {
  readonly conversation: Conversation
  readonly senderIsSelf: boolean
  readonly senderIsMuted: boolean
  readonly isRead: boolean
  /** By name, by group or by one of the person's alert words; wildcard mentions count where the settings say so. */
  readonly isMentioned: boolean
}

/** The settings that decide; see the specification's notification settings. */
export interface NoticeRules {
  /** Switched off on this device. */
  readonly isEnabledHere: boolean
  /** The person wants quiet now: a pause, or quiet hours. */
  readonly isQuiet: boolean
  /** Direct messages and mentions. */
  readonly notifiesMentions: boolean
  /** Every message of the channel: its own setting, or the account's. */
  readonly notifiesChannel: boolean
  readonly notifiesFollowedTopics: boolean
  readonly channelIsMuted: boolean
  readonly topicVisibility: TopicVisibility
  readonly sounds: boolean
}

/** Where the person is looking: the narrow in front, with the window in focus; null when looking elsewhere. */
export type Attention = Narrow | null

export type NoticeDecision =
  { readonly kind: 'quiet' } | { readonly kind: 'notify'; readonly isSilent: boolean }

const quiet: NoticeDecision = { kind: 'quiet' }

/** Whether a message raises a notification, and whether it makes a sound. Pure; every rule is one line. */
export function decide(subject: NoticeSubject, rules: NoticeRules, attention: Attention): NoticeDecision {
  if (!rules.isEnabledHere || rules.isQuiet) return quiet
  if (subject.senderIsSelf || subject.senderIsMuted || subject.isRead) return quiet
  if (attention !== null && narrowKey(attention) === narrowKey(subject.conversation)) return quiet
  const isDirect = subject.conversation.kind === 'direct'
  const isFollowed = rules.topicVisibility === 'followed'
  const isMuted =
    rules.topicVisibility === 'muted' ||
    (rules.channelIsMuted && rules.topicVisibility !== 'unmuted' && !isFollowed)
  const wanted =
    ((isDirect || subject.isMentioned) && rules.notifiesMentions) ||
    (!isDirect && !isMuted && rules.notifiesChannel) ||
    (isFollowed && rules.notifiesFollowedTopics)
  return wanted ? { kind: 'notify', isSilent: !rules.sounds } : quiet
}
