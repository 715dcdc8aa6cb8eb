import type { MessageRow } from './messages.ts'
import { directUserIds } from './direct-groups.ts'
import { canReadChannel } from '../permissions/channels.ts'
import type { Database } from '../database.ts'
import { channelById, subscribersOf, userById, type ChannelRow, type Workspace } from '../workspace.ts'

/** Everybody who is told about changes of a message: in a channel those whom `toldOf` names. */
export function audienceOf(
  workspace: Workspace,
  message: Pick<MessageRow, 'message_id' | 'channel_id' | 'direct_group_id'>,
): number[] {
  const { db } = workspace
  if (message.channel_id === null) return directUserIds(db, message.direct_group_id ?? 0)
  const channel = channelById(db, message.channel_id)
  return channel === undefined ? [] : [...toldOf(workspace, channel, [message.message_id]).keys()]
}

/**
 * Everybody who is told about changes of messages in a channel, with the ids of those that they may know of; `ids` are
 * ascending, and so are these: the people who received a message and, if the channel shares its history, its
 * subscribers; but only those of them who may read it now.
 */
export function toldOf(
  { db }: Workspace,
  channel: ChannelRow,
  ids: readonly number[],
): Map<number, readonly number[]> {
  const subscribers = new Set(subscribersOf(db, channel.channel_id))
  const ofAll = channel.has_shared_history === 1 ? [...subscribers] : []
  const told = new Map<number, readonly number[]>(ofAll.map((id) => [id, ids]))
  for (const [id, own] of receivedBy(db, ids, ofAll)) {
    const user = userById(db, id)
    if (subscribers.has(id) || (user !== undefined && canReadChannel(db, user, channel))) told.set(id, own)
  }
  return told
}

/**
 * The people who received any of these messages, except some, with those that they received, ascending. Reads one row
 * per message: most messages of a topic have the same receivers, who need not be read for each.
 */
function receivedBy(
  db: Database,
  ids: readonly number[],
  except: readonly number[],
): Map<number, readonly number[]> {
  const byReceivers = new Map<string, number[]>()
  const rows = db.all<{ message_id: number; receivers: string }>(
    `SELECT message_id, group_concat(user_id) AS receivers FROM user_messages
     WHERE message_id IN (SELECT value FROM json_each(?)) AND user_id NOT IN (SELECT value FROM json_each(?))
     GROUP BY message_id ORDER BY message_id`,
    JSON.stringify(ids),
    JSON.stringify(except),
  )
  for (const { message_id, receivers } of rows) listIn(byReceivers, receivers).push(message_id)
  const lists = new Map<number, number[][]>()
  for (const [receivers, own] of byReceivers)
    for (const id of receivers.split(',')) listIn(lists, Number(id)).push(own)
  return new Map(
    [...lists].map(([id, own]) => [id, own.length === 1 ? (own[0] ?? []) : own.flat().sort((a, b) => a - b)]),
  )
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const found = lists.get(key) ?? []
  lists.set(key, found)
  return found
}

interface OwnRow {
  readonly user_id: number
  readonly message_id: number
}

/** The messages of each person, in the order of the rows. */
export function idsByPerson(rows: readonly OwnRow[]): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const { user_id, message_id } of rows) listIn(found, user_id).push(message_id)
  return found
}

/** A person's flags of a message, as its events carry them. */
export function flagsOf({ db }: Workspace, userId: number, messageId: number): string[] {
  const own = db.get<{
    is_read: number
    is_starred: number
    is_collapsed: number
    is_historical: number
    mention: string
  }>('SELECT * FROM user_messages WHERE user_id = ? AND message_id = ?', userId, messageId)
  if (own === undefined) return ['read', 'historical']
  const mentions = own.mention === '' ? [] : own.mention.split(' ')
  return [
    ...(own.is_read === 1 ? ['read'] : []),
    ...(own.is_starred === 1 ? ['starred'] : []),
    ...(own.is_collapsed === 1 ? ['collapsed'] : []),
    ...(own.is_historical === 1 ? ['historical'] : []),
    ...mentions,
    ...(mentions.some((flag) => flag.endsWith('_wildcard_mentioned')) ? ['wildcard_mentioned'] : []),
  ]
}
