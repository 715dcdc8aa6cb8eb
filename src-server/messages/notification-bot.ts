import { createUser } from '../people/accounts.ts'
import { apiUser } from '../people/shown-users.ts'
import { publishMessage } from './message-events.ts'
import { render } from '../markdown/render.ts'
import { writeMessage, type NewMessage } from './messages.ts'
import { roles } from '../../src-shared/roles.ts'
import { realmValue, userById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** The organization's own bots, and the setting that stores which they are. */
const systemBots = {
  notification: {
    name: 'notification_bot_id',
    fullName: 'Notification Bot',
    email: 'notification-bot@service.invalid',
  },
  welcome: { name: 'welcome_bot_id', fullName: 'Welcome Bot', email: 'welcome-bot@service.invalid' },
} as const

/** The bot that notifies people and conversations; it is created, and announced, when first needed. */
export const notificationBot = (workspace: Workspace): UserRow => systemBot(workspace, 'notification')

function systemBot(workspace: Workspace, which: keyof typeof systemBots): UserRow {
  const { db } = workspace
  const { name, fullName, email } = systemBots[which]
  const known = userById(db, Number(realmValue(db, name)))
  if (known !== undefined) return known
  const bot = createUser(workspace, {
    fullName,
    email,
    role: roles.member,
    password: null,
    botType: 1,
  })
  db.run('INSERT OR REPLACE INTO realm VALUES (?, ?)', name, String(bot.user_id))
  workspace.publish(null, { type: 'realm_user', op: 'add', person: apiUser(bot) })
  return bot
}

/**
 * Sends somebody a notification, regardless of the organization's rules for people. `alongside` runs in the same
 * transaction: both are on disk, or neither.
 */
export function notify(workspace: Workspace, person: UserRow, content: string, alongside?: () => void): void {
  const sender = notificationBot(workspace)
  const userIds = [sender.user_id, person.user_id].sort((a, b) => a - b)
  // Links lead to places that the reader may see, not the bot.
  const rendered = render(workspace, person, content)
  write(workspace, { sender, target: { kind: 'direct', userIds }, content, rendered }, alongside)
}

/** Sends a new person a message, regardless of the organization's rules for people; returns the message's id. */
export function welcome(workspace: Workspace, person: UserRow, content: string): number {
  const sender = systemBot(workspace, 'welcome')
  const userIds = [sender.user_id, person.user_id].sort((a, b) => a - b)
  return write(workspace, { sender, target: { kind: 'direct', userIds }, content })
}

/** The same, in a channel. */
export function notifyChannel(
  workspace: Workspace,
  channel: ChannelRow,
  topic: string,
  content: string,
): void {
  const sender = notificationBot(workspace)
  write(workspace, { sender, target: { kind: 'channel', channel, topic }, content })
}

function write(workspace: Workspace, message: NewMessage, alongside?: () => void): number {
  const whole = { ...message, client: 'Internal' }
  const { id, recipients } = workspace.db.transaction(() => {
    alongside?.()
    return writeMessage(workspace, whole)
  })
  publishMessage(workspace, id, recipients, whole)
  return id
}
