import type { Database } from '../database.ts'
import { attachmentAt, mayReadFile } from '../files/attachments.ts'
import { activeEmoji, emojiUrl } from './custom-emoji.ts'
import { renderMarkdown, type RenderedMessage } from '../../src-shared/markdown/render.ts'
import { groupDisplayName } from '../../src-shared/markdown/system-groups.ts'
import { settingOf } from '../people/settings.ts'
import { knownPeople } from '../people/user-access.ts'
import { canReadChannel } from '../permissions/channels.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import { realmValue, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** Renders content as a given person may write it in a workspace. Whom they may not know of, they cannot mention. */
export function render(workspace: Workspace, sender: UserRow, content: string): RenderedMessage {
  const { db } = workspace
  const known = knownPeople(db, sender)
  const person = (row: UserRow | undefined) =>
    row && { id: row.user_id, fullName: row.full_name, isActive: row.is_active === 1 }
  return renderMarkdown(content, {
    userByName: (name) =>
      person(
        db
          .all<UserRow>('SELECT * FROM users WHERE full_name = ? COLLATE NOCASE', name)
          .find(({ user_id }) => known(user_id) !== undefined),
      ),
    userById: (id) => person(known(id)),
    groupByName: (name) => {
      const row = db.get<{ group_id: number; name: string; is_system: number; is_active: number }>(
        'SELECT group_id, name, is_system, is_active FROM user_groups WHERE name = ? COLLATE NOCASE',
        name,
      )
      return (
        row && {
          id: row.group_id,
          name: row.name,
          displayName: groupDisplayName(row.name),
          isSystem: row.is_system === 1,
          isActive: row.is_active === 1,
        }
      )
    },
    channelByName: (name) => {
      const row = db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', name)
      return row !== undefined && canReadChannel(db, sender, row)
        ? { id: row.channel_id, name: row.name }
        : undefined
    },
    latestMessageInTopic: (channelId, topic) =>
      db.get<{ id: number | null }>(
        'SELECT max(message_id) AS id FROM messages WHERE channel_id = ? AND topic_key = ?',
        channelId,
        topicKey(topic),
      )?.id ?? undefined,
    realmEmoji: (name) => {
      const emoji = activeEmoji(db, name)
      return emoji && { id: String(emoji.emoji_id), sourceUrl: emojiUrl(emoji), stillUrl: null }
    },
    linkifiers: linkifiers(db),
    defaultCodeLanguage: '',
    realmUrl: workspace.url,
    emptyTopicDisplayName: realmValue(db, 'empty_topic_display_name'),
    translateEmoticons: settingOf(db, sender.user_id, 'translate_emoticons') === true,
    inlineImagePreview: true,
    imageByPath: (path) => {
      const file = attachmentAt(workspace, path)
      return file === undefined ||
        file.width === null ||
        file.height === null ||
        !mayReadFile(workspace, sender, file)
        ? undefined
        : {
            width: file.width,
            height: file.height,
            contentType: file.content_type,
            animated: file.is_animated === 1,
          }
    },
  })
}

/** The organization's linkifiers, in the order in which they apply. */
export function linkifiers(db: Database): { id: number; pattern: string; urlTemplate: string }[] {
  return db
    .all<{ linkifier_id: number; pattern: string; url_template: string }>(
      'SELECT * FROM linkifiers ORDER BY position',
    )
    .map((row) => ({ id: row.linkifier_id, pattern: row.pattern, urlTemplate: row.url_template }))
}
