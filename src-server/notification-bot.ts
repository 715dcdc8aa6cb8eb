import { createUser } from './accounts.ts'
import { apiUser } from './handlers/users.ts'
import { publishMessage, render, writeMessage, type NewMessage } from './messages.ts'
import { roles } from './permissions.ts'
import { realmValue, userById, type ChannelRow, type UserRow, type Workspace } from './workspace.ts'

const botName = 'notification_bot_id'

/** Who tells people and conversations what happened to them; made, and announced, when first needed. */
export function notificationBot(workspace: Workspace): UserRow {
  const { db } = workspace
  const known = userById(db, Number(realmValue(db, botName)))
  if (known !== undefined) return known
  const bot = createUser(workspace, {
    fullName: 'Notification Bot',
    email: 'notification-bot@service.invalid',
    role: roles.member,
    password: null,
    botType: 1,
  })
  db.run('INSERT OR REPLACE INTO realm VALUES (?, ?)', botName, String(bot.user_id))
  workspace.publish(null, { type: 'realm_user', op: 'add', person: apiUser(bot) })
  return bot
}

/**
 * Writes to somebody what they should know, whatever the organization allows people. `alongside` is done in the same
 * transaction: both are on disk, or neither.
 */
export function notify(workspace: Workspace, person: UserRow, content: string, alongside?: () => void): void {
  const sender = notificationBot(workspace)
  const userIds = [sender.user_id, person.user_id].sort((a, b) => a - b)
  // Links lead where the reader may go, not the bot.
  const rendered = render(workspace, person, content)
  write(workspace, { sender, target: { kind: 'direct', userIds }, content, rendered }, alongside)
}

/** The same in a channel. */
export function notifyChannel(
  workspace: Workspace,
  channel: ChannelRow,
  topic: string,
  content: string,
): void {
  const sender = notificationBot(workspace)
  write(workspace, { sender, target: { kind: 'channel', channel, topic }, content })
}

function write(workspace: Workspace, message: NewMessage, alongside?: () => void): void {
  const whole = { ...message, client: 'Internal' }
  const { id, recipients } = workspace.db.transaction(() => {
    alongside?.()
    return writeMessage(workspace, whole)
  })
  publishMessage(workspace, id, recipients, whole)
}
