import type { ApiMessage } from '../../src-shared/api/messages.ts'
import { isSameButMark } from '../../src-shared/topic-names.ts'

/**
 * When the content of a message was last edited, and when the message was last moved, in the server's seconds; null for
 * never. Below feature level 365 the time of the last edit is also that of a move: then the history of the message
 * tells, unless the organization hides it.
 */
export function timesOfChange(message: ApiMessage): {
  readonly editedAt: number | null
  readonly movedAt: number | null
} {
  const history = message.edit_history ?? []
  const edited = message.last_edit_timestamp ?? null
  const moved = message.last_moved_timestamp ?? null
  const changes = history.filter(({ timestamp }) => timestamp === edited)
  const isOfMove = changes.length > 0 && !changes.some(isEdit)
  if (!isOfMove) return { editedAt: edited, movedAt: moved }
  const lastOf = (is: (entry: HistoryEntry) => boolean) =>
    history.filter(is).reduce<number | null>((last, { timestamp }) => Math.max(last ?? 0, timestamp), null)
  return { editedAt: lastOf(isEdit), movedAt: moved ?? lastOf(isMove) }
}

type HistoryEntry = NonNullable<ApiMessage['edit_history']>[number]
const isEdit = (entry: HistoryEntry) =>
  entry.prev_content !== undefined || entry.prev_rendered_content !== undefined
const isMove = ({ prev_stream, prev_topic, topic }: HistoryEntry) =>
  prev_stream !== undefined ||
  (prev_topic !== undefined && (topic === undefined || !isSameButMark(prev_topic, topic)))
