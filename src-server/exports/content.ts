import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import type { TarEntry } from './tar.ts'

/** What is exported: public data, or also the private data of those who consented. */
export type ExportKind = 'public' | 'standard'

const readme = (kind: ExportKind) => `What this organization holds, as JSON. Times are UNIX seconds.

organization.json    name, settings, permissions, and what else belongs to all
people.json          people and bots, with no password, no key, and no address that they hide
channels.json        channels, and who is in them
messages/            messages, oldest first, a thousand to a file
attachments.json     uploaded files; the bytes of each are at files/ and its storage_key
pictures/            faces and emoji, under the names that people.json and organization.json give
${
  kind === 'public'
    ? 'Only what is in public channels is here.'
    : `personal/            drafts, snippets and the like of those who consented

Here is what is in public channels, and of everything else what at least one person who consented to it may read.`
}
`

const perFile = 1_000

/** People who consented that administrators export their private data. */
const consenting = `(SELECT user_id FROM user_settings WHERE name = 'allow_private_data_export' AND value = 'true')`

/** Channels whose messages anybody may read, or to which somebody who consented is subscribed. */
const channelsOf: Readonly<Record<ExportKind, string>> = {
  public: 'c.is_private = 0',
  standard: `(c.is_private = 0 OR EXISTS (
    SELECT 1 FROM subscriptions s WHERE s.channel_id = c.channel_id AND s.is_active = 1 AND s.user_id IN ${consenting}))`,
}

/**
 * Messages. Of private channels with protected history, and of direct messages, only those that somebody who consented
 * received.
 */
const messagesOf: Readonly<Record<ExportKind, string>> = {
  public: 'c.is_private = 0',
  standard: `(c.is_private = 0
    OR (c.has_shared_history = 1 AND ${channelsOf.standard})
    OR EXISTS (SELECT 1 FROM user_messages um WHERE um.message_id = m.message_id AND um.user_id IN ${consenting}))`,
}

/** A person's private data, by its key in the archive. */
const belongings: Readonly<Record<string, string>> = {
  settings: 'SELECT name, value FROM user_settings WHERE user_id = ?',
  subscriptions: 'SELECT * FROM subscriptions WHERE user_id = ?',
  topics: 'SELECT channel_id, topic, policy, last_updated FROM user_topics WHERE user_id = ?',
  drafts: 'SELECT draft_id, type, recipients, topic, content, timestamp FROM drafts WHERE user_id = ?',
  snippets: 'SELECT title, content, date_created FROM saved_snippets WHERE user_id = ?',
  scheduled_messages:
    'SELECT channel_id, user_ids, topic, content, deliver_at FROM scheduled_messages WHERE user_id = ?',
  reminders: 'SELECT message_id, note, deliver_at FROM reminders WHERE user_id = ?',
  alert_words: 'SELECT word FROM alert_words WHERE user_id = ?',
  muted_users: 'SELECT muted_id, timestamp FROM muted_users WHERE user_id = ?',
  navigation_views: 'SELECT fragment, is_pinned, name FROM navigation_views WHERE user_id = ?',
  marked_messages: `SELECT message_id, is_read, is_starred, is_collapsed, mention FROM user_messages
    WHERE user_id = ? AND (is_read = 0 OR is_starred = 1 OR is_collapsed = 1 OR mention <> '')`,
}

const organizationLists: Readonly<Record<string, string>> = {
  settings: `SELECT name, value FROM realm WHERE name <> 'url_secret'`,
  user_groups: 'SELECT * FROM user_groups',
  channel_folders: 'SELECT * FROM channel_folders',
  default_channel_groups: 'SELECT * FROM default_channel_groups',
  default_channel_group_channels: 'SELECT * FROM default_channel_group_channels',
  domains: 'SELECT * FROM realm_domains',
  linkifiers: 'SELECT * FROM linkifiers ORDER BY position',
  playgrounds: 'SELECT * FROM playgrounds',
  profile_fields: 'SELECT * FROM profile_fields ORDER BY position',
  custom_emoji: 'SELECT * FROM realm_emoji',
}

/**
 * The files of an export, read through a connection that sees one snapshot throughout. None of them contains keys,
 * passwords or secrets of the service. Files whose bytes are missing are omitted.
 */
export async function* exportContent(
  db: Sqlite.Database,
  filesDirectory: string,
  kind: ExportKind,
): AsyncGenerator<TarEntry> {
  const all = (sql: string, ...parameters: unknown[]) => db.prepare(sql).all(...parameters)
  const lists = (named: Readonly<Record<string, string>>, ...parameters: unknown[]) =>
    Object.fromEntries(Object.entries(named).map(([name, sql]) => [name, all(sql, ...parameters)]))
  yield fileOf('README.txt', readme(kind))
  yield json('organization.json', {
    ...lists(organizationLists),
    permissions: all(
      `SELECT * FROM permission_values WHERE kind <> 'channel'
         OR object_id IN (SELECT channel_id FROM channels c WHERE ${channelsOf[kind]})`,
    ),
  })
  yield json(
    'people.json',
    all(`SELECT user_id, email, full_name, role, is_active, bot_type, bot_owner_id, timezone, date_joined,
           avatar_file, profile_data FROM users ORDER BY user_id`),
  )
  yield json('channels.json', {
    channels: all(`SELECT * FROM channels c WHERE ${channelsOf[kind]} ORDER BY channel_id`),
    subscribers: all(`SELECT channel_id, user_id FROM subscriptions JOIN channels c USING (channel_id)
      WHERE is_active = 1 AND ${channelsOf[kind]} ORDER BY channel_id, user_id`),
  })
  if (kind === 'standard')
    for (const { user_id: id } of all(`SELECT user_id FROM users WHERE user_id IN ${consenting}`) as {
      user_id: number
    }[])
      yield json(`personal/${id}.json`, lists(belongings, id))
  yield* messageFiles(db, kind)
  yield* attachedFiles(db, filesDirectory, kind)
}

interface MessageRow {
  readonly id: number
  readonly [column: string]: unknown
}

function* messageFiles(db: Sqlite.Database, kind: ExportKind): Generator<TarEntry> {
  const next = db.prepare(
    `SELECT m.message_id AS id, m.sender_id, m.channel_id, g.user_ids, m.topic, m.content, m.rendered, m.sent_at,
       m.client, m.edited_at, m.moved_at, m.edit_history
     FROM messages m LEFT JOIN channels c ON c.channel_id = m.channel_id
       LEFT JOIN direct_groups g ON g.group_id = m.direct_group_id
     WHERE m.message_id > ? AND ${messagesOf[kind]} ORDER BY m.message_id LIMIT ${perFile}`,
  )
  const reactions = db.prepare(
    'SELECT user_id, reaction_type, emoji_code, emoji_name FROM reactions WHERE message_id = ?',
  )
  const submessages = db.prepare('SELECT sender_id, msg_type, content FROM submessages WHERE message_id = ?')
  let after = 0
  for (let number = 1; ; number++) {
    const rows = next.all(after) as MessageRow[]
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    const messages = rows.map((row) => ({
      ...row,
      edit_history: JSON.parse(String(row['edit_history'])) as unknown,
      user_ids: JSON.parse(String(row['user_ids'])) as unknown,
      reactions: reactions.all(row.id),
      submessages: submessages.all(row.id),
    }))
    yield json(`messages/${String(number).padStart(6, '0')}.json`, messages)
  }
}

async function* attachedFiles(
  db: Sqlite.Database,
  filesDirectory: string,
  kind: ExportKind,
): AsyncGenerator<TarEntry> {
  const own = kind === 'standard' ? `a.user_id IN ${consenting} OR` : ''
  const rows = db
    .prepare(
      `SELECT a.* FROM attachments a WHERE ${own} EXISTS (
         SELECT 1 FROM attachment_messages am JOIN messages m ON m.message_id = am.message_id
           LEFT JOIN channels c ON c.channel_id = m.channel_id
         WHERE am.attachment_id = a.attachment_id AND ${messagesOf[kind]})
       ORDER BY a.attachment_id`,
    )
    .all() as { storage_key: string }[]
  yield json('attachments.json', rows)
  for (const { storage_key: key } of rows) yield* bytesAt(`files/${key}`, join(filesDirectory, key))
  const pictures = db
    .prepare(
      `SELECT avatar_file AS name FROM users WHERE avatar_file IS NOT NULL UNION SELECT file_name FROM realm_emoji`,
    )
    .all() as { name: string }[]
  for (const { name } of pictures) yield* bytesAt(`pictures/${name}`, join(filesDirectory, 'pictures', name))
}

async function* bytesAt(name: string, path: string): AsyncGenerator<TarEntry> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  if (size === null) return
  // Files never change. An empty file has no last byte to ask for.
  yield { name, size, content: size === 0 ? [] : createReadStream(path, { end: size - 1 }) }
}

function fileOf(name: string, text: string): TarEntry {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, content: [bytes] }
}

const json = (name: string, value: unknown): TarEntry => fileOf(name, JSON.stringify(value, null, 1))
