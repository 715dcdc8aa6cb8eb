import { userId, type UserId } from '../../src-shared/ids.ts'
import { widgetFromContent } from '../../src-shared/markdown/widget.ts'
import type { MessageWidget } from '../../src-shared/model/message.ts'
import { setsValue, widgetOf, type Widget, type WidgetStep } from '../../src-shared/model/widget.ts'
import type { OutboxRow } from '../store/outbox.ts'
import { submessagesOf } from '../store/submessages.ts'
import type { QueryContext } from './context.ts'
import { userName } from './labels.ts'

/** The poll or to-do list that a text of the person becomes once it is sent; null for any other text. */
export function widgetOfText(content: string, ownUserId: UserId): Widget | null {
  const start = widgetFromContent(content)
  const step = { senderId: ownUserId, content: JSON.stringify(start), isWaiting: false }
  return start === undefined ? null : widgetOf([step], ownUserId)
}

/** The polls and to-do lists among messages, including the person's steps that the server does not have yet. */
export function widgetsOf(
  { db, ownUserId }: QueryContext,
  messages: readonly { readonly message_id: number; readonly sender_id: number }[],
  outbox: readonly OutboxRow[],
): Map<number, MessageWidget> {
  const steps = new Map<number, WidgetStep[]>()
  for (const { messageId, senderId, content } of submessagesOf(
    db,
    messages.map((message) => message.message_id),
  )) {
    const list = steps.get(messageId) ?? []
    list.push({ senderId: userId(senderId), content, isWaiting: false })
    steps.set(messageId, list)
  }
  // Few messages are polls or lists, and only what is one has steps that wait.
  if (steps.size === 0) return new Map()
  const authors = new Map(messages.map((message) => [message.message_id, userId(message.sender_id)]))
  for (const { action, state } of outbox) {
    if (action?.name !== 'widget-step' || state === 'refused') continue
    const { messageId, step } = action
    const list = steps.get(messageId)
    if (list === undefined) continue
    if (step.type === 'strike') {
      // Its echo may already be here; a second tick would undo it.
      const widget = widgetOf(list, authors.get(messageId) ?? userId(0))
      const task = widget?.kind === 'todo' ? widget.tasks.find(({ key }) => key === step.key) : undefined
      if (task?.isDone === step.on) continue
    }
    const content = JSON.stringify(step)
    if (!list.some((one) => one.senderId === ownUserId && one.content === content) || setsValue(step.type))
      list.push({ senderId: ownUserId, content, isWaiting: true })
  }
  const widgets = new Map<number, MessageWidget>()
  for (const { message_id, sender_id } of messages) {
    const widget = widgetOf(steps.get(message_id) ?? [], userId(sender_id))
    if (widget === null) continue
    const voters = widget.kind === 'poll' ? widget.options.flatMap(({ voterIds }) => voterIds) : []
    const names = Object.fromEntries([...new Set(voters)].map((id) => [id, userName(db, id)]))
    widgets.set(message_id, { widget, names })
  }
  return widgets
}
