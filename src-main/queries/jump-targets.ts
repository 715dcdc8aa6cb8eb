import type { JumpTarget } from '../../src-shared/bridge/queries.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { foldName } from '../store/users.ts'
import {
  channelFromRow,
  channelSelect,
  organizationRequiresTopic,
  type ChannelRow,
} from './channel-summary.ts'
import { labelOf, personColumns, personFromRow, type PersonRow, type QueryContext } from './labels.ts'

/** How many of the newest conversations are looked through. */
const mostConversations = 2_000

/**
 * Places to go to. Without text: the newest conversations, unread ones first. With text: whatever has words that
 * begin so, conversations before channels before people.
 */
export function jumpTargets(context: QueryContext, text: string, limit: number): JumpTarget[] {
  const { db } = context
  const words = foldName(text).split(/\s+/).filter(Boolean)
  const recent = db.all<ConversationRow>(
    `SELECT * FROM conversations WHERE newest_message_id > 0
     ORDER BY ${words.length === 0 ? 'unread_count > 0 DESC, ' : ''}newest_message_id DESC LIMIT ?`,
    [words.length === 0 ? limit : mostConversations],
  )
  const toTarget = (row: ConversationRow): JumpTarget => {
    const conversation = conversationFromRow(row)
    return {
      kind: 'conversation',
      conversation,
      label: labelOf(context, conversation),
      unreadCount: row.unread_count,
    }
  }
  if (words.length === 0) return recent.map(toTarget)

  const scored: { target: JumpTarget; score: number }[] = []
  for (const [index, row] of recent.entries()) {
    const target = toTarget(row)
    if (target.kind !== 'conversation') continue
    const { label } = target
    const name = label.kind === 'topic' ? `${label.topic} ${label.channelName}` : label.names.join(' ')
    const score = scoreOf(name, words)
    if (score > 0)
      scored.push({ target, score: score + (row.unread_count > 0 ? 2 : 0) + 1 - index / mostConversations })
  }
  const requiresTopic = organizationRequiresTopic(db)
  for (const row of db.all<ChannelRow>(
    `${channelSelect} WHERE is_archived = 0 ORDER BY folded_name LIMIT 5000`,
  )) {
    const score = scoreOf(row.name, words)
    if (score > 0)
      scored.push({
        target: { kind: 'channel', channel: channelFromRow(row, requiresTopic) },
        score: score + 1.5,
      })
  }
  for (const row of db.all<PersonRow>(
    `SELECT ${personColumns} FROM users LEFT JOIN presence USING (user_id) WHERE is_active = 1 ORDER BY folded_name LIMIT 20000`,
  )) {
    const score = scoreOf(row.full_name, words)
    if (score > 0) scored.push({ target: { kind: 'person', person: personFromRow(row, context) }, score })
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ target }) => target)
}

/** 0 when a word is not in the name; more the earlier and the more exactly the words begin the name's own. */
function scoreOf(name: string, words: readonly string[]): number {
  const folded = foldName(name)
  if (folded === words.join(' ')) return 10
  if (folded.startsWith(words.join(' '))) return 7
  const parts = folded.split(/[\s\-_/.,:>›]+/)
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 5
  if (words.every((word) => folded.includes(word))) return 2
  return 0
}
