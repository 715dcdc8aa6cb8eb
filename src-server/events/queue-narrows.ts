import { isResolved } from '../../src-shared/topic-names.ts'
import type { Database } from '../database.ts'
import type { NewEvent } from './event-queues.ts'
import { normalizeTopic } from '../topics.ts'
import { badRequest } from '../service-error.ts'

/** Compiles a queue's narrow into a filter; refuses operators that cannot filter events. */
export function narrowFilter(
  db: Database,
  terms: readonly (readonly [string, string])[],
): (event: NewEvent) => boolean {
  const narrow = terms.map(
    ([operator, operand]) =>
      [operator, operator === 'topic' ? normalizeTopic(db, operand) : operand] as const,
  )
  for (const [operator, operand] of narrow) {
    if (
      !['channel', 'stream', 'topic', 'sender', 'is'].includes(operator) ||
      (operator === 'is' && operand === 'followed')
    )
      throw badRequest(`Operator ${operator} not supported.`)
  }
  return (event) => {
    // A message event as `publishMessage` makes it.
    const { message, flags } = event as unknown as {
      message: { type: string; display_recipient: unknown; subject: string; sender_email: string }
      flags: string[]
    }
    return narrow.every(([operator, operand]) => {
      const same = (value: unknown) =>
        typeof value === 'string' && value.toLowerCase() === operand.toLowerCase()
      if (operator === 'channel' || operator === 'stream')
        return message.type === 'stream' && same(message.display_recipient)
      // To clients that do not know the empty topic, its display name is told.
      if (operator === 'topic') return message.type === 'stream' && same(normalizeTopic(db, message.subject))
      if (operator === 'sender') return same(message.sender_email)
      if (operand === 'dm' || operand === 'private') return message.type === 'private'
      if (operand === 'unread') return !flags.includes('read')
      if (operand === 'starred') return flags.includes(operand)
      if (operand === 'mentioned' || operand === 'alerted')
        return flags.some((flag) => flag.endsWith('mentioned') || flag === 'has_alert_word')
      if (operand === 'resolved') return message.type === 'stream' && isResolved(message.subject)
      return true
    })
  }
}
