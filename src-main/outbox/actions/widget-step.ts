import { submessages } from '../../../src-shared/api/submessages.ts'
import { userId } from '../../../src-shared/ids.ts'
import { setsValue, widgetOf } from '../../../src-shared/model/widget.ts'
import { hasSubmessage } from '../../store/submessages.ts'
import type { OfflineAction } from '../offline-action.ts'
import { messageNow } from './source-of.ts'

/**
 * A vote, an option, a task or a tick in a widget (specification, POST /submessage). Queries add it to the server's
 * state.
 */
export const widgetStep: OfflineAction<'widget-step'> = {
  isRepeatable: true,
  // Order matters: a vote must be sent after the option that it is for.
  lane: ({ messageId }) => `widget:${messageId}`,
  apply() {},
  async send({ messageId, step }, context) {
    const { connection, signal, ownUserId, db } = context
    let content = JSON.stringify(step)
    if (step.type === 'strike') {
      // A second tick would undo the first, so the server's state is checked first.
      const message = await messageNow(messageId, context)
      const steps = (message?.submessages ?? []).map((one) => ({
        senderId: userId(one.sender_id),
        content: one.content,
        isWaiting: false,
      }))
      const widget = widgetOf(steps, userId(message?.sender_id ?? 0))
      const task = widget?.kind === 'todo' ? widget.tasks.find(({ key }) => key === step.key) : undefined
      if (task?.isDone === step.on) return null
      content = JSON.stringify({ type: 'strike', key: step.key })
    } else if (!setsValue(step.type) && hasSubmessage(db, messageId, ownUserId, content)) return null
    await connection.call(
      submessages.sendSubmessage,
      { message_id: messageId, msg_type: 'widget', content },
      { signal },
    )
    return null
  },
  concerns: ({ messageId }) => [messageId],
  join(earlier, later) {
    if (earlier.messageId !== later.messageId) return undefined
    const [a, b] = [earlier.step, later.step]
    if (a.type !== b.type) return undefined
    const isSame = 'key' in a && 'key' in b ? a.type !== 'new_task' && a.key === b.key : setsValue(a.type)
    return isSame ? later : undefined
  },
}
