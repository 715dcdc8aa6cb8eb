import { flags } from '../../../src-shared/api/flags.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { SendContext } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

/**
 * Puts a flag on messages or takes it off. A server refuses the whole request for one message that was deleted
 * meanwhile, so the list is halved until those are left out.
 */
export async function sendFlag(
  ids: readonly MessageId[],
  op: 'add' | 'remove',
  flag: 'read' | 'starred',
  context: SendContext,
): Promise<void> {
  const { connection, signal } = context
  try {
    await connection.call(flags.updateMessageFlags, { messages: [...ids], op, flag }, { signal })
  } catch (error) {
    if (failureOf(error).kind !== 'rejected') throw error
    const [first, ...others] = ids
    if (first === undefined) return
    if (others.length === 0) {
      if ((await sourceOf(first, context)) === null) return
      throw error
    }
    const half = Math.ceil(ids.length / 2)
    await sendFlag(ids.slice(0, half), op, flag, context)
    await sendFlag(ids.slice(half), op, flag, context)
  }
}
