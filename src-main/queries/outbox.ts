import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { OutboxItem } from '../../src-shared/bridge/queries.ts'
import type { Action } from '../../src-shared/bridge/actions.ts'
import { messageId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { outboxRows, type OutboxRow } from '../store/outbox.ts'
import { isBehind } from './feed.ts'
import { labelOf, type QueryContext } from './labels.ts'
import { sendStateOf } from './send-state.ts'

/** Everything that waits for the server, in the order in which it was done. */
export function outbox(context: QueryContext): OutboxItem[] {
  const rows = outboxRows(context.db, 1_000)
  return rows
    .filter(({ state }) => state !== 'accepted')
    .map((row) => {
      const conversation = conversationOf(context, row.action)
      return {
        localId: row.localId,
        action: row.name,
        title: titleOf(row),
        conversation,
        label: conversation === null ? null : labelOf(context, conversation),
        contentMarkdown:
          row.action?.name === 'send-message' || row.action?.name === 'schedule-message'
            ? row.action.content
            : null,
        messageId: row.action !== null && 'messageId' in row.action ? row.action.messageId : null,
        createdAt: row.createdAt,
        state: sendStateOf(row, isBehind(rows, row)),
      }
    })
}

/** How many of the person's changes the server does not know yet. */
export function waitingTotal(db: ReadableDb): number {
  return (
    db.get<{ n: number }>(`SELECT count(*) AS n FROM outbox WHERE state IN ('waiting', 'sending', 'unsure')`)
      ?.n ?? 0
  )
}

const messagesWord = (count: number) => (count === 1 ? '1 message' : `${count} messages`)

function titleOf({ action, name }: OutboxRow): string {
  if (action === null) return `A change of a kind that this version does not know (${name})`
  switch (action.name) {
    case 'send-message':
      return action.content.replace(/\s+/g, ' ').trim().slice(0, 200)
    case 'edit-message':
      return '1 edit'
    case 'delete-message':
      return '1 deletion'
    case 'move-messages': {
      const what = action.which === 'all' ? 'Topic' : action.which === 'one' ? '1 message' : 'Messages'
      return action.from.channelId === action.to.channelId
        ? `${what} moved to “${action.to.topic}”`
        : `${what} moved to another channel`
    }
    case 'react':
      return action.on ? `Reaction :${action.emoji.name}:` : `Reaction :${action.emoji.name}: removed`
    case 'star-message':
      return `${messagesWord(action.messageIds.length)} ${action.on ? 'starred' : 'unstarred'}`
    case 'mark-read':
      return `${messagesWord(action.messageIds.length)} marked read`
    case 'mark-unread':
      return `${messagesWord(action.messageIds.length)} marked unread`
    case 'mark-narrow-read':
      return `${markedNames[action.narrow.kind] ?? 'A conversation'} marked read`
    case 'set-topic-visibility':
      return action.visibility === 'none' ? 'A topic as its channel says' : `A topic ${action.visibility}`
    case 'schedule-message':
      return action.content.replace(/\s+/g, ' ').trim().slice(0, 200)
    case 'cancel-scheduled':
      return 'A scheduled message cancelled'
    case 'save-snippet':
      return `Snippet: ${action.title}`
    case 'widget-step':
      return action.step.type === 'vote' ? '1 vote' : '1 change of a poll or list'
    case 'report-message':
      return '1 report'
    case 'remind-me':
      return '1 reminder'
    case 'mute-person':
      return action.on ? '1 person muted' : '1 person not muted any more'
    case 'set-status':
      return action.text === '' && action.emoji === null ? 'Your status cleared' : 'Your status'
    case 'update-setting':
      return 'A setting'
  }
}

const markedNames: { readonly [K in Narrow['kind']]?: string } = {
  combined: 'Everything',
  channel: 'A channel',
  directs: 'Direct messages',
  mentions: 'Mentions',
}

function conversationOf({ db }: QueryContext, action: Action | null): Conversation | null {
  if (action === null) return null
  switch (action.name) {
    case 'send-message':
    case 'schedule-message':
      return action.conversation
    case 'set-topic-visibility':
      return { kind: 'topic', channelId: action.channelId, topic: action.topic }
    case 'mark-narrow-read':
      return action.narrow.kind === 'topic' || action.narrow.kind === 'direct' ? action.narrow : null
    case 'move-messages':
      return { kind: 'topic', ...action.from }
    case 'edit-message':
    case 'delete-message':
    case 'report-message':
    case 'remind-me':
    case 'widget-step':
    case 'react': {
      const row = db.get<ConversationRow>(
        `SELECT c.* FROM conversations c JOIN messages m ON m.conversation_id = c.conversation_id WHERE m.message_id = ?`,
        [messageId(action.messageId)],
      )
      return row === undefined ? null : conversationFromRow(row)
    }
    case 'star-message':
    case 'mark-read':
    case 'mark-unread':
    case 'cancel-scheduled':
    case 'save-snippet':
    case 'mute-person':
    case 'set-status':
    case 'update-setting':
      return null
  }
}
