import type { EventPayload } from '../../../src-shared/api/events.ts'
import type { Emoji } from '../../../src-shared/model/message.ts'
import {
  directConversation,
  topicConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import { isSameButMark } from '../../../src-shared/topic-names.ts'
import { narrowKey } from '../../../src-shared/model/narrow.ts'
import { hasChannel, isSubscribed, noteFirstMessage } from '../../store/channels.ts'
import { conversationId, homeIfKnown, noteNewest, recount } from '../../store/conversations.ts'
import type { WritableDb } from '../../store/database.ts'
import { removeDeleted } from '../../store/deleted-messages.ts'
import { noteEmptied } from '../../store/emptied-topics.ts'
import { markAllRead, markRead, markUnread, putUnread, setCollapsed, setStarred } from '../../store/flags.ts'
import { addChange, type MessageChange } from '../../store/message-changes.ts'
import { addReaction, removeReaction } from '../../store/reactions.ts'
import {
  hasMessage,
  markdownOf,
  messageInPlace,
  newestIn,
  putMessage,
  setContent,
  setAlertWord,
  mentionedAmong,
  setMentioned,
} from '../../store/messages.ts'
import { removeAccepted } from '../../store/outbox.ts'
import { leaveHoles, wantMessages, wantUnread } from '../../store/missing.ts'
import { leaveTraces, moveMessages, without } from '../../store/moves.ts'
import { doubtRest } from '../../store/topics-in-doubt.ts'
import { endLiveRangesOf, extendLive, isWholeUpTo } from '../../store/ranges.ts'
import { editingKey, setTyping } from '../../store/typing.ts'
import { alertFlag, isMentionedBy, isOnlyByWildcard, messageFromApi } from '../from-wire.ts'
import type { ApplyContext } from './context.ts'

/** A message arrived, an own one or somebody else's. */
export function applyMessage(db: WritableDb, payload: EventPayload<'message'>, context: ApplyContext): void {
  const message = messageFromApi(payload.message, payload.flags, context.ownUserId)
  putMessage(db, message, context.generation)
  const { conversation } = message
  endUnheard(db, conversation)
  extendLive(db, 'combined', message.id)
  extendLive(db, narrowKey(conversation), message.id)
  if (conversation.kind === 'topic') {
    extendLive(db, `channel:${conversation.channelId}`, message.id)
    noteFirstMessage(db, conversation.channelId, message.id)
  } else extendLive(db, 'directs', message.id)
  if (message.isMentioned) extendLive(db, 'mentions', message.id)
  setTyping(db, narrowKey(conversation), message.senderId, null)
  if (payload.local_message_id !== undefined)
    context.ownMessageArrived(db, payload.local_message_id, message.id)
  // Also if a fetch was faster: only the event says that the message is new to the person.
  context.arrived.push(message.id)
}

/**
 * Something came to this place. In a channel that the person is not in, it says nothing of what others wrote before it:
 * what is here of the channel does not reach the newest end any more.
 */
function endUnheard(db: WritableDb, place: Conversation): void {
  if (place.kind === 'topic' && !isSubscribed(db, place.channelId)) endLiveRangesOf(db, place.channelId)
}

/** A message was edited or rendered anew, or messages were moved. */
export function applyUpdateMessage(
  db: WritableDb,
  payload: EventPayload<'update_message'>,
  context: ApplyContext,
): void {
  for (const id of [payload.message_id, ...payload.message_ids]) context.touched.push(id)
  const at = payload.edit_timestamp === undefined ? context.now : payload.edit_timestamp * 1000
  const isRenderingOnly = payload.rendering_only || payload.user_id === undefined
  const change = isRenderingOnly ? null : changeOf(payload, at)
  if (change !== null && payload.rendered_content !== undefined) keepEdit(db, payload, change)
  if (payload.rendered_content !== undefined) {
    if (payload.user_id != null) setTyping(db, editingKey(payload.message_id), payload.user_id, null)
    if (hasMessage(db, payload.message_id))
      setContent(db, payload.message_id, payload.rendered_content, {
        contentMarkdown: payload.content ?? null,
        editedAt: isRenderingOnly ? null : at,
        isMeMessage: payload.is_me_message ?? null,
      })
    if (payload.flags !== undefined) {
      const isMentioned = isMentionedBy(payload.flags)
      const how = isOnlyByWildcard(payload.flags) ? 'by-wildcard' : 'by-name'
      setMentioned(db, [payload.message_id], isMentioned ? how : 'none')
      if (isMentioned) fetchListed(db, [payload.message_id], 'mentions')
      setAlertWord(db, [payload.message_id], payload.flags.includes(alertFlag))
    }
  }
  const places = placesOfMove(payload)
  if (places === null) return
  const { from, to } = places
  for (const id of payload.message_ids) context.displaced.push(id)
  endUnheard(db, to)
  const here = moveMessages(db, payload.message_ids, from, to)
  const movedAt = isOnlyMark(payload) ? null : at
  // The change of the edited one says that it was moved, too.
  const edited = payload.rendered_content === undefined ? [] : here.filter((id) => id === payload.message_id)
  leaveTraces(db, edited, { movedAt, change: null })
  leaveTraces(db, without(here, edited), { movedAt, change })
  const newest = payload.message_ids.reduce((most, id) => Math.max(most, id), 0)
  noteNewest(db, conversationId(db, to), newest, to)
  followWhole(db, payload, to, context)
  const left = homeIfKnown(db, from)
  if (left !== undefined && payload.propagate_mode !== 'change_all' && context.isLastPart)
    noteEmptied(db, [left.id], payload.message_ids)
  const missing = without(payload.message_ids, here)
  if (missing.length === 0) return
  // Their new places are not completely here until they are fetched.
  leaveHoles(db, missing, [
    narrowKey(to),
    `channel:${payload.new_stream_id ?? payload.stream_id}`,
    'combined',
  ])
  wantUnread(db, missing)
}

/** From where and to where an event moves its messages; null if it does not. */
export function placesOfMove({
  stream_id,
  new_stream_id,
  orig_subject,
  subject,
}: EventPayload<'update_message'>): { readonly from: Conversation; readonly to: Conversation } | null {
  if (stream_id === undefined || (subject === undefined && new_stream_id === undefined)) return null
  const topic = subject ?? orig_subject ?? ''
  return {
    from: topicConversation(stream_id, orig_subject ?? topic),
    to: topicConversation(new_stream_id ?? stream_id, topic),
  }
}

/** Marking a topic as resolved, or no longer, does not count as moving its messages. */
const isOnlyMark = ({ new_stream_id, orig_subject, subject }: EventPayload<'update_message'>): boolean =>
  new_stream_id === undefined &&
  orig_subject !== undefined &&
  subject !== undefined &&
  isSameButMark(orig_subject, subject)

/** What an event changes, without the words of an edit. */
function changeOf(
  { orig_subject, stream_id, subject, new_stream_id, user_id }: EventPayload<'update_message'>,
  at: number,
): MessageChange {
  const isMoved = subject !== undefined || new_stream_id !== undefined
  return {
    at,
    userId: user_id ?? null,
    ...(isMoved
      ? {
          from: {
            channelId: new_stream_id === undefined ? null : (stream_id ?? null),
            topic: subject === undefined ? null : (orig_subject ?? null),
          },
        }
      : {}),
  }
}

/** Keeps an edit with its message, before it is applied. */
function keepEdit(
  db: WritableDb,
  { message_id, orig_content, orig_rendered_content }: EventPayload<'update_message'>,
  { from, ...made }: MessageChange,
): void {
  const before = {
    markdown: orig_content ?? markdownOf(db, message_id),
    html: orig_rendered_content ?? messageInPlace(db, message_id)?.contentHtml ?? null,
  }
  const edit = { ...made, before, ...(from === undefined ? {} : { from }) }
  addChange(db, [message_id], edit, { isOnlyMark: false })
}

/** Queues messages that joined one of the person's own lists for fetching, if they are not here. */
function fetchListed(db: WritableDb, ids: readonly number[], list: 'starred' | 'mentions'): void {
  const missing = ids.filter((id) => !hasMessage(db, id))
  if (missing.length === 0) return
  leaveHoles(db, missing, [list])
  wantMessages(db, missing)
}

/**
 * Lets drafts and waiting messages follow a topic that moved as a whole. Nothing follows a single message that was
 * moved out of it, nor later messages as long as the topic goes on without them; if only the server knows that, it is
 * asked. Nor does what is written to the old place while the other parts of the move are to come.
 */
function followWhole(
  db: WritableDb,
  { stream_id, orig_subject, propagate_mode, message_ids: ids }: EventPayload<'update_message'>,
  to: Conversation,
  context: ApplyContext,
): void {
  if (stream_id === undefined || orig_subject === undefined || to.kind !== 'topic') return
  const from = topicConversation(stream_id, orig_subject)
  const key = narrowKey(from)
  if (key === narrowKey(to) || !hasChannel(db, to.channelId)) return
  const isLeft = propagate_mode === 'change_later' && context.isLastPart && newestIn(db, from) === 0
  const oldest = ids.reduce((least, id) => Math.min(least, id), Infinity)
  if (isLeft && !isWholeUpTo(db, stream_id, key, oldest)) doubtRest(db, from, ids)
  else if (isLeft || (propagate_mode === 'change_all' && context.isFirstPart))
    context.topicMoved(db, from, to)
}

/** Messages were deleted, or this person may not read them any more. */
export function applyDeleteMessage(
  db: WritableDb,
  payload: EventPayload<'delete_message'>,
  context: ApplyContext,
): void {
  const ids = payload.message_ids ?? (payload.message_id === undefined ? [] : [payload.message_id])
  for (const id of ids) {
    context.touched.push(id)
    context.displaced.push(id)
  }
  context.messagesDeleted(db, ids)
  removeDeleted(db, ids)
  removeAccepted(db, ids)
  if (payload.stream_id === undefined || payload.topic === undefined) return
  // Its newest message may be known without being here.
  const topic = homeIfKnown(db, topicConversation(payload.stream_id, payload.topic))
  if (topic === undefined || !ids.includes(topic.newestMessageId)) return
  recount(db, [topic.id], ids)
  noteEmptied(db, [topic.id], ids)
}

/** Flags that other clients use, or that never change. */
const unusedFlags: ReadonlySet<string> = new Set([
  'historical',
  'wildcard_mentioned',
  'force_expand',
  'force_collapse',
  'summarize_in_home',
  'summarize_in_stream',
])

/** Messages were marked as read, unread, starred, collapsed and so on. */
export function applyFlags(
  db: WritableDb,
  payload: EventPayload<'update_message_flags'>,
  context: ApplyContext,
): void {
  const isAdded = payload.op === 'add'
  for (const id of payload.messages) context.touched.push(id)
  context.touchedAll ||= payload.all
  switch (payload.flag) {
    case 'read':
      if (!isAdded) applyUnread(db, payload, context)
      else if (payload.all) markAllRead(db)
      else markRead(db, payload.messages)
      break
    case 'starred':
      setStarred(db, payload.messages, isAdded, context.now)
      if (isAdded) fetchListed(db, payload.messages, 'starred')
      break
    case 'collapsed':
      setCollapsed(db, payload.messages, isAdded)
      break
    case 'mentioned':
    case 'group_mentioned':
      if (!isAdded) break
      setMentioned(db, payload.messages, 'by-name')
      fetchListed(db, payload.messages, 'mentions')
      break
    case 'stream_wildcard_mentioned':
    case 'topic_wildcard_mentioned': {
      if (!isAdded) break
      const mentioned = new Set(mentionedAmong(db, payload.messages))
      const others = payload.messages.filter((id) => !mentioned.has(id))
      setMentioned(db, others, 'by-wildcard')
      fetchListed(db, others, 'mentions')
      break
    }
    case alertFlag:
      setAlertWord(db, payload.messages, isAdded)
      break
    default:
      if (!unusedFlags.has(payload.flag)) context.stranger(db, 'flag', `flag/${payload.flag}`)
      break
  }
}

/** Marks messages as unread again; those whose text is not here are counted at once and fetched. */
function applyUnread(
  db: WritableDb,
  payload: EventPayload<'update_message_flags'>,
  { ownUserId }: ApplyContext,
): void {
  markUnread(db, payload.messages)
  const homes: number[] = []
  for (const id of payload.messages) {
    const details = payload.message_details?.[String(id)]
    if (details === undefined || hasMessage(db, id)) continue
    const conversation: Conversation =
      details.type === 'stream'
        ? topicConversation(details.stream_id, details.topic)
        : directConversation(details.user_ids, ownUserId)
    const home = conversationId(db, conversation)
    putUnread(db, id, home, details.mentioned === true)
    homes.push(home)
  }
  recount(db, homes, [])
  wantUnread(db, payload.messages)
}

/** Somebody reacted to a message, or took a reaction back. */
export function applyReaction(
  db: WritableDb,
  payload: EventPayload<'reaction'>,
  context: ApplyContext,
): void {
  context.touched.push(payload.message_id)
  const emoji: Emoji = { name: payload.emoji_name, code: payload.emoji_code, type: payload.reaction_type }
  if (payload.op === 'remove') removeReaction(db, payload.message_id, emoji, payload.user_id)
  else if (hasMessage(db, payload.message_id)) addReaction(db, payload.message_id, emoji, payload.user_id)
  // It may be the person's own; it is fetched only if the list of those with reactions was opened.
  else leaveHoles(db, [payload.message_id], [`reactions:${context.ownUserId}`])
}

/** Somebody began or stopped writing in a conversation; the echo of the own person is ignored. */
export function applyTyping(db: WritableDb, payload: EventPayload<'typing'>, context: ApplyContext): void {
  if (payload.sender.user_id === context.ownUserId) return
  const conversation: Conversation =
    payload.stream_id === undefined
      ? directConversation(
          (payload.recipients ?? []).map((person) => person.user_id),
          context.ownUserId,
        )
      : topicConversation(payload.stream_id, payload.topic ?? '')
  const expiresAt = payload.op === 'start' ? context.now + context.typingExpiryMs : null
  setTyping(db, narrowKey(conversation), payload.sender.user_id, expiresAt)
}

/** The same for somebody who edits a message. */
export function applyEditTyping(
  db: WritableDb,
  { op, sender_id, message_id }: EventPayload<'typing_edit_message'>,
  context: ApplyContext,
): void {
  if (sender_id === context.ownUserId) return
  setTyping(
    db,
    editingKey(message_id),
    sender_id,
    op === 'start' ? context.now + context.typingExpiryMs : null,
  )
}
