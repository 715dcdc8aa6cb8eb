import { topicKey } from '../../src-shared/topic-names.ts'
import type { Move } from './message-moves.ts'
import { publishMessage } from './message-events.ts'
import { writeMessage, type MessageRow } from './messages.ts'
import { notificationBot } from './notification-bot.ts'
import { settingOf } from '../people/settings.ts'
import { realmValue, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** Which conversations get a notice of a move. */
export interface Notices {
  readonly oldThread?: boolean | undefined
  /** A notice is posted unless this is false. */
  readonly newThread?: boolean | undefined
}

/** Posts notices of the move into the conversations, as far as the person who moved the messages wants them. */
export function announceMove(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  move: Move,
  isWhole: boolean,
): void {
  const { source, target, topic, resolution } = move
  const person = `@_**${user.full_name}|${user.user_id}**`
  if (resolution !== null) {
    if (move.newThread === false) return
    write(workspace, user, target, topic, `${person} has marked this topic as ${resolution}.`, {
      isResolution: true,
    })
    return
  }
  const what = isWhole
    ? 'This topic was'
    : move.ids.length === 1
      ? 'A message was'
      : `${move.ids.length} messages were`
  const link = (channel: ChannelRow, name: string) =>
    `#**${channel.name}>${name === '' ? realmValue(workspace.db, 'empty_topic_display_name') : name}**`
  if (move.newThread !== false) {
    const from = `${what} moved here from ${link(source, row.topic)} by ${person}.`
    write(workspace, user, target, topic, from)
  }
  if (move.oldThread === true) {
    const to = isWhole
      ? `This topic was moved to ${link(target, topic)} by ${person}.`
      : `${what} moved from this topic to ${link(target, topic)} by ${person}.`
    write(workspace, user, source, row.topic, to)
  }
}

function write(
  workspace: Workspace,
  mover: UserRow,
  channel: ChannelRow,
  topic: string,
  content: string,
  { isResolution }: { readonly isResolution: boolean } = { isResolution: false },
): void {
  const bot = notificationBot(workspace)
  const target = { kind: 'channel', channel, topic } as const
  const { id, recipients } = workspace.db.transaction(() => {
    const written = writeMessage(workspace, { sender: bot, target, content, client: 'Internal' })
    const readers = [...written.recipients.keys()].filter(
      (userId) =>
        userId === mover.user_id || (isResolution && readsNoticesOf(workspace, userId, channel, topic)),
    )
    for (const userId of readers) {
      workspace.db.run(
        'UPDATE user_messages SET is_read = 1 WHERE user_id = ? AND message_id = ?',
        userId,
        written.id,
      )
      written.recipients.set(userId, ['read', ...(written.recipients.get(userId) ?? [])])
    }
    return written
  })
  publishMessage(workspace, id, recipients, { target })
}

/** Whether a person wants the notice of a resolved topic to be marked as read. */
function readsNoticesOf({ db }: Workspace, userId: number, channel: ChannelRow, topic: string): boolean {
  const policy = settingOf(db, userId, 'resolved_topic_notice_auto_read_policy')
  if (policy !== 'except_followed') return policy === 'always'
  const followed = db.get(
    'SELECT 1 FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ? AND policy = 3',
    userId,
    channel.channel_id,
    topicKey(topic),
  )
  return followed === undefined
}
