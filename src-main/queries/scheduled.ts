import type { ScheduledMessage } from '../../src-shared/model/later.ts'
import { channelId, userId } from '../../src-shared/ids.ts'
import {
  conversationKey,
  directConversation,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import { objectsOf } from '../store/objects.ts'
import { outboxRows } from '../store/outbox.ts'
import type { QueryContext } from './context.ts'
import { labelOf } from './labels.ts'
import { ownBeginning, ownWords } from './own-words.ts'
import { isBehind, sendStateOf } from './send-state.ts'

/** Scheduled messages on the server and those that still wait here, the next one first. */
export function scheduled(context: QueryContext): ScheduledMessage[] {
  const rows = outboxRows(context.db, 1_000).filter(({ state }) => state !== 'accepted')
  const looks = ownWords(context.db)
  const changes = new Map(
    rows.flatMap((row) =>
      row.action?.name === 'edit-scheduled'
        ? [[row.action.scheduledId, { row, to: row.action }] as const]
        : [],
    ),
  )
  const known = objectsOf(context.db, 'scheduled-message').flatMap((message): ScheduledMessage[] => {
    const { scheduled_message_id: id, to, topic, content, scheduled_delivery_timestamp: at, failed } = message
    if (typeof id !== 'number' || typeof content !== 'string' || typeof at !== 'number') return []
    const conversation: Conversation =
      typeof to === 'number'
        ? { kind: 'topic', channelId: channelId(to), topic: typeof topic === 'string' ? topic : '' }
        : directConversation(
            (Array.isArray(to) ? to : []).map((one) => userId(Number(one))),
            context.ownUserId,
          )
    const change = changes.get(id)
    return [
      {
        scheduledId: id,
        localId: change?.row.localId ?? null,
        state: change === undefined ? null : sendStateOf(change.row, isBehind(rows, change.row)),
        isSentNow: change?.to.sendAt === 'now',
        conversation,
        label: labelOf(context, conversation),
        content,
        text: ownBeginning(context.db, content, looks),
        sendAt: at * 1_000,
        hasFailed: failed === true,
      },
    ]
  })
  const waiting = rows.flatMap((row): ScheduledMessage[] => {
    if (row.action?.name !== 'schedule-message') return []
    const { conversation, content, sendAt } = row.action
    // The server's event may arrive before its answer.
    const isToldOf = (one: ScheduledMessage) =>
      one.content === content &&
      Math.round(one.sendAt / 1_000) === Math.round(sendAt / 1_000) &&
      conversationKey(one.conversation) === conversationKey(conversation)
    const isTold = row.state === 'sending' || row.state === 'unsure'
    if (isTold && known.some(isToldOf)) return []
    return [
      {
        scheduledId: null,
        localId: row.localId,
        state: sendStateOf(row, isBehind(rows, row)),
        isSentNow: false,
        conversation,
        label: labelOf(context, conversation),
        content,
        text: ownBeginning(context.db, content, looks),
        sendAt,
        hasFailed: false,
      },
    ]
  })
  return [...known, ...waiting].sort((a, b) => a.sendAt - b.sendAt)
}
