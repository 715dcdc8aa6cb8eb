import type { ApiMessage } from '../../src-shared/api/messages.ts'
import type { Database } from '../database.ts'
import { topicLinks } from '../../src-shared/markdown/render.ts'
import { historyPolicy, shownHistory } from './message-history.ts'
import { avatarUrl } from '../people/avatars.ts'
import { directUserIds } from './direct-groups.ts'
import type { MessageRow } from './messages.ts'
import { linkifiers } from '../markdown/render.ts'
import { channelById, realmValue, userById, type UserRow, type Workspace } from '../workspace.ts'

/** The form in which messages are requested. */
export interface MessageForm {
  readonly applyMarkdown: boolean
  /** If false, the empty topic is replaced by its display name. */
  readonly allowEmptyTopic: boolean
}

/** The flags of a message, with the older flag that stands for two of them. */
export const withLegacyWildcard = (flags: readonly string[]): string[] =>
  flags.some((flag) => flag.endsWith('_wildcard_mentioned')) ? [...flags, 'wildcard_mentioned'] : [...flags]

type ShownRow = Omit<MessageRow, 'content' | 'rendered' | 'topic_key'> & {
  /** In the requested form. */
  readonly words: string
  readonly own: number | null
  readonly is_read: number
  readonly is_starred: number
  readonly is_collapsed: number
  readonly mention: string
  readonly is_historical: number
}

/**
 * Messages as the API shows them to one person, in the order of the ids. The caller must have left out messages that
 * the person may not read. Without a person, no flags are included.
 */
export function apiMessages(
  workspace: Workspace,
  user: UserRow | null,
  ids: readonly number[],
  form: MessageForm,
): ApiMessage[] {
  const { db } = workspace
  const list = JSON.stringify(ids)
  const rows = db.all<ShownRow>(
    `SELECT m.message_id, m.sender_id, m.channel_id, m.direct_group_id, m.topic, m.sent_at, m.client, m.edited_at,
       m.moved_at, m.edit_history, m.is_me_message, m.${form.applyMarkdown ? 'rendered' : 'content'} AS words,
       um.user_id AS own, um.is_read, um.is_starred, um.is_collapsed, um.mention, um.is_historical
     FROM messages m
     LEFT JOIN user_messages um ON um.message_id = m.message_id AND um.user_id = ?
     WHERE m.message_id IN (SELECT value FROM json_each(?)) ORDER BY m.message_id`,
    user?.user_id ?? 0,
    list,
  )
  const reactions = reactionsOf(db, list)
  const submessages = submessagesOf(db, list)
  const patterns = linkifiers(db)
  const emptyTopic = realmValue(db, 'empty_topic_display_name')
  const policy = historyPolicy(workspace)
  const linksOf = remembering((topic: string) =>
    patterns.length === 0 ? bareLinks(topic) : topicLinks(topic, patterns),
  )
  const conversationOf = remembering((groupId: number) => peopleOf(db, groupId))
  const senderOf = remembering((id: number) => userById(db, id))
  const channelNameOf = remembering((id: number) => channelById(db, id)?.name ?? '')
  return rows.map((row) => {
    const sender = senderOf(row.sender_id)
    const isChannel = row.channel_id !== null
    const history = shownHistory(row.edit_history, policy, form.allowEmptyTopic ? null : emptyTopic)
    return {
      id: row.message_id,
      type: isChannel ? 'stream' : 'private',
      content: row.words,
      content_type: form.applyMarkdown ? 'text/html' : 'text/x-markdown',
      timestamp: row.sent_at,
      sender_id: row.sender_id,
      sender_email: sender?.email ?? '',
      sender_full_name: sender?.full_name ?? '',
      sender_realm_str: '',
      avatar_url: sender === undefined ? null : avatarUrl(sender),
      client: row.client,
      display_recipient:
        row.channel_id === null ? conversationOf(row.direct_group_id ?? 0) : channelNameOf(row.channel_id),
      ...(row.channel_id === null ? {} : { stream_id: row.channel_id }),
      subject: !isChannel ? '' : row.topic === '' && !form.allowEmptyTopic ? emptyTopic : row.topic,
      recipient_id: row.channel_id ?? 1_000_000 + (row.direct_group_id ?? 0),
      is_me_message: row.is_me_message === 1,
      flags: flagsFrom(row, user),
      reactions: reactions.get(row.message_id) ?? [],
      submessages: submessages.get(row.message_id) ?? [],
      topic_links: isChannel ? linksOf(row.topic) : [],
      ...(history === undefined ? {} : { edit_history: history }),
      ...(row.edited_at === null ? {} : { last_edit_timestamp: row.edited_at }),
      ...(row.moved_at === null ? {} : { last_moved_timestamp: row.moved_at }),
    }
  })
}

/** Caches the result for each key. */
function remembering<Key, Found>(ask: (key: Key) => Found): (key: Key) => Found {
  const known = new Map<Key, Found>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = ask(key)
    known.set(key, found)
    return found
  }
}

/** The links in topics; without linkifiers they depend only on the topic. */
const addresses = new Map<string, ApiMessage['topic_links']>()
const mostAddresses = 20_000

function bareLinks(topic: string): ApiMessage['topic_links'] {
  const known = addresses.get(topic) ?? topicLinks(topic, [])
  if (addresses.size >= mostAddresses) addresses.clear()
  addresses.set(topic, known)
  return known
}

function flagsFrom(row: ShownRow, user: UserRow | null): string[] {
  if (row.own === null) return user?.user_id === 0 ? ['read'] : ['read', 'historical']
  const flags: string[] = []
  if (row.is_read === 1) flags.push('read')
  if (row.is_starred === 1) flags.push('starred')
  if (row.is_collapsed === 1) flags.push('collapsed')
  if (row.is_historical === 1) flags.push('historical')
  return row.mention === '' ? flags : [...flags, ...withLegacyWildcard(row.mention.split(' '))]
}

function peopleOf(db: Database, groupId: number): ApiMessage['display_recipient'] {
  const ids = directUserIds(db, groupId)
  const people = new Map(
    db
      .all<{ user_id: number; email: string; full_name: string }>(
        'SELECT user_id, email, full_name FROM users WHERE user_id IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      )
      .map((row) => [row.user_id, row]),
  )
  return ids.map((id) => ({
    id,
    email: people.get(id)?.email ?? '',
    full_name: people.get(id)?.full_name ?? '',
    is_mirror_dummy: false,
  }))
}

function grouped<Row extends { readonly message_id: number }, Shown>(
  rows: readonly Row[],
  show: (row: Row) => Shown,
): Map<number, Shown[]> {
  const found = new Map<number, Shown[]>()
  for (const row of rows) {
    const list = found.get(row.message_id)
    if (list === undefined) found.set(row.message_id, [show(row)])
    else list.push(show(row))
  }
  return found
}

const reactionsOf = (db: Database, ids: string) =>
  grouped(
    db.all<{
      message_id: number
      emoji_name: string
      emoji_code: string
      reaction_type: string
      user_id: number
    }>('SELECT * FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))', ids),
    ({ emoji_name, emoji_code, reaction_type, user_id }) => ({
      emoji_name,
      emoji_code,
      // Only the specification's three names are ever written.
      reaction_type: reaction_type as 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji',
      user_id,
    }),
  )

const submessagesOf = (db: Database, ids: string) =>
  grouped(
    db.all<{
      submessage_id: number
      message_id: number
      sender_id: number
      msg_type: string
      content: string
    }>(
      'SELECT * FROM submessages WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY submessage_id',
      ids,
    ),
    ({ submessage_id, ...rest }) => ({ id: submessage_id, ...rest }),
  )
