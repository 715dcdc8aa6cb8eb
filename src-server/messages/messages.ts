import { watchAcquaintances, type AcquaintanceWatch } from '../people/acquaintances.ts'
import { alertedUsers } from '../people/alert-words.ts'
import { mutingPeople } from '../people/muted-users.ts'
import { recordLinkedFiles, filesOfMessage, publishAttachment } from '../files/attachments.ts'
import type { Database } from '../database.ts'
import { directGroupId } from './direct-groups.ts'
import { widgetFromContent, type RenderedMessage } from '../../src-shared/markdown/render.ts'
import { render } from '../markdown/render.ts'
import { publishMessage } from './message-events.ts'
import { addWords } from './message-words.ts'
import { assertCanPost } from '../permissions/channels.ts'
import { membersOf } from '../permissions/groups.ts'
import { badRequest } from '../service-error.ts'
import {
  assertMayMention,
  assertMayWriteTo,
  followAutomatically,
  participantsOf,
  type ChosenPolicy,
} from './sending-rules.ts'
import { queueWebhooks } from './webhook-jobs.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import { realmValue, subscribersOf, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** A row of the table of messages; a message has a channel or a direct group, times are epoch seconds. */
export interface MessageRow {
  message_id: number
  sender_id: number
  channel_id: number | null
  direct_group_id: number | null
  topic: string
  topic_key: string
  content: string
  rendered: string
  sent_at: number
  client: string
  edited_at: number | null
  moved_at: number | null
  edit_history: string
  is_me_message: number
}

export const maxContent = 10_000

/** The recipients of a message. */
export type Target =
  | { readonly kind: 'channel'; readonly channel: ChannelRow; readonly topic: string }
  /** Everybody, including the sender, ascending. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }

/** Content in its stored form, without blank edges. Refuses content that is empty or contains null bytes. */
export function normalizeContent(content: string): string {
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes')
  const kept = content.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
  if (kept === '') throw badRequest('Message must not be empty')
  const letters = [...kept]
  const note = '\n[message truncated]'
  return letters.length > maxContent ? letters.slice(0, maxContent - note.length).join('') + note : kept
}

/** Refuses a topic that the channel's policy forbids; the message names the empty topic as clients show it. */
export function assertTopicAllowed(db: Database, channel: ChannelRow, topic: string): void {
  const { topics_policy } = channel
  const policy = topics_policy === 'inherit' ? realmValue(db, 'topics_policy') : topics_policy
  const isForbidden =
    (topic === '' && policy === 'disable_empty_topic') || (topic !== '' && policy === 'empty_topic_only')
  if (!isForbidden) return
  const name = realmValue(db, 'empty_topic_display_name')
  throw badRequest(
    topic === '' ? 'Messages in this channel need a topic' : `This channel has no topic but ${name}`,
    { empty_topic_display_name: name },
  )
}

/** What a message is created with. */
export interface NewMessage {
  readonly sender: UserRow
  readonly target: Target
  readonly content: string
  /** The rendered content; if absent, it is rendered here. */
  readonly rendered?: RenderedMessage
  readonly sentAt?: number
  readonly client?: string
  readonly readBySender?: boolean
  /** Counts as read by everybody: for seeded history. */
  readonly readByAll?: boolean
  /** Runs in the transaction that writes the message. */
  readonly alongside?: () => void
}

/** Writes a message with its receivers' rows; returns its id and its receivers. Publishes nothing. */
export function writeMessage(
  workspace: Workspace,
  message: NewMessage,
): { id: number; recipients: Map<number, string[]> } {
  const { db } = workspace
  const { sender, target } = message
  const rendered = message.rendered ?? render(workspace, sender, message.content)
  const sentAt = message.sentAt ?? workspace.now()
  const isChannel = target.kind === 'channel'
  const groupId = isChannel ? null : directGroupId(db, target.userIds)
  const { lastId: id } = db.run(
    `INSERT INTO messages (sender_id, channel_id, direct_group_id, topic, topic_key, content, rendered, sent_at, client,
       is_me_message, has_link, has_image, has_attachment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sender.user_id,
    isChannel ? target.channel.channel_id : null,
    groupId,
    isChannel ? target.topic : '',
    isChannel ? topicKey(target.topic) : '',
    message.content,
    rendered.html,
    sentAt,
    message.client ?? 'Dunlin',
    rendered.isMeMessage ? 1 : 0,
    rendered.hasLink ? 1 : 0,
    rendered.hasImage ? 1 : 0,
    rendered.hasAttachment ? 1 : 0,
  )
  addWords(db, id, message.content, isChannel ? target.topic : '')
  if (message.content.includes('/user_uploads/')) recordLinkedFiles(workspace, sender, id, message.content)
  const widget = widgetFromContent(message.content)
  if (widget !== undefined) {
    db.run(
      `INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', ?)`,
      id,
      sender.user_id,
      JSON.stringify(widget),
    )
  }
  const people = isChannel ? subscribersOf(db, target.channel.channel_id) : target.userIds
  const recipients = new Map<number, string[]>()
  const everyone = new Set([...people, sender.user_id])
  const alerted = alertedUsers(db, everyone, message.content)
  const muting = mutingPeople(db, sender.user_id)
  const called = calledByTopic(
    db,
    rendered,
    isChannel ? target.channel.channel_id : null,
    isChannel ? target.topic : '',
  )
  const rows: (number | string)[] = []
  for (const userId of everyone) {
    const mention = mentionFlags(db, rendered, userId, sender, called)
    if (alerted.has(userId)) mention.push('has_alert_word')
    const isRead =
      message.readByAll === true ||
      (userId === sender.user_id ? message.readBySender !== false : muting.has(userId))
    rows.push(userId, id, isRead ? 1 : 0, mention.join(' '))
    recipients.set(userId, [...(isRead ? ['read'] : []), ...mention])
  }
  addRows(db, rows)
  return { id, recipients }
}

const rowValues = 4
/**
 * With `OR FAIL`, a statement that fails leaves the rows that it has written so far, so SQLite need not copy the pages
 * that it changes. The transaction around it rolls those rows back.
 */
const insertRows = [100, 10, 1].map((count) => {
  const rows = Array(count).fill('(?, ?, ?, ?)').join(', ')
  return {
    sql: `INSERT OR FAIL INTO user_messages (user_id, message_id, is_read, mention) VALUES ${rows}`,
    values: count * rowValues,
  }
})

/** Writes the receivers' rows of a message value by value, in batches for which there are prepared statements. */
function addRows(db: Database, rows: readonly (number | string)[]): void {
  let done = 0
  for (const { sql, values } of insertRows)
    for (; done + values <= rows.length; done += values) db.run(sql, ...rows.slice(done, done + values))
}

/** Whom a message in this place mentions by a mention of its topic. */
export const calledByTopic = (
  db: Database,
  { mentionsTopic }: RenderedMessage,
  channelId: number | null,
  topic: string,
): ReadonlySet<number> =>
  mentionsTopic && channelId !== null ? participantsOf(db, channelId, topic) : new Set()

/** A person's flags for a message because of its mentions; `called` are those of `calledByTopic`. */
export function mentionFlags(
  db: Database,
  rendered: RenderedMessage,
  userId: number,
  sender: UserRow,
  called: ReadonlySet<number>,
): string[] {
  const flags: string[] = []
  if (rendered.mentionedUserIds.includes(userId)) flags.push('mentioned')
  if (rendered.mentionsChannel && userId !== sender.user_id) flags.push('stream_wildcard_mentioned')
  if (called.has(userId) && userId !== sender.user_id) flags.push('topic_wildcard_mentioned')
  for (const groupId of rendered.mentionedGroupIds) {
    // Groups for roles are never notified: mentions of them are silent.
    if (membersOf(db, groupId).includes(userId)) flags.push('group_mentioned')
  }
  return [...new Set(flags)]
}

type SentMessage = NewMessage & { readonly localId?: string; readonly queueId?: string }
type CheckedMessage = SentMessage & { readonly rendered: RenderedMessage }

/** What the sender is told. */
export interface Sent {
  readonly id: number
  /** The sender's policy for the topic because of this message, if it is new. */
  readonly newPolicy: 2 | 3 | null
}

/** Sends a message as the HTTP endpoint does: writes it and publishes it to the receivers' queues. Returns its id. */
export function sendMessage(workspace: Workspace, message: SentMessage): number {
  return announced(
    workspace,
    workspace.db.transaction(() => written(workspace, message)),
  ).id
}

/**
 * Like `sendMessage`, for many senders at once: their messages share a commit. If `message` refuses one, the others
 * are unaffected. The message is on disk when the promise resolves.
 */
export async function sendTogether(workspace: Workspace, message: () => SentMessage): Promise<Sent> {
  return announced(workspace, await workspace.db.grouped(() => written(workspace, message())))
}

/** A written message, which is on disk once its transaction is, and its audience. */
interface WrittenMessage extends CheckedMessage {
  readonly id: number
  readonly recipients: ReadonlyMap<number, string[]>
  readonly policies: readonly ChosenPolicy[]
  readonly acquaintances: AcquaintanceWatch | undefined
}

/** Everything that a message changes in the file: all of it or nothing. */
function written(workspace: Workspace, message: SentMessage): WrittenMessage {
  const checked = checkedMessage(workspace, message)
  const { sender, target, rendered } = checked
  // From then on, the receiver may know of the sender.
  const acquaintances =
    target.kind === 'direct' ? watchAcquaintances(workspace, new Set(target.userIds)) : undefined
  message.alongside?.()
  const { id, recipients } = writeMessage(workspace, checked)
  queueWebhooks(workspace, sender, target, rendered, id)
  return {
    ...checked,
    id,
    recipients,
    policies: followAutomatically(workspace, sender, target, rendered, id),
    acquaintances,
  }
}

function checkedMessage(workspace: Workspace, message: SentMessage): CheckedMessage {
  const { target, sender } = message
  const content = normalizeContent(message.content)
  const rendered = render(workspace, sender, content)
  if (target.kind === 'channel') {
    assertCanPost(workspace.db, sender, target.channel)
    assertTopicAllowed(workspace.db, target.channel, target.topic)
    assertMayMention(workspace, sender, target.channel, target.topic, rendered)
  } else {
    assertMayWriteTo(workspace, sender, target.userIds)
    assertMayMention(workspace, sender, null, '', rendered)
  }
  return { ...message, content, rendered }
}

/** Publishes a message that is on disk. */
function announced(workspace: Workspace, message: WrittenMessage): Sent {
  const { id, recipients, policies, sender } = message
  message.acquaintances?.announceMet()
  publishMessage(workspace, id, recipients, message)
  workspace.webhooks.ring()
  if (message.content.includes('/user_uploads/'))
    for (const file of filesOfMessage(workspace, id)) publishAttachment(workspace, file, 'update')
  for (const { userId, event } of policies) workspace.publish([userId], event)
  const own = policies.find(({ userId }) => userId === sender.user_id)
  return { id, newPolicy: own?.policy ?? null }
}
