import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import { accountSetting, organizationNumber } from '../store/settings.ts'
import { emptyTopicName, userName, type QueryContext } from './labels.ts'

/** Settings that screens act on, with the specification's defaults where the server said nothing. */
export function accountSettings({ db, ownUserId }: QueryContext): AccountSettings {
  const is = (name: string, otherwise: boolean) => {
    const value = accountSetting(db, name)
    return typeof value === 'boolean' ? value : otherwise
  }
  const choice = <T>(name: string, choices: Readonly<Record<string, T>>, otherwise: T): T =>
    choices[String(accountSetting(db, name))] ?? otherwise
  return {
    colorScheme: choice('color_scheme', { 1: 'automatic', 2: 'dark', 3: 'light' } as const, 'automatic'),
    twentyFourHourTime: is('twenty_four_hour_time', false),
    enterSends: is('enter_sends', false),
    homeView: choice(
      'web_home_view',
      { inbox: 'inbox', recent_topics: 'recent', all_messages: 'combined' } as const,
      'inbox',
    ),
    markReadOnScroll: choice(
      'web_mark_read_on_scroll_policy',
      { 1: 'always', 2: 'in-conversations', 3: 'never' } as const,
      'always',
    ),
    draftsSynchronized: is('enable_drafts_synchronization', true),
    starredCounts: is('starred_message_counts', true),
    maxMessageLength: organizationNumber(db, 'max_message_length') ?? 10_000,
    maxTopicLength: organizationNumber(db, 'max_topic_length') ?? 60,
    emptyTopicName: emptyTopicName(db),
    ownUserId,
    ownFullName: userName(db, ownUserId),
    ownAvatarUrl:
      db.get<{ avatar_url: string | null }>('SELECT avatar_url FROM users WHERE user_id = ?', [ownUserId])
        ?.avatar_url ?? null,
  }
}
