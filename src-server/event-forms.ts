import type { NewEvent, QueueOptions } from './event-queues.ts'

/** What of the organization shapes its events. */
export interface EventSurroundings {
  readonly emptyTopicName: string
}

/**
 * An event in the forms that a client can handle (specification, POST /register, client_capabilities): none, one, or
 * several. Whoever publishes gives the newest form; older ones are made here and nowhere else.
 */
export function eventForms(
  event: NewEvent,
  { capabilities }: Pick<QueueOptions, 'capabilities'>,
  { emptyTopicName }: EventSurroundings,
): readonly NewEvent[] {
  switch (event.type) {
    case 'typing':
      if ('stream_id' in event && capabilities.stream_typing_notifications !== true) return []
      break
    case 'realm_linkifiers':
      if (capabilities.linkifier_url_template !== true) return []
      break
    case 'update_display_settings':
    case 'update_global_notifications':
      if (capabilities.user_settings_object === true) return []
      break
    case 'delete_message': {
      const { message_ids: ids, ...rest } = event
      if (capabilities.bulk_message_deletion === true || !Array.isArray(ids)) break
      return ids.map((message_id: unknown) =>
        withTopics({ ...rest, message_id }, capabilities, emptyTopicName),
      )
    }
  }
  return [withTopics(event, capabilities, emptyTopicName)]
}

const topicFields = ['topic', 'topic_name', 'subject', 'orig_subject']

/** Clients that know no empty topic are told its display name. */
function withTopics(
  event: NewEvent,
  capabilities: QueueOptions['capabilities'],
  emptyTopicName: string,
): NewEvent {
  if (capabilities.empty_topic_name === true) return event
  const shown: Record<string, unknown> = {}
  for (const name of topicFields) if (event[name] === '') shown[name] = emptyTopicName
  const { message_details: details } = event
  if (typeof details === 'object' && details !== null) {
    shown['message_details'] = Object.fromEntries(
      Object.entries(details).map(([id, detail]: [string, { topic?: string }]) => [
        id,
        detail.topic === '' ? { ...detail, topic: emptyTopicName } : detail,
      ]),
    )
  }
  return { ...event, ...shown }
}
