import { messageId } from '../../src-shared/ids.ts'
import type { WaitingEdit, WaitingMessage } from '../../src-shared/model/message.ts'
import { combinedDestination, isSamePlace, type TopicMove } from '../../src-shared/model/move.ts'
import { contains, type Narrow } from '../../src-shared/model/narrow.ts'
import type { ReadableDb } from '../store/database.ts'
import type { OutboxRow } from '../store/outbox.ts'
import type { QueryContext } from './context.ts'
import { labelOf } from './labels.ts'
import { ownWords, type OwnWords } from './own-words.ts'
import { isBehind, sendStateOf } from './send-state.ts'
import { widgetOfText } from './widgets.ts'

// What a feed shows of the changes that wait for the server.

/** The moves of topics that wait for the server; a later one continues an earlier one. */
export function movingIn(outbox: readonly OutboxRow[]): TopicMove[] {
  const moving: TopicMove[] = []
  for (const { action, state } of outbox) {
    if (action?.name !== 'move-messages' || state === 'refused' || state === 'accepted') continue
    const { from, to, which } = action
    // A later move continues an earlier one: the person saw its result here and moved on from there.
    const at = moving.findIndex((one) => isSamePlace(one.from, from) || isSamePlace(one.to ?? one.from, from))
    const earlier = moving[at]
    if (earlier === undefined) moving.push({ from, to: which === 'all' ? to : null })
    else if (which === 'all')
      moving[at] = {
        from: earlier.from,
        to: earlier.to === null ? to : combinedDestination({ to: earlier.to }, action),
      }
  }
  return moving
}

const contentOf = ({ html, isMeMessage }: OwnWords) => ({ contentHtml: html, isMeMessage })

/** The newest text of each of these messages whose edit waits for the server. */
export function waitingEdits(
  db: ReadableDb,
  outbox: readonly OutboxRow[],
  messages: readonly { readonly message_id: number; readonly content_html: string }[],
): Map<number, WaitingEdit> {
  const looks = ownWords(db)
  return new Map(
    outbox.flatMap((row): [number, WaitingEdit][] => {
      const { action, localId } = row
      if (action?.name !== 'edit-message') return []
      const { messageId: id, content, previousContent } = action
      const before = messages.find(({ message_id }) => message_id === id)
      if (before === undefined) return []
      return [
        [
          id,
          {
            localId,
            contentMarkdown: content,
            ...contentOf(looks(content, before.content_html)),
            previousMarkdown: previousContent,
            state: sendStateOf(row, isBehind(outbox, row)),
          },
        ],
      ]
    }),
  )
}

/** The messages written to a narrow that wait for the server, in the order in which they were written. */
export function waitingIn(
  context: QueryContext,
  narrow: Narrow,
  outbox: readonly OutboxRow[],
): WaitingMessage[] {
  const looks = ownWords(context.db)
  return outbox.flatMap((row): WaitingMessage[] => {
    const { action } = row
    if (action?.name !== 'send-message') return []
    const subject = {
      id: messageId(Number.MAX_SAFE_INTEGER),
      conversation: action.conversation,
      isMentioned: false,
      isStarred: false,
      senderId: context.ownUserId,
      hasReactions: false,
      isMuted: false,
    }
    if (!contains(narrow, subject)) return []
    return [
      {
        localId: row.localId,
        conversation: action.conversation,
        recipient: labelOf(context, action.conversation),
        contentMarkdown: action.content,
        ...contentOf(looks(action.content)),
        widget: widgetOfText(action.content, context.ownUserId),
        writtenAt: row.createdAt,
        state: sendStateOf(row, isBehind(outbox, row)),
      },
    ]
  })
}
