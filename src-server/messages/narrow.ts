import type { z } from 'zod'
import type { narrowTerm } from '../../src-shared/api/messages.ts'
import {
  badNarrow,
  foundSql,
  idOf,
  isSearchable,
  markNames,
  termSql,
  type Operand,
  type TermScope,
} from './narrow-terms.ts'
import { readableParameters, readableSql } from '../permissions/messages.ts'
import { ServiceError } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'

export type NarrowTerm = z.output<typeof narrowTerm>

/** SQL that is true for the messages of a narrow; `m` is the message, and parameters are named. */
export interface NarrowSql {
  readonly where: string
  readonly parameters: Record<string, string | number>
  /** The FROM clause; the table that is walked comes first. */
  readonly from: string
  /** The message id column of the table that is walked, for paging. */
  readonly key: string
}

interface Term {
  readonly operator: string
  readonly operand: Operand
  readonly negated: boolean
}

/** A person names a handful; more would burden the database. */
const mostTerms = 50

/** One name per operator. */
const operators: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  from: 'sender',
  'pm-with': 'dm',
}

function termsOf(narrow: readonly NarrowTerm[]): Term[] {
  return narrow.map((raw) => {
    const { operator, operand, negated } = Array.isArray(raw)
      ? { operator: raw[0], operand: raw[1], negated: false }
      : raw
    return { operator: operators[operator] ?? operator, operand, negated: negated === true }
  })
}

const ownRowSql =
  'EXISTS (SELECT 1 FROM user_messages o WHERE o.user_id = :user AND o.message_id = m.message_id)'

/**
 * Compiles a narrow to SQL for one person; the result contains only messages that they may read. Messages for which
 * the person has no row are included with `history`. Without it, they are included only if the narrow names channels
 * and asks for no personal flag. Throws BAD_NARROW.
 */
export function narrowSql(
  workspace: Workspace,
  user: UserRow,
  narrow: readonly NarrowTerm[],
  reach: 'narrow' | 'history' = 'narrow',
): NarrowSql {
  if (narrow.length > mostTerms) throw badNarrow('too many terms')
  const parameters: Record<string, string | number> = readableParameters(workspace.db, user)
  let number = 0
  const named = termsOf(narrow)
  const unwalked = {
    workspace,
    user,
    walksOwn: false,
    put(value: string | number) {
      const name = `p${number++}`
      parameters[name] = value
      return `:${name}`
    },
  }
  const terms = withConversation(unwalked, named)
  refuseContradictions(terms)
  const isOwn = reach === 'narrow' && !reachesHistory(terms)
  const walk = reach === 'history' ? byMessage : walkOf(terms, isOwn)
  const scope: TermScope = { ...unwalked, walksOwn: walk === byReceiver }
  const parts = [readableSql]
  if (isOwn) parts.push(walk === byReceiver ? 'own.user_id = :user' : ownRowSql)
  for (const { operator, operand, negated } of terms) {
    const isWalked = walk === bySearch && operator === 'search' && !negated
    const sql = isWalked ? foundSql(scope, String(operand)) : termSql(scope, operator, operand)
    if (sql !== null) parts.push(negated ? `NOT coalesce((${sql}), 0)` : `(${sql})`)
  }
  return { where: parts.join(' AND '), parameters, ...walk }
}

type Walk = Pick<NarrowSql, 'from' | 'key'>

// We fix the order of the tables: the query planner does not know what people usually ask for.
const byMessage: Walk = { from: 'messages m', key: 'm.message_id' }
const byReceiver: Walk = {
  from: 'user_messages own CROSS JOIN messages m ON m.message_id = own.message_id',
  key: 'own.message_id',
}
const bySearch: Walk = {
  from: 'message_words CROSS JOIN messages m ON m.message_id = message_words.rowid',
  key: 'message_words.rowid',
}

/** The table that leads to the messages of a narrow in the fewest steps. */
function walkOf(terms: readonly Term[], isOwn: boolean): Walk {
  const searches = terms.filter(({ operator, negated }) => operator === 'search' && !negated)
  // Only a single search can be walked, because the index accepts one query.
  if (searches.length === 1 && searches.every(({ operand }) => isSearchable(String(operand)))) return bySearch
  const isMarked = terms.some(
    ({ operator, operand, negated }) => !negated && operator === 'is' && markNames.includes(operand),
  )
  if (isMarked) return byReceiver
  const isIndexed = terms.some(
    ({ operator, negated }) => !negated && ['channel', 'dm', 'sender', 'id'].includes(operator),
  )
  return isOwn && !isIndexed ? byReceiver : byMessage
}

/** SQL that is true for a message that the person may read, whether or not they have a row for it. */
export function readable({ db }: Workspace, user: UserRow): NarrowSql {
  return { where: readableSql, parameters: readableParameters(db, user), ...byMessage }
}

const spectatorOperators = ['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']

/**
 * Checks the narrow of a visitor without an account: it must name web-public channels and ask for nothing personal.
 * Throws UNAUTHORIZED, so that the client offers to sign in.
 */
export function spectatorNarrow(narrow: readonly NarrowTerm[]): NarrowTerm[] {
  const isHome = (term: { operator: string; operand: Operand }) =>
    term.operator === 'in' && term.operand === 'home'
  const terms = termsOf(narrow).filter((term) => !isHome(term))
  const isOpen = terms.some(
    ({ operator, operand, negated }) => operator === 'channels' && operand === 'web-public' && !negated,
  )
  const isAllowed = terms.every(
    ({ operator, operand }) =>
      spectatorOperators.includes(operator) || (operator === 'is' && operand === 'resolved'),
  )
  if (!isOpen || !isAllowed) throw new ServiceError('UNAUTHORIZED', 'Sign in to read this.', {}, 401)
  return terms.map(({ operator, operand, negated }) => ({
    operator,
    operand: typeof operand === 'object' ? [...operand] : operand,
    negated,
  }))
}

/** What a narrow searches for: its words and quoted phrases; null if it contains no search. */
export function searchedFor(narrow: readonly NarrowTerm[]): string | null {
  const terms = termsOf(narrow).filter(({ operator, negated }) => operator === 'search' && !negated)
  return terms.length === 0 ? null : terms.map(({ operand }) => String(operand)).join(' ')
}

/** Whether the narrow asks for things that may be muted, so that their unread messages count although muted. */
export const namesPlace = (narrow: readonly NarrowTerm[]): boolean =>
  termsOf(narrow).some(
    ({ operator, operand, negated }) =>
      !negated &&
      (['channel', 'topic', 'dm', 'dm-including'].includes(operator) ||
        (operator === 'is' && operand === 'dm')),
  )

function reachesHistory(terms: readonly Term[]): boolean {
  return (
    terms.some(({ operator, negated }) => !negated && (operator === 'channel' || operator === 'channels')) &&
    terms.every(({ operator, operand }) => operator !== 'is' || operand === 'resolved')
  )
}

const isDirect = ({ operator, operand }: Term) =>
  ['dm', 'dm-including', 'group-pm-with'].includes(operator) ||
  (operator === 'is' && (operand === 'dm' || operand === 'private'))

function refuseContradictions(terms: readonly Term[]): void {
  const wantsChannel = terms.some(
    (term) =>
      (!term.negated && ['channel', 'channels', 'topic'].includes(term.operator)) ||
      (term.negated && term.operator === 'is' && isDirect(term)),
  )
  if (wantsChannel && terms.some((term) => !term.negated && isDirect(term)))
    throw badNarrow('No message can be both a channel message and direct message')
}

/** Replaces the conversation that the narrow names by the present conversation of its `with` message. */
function withConversation(scope: TermScope, terms: readonly Term[]): Term[] {
  const named = terms.filter(({ operator, negated }) => operator === 'with' && !negated)
  const rest = terms.filter(({ operator }) => operator !== 'with')
  const [term] = named
  if (term === undefined) return rest
  if (named.length > 1) throw badNarrow("Duplicate 'with' operators.")
  const { where, parameters } = readable(scope.workspace, scope.user)
  const row = scope.workspace.db.get<{ channel_id: number | null; topic: string; user_ids: string | null }>(
    `SELECT m.channel_id, m.topic, g.user_ids FROM messages m
     LEFT JOIN direct_groups g ON g.group_id = m.direct_group_id WHERE m.message_id = :id AND ${where}`,
    { ...parameters, id: idOf(term.operand) },
  )
  const isPlace = ({ operator, operand }: Term) =>
    ['channel', 'topic', 'dm'].includes(operator) || (operator === 'is' && operand === 'dm')
  if (row === undefined) {
    const has = (name: string) => rest.some(({ operator, negated }) => operator === name && !negated)
    if (has('dm') || (has('channel') && has('topic'))) return rest
    throw badNarrow('Invalid message(s)')
  }
  const place: Term[] =
    row.channel_id === null
      ? // Written by `directGroupId`.
        [{ operator: 'dm', operand: JSON.parse(row.user_ids ?? '[]') as number[], negated: false }]
      : [
          { operator: 'channel', operand: row.channel_id, negated: false },
          { operator: 'topic', operand: row.topic, negated: false },
        ]
  return [...rest.filter((other) => !isPlace(other)), ...place]
}
