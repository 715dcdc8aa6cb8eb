import type { Action, ActionOf } from '../../src-shared/bridge/actions.ts'
import type { LocalId, UserId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import { combinedDestination, isSamePlace } from '../../src-shared/model/move.ts'
import { isSameTopic, keptText, keptTopic } from '../store/as-kept.ts'
import type { ReadableDb, WritableDb } from '../store/database.ts'
import { noteTextsInDoubt } from '../store/missing.ts'
import { outboxRow, outboxRows, removeOutboxRow, updateOutboxRow, type OutboxRow } from '../store/outbox.ts'
import { setTopicVisibility } from '../store/topic-visibility.ts'
import { actionFor } from './actions/index.ts'
import { scheduleLane } from './actions/schedule-message.ts'
import { messageLane } from './actions/send-message.ts'
import { visibilityLane } from './actions/set-topic-visibility.ts'

/** Whether it is a new message, to be sent now or at a set time, which follows its conversation if that moves. */
export const isForPlace = (
  action: Action,
): action is Extract<Action, { name: 'send-message' | 'schedule-message' }> =>
  action.name === 'send-message' || action.name === 'schedule-message'

/** Whether the request may be sent twice. */
export function isRepeatable(row: OutboxRow): boolean {
  return row.action !== null && actionFor(row.action).isRepeatable
}

/** The key of the conversation that a change is shown in; null for none. */
export const conversationOf = (action: Action): string | null =>
  actionFor(action).conversation?.(action) ?? null

/** The messages that a change changes. */
export const messagesConcerned = (action: Action): readonly number[] =>
  actionFor(action).concerns?.(action) ?? []

/** The whole topic that a row moves, and where to; null if it moves none. */
export const moveOf = ({ action }: OutboxRow) =>
  (action === null ? null : actionFor(action).moves?.(action)) ?? null

/**
 * The lanes of a row: usually one. A message whose topic was moved is in the lanes of its old and its new place, and the
 * move of a topic is in the lanes of what is written or set for it.
 */
export const lanesOf = (row: OutboxRow): readonly string[] => {
  const { lane, action } = row
  const from = moveOf(row)?.from
  const ofTopic =
    from?.kind === 'topic'
      ? [messageLane(from), scheduleLane(from), visibilityLane(from.channelId, from.topic)]
      : []
  return action === null ? [lane] : [...new Set([lane, actionFor(action).lane(action), ...ofTopic])]
}

/**
 * Whether it is a message whose echo came while it was being sent or looked up: its row is gone. The server is done with
 * it, so the next message may follow, whatever becomes of the request.
 */
export const hasEchoed = (db: ReadableDb, { localId, action }: OutboxRow): boolean =>
  action?.name === 'send-message' && outboxRow(db, localId) === undefined

/** Whether the server certainly does not have it. A repeatable change also waits if it may have arrived. */
export const isCertainlyHere = (row: OutboxRow): boolean =>
  row.state === 'refused' || (row.state === 'waiting' && (row.sentAt === null || !isRepeatable(row)))

/** The Markdown of a change that may link to outgoing files; null if it has none. */
export const wordsOf = (action: Action): string | null =>
  isForPlace(action) || action.name === 'edit-scheduled' || action.name === 'edit-message'
    ? action.content
    : null

/**
 * An edit ended: the next edit of its message, which was to come after it, starts from the text that the ended one
 * started from or, if that may have arrived, from whichever of the two the server has. If there is no next edit yet, the
 * text that may have arrived is noted for one (see `textsInDoubt`).
 */
export function letNextEditStart(
  db: WritableDb,
  { action: ended, sequence, state }: OutboxRow,
  { mayHaveArrived }: { readonly mayHaveArrived: boolean },
): void {
  if (ended?.name !== 'edit-message') return
  const { messageId, previousContent, seenEditedAt, orPreviousContents = [] } = ended
  const others = mayHaveArrived ? [...orPreviousContents, ended.content] : orPreviousContents
  for (const { localId, action, sequence: place, state: itsState } of outboxRows(db)) {
    if (action?.name !== 'edit-message' || action.messageId !== messageId) continue
    if (place <= sequence || itsState === 'refused') continue
    if (action.previousContent !== keptText(db, ended.content)) return
    updateOutboxRow(db, localId, {
      action: { ...action, previousContent, seenEditedAt, orPreviousContents: others },
    })
    return
  }
  // After a refusal it was fetched.
  if (others.length > 0 && state !== 'refused') noteTextsInDoubt(db, messageId, others)
}

/** A move was accepted: later moves of the same messages, made before its event came, start where they are now. */
export function letNextMovesStart(db: WritableDb, { action: done, sequence }: OutboxRow): void {
  if (done?.name !== 'move-messages') return
  for (const { localId, action, sequence: place } of outboxRows(db)) {
    if (action?.name !== 'move-messages' || place <= sequence || !isSamePlace(action.from, done.from))
      continue
    // Only a whole topic certainly took along what another move names.
    if (done.which !== 'all' && (action.which !== done.which || action.messageId !== done.messageId)) continue
    const to = action.which === 'all' ? combinedDestination(done, action) : action.to
    const next = { ...action, from: done.to, to }
    updateOutboxRow(db, localId, { action: next, conversationKey: conversationOf(next) })
  }
}

/**
 * A topic was moved, as an event says: this person's own move to the same place is done, whether or not it is answered.
 * What was to follow it has followed; whatever has the old name from now on is another topic.
 * Returns the moves that it ended.
 */
export function endMove(db: WritableDb, from: Conversation, to: Conversation): LocalId[] {
  if (from.kind !== 'topic' || to.kind !== 'topic') return []
  const ended: LocalId[] = []
  for (const row of outboxRows(db)) {
    const { action, state } = row
    if (action?.name !== 'move-messages' || action.which !== 'all' || state === 'refused') continue
    const isFrom = action.from.channelId === from.channelId && isSameTopic(db, action.from.topic, from.topic)
    const isTo =
      action.to.channelId === to.channelId && keptTopic(db, action.to.topic) === keptTopic(db, to.topic)
    if (!isFrom || !isTo) continue
    letNextMovesStart(db, row)
    removeOutboxRow(db, row.localId)
    ended.push(row.localId)
  }
  return ended
}

/** A topic was moved: the messages that wait for it are sent to its new place, and its visibility is set there. */
export function followTopic(db: WritableDb, from: Conversation, to: Conversation): void {
  const key = conversationKey(from)
  for (const row of outboxRows(db)) {
    const { action, state } = row
    if (action?.name === 'set-topic-visibility') {
      const isOfTopic = conversationKey({ ...action, kind: 'topic' }) === key
      if (isOfTopic && state !== 'refused') followVisibility(db, row.localId, action, to)
      continue
    }
    if (action === null || !isForPlace(action) || !isCertainlyHere(row)) continue
    if (conversationKey(action.conversation) !== key) continue
    const moved = { ...action, conversation: to }
    // The row keeps its old lane, so that it stays behind earlier messages, and is in the lane of the new place too.
    updateOutboxRow(db, row.localId, {
      action: moved,
      conversationKey: conversationOf(moved),
    })
  }
}

/**
 * Stores what is left of a change while it is sent. Later changes of its kind and lane call what it makes by `key`, if
 * there is one.
 */
export function saveProgress(
  db: WritableDb,
  { localId, lane }: OutboxRow,
  rest: Action,
  own: UserId,
  key?: string,
): void {
  const before = outboxRow(db, localId)?.action ?? null
  updateOutboxRow(db, localId, { action: rest })
  const { follow } = actionFor(rest)
  if (follow === undefined || before === null || key === undefined) return
  for (const row of outboxRows(db)) {
    const { action } = row
    if (row.lane !== lane || row.localId === localId || action?.name !== rest.name) continue
    updateOutboxRow(db, row.localId, { action: follow(action, before, key, own) })
  }
}

/**
 * Whether the topic moved while its visibility was sent for the old place. That may have come after the move, or may
 * be refused, so the row, which names the new place, is sent too.
 */
export function hasMovedOnItsWay(db: ReadableDb, { localId, action: sent }: OutboxRow): boolean {
  const action = outboxRow(db, localId)?.action
  if (sent?.name !== 'set-topic-visibility' || action?.name !== 'set-topic-visibility') return false
  return actionFor(action).lane(action) !== actionFor(sent).lane(sent)
}

/** The server took along what it had for the old place; so a change that may have arrived is set again at the new one. */
function followVisibility(
  db: WritableDb,
  localId: LocalId,
  action: ActionOf<'set-topic-visibility'>,
  to: Conversation,
): void {
  if (to.kind !== 'topic') return
  const { channelId, topic } = to
  updateOutboxRow(db, localId, {
    action: { ...action, channelId, topic },
    lane: visibilityLane(channelId, topic),
  })
  setTopicVisibility(db, action.channelId, action.topic, 'none')
  setTopicVisibility(db, channelId, topic, action.visibility)
}
