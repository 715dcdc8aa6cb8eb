import type { z } from 'zod'
import type { narrowTerm } from '../src-shared/api/messages.ts'
import { accessibleChannel, readableParameters, readableSql } from './permissions.ts'
import { ServiceError } from './service-error.ts'
import { directGroupId, topicKey } from './messages.ts'
import { realmValue, type ChannelRow, type UserRow, type Workspace } from './workspace.ts'

export type NarrowTerm = z.output<typeof narrowTerm>

/** SQL that is true for the messages of a narrow; `m` is the message, parameters are named. */
export interface NarrowSql {
  readonly where: string
  readonly parameters: Record<string, string | number>
}

const badNarrow = (desc: string) =>
  new ServiceError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc })

/** Turns a narrow into SQL for one person; only what they may read is ever in it. */
export function narrowSql(workspace: Workspace, user: UserRow, narrow: readonly NarrowTerm[]): NarrowSql {
  const parameters: Record<string, string | number> = readableParameters(workspace.db, user)
  const parts = [readableSql]
  let number = 0
  const put = (value: string | number) => {
    const name = `p${number++}`
    parameters[name] = value
    return `:${name}`
  }
  for (const raw of narrow) {
    const term = Array.isArray(raw) ? { operator: raw[0], operand: raw[1], negated: false } : raw
    const sql = termSql(workspace, user, term.operator, term.operand, put)
    if (sql !== null) parts.push(term.negated === true ? `NOT coalesce((${sql}), 0)` : `(${sql})`)
  }
  return { where: parts.join(' AND '), parameters }
}

type Operand = string | number | readonly number[]

function termSql(
  workspace: Workspace,
  user: UserRow,
  operator: string,
  operand: Operand,
  put: (value: string | number) => string,
): string | null {
  const { db } = workspace
  const own = (condition: string) =>
    `EXISTS (SELECT 1 FROM user_messages x WHERE x.user_id = :user AND x.message_id = m.message_id AND ${condition})`
  switch (operator) {
    case 'channel':
    case 'stream': {
      const row =
        typeof operand === 'number'
          ? accessibleOrNull(workspace, user, operand)
          : db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', String(operand))
      if (row === undefined || row === null) throw badNarrow('unknown channel')
      return `m.channel_id = ${put(row.channel_id)}`
    }
    case 'channels':
    case 'streams':
      if (operand === 'public')
        return 'm.channel_id IN (SELECT channel_id FROM channels WHERE is_private = 0)'
      if (operand === 'web-public')
        return 'm.channel_id IN (SELECT channel_id FROM channels WHERE is_web_public = 1)'
      throw badNarrow('unknown kind of channels')
    case 'topic': {
      const topic = String(operand)
      const key = topic === realmValue(db, 'empty_topic_display_name') ? '' : topicKey(topic)
      return `m.channel_id IS NOT NULL AND m.topic_key = ${put(key)}`
    }
    case 'sender':
    case 'from':
      return `m.sender_id = ${put(personId(workspace, user, operand))}`
    case 'dm':
    case 'pm-with': {
      const ids = (
        Array.isArray(operand) ? operand : typeof operand === 'string' ? operand.split(',') : [operand]
      ).map((one: string | number) => personId(workspace, user, typeof one === 'string' ? one.trim() : one))
      return `m.direct_group_id = ${put(directGroupId(db, [...ids, user.user_id]))}`
    }
    case 'dm-including':
      return `m.direct_group_id IN (SELECT g.group_id FROM direct_groups g, json_each(g.user_ids) e WHERE e.value = ${put(personId(workspace, user, operand as string | number))})`
    case 'is':
      return isSql(String(operand), own)
    case 'in':
      if (operand === 'all') return null
      if (operand === 'home') return `NOT (${mutedSql})`
      throw badNarrow('unknown in: operand')
    case 'has':
      return hasSql(String(operand))
    case 'id':
      return `m.message_id = ${put(Number(operand))}`
    case 'near':
      return null
    case 'with': {
      const row = db.get<{ channel_id: number | null; topic_key: string; direct_group_id: number | null }>(
        'SELECT channel_id, topic_key, direct_group_id FROM messages WHERE message_id = ?',
        Number(operand),
      )
      if (row === undefined) throw badNarrow('unknown message')
      return row.channel_id === null
        ? `m.direct_group_id = ${put(row.direct_group_id ?? 0)}`
        : `m.channel_id = ${put(row.channel_id)} AND m.topic_key = ${put(row.topic_key)}`
    }
    case 'search': {
      const words = String(operand).match(/"[^"]+"|[\p{L}\p{M}\p{N}_]+/gu) ?? []
      if (words.length === 0) throw badNarrow('empty search')
      const query = words.map((word) => `"${word.replaceAll('"', '')}"`).join(' AND ')
      return `m.message_id IN (SELECT rowid FROM message_words WHERE message_words MATCH ${put(query)})`
    }
    default:
      throw badNarrow(`unknown operator ${operator}`)
  }
}

/** SQL that is true for a message `m` in what `:user` muted. */
export const mutedSql = `EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = :user AND t.channel_id = m.channel_id
    AND t.topic_key = m.topic_key AND t.policy = 1)
  OR (EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = :user AND s.channel_id = m.channel_id AND s.is_muted = 1)
    AND NOT EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = :user AND t.channel_id = m.channel_id
      AND t.topic_key = m.topic_key AND t.policy IN (2, 3)))`

function isSql(operand: string, own: (condition: string) => string): string {
  switch (operand) {
    case 'dm':
    case 'private':
      return 'm.channel_id IS NULL'
    case 'unread':
      return own('x.is_read = 0')
    case 'starred':
      return own('x.is_starred = 1')
    case 'mentioned':
      return own(`x.mention <> ''`)
    case 'alerted':
      return own(`x.mention LIKE '%has_alert_word%'`)
    case 'resolved':
      return `m.channel_id IS NOT NULL AND m.topic LIKE '✔ %'`
    case 'followed':
      return `EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = :user AND t.channel_id = m.channel_id
        AND t.topic_key = m.topic_key AND t.policy = 3)`
    case 'muted':
      return mutedSql
    default:
      throw badNarrow('unknown is: operand')
  }
}

function hasSql(operand: string): string {
  switch (operand) {
    case 'link':
      return 'm.has_link = 1'
    case 'image':
      return 'm.has_image = 1'
    case 'attachment':
      return 'm.has_attachment = 1'
    case 'reaction':
      return 'EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.message_id)'
    default:
      throw badNarrow('unknown has: operand')
  }
}

function accessibleOrNull(workspace: Workspace, user: UserRow, id: number): ChannelRow | null {
  try {
    return accessibleChannel(workspace.db, user, id)
  } catch {
    return null
  }
}

function personId(workspace: Workspace, user: UserRow, operand: Operand): number {
  if (operand === 'me') return user.user_id
  const row =
    typeof operand === 'number'
      ? workspace.db.get<{ user_id: number }>('SELECT user_id FROM users WHERE user_id = ?', operand)
      : workspace.db.get<{ user_id: number }>(
          'SELECT user_id FROM users WHERE email = ? OR delivery_email = ?',
          String(operand),
          String(operand),
        )
  if (row === undefined) throw badNarrow('unknown user')
  return row.user_id
}
