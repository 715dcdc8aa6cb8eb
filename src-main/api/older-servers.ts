import type { Endpoint } from '../../src-shared/api/endpoint.ts'
import { FailureError } from '../../src-shared/failure.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** What of a server decides how requests to it are put. */
export interface KnownServer {
  /** 0: not known yet. */
  readonly featureLevel: number
  /** Whether it uses real servers' names where the specification has others (`src-shared/api/wire.ts`). */
  readonly speaksDialect: boolean
}

export const unknownServer: KnownServer = { featureLevel: 0, speaksDialect: false }

/** Throws a `FailureError` of kind rejected when a server of this level has no such endpoint. Level 0: not known yet. */
export function demandEndpoint(endpoint: Endpoint, featureLevel: number): void {
  if (featureLevel === 0 || (endpoint.since ?? 0) <= featureLevel) return
  throw new FailureError({
    kind: 'rejected',
    code: 'NOT_ON_THIS_SERVER',
    message: t.failures.server.olderAndCannot,
    status: 404,
  })
}

type Input = Readonly<Record<string, unknown>>

/** The input in the words that this server understands: names differ, what they mean does not. */
export function inWordsOf(server: KnownServer, endpoint: Endpoint, input: Input): Input {
  const { featureLevel } = server
  if (server.speaksDialect && input['reaction_type'] === 'service_extra_emoji') {
    return { ...input, reaction_type: 'zulip_extra_emoji' }
  }
  // A word where numbers stand too is JSON text.
  const days = input['message_retention_days']
  if (typeof days === 'string') return { ...input, message_retention_days: JSON.stringify(days) }
  if (featureLevel === 0) return input
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
  if (input['type'] !== 'stream' || isAble(featureLevel, 'channelTyping')) return input
  const { stream_id, ...rest } = input
  return { ...rest, to: [stream_id] }
}

/** "in_home_view" is what a muted channel is not. */
function olderMuting(change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change
  if (Reflect.get(change, 'property') !== 'is_muted') return change
  return { ...change, property: 'in_home_view', value: Reflect.get(change, 'value') !== true }
}
