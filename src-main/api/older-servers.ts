import type { Endpoint } from '../../src-shared/api/endpoint.ts'
import { FailureError } from '../../src-shared/failure.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import { t } from '../../src-shared/texts/texts.ts'

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

/** The input in the words that a server of this level understands: names have changed, what they mean has not. */
export function inWordsOf(featureLevel: number, endpoint: Endpoint, input: Input): Input {
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
