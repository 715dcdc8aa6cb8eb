import { messageId, type MessageId } from '../../src-shared/ids.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { NoticeRules, NoticeSubject } from '../notifications/decide.ts'
import { topicVisibility } from '../store/topic-visibility.ts'
import { conversationFromRow } from '../store/conversations.ts'
import { settingValue } from '../store/account-settings.ts'
import { closedTextFromHtml } from '../store/html-text.ts'
import { beginningOf } from './excerpt.ts'
import type { ReadableDb } from '../store/database.ts'
import type { QueryContext } from './context.ts'
import { labelOf } from './labels.ts'

/** What a notification says. */
export interface NoticeWords {
  readonly title: string
  readonly body: string
}

/** Everything that decides about a notification for a message, and its content. */
export interface NoticeFacts {
  readonly messageId: MessageId
  readonly subject: NoticeSubject
  readonly rules: NoticeRules
  readonly avatarUrl: string | null
  /** The name of the conversation. */
  place(): string
  /** Computed when asked for: most messages raise no notification of their own. */
  words(): NoticeWords
}

const bodyLength = 240

/** The channel's own setting, or the account's if it has none. */
const ownOr = (own: number | null, account: boolean): boolean => (own === null ? account : own === 1)

/** The account's settings for notifications; read once for all messages that arrived together. */
export const noticeSettings = (db: ReadableDb) => ({
  isAnySoundOn: settingValue(db, 'notificationSound') !== 'none',
  personalDesktop: settingValue(db, 'personalDesktop'),
  personalSound: settingValue(db, 'personalSound'),
  channelDesktop: settingValue(db, 'channelDesktop'),
  channelSound: settingValue(db, 'channelSound'),
  followedDesktop: settingValue(db, 'followedDesktop'),
  followedSound: settingValue(db, 'followedSound'),
  wildcardMentionsNotify: settingValue(db, 'wildcardMentionsNotify'),
  followedWildcardMentionsNotify: settingValue(db, 'followedWildcardMentionsNotify'),
})

/** The facts about a message; null if it is not here. */
export function noticeFacts(
  context: QueryContext,
  id: number,
  here: Pick<NoticeRules, 'isEnabledHere' | 'isQuiet'>,
  settings: ReturnType<typeof noticeSettings>,
): NoticeFacts | null {
  const { db, ownUserId } = context
  const row = db.get<{
    kind: 'topic' | 'direct'
    channel_id: number | null
    topic: string | null
    user_ids: string | null
    sender_id: number
    sender_name: string
    avatar_url: string | null
    content_html: string
    is_unread: number
    is_mentioned: number
    is_only_by_wildcard: number
    has_alert_word: number
    muted: number | null
    channel_muted: number | null
    desktop_notifications: number | null
    audible_notifications: number | null
    wildcard_mentions_notify: number | null
  }>(
    `SELECT c.kind, c.channel_id, c.topic, c.user_ids, m.sender_id, coalesce(u.full_name, m.sender_name) AS sender_name,
       u.avatar_url, m.content_html, EXISTS (SELECT 1 FROM unread WHERE message_id = m.message_id) AS is_unread,
       m.is_mentioned, m.message_id IN (SELECT message_id FROM wildcard_mentions) AS is_only_by_wildcard,
       m.has_alert_word, mu.user_id AS muted, ch.is_muted AS channel_muted,
       ch.desktop_notifications, ch.audible_notifications, ch.wildcard_mentions_notify
     FROM messages m JOIN conversations c ON c.conversation_id = m.conversation_id
     LEFT JOIN users u ON u.user_id = m.sender_id
     LEFT JOIN muted_users mu ON mu.user_id = m.sender_id
     LEFT JOIN channels ch ON ch.channel_id = m.channel_id WHERE m.message_id = ?`,
    [id],
  )
  if (row === undefined) return null
  const conversation = conversationFromRow(row)
  const place = () => {
    const label = labelOf(context, conversation)
    return label.kind === 'topic' ? `#${label.channelName} › ${label.topic}` : label.names.join(', ')
  }
  const visibility =
    conversation.kind === 'topic' ? topicVisibility(db, conversation.channelId, conversation.topic) : 'none'
  return {
    messageId: messageId(id),
    subject: {
      conversation,
      senderIsSelf: row.sender_id === ownUserId,
      senderIsMuted: row.muted !== null,
      isRead: row.is_unread === 0,
      isMentioned: (row.is_mentioned === 1 && row.is_only_by_wildcard === 0) || row.has_alert_word === 1,
      isMentionedByWildcard: row.is_mentioned === 1 && row.is_only_by_wildcard === 1,
    },
    rules: {
      ...here,
      personal: {
        notifies: settings.personalDesktop,
        sounds: settings.isAnySoundOn && settings.personalSound,
      },
      channel: {
        notifies: ownOr(row.desktop_notifications, settings.channelDesktop),
        sounds: settings.isAnySoundOn && ownOr(row.audible_notifications, settings.channelSound),
      },
      followedTopics: {
        notifies: settings.followedDesktop,
        sounds: settings.isAnySoundOn && settings.followedSound,
      },
      countsWildcardMentions:
        visibility === 'followed'
          ? settings.followedWildcardMentionsNotify
          : ownOr(row.wildcard_mentions_notify, settings.wildcardMentionsNotify),
      channelIsMuted: row.channel_muted === 1,
      topicVisibility: visibility,
    },
    avatarUrl: row.avatar_url,
    place,
    words() {
      const hidesText = conversation.kind === 'direct' && !settingValue(db, 'directTextInNotices')
      return {
        title: conversation.kind === 'topic' ? `${row.sender_name} (${place()})` : row.sender_name,
        body: hidesText
          ? t.native.newDirectMessage
          : beginningOf(closedTextFromHtml(db, row.content_html), bodyLength),
      }
    },
  }
}
