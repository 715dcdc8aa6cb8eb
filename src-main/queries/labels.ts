import { roles } from '../../src-shared/roles.ts'
import { userId, type UserId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type {
  ChannelPrivacy,
  Emoji,
  RecipientLabel,
  TopicVisibility,
} from '../../src-shared/model/message.ts'
import type { PersonStatus } from '../../src-shared/model/profile.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import type { Person, Presence } from '../../src-shared/model/user.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { topicVisibilities, topicVisibility } from '../store/topic-visibility.ts'
import { conversationFromRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { organizationText, organizationValue } from '../store/organization.ts'
import { nearestColor } from './channel-color.ts'
import type { QueryContext } from './context.ts'

type Topic = Extract<Conversation, { kind: 'topic' }>
type Direct = Extract<Conversation, { kind: 'direct' }>

/** The name shown for the empty topic. */
export function emptyTopicName(db: ReadableDb): string {
  return organizationText(db, 'realm_empty_topic_display_name') ?? t.native.emptyTopic
}

/** The kind of channel that its icon shows. */
export const privacyOf = (row: { is_private: number; is_web_public: number }): ChannelPrivacy =>
  row.is_private === 1 ? 'private' : row.is_web_public === 1 ? 'web-public' : 'public'

/** The names that a conversation has on screen. */
export const labelOf = (context: QueryContext, conversation: Conversation): RecipientLabel =>
  labeler(context)(conversation)

/** The fields of a channel in a label. */
interface NamedChannel {
  channel_id: number
  name: string
  color: string
  is_private: number
  is_web_public: number
  is_muted: number
}

/** Names many conversations. The visibility of the topic can be passed in if it is known already. */
export function labeler(
  context: QueryContext,
): (conversation: Conversation, visibility?: TopicVisibility) => RecipientLabel {
  const { db } = context
  return (conversation, visibility) =>
    conversation.kind === 'direct'
      ? directLabel(context, conversation)
      : topicLabel(
          db,
          conversation,
          channelsById(db, [conversation.channelId])(conversation.channelId),
          visibility ?? topicVisibility(db, conversation.channelId, conversation.topic),
        )
}

const channelName = (channel: NamedChannel | undefined): string => channel?.name ?? t.native.unknownChannel

const channelsById = (db: ReadableDb, ids: readonly number[]) =>
  db.rememberedById(
    'channel-names',
    ids,
    (unknown) =>
      new Map(
        db
          .all<NamedChannel>(
            `SELECT channel_id, name, color, is_private, is_web_public, is_muted
             FROM json_each(?) wanted CROSS JOIN channels ON channel_id = wanted.value`,
            [JSON.stringify(unknown)],
          )
          .map((channel) => [channel.channel_id, channel]),
      ),
  )

/** The people of a direct conversation, in the order in which they are named. */
function peopleIn({ db, ownUserId }: QueryContext, { userIds }: Direct) {
  const ids = userIds.length > 0 ? userIds : [ownUserId]
  const name = userNames(db, ids)
  return ids.map((id) => ({ userId: id, fullName: name(id) })).sort(byName)
}

function directLabel(context: QueryContext, conversation: Direct): RecipientLabel {
  const people = peopleIn(context, conversation)
  const only = people.length === 1 ? people[0]?.userId : undefined
  return {
    kind: 'direct',
    userIds: people.map((person) => person.userId),
    names: people.map(({ fullName }) => fullName),
    avatarUrl: only === undefined ? null : pictureOf(context.db, only),
  }
}

/**
 * The names of conversations as plain text, by which lists find and order thousands of them without making their labels;
 * of those in these channels and direct ones.
 */
export function plainNames(
  context: QueryContext,
  channelIds: readonly number[],
): (conversation: Conversation) => string {
  const { db } = context
  const channel = channelsById(db, channelIds)
  const emptyTopic = emptyTopicName(db)
  return (conversation) =>
    conversation.kind === 'topic'
      ? `${channelName(channel(conversation.channelId))} ${conversation.topic === '' ? emptyTopic : conversation.topic}`
      : peopleIn(context, conversation)
          .map(({ fullName }) => fullName)
          .join(' ')
}

/** The address of a person's picture; null if there is none. */
const pictureOf = (db: ReadableDb, id: number): string | null =>
  db.rememberedById(
    'user-pictures',
    [id],
    (unknown) =>
      new Map(
        db
          .all<{ user_id: number; avatar_url: string | null }>(
            `SELECT user_id, avatar_url FROM json_each(?) wanted CROSS JOIN users ON user_id = wanted.value`,
            [JSON.stringify(unknown)],
          )
          .map((user) => [user.user_id, user.avatar_url]),
      ),
  )(id) ?? null

/** The order in which the people of a conversation are named; the same everywhere. */
export const byName = (a: Pick<Person, 'fullName'>, b: Pick<Person, 'fullName'>): number =>
  a.fullName.localeCompare(b.fullName)

function topicLabel(
  db: ReadableDb,
  { channelId, topic }: Topic,
  channel: NamedChannel | undefined,
  visibility: TopicVisibility,
): RecipientLabel {
  const isEmptyTopic = topic === ''
  return {
    kind: 'topic',
    channelId,
    channelName: channelName(channel),
    channelColor: nearestColor(channel?.color ?? ''),
    channelPrivacy: channel === undefined ? 'public' : privacyOf(channel),
    topic: isEmptyTopic ? emptyTopicName(db) : topic,
    isEmptyTopic,
    visibility,
    channelIsMuted: channel?.is_muted === 1,
  }
}

/** A conversation with its names. */
export interface Place {
  readonly conversation: Conversation
  readonly recipient: RecipientLabel
}

/** A message's row with the columns of its place. */
export interface PlacedRow {
  conversation_id: number
  channel_id: number | null
  topic: string | null
  user_ids: string | null
}

/** SQL: `PlacedRow`'s columns, of messages `m` and their conversations `c`. */
export const placeColumns = 'm.conversation_id, m.channel_id, c.topic, c.user_ids'

/** The conversations of messages with their names, each looked up once. */
export function placesOf(context: QueryContext, rows: readonly PlacedRow[]): (row: PlacedRow) => Place {
  const { db } = context
  const visibilityOf = topicVisibilities(db)
  const channel = channelsById(
    db,
    rows.flatMap((row) => row.channel_id ?? []),
  )
  const labelFor = (conversation: Conversation) =>
    conversation.kind === 'direct'
      ? directLabel(context, conversation)
      : topicLabel(
          db,
          conversation,
          channel(conversation.channelId),
          visibilityOf(conversation.channelId, conversation.topic),
        )
  const places = new Map<number, Place>()
  return (row) => {
    let place = places.get(row.conversation_id)
    if (place === undefined) {
      const conversation = conversationFromRow({ ...row, kind: row.channel_id === null ? 'direct' : 'topic' })
      place = { conversation, recipient: labelFor(conversation) }
      places.set(row.conversation_id, place)
    }
    return place
  }
}

/** The name of one person; `userNames` looks up many at once. */
export const userName = (db: ReadableDb, id: number): string => userNames(db, [id])(id)

/** The names of many people, looked up at once. */
export function userNames(db: ReadableDb, ids: readonly number[]): (id: number) => string {
  const known = db.rememberedById(
    'user-names',
    ids,
    (unknown) =>
      new Map(
        db
          .all<{ user_id: number; full_name: string }>(
            `SELECT user_id, full_name FROM json_each(?) wanted CROSS JOIN users ON user_id = wanted.value`,
            [JSON.stringify(unknown)],
          )
          .map((user) => [user.user_id, user.full_name]),
      ),
  )
  return (id) =>
    known(id) ??
    db.get<{ sender_name: string }>(
      'SELECT sender_name FROM messages WHERE sender_id = ? ORDER BY message_id DESC LIMIT 1',
      [id],
    )?.sender_name ??
    t.native.unknownPerson
}

/** SQL: the status, as the server gave it, of the person whose id is in the given column. */
export const statusColumn = (id: string): string =>
  `(SELECT body FROM objects WHERE kind = 'user-status' AND object_id = CAST(${id} AS TEXT)) AS status`

/** Columns of a `PersonRow`, for queries that join `users`. */
export const personColumns = `users.user_id, full_name, avatar_url, is_bot, role, is_active, timezone, active_at, idle_at,
   ${statusColumn('users.user_id')}`

/** A row with `personColumns`; flags are 0 or 1, times epoch milliseconds, the status is JSON. */
export interface PersonRow {
  user_id: number
  full_name: string
  avatar_url: string | null
  is_bot: number
  role: number
  is_active: number
  timezone: string
  active_at: number | null
  idle_at: number | null
  status: string | null
}

/** How long after the last sign of life a person counts as present. */
export const presentMs = 200_000

/** Whether people of this role are marked as guests. Guests are, unless the organization switched that off. */
export const isMarkedAsGuest = (db: ReadableDb, role: number): boolean =>
  role === roles.guest &&
  db.remembered('marks-guests', () => organizationValue(db, 'realm_enable_guest_user_indicator') !== false)

/** A person as lists show them; bots have no presence. */
export function personFromRow(row: PersonRow, { db, ownUserId, now }: QueryContext): Person {
  const presence: Presence =
    row.is_bot === 1
      ? 'offline'
      : now - (row.active_at ?? 0) <= presentMs
        ? 'active'
        : now - (row.idle_at ?? 0) <= presentMs
          ? 'idle'
          : 'offline'
  return {
    userId: userId(row.user_id),
    fullName: row.full_name,
    avatarUrl: row.avatar_url,
    isBot: row.is_bot === 1,
    isGuest: isMarkedAsGuest(db, row.role),
    isActive: row.is_active === 1,
    isSelf: row.user_id === ownUserId,
    presence,
    timezone: row.timezone,
    status: statusFromBody(db, row.status),
  }
}

const emojiTypes: readonly Emoji['type'][] = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji']

/** A status from its stored form; null if the person has set none. */
export function statusFromBody(db: ReadableDb, body: string | null): PersonStatus | null {
  if (body === null) return null
  // Only `putObject` writes bodies, and the wire's schema gives it an object.
  const { status_text, emoji_name, emoji_code, reaction_type } = JSON.parse(body) as Record<string, unknown>
  const type = emojiTypes.find((known) => known === reaction_type)
  const emoji =
    typeof emoji_name === 'string' && typeof emoji_code === 'string' && type !== undefined
      ? { name: emoji_name, code: emoji_code, type }
      : null
  const text = typeof status_text === 'string' ? status_text : ''
  if (text === '' && emoji === null) return null
  const url =
    emoji === null || emoji.type === 'unicode_emoji'
      ? undefined
      : db.get<{ url: string }>('SELECT source_url AS url FROM realm_emoji WHERE emoji_id = ?', [emoji.code])
          ?.url
  return { text, emoji, emojiUrl: url ?? null }
}

/** One person; `peopleById` looks up many at once. */
export const personById = (context: QueryContext, id: UserId): Person => peopleById(context, [id])(id)

/** Looks up many people at once; the result knows only these people. */
export function peopleById(context: QueryContext, ids: readonly UserId[]): (id: UserId) => Person {
  const rows = context.db.all<PersonRow>(
    `SELECT ${personColumns} FROM users LEFT JOIN presence USING (user_id)
     WHERE users.user_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...new Set(ids)])],
  )
  const known = new Map(rows.map((row) => [row.user_id, personFromRow(row, context)]))
  return (id) => known.get(id) ?? strangerById(context, id)
}

/**
 * Whether somebody else has that name, apart from case and accents. Deactivated people count: a mention or a search by
 * name may mean them.
 */
export const hasNamesake = (
  db: ReadableDb,
  { user_id, full_name }: Pick<PersonRow, 'user_id' | 'full_name'>,
): boolean =>
  db.get('SELECT 1 FROM users WHERE folded_name = ? AND user_id <> ? LIMIT 1', [
    foldName(full_name),
    user_id,
  ]) !== undefined

/** How a search names this person and nobody else: by the name, or by the id where the name does not do. */
export const searchName = (
  db: ReadableDb,
  { userId: id, fullName }: Pick<Person, 'userId' | 'fullName'>,
): string =>
  /[",]/.test(fullName) || hasNamesake(db, { user_id: id, full_name: fullName }) ? String(id) : fullName

/** A person whose messages are here, but nothing else. */
function strangerById(context: QueryContext, id: UserId): Person {
  return {
    userId: id,
    fullName: userName(context.db, id),
    avatarUrl: null,
    isBot: false,
    isGuest: false,
    isActive: false,
    isSelf: id === context.ownUserId,
    presence: 'offline',
    timezone: '',
    status: null,
  }
}
