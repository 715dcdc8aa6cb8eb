import { messageLimits } from '../permissions/message-limits.ts'
import type { MessageRow } from './messages.ts'
import { badRequest } from '../service-error.ts'
import { realmValue, type Workspace } from '../workspace.ts'

/** One change of a message; it contains only what changed. */
export type HistoryEntry = {
  readonly user_id: number
  readonly timestamp: number
  readonly prev_content?: string
  readonly prev_rendered_content?: string
  readonly prev_stream?: number
  readonly stream?: number
  readonly prev_topic?: string
  readonly topic?: string
}

/** A message as it was after one of its changes (specification, message history). */
export type MessageVersion = HistoryEntry & {
  readonly topic: string
  readonly content: string
  readonly rendered_content: string
}

/** Prepends a change to the earlier ones. */
export function addHistory({ db }: Workspace, messageId: number, entry: HistoryEntry): void {
  const row = db.get<{ edit_history: string }>(
    'SELECT edit_history FROM messages WHERE message_id = ?',
    messageId,
  )
  db.run(
    'UPDATE messages SET edit_history = ? WHERE message_id = ?',
    JSON.stringify([entry, ...historyFrom(row?.edit_history ?? '[]')]),
    messageId,
  )
}

// `addHistory` wrote it.
const historyFrom = (text: string) => JSON.parse(text) as HistoryEntry[]

/** How much of the changes the organization reveals: all, only moves, or none. */
export const historyPolicy = ({ db }: Workspace): string =>
  messageLimits(db).message_edit_history_visibility_policy

/** A message's changes as far as the organization reveals them, newest first; undefined if nothing is revealed. */
export function shownHistory(
  text: string,
  policy: string,
  emptyTopicName: string | null,
): HistoryEntry[] | undefined {
  if (text === '[]' || policy === 'none') return undefined
  const entries = historyFrom(text)
    .filter((entry) => policy === 'all' || isMove(entry))
    .map(({ prev_content, prev_rendered_content, ...entry }) => ({
      ...entry,
      ...(policy === 'all' && prev_content !== undefined ? { prev_content } : {}),
      ...(policy === 'all' && prev_rendered_content !== undefined ? { prev_rendered_content } : {}),
      ...(entry.topic === '' && emptyTopicName !== null ? { topic: emptyTopicName } : {}),
      ...(entry.prev_topic === '' && emptyTopicName !== null ? { prev_topic: emptyTopicName } : {}),
    }))
  return entries.length === 0 ? undefined : entries
}

const isMove = (entry: HistoryEntry) => entry.prev_topic !== undefined || entry.prev_stream !== undefined

/** Every version of a message, the original first. Throws if the organization reveals no history. */
export function versionsOf(
  workspace: Workspace,
  row: MessageRow,
  allowEmptyTopic: boolean,
): MessageVersion[] {
  const policy = historyPolicy(workspace)
  if (policy === 'none') throw badRequest('Message edit history is disabled in this organization')
  const emptyName = realmValue(workspace.db, 'empty_topic_display_name')
  const shown = (topic: string) => (topic === '' && !allowEmptyTopic ? emptyName : topic)
  const changes = historyFrom(row.edit_history).filter((entry) => policy === 'all' || isMove(entry))
  const versions: MessageVersion[] = []
  let { topic, content, rendered } = row
  // From the present backwards, because each change records what it replaced.
  for (const change of changes) {
    const isRewritten = policy === 'all' && change.prev_content !== undefined
    versions.unshift({
      topic: shown(topic),
      content,
      rendered_content: rendered,
      timestamp: change.timestamp,
      user_id: change.user_id,
      ...(isRewritten
        ? {
            prev_content: change.prev_content ?? '',
            prev_rendered_content: change.prev_rendered_content ?? '',
          }
        : {}),
      ...(change.prev_topic === undefined ? {} : { prev_topic: shown(change.prev_topic) }),
      ...(change.prev_stream === undefined ? {} : { prev_stream: change.prev_stream }),
      ...(change.stream === undefined ? {} : { stream: change.stream }),
    })
    if (change.prev_topic !== undefined) topic = change.prev_topic
    if (isRewritten) {
      content = change.prev_content ?? ''
      rendered = change.prev_rendered_content ?? ''
    }
  }
  versions.unshift({
    topic: shown(topic),
    content,
    rendered_content: rendered,
    timestamp: row.sent_at,
    user_id: row.sender_id,
  })
  return versions
}
