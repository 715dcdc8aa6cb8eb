import type { NewEvent, QueueOptions } from '../events/event-queues.ts'
import { canReadChannel } from '../permissions/channels.ts'
import type { Target } from './messages.ts'
import { apiMessages, withLegacyWildcard } from './shown-messages.ts'
import { userById, type Workspace } from '../workspace.ts'

/** Puts a written message into the queues of everybody who should get it, with each person's flags. */
export function publishMessage(
  workspace: Workspace,
  id: number,
  recipients: ReadonlyMap<number, readonly string[]>,
  { target, localId, queueId }: { target: Target; localId?: string; queueId?: string },
): void {
  const everyone = target.kind === 'channel' && target.channel.is_private === 0
  const messages = new Map<string, object | null>()
  const messageFor = (form: string, applyMarkdown: boolean, allowEmptyTopic: boolean): object | null => {
    const known = messages.get(form)
    if (known !== undefined) return known
    const [message] = apiMessages(workspace, null, [id], { applyMarkdown, allowEmptyTopic })
    if (message === undefined) return null
    const { flags: _inside, edit_history: _history, ...body } = message
    messages.set(form, body)
    return body
  }
  // A thousand readers get only a handful of different events; each is built and serialized once.
  const events = new Map<string, NewEvent>()
  const eventFor = (queue: QueueOptions): NewEvent | null => {
    const { applyMarkdown } = queue
    const allowEmptyTopic = queue.capabilities.empty_topic_name === true
    const form = `${applyMarkdown}:${allowEmptyTopic}`
    const flags = recipients.get(queue.userId) ?? []
    const key = `${form}:${flags.join()}`
    const known = events.get(key)
    if (known !== undefined) return known
    const message = messageFor(form, applyMarkdown, allowEmptyTopic)
    if (message === null) return null
    const event = { type: 'message', message, flags: withLegacyWildcard(flags) }
    events.set(key, event)
    return event
  }
  // Whoever asked for every public channel may have become a guest since.
  const mayOverhear = (userId: number): boolean => {
    const user = userById(workspace.db, userId)
    return (
      user !== undefined && target.kind === 'channel' && canReadChannel(workspace.db, user, target.channel)
    )
  }
  for (const queue of workspace.queues.interested('message', new Set(recipients.keys()), everyone)) {
    if (!recipients.has(queue.userId) && !mayOverhear(queue.userId)) continue
    const event = eventFor(queue)
    if (event === null || !queue.passes(event)) continue
    const isOwn = localId !== undefined && queue.id === queueId
    workspace.queues.push(queue, isOwn ? { ...event, local_message_id: localId } : event)
  }
}
