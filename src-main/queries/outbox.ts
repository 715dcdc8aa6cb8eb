import { emojiFromCode } from '../../src-shared/model/emoji.ts'
import type { Emoji } from '../../src-shared/model/message.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { OutboxItem } from '../../src-shared/bridge/queries.ts'
import type { Action, ActionOf } from '../../src-shared/bridge/actions.ts'
import { messageId, type MessageId } from '../../src-shared/ids.ts'
import { type Conversation } from '../../src-shared/model/conversation.ts'
import { isResolved } from '../../src-shared/topic-names.ts'
import { changesOnlyMark } from '../../src-shared/model/move.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { closedTextFromHtml } from '../store/html-text.ts'
import { object } from '../store/objects.ts'
import { outboxRows, type OutboxRow } from '../store/outbox.ts'
import { typedWords } from '../store/typed-words.ts'
import { beginningOf } from './excerpt.ts'
import type { QueryContext } from './context.ts'
import { labelOf } from './labels.ts'
import { channelName, organizationTitle } from './organization-titles.ts'
import { ownBeginning, ownWords, type OwnTextRenderer } from './own-words.ts'
import { isBehind, sendStateOf } from './send-state.ts'

/** Everything that waits for the server, in the order in which it was done. */
export function outbox(context: QueryContext): OutboxItem[] {
  const rows = outboxRows(context.db, 1_000)
  const looks = ownWords(context.db)
  return rows
    .filter(({ state }) => state !== 'accepted')
    .map((row) => {
      const conversation = conversationOf(context, row.action)
      const words = typedWords(context.db, row)
      return {
        localId: row.localId,
        action: row.action?.name ?? null,
        title: titleOf(context, row, looks),
        count: row.action !== null && 'messageIds' in row.action ? row.action.messageIds.length : 1,
        conversation,
        label: conversation === null ? null : labelOf(context, conversation),
        contentMarkdown: words?.content ?? null,
        beyondTitle: words?.beyondTitle ?? null,
        messageId: messageOf(row.action),
        movableCount: row.action?.name === 'move-messages' ? (row.action.movable?.count ?? null) : null,
        createdAt: row.createdAt,
        state: sendStateOf(row, isBehind(rows, row)),
      }
    })
}

/** How many of the person's changes the server does not have yet. */
export function waitingTotal(db: ReadableDb): number {
  return (
    db.get<{ n: number }>(`SELECT count(*) AS n FROM outbox WHERE state IN ('waiting', 'sending', 'unsure')`)
      ?.n ?? 0
  )
}

function titleOf({ db }: QueryContext, row: OutboxRow, looks: OwnTextRenderer): string {
  const texts = t.outbox
  const { action, name } = row
  if (action === null) return texts.unknown(name)
  switch (action.name) {
    case 'send-message':
    case 'schedule-message':
      return ownBeginning(db, action.content, looks)
    case 'edit-message':
      return texts.edit(ownBeginning(db, action.content, looks))
    case 'delete-message':
      return texts.deletion(beginningOf(action.was?.beginning ?? '', 200))
    case 'move-messages':
      if (action.which === 'all' && changesOnlyMark(action))
        return isResolved(action.to.topic) ? texts.resolved : texts.unresolved
      return action.from.channelId === action.to.channelId
        ? texts.moved[action.which](action.to.topic)
        : texts.movedToChannel[action.which]
    case 'react':
      return (action.on ? texts.reaction : texts.reactionRemoved)(emojiText(action.emoji))
    case 'star-message':
      return (action.on ? texts.starred : texts.unstarred)(action.messageIds.length)
    case 'collapse-message':
      return (action.on ? texts.collapsed : texts.expanded)(action.messageIds.length)
    case 'mark-read':
      return texts.markedRead(action.messageIds.length)
    case 'mark-unread':
      return texts.markedUnread(action.messageIds.length)
    case 'mark-narrow-read': {
      const { kind } = action.narrow
      return kind === 'combined' || kind === 'channel' || kind === 'directs' || kind === 'mentions'
        ? texts.narrowRead[kind]
        : texts.narrowRead.other
    }
    case 'set-topic-visibility':
      return action.visibility === 'none' ? texts.topicAsChannel : texts.topicVisibility[action.visibility]
    case 'subscribe':
      return texts.joined(channelName(db, action.channelId))
    case 'unsubscribe':
      return texts.left(channelName(db, action.channelId))
    case 'set-subscription':
      return subscriptionTitle(action, channelName(db, action.channelId))
    case 'cancel-scheduled':
      return texts.scheduledCancelled(
        action.was === undefined ? '' : ownBeginning(db, action.was.content, looks),
      )
    case 'edit-scheduled': {
      const left = action.content === null ? typedWords(db, row) : null
      if (left !== null) return ownBeginning(db, left.content, looks)
      const text = action.content ?? action.was?.content ?? ''
      return texts.scheduledChanged(ownBeginning(db, text, looks))
    }
    case 'save-snippet':
      return texts.snippet(action.title)
    case 'change-snippet':
      return texts.snippetChanged(action.title)
    case 'delete-snippet':
      return texts.snippetDeleted(action.title)
    case 'widget-step':
      return action.step.type === 'vote' ? texts.vote : texts.widget
    case 'report-message':
      return texts.report
    case 'remind-me':
      return texts.reminder(noteBeginning(action.note) || messageBeginning(db, action.messageId))
    case 'change-reminder':
      return action.at === null
        ? texts.reminderDone(messageBeginning(db, action.messageId))
        : texts.reminderChanged(noteBeginning(action.note) || messageBeginning(db, action.messageId))
    case 'mute-person':
      return action.on ? texts.personMuted : texts.personUnmuted
    case 'set-alert-word':
      return (action.on ? texts.alertWord : texts.alertWordRemoved)(action.word)
    case 'set-status':
      return action.text === '' && action.emoji === null ? texts.statusCleared : texts.status
    case 'set-own-name':
      return texts.ownName(action.fullName)
    case 'set-profile-field': {
      const name = object(db, 'profile-field', action.fieldId)?.['name']
      return typeof name === 'string' ? texts.profileField(name) : texts.aProfileField
    }
    case 'update-setting':
      return texts.setting
    case 'create-group':
    case 'set-group-member':
    case 'change-group':
    case 'create-folder':
    case 'change-folder':
    case 'order-folders':
    case 'create-channel':
    case 'set-channel-member':
    case 'change-channel':
      return organizationTitle(db, action)
  }
}

/** The beginning of a reminder's note, in one line. */
const noteBeginning = (note: string): string => beginningOf(note.replace(/\s+/g, ' ').trim(), 200)

/** The beginning of a message, in one line; empty if it is not here. */
function messageBeginning(db: ReadableDb, id: MessageId): string {
  const row = db.get<{ html: string }>(
    'SELECT substr(content_html, 1, 4000) AS html FROM messages WHERE message_id = ?',
    [id],
  )
  return row === undefined ? '' : beginningOf(closedTextFromHtml(db, row.html), 200)
}

/** The message that a change concerns, if it can be shown. */
const messageOf = (action: Action | null): MessageId | null =>
  action !== null && 'messageId' in action && action.name !== 'delete-message' ? action.messageId : null

function subscriptionTitle({ property, value }: ActionOf<'set-subscription'>, name: string): string {
  const texts = t.outbox.channel
  switch (property) {
    case 'muted':
      return (value === true ? texts.muted : texts.unmuted)(name)
    case 'pinned':
      return (value === true ? texts.pinned : texts.unpinned)(name)
    case 'color':
      return texts.color(name)
    default:
      return texts.notifications(name)
  }
}

/** The characters of a Unicode emoji; the name of any other. */
const emojiText = ({ type, code, name }: Emoji): string =>
  (type === 'unicode_emoji' ? emojiFromCode(code) : '') || `:${name}:`

function conversationOf({ db }: QueryContext, action: Action | null): Conversation | null {
  if (action === null) return null
  switch (action.name) {
    case 'send-message':
    case 'schedule-message':
    case 'edit-scheduled':
      return action.conversation
    case 'set-topic-visibility':
      return { kind: 'topic', channelId: action.channelId, topic: action.topic }
    case 'mark-narrow-read':
      return action.narrow.kind === 'topic' || action.narrow.kind === 'direct' ? action.narrow : null
    case 'move-messages':
      return { kind: 'topic', ...action.from }
    case 'delete-message':
    case 'cancel-scheduled':
      return action.was?.conversation ?? null
    case 'edit-message':
    case 'report-message':
    case 'remind-me':
    case 'change-reminder':
    case 'widget-step':
    case 'react': {
      const row = db.get<ConversationRow>(
        `SELECT c.* FROM conversations c JOIN messages m ON m.conversation_id = c.conversation_id WHERE m.message_id = ?`,
        [messageId(action.messageId)],
      )
      return row === undefined ? null : conversationFromRow(row)
    }
    case 'star-message':
    case 'collapse-message':
    case 'mark-read':
    case 'mark-unread':
      return onlyConversationOf(db, action.messageIds)
    case 'subscribe':
    case 'unsubscribe':
    case 'set-subscription':
    case 'save-snippet':
    case 'change-snippet':
    case 'delete-snippet':
    case 'mute-person':
    case 'set-alert-word':
    case 'set-status':
    case 'set-own-name':
    case 'set-profile-field':
    case 'update-setting':
    case 'create-group':
    case 'set-group-member':
    case 'change-group':
    case 'create-folder':
    case 'change-folder':
    case 'order-folders':
    case 'create-channel':
    case 'set-channel-member':
    case 'change-channel':
      return null
  }
}

/** The conversation of messages, if all of them are in the same one. */
function onlyConversationOf(db: ReadableDb, ids: readonly number[]): Conversation | null {
  const rows = db.all<ConversationRow>(
    `SELECT c.* FROM conversations c WHERE c.conversation_id IN (
       SELECT m.conversation_id FROM messages m WHERE m.message_id IN (SELECT value FROM json_each(?))
     ) LIMIT 2`,
    [JSON.stringify(ids)],
  )
  const [only, another] = rows
  return only === undefined || another !== undefined ? null : conversationFromRow(only)
}
