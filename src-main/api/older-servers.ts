import type { Endpoint } from '../../src-shared/api/endpoint.ts'
import { FailureError } from '../../src-shared/failure.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** What is known about a server that changes the form of requests to it. */
export interface KnownServer {
  /** Its feature level; infinite while it is not known. */
  readonly featureLevel: number
  /** Whether it uses the names of real servers where the specification has others (`src-shared/api/wire.ts`). */
  readonly speaksDialect: boolean
}

/** A server whose version is not known yet; requests have the form of the specification. */
export const unknownServer: KnownServer = { featureLevel: Number.POSITIVE_INFINITY, speaksDialect: false }

/** Throws a refusal (NOT_ON_THIS_SERVER) if a server of this feature level lacks the endpoint. */
export function demandEndpoint(endpoint: Endpoint, featureLevel: number): void {
  if ((endpoint.since ?? 0) <= featureLevel) return
  throw new FailureError({
    kind: 'rejected',
    code: 'NOT_ON_THIS_SERVER',
    message: t.failures.server.olderAndCannot,
    status: 404,
  })
}

type Input = Readonly<Record<string, unknown>>

/** The input with the server's names for the same things. */
export function inWordsOf(server: KnownServer, endpoint: Endpoint, input: Input): Input {
  const { featureLevel } = server
  if (server.speaksDialect && input['reaction_type'] === 'service_extra_emoji') {
    return { ...input, reaction_type: 'zulip_extra_emoji' }
  }
  // The parameter is a number or a word; as a word it must be JSON, that is, in quotation marks.
  const days = input['message_retention_days']
  if (typeof days === 'string') return { ...input, message_retention_days: JSON.stringify(days) }
  if (Array.isArray(input['narrow'])) {
    return { ...input, narrow: input['narrow'].map((term: unknown) => olderTerm(featureLevel, term)) }
  }
  if (endpoint.path === '/typing') return olderTyping(featureLevel, input)
  if (Array.isArray(input['subscription_data']) && !isAble(featureLevel, 'channelMuting')) {
    return { ...input, subscription_data: input['subscription_data'].map(olderMuting) }
  }
  return input
}

function olderTerm(featureLevel: number, term: unknown): unknown {
  if (typeof term !== 'object' || term === null || Array.isArray(term)) return term
  const operator: unknown = Reflect.get(term, 'operator')
  const operand: unknown = Reflect.get(term, 'operand')
  if (operator === 'channel' && !isAble(featureLevel, 'channelOperator'))
    return { ...term, operator: 'stream' }
  if (operator === 'channels' && !isAble(featureLevel, 'channelOperator'))
    return { ...term, operator: 'streams' }
  if (!isAble(featureLevel, 'dmOperator')) {
    if (operator === 'dm') return { ...term, operator: 'pm-with' }
    if (operator === 'is' && operand === 'dm') return { ...term, operand: 'private' }
  }
  return term
}

function olderTyping(featureLevel: number, input: Input): Input {
  if (input['type'] === 'direct' && !isAble(featureLevel, 'directType')) return { ...input, type: 'private' }
  if (input['type'] !== 'stream' || isAble(featureLevel, 'channelTypingById')) return input
  const { stream_id, ...rest } = input
  return { ...rest, to: [stream_id] }
}

/** Older servers have "in_home_view", the opposite of "is_muted". */
function olderMuting(change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change
  if (Reflect.get(change, 'property') !== 'is_muted') return change
  return { ...change, property: 'in_home_view', value: Reflect.get(change, 'value') !== true }
}
