import { interfaces, type BotRow } from '../people/bots.ts'
import type { MessageRow } from '../messages/messages.ts'
import { messageAtLevel } from '../older-levels.ts'
import { systemGroupId } from '../permissions/groups.ts'
import { apiMessages } from '../messages/shown-messages.ts'
import { channelById, userById, type UserRow, type Workspace } from '../workspace.ts'
import type { WebhookJob } from '../messages/webhook-jobs.ts'

/** The request to a webhook's address. */
export interface Payload {
  readonly contentType: string
  readonly body: string
}

/** A call of a bot that is being answered. */
export interface Delivery {
  readonly workspace: Workspace
  readonly job: WebhookJob
  readonly bot: UserRow
  readonly service: BotRow
  /** The message that called the bot. */
  readonly row: MessageRow
}

/** The notification (specification, Outgoing webhook notification), or the other service's form. */
export function payloadOf(delivery: Delivery): Payload {
  const { workspace, job, bot, service, row } = delivery
  if (service.interface === interfaces.slack) return slackPayload(delivery)
  const [message] = apiMessages(workspace, bot, [row.message_id], {
    applyMarkdown: false,
    allowEmptyTopic: true,
  })
  const { flags: _flags, ...current } = { ...message, flags: [] }
  const shown = messageAtLevel(current, workspace.featureLevel, {
    userId: bot.user_id,
    person: (id) => userById(workspace.db, id),
    administrators: () => systemGroupId(workspace.db, 'role:administrators'),
  })
  return {
    contentType: 'application/json',
    body: JSON.stringify({
      bot_email: bot.email,
      bot_full_name: bot.full_name,
      data: row.content,
      trigger: triggerAt(job.reason, workspace.featureLevel),
      token: service.token,
      message: { ...shown, rendered_content: row.rendered },
    }),
  }
}

/** Before level 201 direct messages had another name. */
const triggerAt = (reason: WebhookJob['reason'], level: number): string =>
  reason === 'direct_message' && level < 201 ? 'private_message' : reason

function slackPayload({ workspace, job, bot, service, row }: Delivery): Payload {
  const sender = userById(workspace.db, row.sender_id)
  const channel = row.channel_id === null ? undefined : channelById(workspace.db, row.channel_id)
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({
      token: service.token ?? '',
      team_id: 'T1',
      team_domain: new URL(workspace.url).host,
      channel_id: `C${channel?.channel_id ?? ''}`,
      channel_name: channel?.name ?? '',
      thread_ts: String(row.message_id),
      timestamp: String(row.sent_at),
      user_id: `U${row.sender_id}`,
      user_name: sender?.full_name ?? '',
      text: row.content,
      trigger_word: job.reason,
      service_id: String(bot.user_id),
    }).toString(),
  }
}

/** A server's answer: a text to post, nothing, or something invalid. */
export type Reply =
  | { readonly kind: 'content'; readonly content: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Parses the answer of a webhook's server. */
export function replyIn(body: string, face: number | null): Reply {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { kind: 'invalid', reason: 'The answer is no JSON.' }
  }
  if (json === '') return { kind: 'nothing' }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { kind: 'invalid', reason: 'The answer is no JSON object.' }
  const field = (name: string): unknown => Reflect.get(json, name)
  const isSlack = face === interfaces.slack
  if (!isSlack && field('response_not_required') === true) return { kind: 'nothing' }
  const content = isSlack ? field('text') : (field('response_string') ?? field('content'))
  if (content === undefined || content === null) return { kind: 'nothing' }
  if (typeof content !== 'string') return { kind: 'invalid', reason: 'The words of the answer are no text.' }
  return content.trim() === '' ? { kind: 'nothing' } : { kind: 'content', content }
}
