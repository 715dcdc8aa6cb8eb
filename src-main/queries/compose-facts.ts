import { roles } from '../../src-shared/roles.ts'
import type { ComposeFacts } from '../../src-shared/bridge/suggestion.ts'
import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { listsAllSubscribers } from '../store/channels.ts'
import { organizationValue } from '../store/organization.ts'
import type { ReadableDb } from '../store/database.ts'
import { topicVisibility } from '../store/topic-visibility.ts'
import { objectsOf } from '../store/objects.ts'
import { mayMention, ownHolder } from '../store/permissions.ts'
import type { QueryContext } from './context.ts'
import { personColumns, personFromRow, type PersonRow } from './labels.ts'
import { noMentions, ownWords, type Mentions } from './own-words.ts'
import { mayInOrganization } from './permissions.ts'
import { reachOf } from './suggestions.ts'

/** For more people at once, the server requires a permission. */
const fewPeople = 15

/** What to know before sending a text to the conversation. */
export function composeFacts(
  context: QueryContext,
  {
    conversation,
    content,
    before,
  }: Pick<CheckedParamsOf<'compose-facts'>, 'conversation' | 'content' | 'before'>,
): ComposeFacts {
  const { db } = context
  const looks = ownWords(db)
  const mentionsIn = (text: string) => (text.includes('@*') ? looks(text).mentions : noMentions)
  const mentions = mentionsIn(content)
  const barredGroups = barredIn(context, mentions.mentionedGroupIds)
  const privateChannels = privateChannelsIn(context, conversation, content, before ?? '')
  if (conversation.kind === 'direct') {
    const warns = organizationValue(db, 'realm_enable_guest_user_dm_warning') !== false
    const guests = warns ? peopleAmong(context, 'role = ?2', conversation.userIds, roles.guest) : []
    return {
      outsiders: [],
      lacksSubscribers: false,
      crowd: null,
      barredGroups,
      privateChannels,
      guests,
      visibility: 'none',
    }
  }
  const told = mentionsIn(before ?? '')
  const { channelId, topic } = conversation
  const lacksSubscribers = !listsAllSubscribers(db, channelId)
  const outsiders = lacksSubscribers
    ? []
    : peopleAmong(
        context,
        `is_bot = 0 AND NOT EXISTS (SELECT 1 FROM subscribers s WHERE s.channel_id = ?2 AND s.user_id = users.user_id)`,
        mentions.mentionedUserIds.filter(
          (id) => id !== context.ownUserId && !told.mentionedUserIds.includes(id),
        ),
        channelId,
      )
  return {
    outsiders,
    lacksSubscribers,
    crowd: crowdOf(context, conversation, mentions, told),
    barredGroups,
    privateChannels,
    guests: [],
    visibility: topicVisibility(db, channelId, topic),
  }
}

/** Those of the people for whom the condition holds, in which `?2` is the value; in the given order. */
function peopleAmong(
  context: QueryContext,
  condition: string,
  ids: readonly number[],
  value: number,
): ComposeFacts['guests'] {
  if (ids.length === 0) return []
  return context.db
    .all<PersonRow>(
      `SELECT ${personColumns} FROM json_each(?1) wanted JOIN users ON users.user_id = wanted.value
         LEFT JOIN presence ON presence.user_id = users.user_id
       WHERE ${condition} ORDER BY wanted.key`,
      { 1: JSON.stringify(ids), 2: value },
    )
    .map((row) => personFromRow(row, context))
}

/** Without those that the text has linked `before`. */
function privateChannelsIn(
  context: QueryContext,
  conversation: Conversation,
  content: string,
  before: string,
): string[] {
  const { db } = context
  const looks = ownWords(db)
  const linkedIn = (text: string): number[] =>
    text.includes('#**')
      ? [...looks(text).html.matchAll(/ data-stream-id="(\d+)"/g)].map(([, id]) => Number(id))
      : []
  const linked = linkedIn(content)
  if (linked.length === 0) return []
  const told = linkedIn(before)
  return [...new Set(linked)].flatMap((id) => {
    const name = told.includes(id) ? undefined : privateName(db, id)
    return name === undefined || !isReadOutside(context, conversation, id) ? [] : [name]
  })
}

const privateName = (db: ReadableDb, channelId: number): string | undefined =>
  db.get<{ name: string }>('SELECT name FROM channels WHERE channel_id = ? AND is_private = 1', [channelId])
    ?.name

/** Whether somebody who can read the conversation is known not to be in the private channel. */
function isReadOutside(
  { db, ownUserId }: QueryContext,
  conversation: Conversation,
  channelId: number,
): boolean {
  const isPublic = conversation.kind === 'topic' && privateName(db, conversation.channelId) === undefined
  if (isPublic) return true
  if (!listsAllSubscribers(db, channelId)) return false
  const [readers, place] =
    conversation.kind === 'direct'
      ? (['SELECT value AS user_id FROM json_each(?3)', JSON.stringify(conversation.userIds)] as const)
      : (['SELECT user_id FROM subscribers WHERE channel_id = ?3', conversation.channelId] as const)
  return (
    db.get(
      `SELECT 1 FROM (${readers}) AS reader WHERE user_id <> ?1 AND NOT EXISTS
         (SELECT 1 FROM subscribers WHERE channel_id = ?2 AND user_id = reader.user_id) LIMIT 1`,
      { 1: ownUserId, 2: channelId, 3: place },
    ) !== undefined
  )
}

function barredIn({ db, ownUserId }: QueryContext, groupIds: readonly number[]): string[] {
  if (groupIds.length === 0) return []
  const who = ownHolder(db, ownUserId)
  return objectsOf(db, 'user-group')
    .filter((group) => groupIds.some((id) => id === group['id']) && !mayMention(db, who, group))
    .map(({ name }) => String(name))
}

/** Of those who are told already by an edited message, only whom the server does not let the person mention. */
function crowdOf(
  context: QueryContext,
  conversation: Conversation,
  mentions: Mentions,
  told: Mentions,
): ComposeFacts['crowd'] {
  if (!mentions.mentionsChannel && !mentions.mentionsTopic) return null
  const who = ownHolder(context.db, context.ownUserId)
  const isAllowed = mayInOrganization(context.db, who, 'can_mention_many_users_group')
  const crowd = (of: 'channel' | 'topic', isMeant: boolean, isTold: boolean) => {
    const count = isMeant && !(isTold && isAllowed) ? (reachOf(context, conversation, of) ?? 0) : 0
    return count > fewPeople ? { of, count, isAllowed } : null
  }
  return (
    crowd('channel', mentions.mentionsChannel, told.mentionsChannel) ??
    crowd('topic', mentions.mentionsTopic, told.mentionsTopic)
  )
}
