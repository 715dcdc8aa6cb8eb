import { botTypes } from '../people/bots.ts'
import type { RenderedMessage } from '../../src-shared/markdown/render.ts'
import type { Target } from './messages.ts'
import { canReadChannel } from '../permissions/channels.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'

/** A webhook waiting to be sent. */
export interface WebhookJob {
  readonly job_id: number
  readonly bot_id: number
  readonly message_id: number
  readonly reason: 'direct_message' | 'mention'
  readonly attempts: number
  readonly due_ms: number
}

/**
 * Records which outgoing webhooks a message triggers, in the transaction that writes the message. So a webhook for an
 * acknowledged message is sent, whatever happens to the service in between. Bots never trigger bots, so that two of
 * them cannot talk for ever.
 */
export function queueWebhooks(
  workspace: Workspace,
  sender: UserRow,
  target: Target,
  rendered: RenderedMessage,
  messageId: number,
): void {
  if (sender.bot_type !== null) return
  const reason = target.kind === 'direct' ? 'direct_message' : 'mention'
  const ids = target.kind === 'direct' ? target.userIds : rendered.mentionedUserIds
  for (const id of ids) {
    const bot = userById(workspace.db, id)
    if (bot?.bot_type !== botTypes.outgoingWebhook || bot.is_active === 0) continue
    if (target.kind === 'channel' && !hears(workspace, bot, target)) continue
    workspace.db.run(
      'INSERT INTO webhook_jobs (bot_id, message_id, reason, due_ms) VALUES (?, ?, ?, ?)',
      id,
      messageId,
      reason,
      workspace.clock.now(),
    )
  }
}

/** Messages of a private channel are not sent to a server whose owner could not read them. */
function hears({ db }: Workspace, bot: UserRow, { channel }: Extract<Target, { kind: 'channel' }>): boolean {
  const owner = bot.bot_owner_id === null ? undefined : userById(db, bot.bot_owner_id)
  return (
    channel.is_private === 0 ||
    canReadChannel(db, bot, channel) ||
    (owner !== undefined && canReadChannel(db, owner, channel))
  )
}
