import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'

/** The facts about a new message that decide whether it raises a notification. */
export interface NoticeSubject {
  readonly conversation: Conversation
  readonly senderIsSelf: boolean
  readonly senderIsMuted: boolean
  readonly isRead: boolean
  /** By name, by group or by an alert word of the person. */
  readonly isMentioned: boolean
  /** By a wildcard: with everybody of the channel or the topic. */
  readonly isMentionedByWildcard: boolean
}

/** What the settings want for one reason to notify of a message. */
export interface ReasonRules {
  readonly notifies: boolean
  readonly sounds: boolean
}

/** The settings that decide; see the specification's notification settings. */
export interface NoticeRules {
  /** False if notifications are switched off on this device. */
  readonly isEnabledHere: boolean
  /** Whether there is a pause, or quiet hours, now. */
  readonly isQuiet: boolean
  /** For direct messages and mentions. */
  readonly personal: ReasonRules
  /** For every message of the channel: the channel's own settings, or the account's. */
  readonly channel: ReasonRules
  readonly followedTopics: ReasonRules
  /** Whether a wildcard mention counts as a mention there, unless the place is muted. */
  readonly countsWildcardMentions: boolean
  readonly channelIsMuted: boolean
  readonly topicVisibility: TopicVisibility
}

/** What the person is looking at: the narrow in front of a focused window; null if they look elsewhere. */
export type Attention = Narrow | null

/** Whether a message notifies. */
export type NoticeDecision =
  | { readonly kind: 'quiet' }
  | { readonly kind: 'notify'; readonly isSilent: boolean }

const quiet: NoticeDecision = { kind: 'quiet' }

/**
 * Whether a message raises a notification, and whether it makes a sound: if any of the reasons that apply to it wants
 * so. Pure; every rule is one line.
 */
export function decide(subject: NoticeSubject, rules: NoticeRules, attention: Attention): NoticeDecision {
  if (!rules.isEnabledHere || rules.isQuiet) return quiet
  if (subject.senderIsSelf || subject.senderIsMuted || subject.isRead) return quiet
  if (attention !== null && narrowKey(attention) === narrowKey(subject.conversation)) return quiet
  const isDirect = subject.conversation.kind === 'direct'
  const isFollowed = rules.topicVisibility === 'followed'
  const isMuted =
    rules.topicVisibility === 'muted' ||
    (rules.channelIsMuted && rules.topicVisibility !== 'unmuted' && !isFollowed)
  const isMentioned =
    subject.isMentioned || (subject.isMentionedByWildcard && !isMuted && rules.countsWildcardMentions)
  const reasons = [
    ...(isDirect || isMentioned ? [rules.personal] : []),
    ...(!isDirect && !isMuted ? [rules.channel] : []),
    ...(isFollowed ? [rules.followedTopics] : []),
  ]
  if (!reasons.some(({ notifies }) => notifies)) return quiet
  return { kind: 'notify', isSilent: !reasons.some(({ sounds }) => sounds) }
}
