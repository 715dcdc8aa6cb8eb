import { resolvedPrefix, topicKey } from '../../src-shared/topic-names.ts'
import { topicPolicies } from '../channels/topic-policies.ts'
import { accessibleChannel } from '../permissions/channels.ts'
import { knownPeople, personByEmail } from '../people/user-access.ts'
import { ServiceError } from '../service-error.ts'
import { realmValue, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** The tables and columns that a term refers to. */
export type Operand = string | number | readonly number[]

/** The person for whom a term is compiled to SQL, and the place for its values. */
export interface TermScope {
  readonly workspace: Workspace
  readonly user: UserRow
  /** Whether the query walks the person's own rows, as `own`. */
  readonly walksOwn: boolean
  /** Stores a value and returns its parameter name in the SQL. */
  put(value: string | number): string
}

/** The refusal of a narrow that cannot be answered (specification, BAD_NARROW). */
export const badNarrow = (desc: string): ServiceError =>
  new ServiceError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc })

/** SQL that is true for the messages that match one term; null if the term does not filter. Throws BAD_NARROW. */
export function termSql(scope: TermScope, operator: string, operand: Operand): string | null {
  const { workspace, put } = scope
  switch (operator) {
    case 'channel':
      return `m.channel_id = ${put(channelOf(scope, operand).channel_id)}`
    case 'channels':
      if (operand === 'public')
        return 'm.channel_id IN (SELECT channel_id FROM channels WHERE is_private = 0)'
      if (operand === 'web-public')
        return 'm.channel_id IN (SELECT channel_id FROM channels WHERE is_web_public = 1)'
      throw badNarrow('unknown kind of channels')
    case 'topic': {
      if (typeof operand !== 'string') throw badNarrow('Invalid topic')
      const isEmpty = operand === realmValue(workspace.db, 'empty_topic_display_name')
      return `m.channel_id IS NOT NULL AND m.topic_key = ${put(isEmpty ? '' : topicKey(operand))}`
    }
    case 'sender':
      if (typeof operand === 'object') throw badNarrow('unknown user')
      return `m.sender_id = ${put(personId(scope, operand))}`
    case 'dm':
      return directSql(scope, operand)
    case 'dm-including':
      return `m.direct_group_id IN (${groupsWith(scope, operand)})`
    case 'group-pm-with':
      return `m.direct_group_id IN (${groupsWith(scope, operand)}
        AND (SELECT count(*) FROM direct_group_members n WHERE n.group_id = d.group_id) > 2)`
    case 'is':
      return isSql(scope, String(operand))
    case 'in':
      if (operand === 'all') return null
      if (operand === 'home') return `NOT coalesce((${mutedSql}), 0)`
      throw badNarrow('unknown in: operand')
    case 'has':
      return hasSql(String(operand))
    case 'id':
      return `m.message_id = ${put(idOf(operand))}`
    case 'near':
      idOf(operand)
      return null
    case 'search':
      return searchSql(scope, String(operand))
    default:
      throw badNarrow(`unknown operator ${operator}`)
  }
}

const highestId = 2_147_483_647

/** The message id that a term names, possibly as text. Throws BAD_NARROW. */
export function idOf(operand: Operand): number {
  const id = typeof operand === 'object' || operand === '' ? NaN : Number(operand)
  if (!Number.isInteger(id) || id < 0 || id > highestId) throw badNarrow('Invalid message ID')
  return id
}

function channelOf({ workspace, user }: TermScope, operand: Operand): ChannelRow {
  const { db } = workspace
  const row =
    typeof operand === 'number'
      ? db.get<ChannelRow>('SELECT * FROM channels WHERE channel_id = ?', operand)
      : db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', String(operand))
  if (row === undefined) throw badNarrow('unknown channel')
  try {
    return accessibleChannel(db, user, row.channel_id)
  } catch {
    // To a person who left a private channel it is no unknown one, but an empty one; nobody else learns that it exists.
    const own = db.get(
      'SELECT 1 FROM subscriptions WHERE user_id = ? AND channel_id = ?',
      user.user_id,
      row.channel_id,
    )
    if (own === undefined) throw badNarrow('unknown channel')
    return row
  }
}

function directSql(scope: TermScope, operand: Operand): string {
  const named =
    typeof operand === 'string'
      ? operand
          .split(',')
          .map((email) => email.trim())
          .filter((email) => email !== '')
      : typeof operand === 'number'
        ? [operand]
        : operand
  if (named.length === 0) return '0'
  const people = new Set([...named.map((one) => personId(scope, one)), scope.user.user_id])
  const key = JSON.stringify([...people].sort((a, b) => a - b))
  return `m.direct_group_id = (SELECT group_id FROM direct_groups WHERE user_ids = ${scope.put(key)})`
}

/** The person's conversations that somebody else is in. */
function groupsWith(scope: TermScope, operand: Operand): string {
  if (typeof operand === 'object') throw badNarrow('unknown user')
  const them = scope.put(personId(scope, operand))
  return `SELECT d.group_id FROM direct_group_members d JOIN direct_group_members o USING (group_id)
    WHERE d.user_id = ${them} AND o.user_id = :user`
}

/** SQL that is true for a message `m` that `:user` has muted. */
export const mutedSql = `EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = :user AND t.channel_id = m.channel_id
    AND t.topic_key = m.topic_key AND t.policy = ${topicPolicies.muted})
  OR (EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = :user AND s.channel_id = m.channel_id AND s.is_muted = 1)
    AND NOT EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = :user AND t.channel_id = m.channel_id
      AND t.topic_key = m.topic_key AND t.policy IN (${topicPolicies.unmuted}, ${topicPolicies.followed})))`

/**
 * Whether a message carries a flag of the person. If the person's rows are walked, the condition uses their indexes.
 */
const marked = ({ walksOwn }: TermScope, condition: (row: string) => string): string =>
  walksOwn
    ? condition('own')
    : `EXISTS (SELECT 1 FROM user_messages x
        WHERE x.user_id = :user AND x.message_id = m.message_id AND ${condition('x')})`

/** The `is` terms that are flags in the person's own rows. */
export const markNames: readonly Operand[] = ['unread', 'starred', 'mentioned', 'alerted']

function isSql(scope: TermScope, operand: string): string {
  switch (operand) {
    case 'dm':
    case 'private':
      return 'm.channel_id IS NULL'
    case 'unread':
      return marked(scope, (row) => `${row}.is_read = 0`)
    case 'starred':
      return marked(scope, (row) => `${row}.is_starred = 1`)
    case 'mentioned':
      return marked(scope, (row) => `${row}.mention <> '' AND ${row}.mention LIKE '%mentioned%'`)
    case 'alerted':
      return marked(scope, (row) => `${row}.mention <> '' AND ${row}.mention LIKE '%has_alert_word%'`)
    case 'resolved':
      return `m.channel_id IS NOT NULL AND m.topic LIKE '${resolvedPrefix}%'`
    case 'followed':
      return `EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = :user AND t.channel_id = m.channel_id
        AND t.topic_key = m.topic_key AND t.policy = ${topicPolicies.followed})`
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

/** The words of a search and its quoted phrases, without the quotation marks. */
export function wordsOf(search: string): { words: string[]; phrases: string[] } {
  const phrases: string[] = []
  const rest = search.replace(/"([^"]*)"/g, (_, phrase: string) => {
    if (/[\p{L}\p{N}]/u.test(phrase)) phrases.push(phrase)
    return ' '
  })
  return { words: rest.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [], phrases }
}

/** Whether a search contains anything that the index can find. */
export function isSearchable(search: string): boolean {
  const { words, phrases } = wordsOf(search)
  return words.length + phrases.length > 0
}

/** The query for the full-text index, and the conditions that a search's phrases add on the text itself. */
function searchParts({ put }: TermScope, search: string): { match: string; literal: string } {
  const { words, phrases } = wordsOf(search)
  const query = [...words, ...phrases].map((word) => `"${word}"`).join(' AND ')
  const literal = phrases.map((phrase) => {
    const value = put(phrase.normalize('NFC').toLowerCase())
    return ` AND (instr(folded(m.content), ${value}) > 0 OR instr(folded(m.topic), ${value}) > 0)`
  })
  return { match: `message_words MATCH ${put(query)}`, literal: literal.join('') }
}

/** SQL that is true for what a search finds, for use when the full-text index itself is walked. */
export function foundSql(scope: TermScope, search: string): string {
  const { match, literal } = searchParts(scope, search)
  return match + literal
}

function searchSql(scope: TermScope, search: string): string {
  if (search.trim() === '') throw badNarrow('empty search')
  if (!isSearchable(search)) return '0'
  const { match, literal } = searchParts(scope, search)
  return `m.message_id IN (SELECT rowid FROM message_words WHERE ${match})${literal}`
}

function personId({ workspace, user }: TermScope, operand: string | number): number {
  if (operand === 'me') return user.user_id
  const row =
    typeof operand === 'number'
      ? knownPeople(workspace.db, user)(operand)
      : personByEmail(workspace.db, user, operand)
  if (row === undefined) throw badNarrow('unknown user')
  return row.user_id
}
