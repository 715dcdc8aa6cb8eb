import { minuteMs, dayMs } from '../../src-shared/durations.ts'
import { botRow, interfaces } from '../people/bots.ts'
import { directUserIds } from '../messages/direct-groups.ts'
import { sendMessage, type MessageRow, type Target } from '../messages/messages.ts'
import { notify } from '../messages/notification-bot.ts'
import { ServiceError } from '../service-error.ts'
import { serviceVersion } from '../service-version.ts'
import {
  channelById,
  isDeactivated,
  realmValue,
  userById,
  type UserRow,
  type Workspace,
} from '../workspace.ts'
import type { WebhookJob } from '../messages/webhook-jobs.ts'
import { payloadOf, replyIn, type Delivery } from './payload.ts'
import { post } from './post.ts'

const timeoutMs = 10_000
/** The delays before the second, third and fourth attempt. */
const pausesMs = [5_000, 15_000, 45_000]
const mostAtOnce = 8
/** The clock is checked at least this often, however far away the next attempt is, because the clock may be set. */
const longestWaitMs = minuteMs
/** With nothing to send, only the alarm matters. */
const idleMs = dayMs

/**
 * Sends outgoing webhooks when they are due, several side by side, until `signal` aborts. While the organization is
 * deactivated nothing is sent; what waited is sent once it is reopened.
 */
export async function runWebhooks(workspace: Workspace, signal: AbortSignal): Promise<void> {
  const underway = new Map<number, Promise<void>>()
  while (!signal.aborted) {
    const { signal: rung } = workspace.webhooks
    const waiting = isDeactivated(workspace.db)
      ? []
      : workspace.db.all<WebhookJob>('SELECT * FROM webhook_jobs ORDER BY due_ms LIMIT ?', mostAtOnce * 2)
    const now = workspace.clock.now()
    const due = waiting.filter((job) => job.due_ms <= now && !underway.has(job.job_id))
    for (const job of due.slice(0, mostAtOnce - underway.size)) {
      const work = deliver(workspace, job, signal)
        .catch((error: unknown) => {
          workspace.log(`A webhook failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}`)
          postpone(workspace, job)
        })
        .finally(() => {
          underway.delete(job.job_id)
          workspace.webhooks.ring()
        })
      underway.set(job.job_id, work)
    }
    const next = waiting.find((job) => !underway.has(job.job_id))
    const waitMs =
      next === undefined || underway.size >= mostAtOnce ? idleMs : Math.min(longestWaitMs, next.due_ms - now)
    await workspace.clock.wait(Math.max(1, waitMs), AbortSignal.any([signal, rung]))
  }
  await Promise.all(underway.values())
}

async function deliver(workspace: Workspace, job: WebhookJob, signal: AbortSignal): Promise<void> {
  const { db } = workspace
  const row = db.get<MessageRow>('SELECT * FROM messages WHERE message_id = ?', job.message_id)
  const bot = whoAnswers(workspace, job)
  const service = botRow(workspace, job.bot_id)
  if (row === undefined || bot === undefined || service.payload_url === null) {
    finish(workspace, job)
    return
  }
  const delivery = { workspace, job, bot, service, row }
  if (service.interface === interfaces.slack && row.channel_id === null) {
    fail(delivery, 'This kind of bot does not answer direct messages.')
    return
  }
  const { contentType, body } = payloadOf(delivery)
  const timeout = new AbortController()
  const ended = new AbortController()
  void workspace.clock
    .wait(timeoutMs, AbortSignal.any([ended.signal, signal]))
    .then(() => timeout.abort(new Error('no answer within ten seconds')))
  const outcome = await post({
    url: service.payload_url,
    contentType,
    body,
    userAgent: `DunlinOutgoingWebhook/${serviceVersion}`,
    allowsPrivate: workspace.configuration.allowPrivateWebhooks,
    signal: timeout.signal,
  })
  ended.abort()
  // If the service stops, it asks again after its restart; if the organization is deactivated, once it is reopened.
  if (signal.aborted || isDeactivated(db)) return
  if (whoAnswers(workspace, job) === undefined) {
    finish(workspace, job)
    return
  }
  if (outcome.kind === 'forbidden') fail(delivery, 'Its address is inside the network of this service.')
  else if (outcome.kind === 'unreachable') tryAgain(delivery)
  else if (outcome.status < 200 || outcome.status > 299)
    fail(delivery, `Its server answered with status ${outcome.status}.`)
  else answer(delivery, outcome.body)
}

/** The bot of a job; undefined if the bot, or its owner, no longer exists. */
function whoAnswers({ db }: Workspace, job: WebhookJob): UserRow | undefined {
  const bot = userById(db, job.bot_id)
  if (bot?.is_active !== 1) return undefined
  const owner = bot.bot_owner_id === null ? undefined : userById(db, bot.bot_owner_id)
  return owner?.is_active === 0 ? undefined : bot
}

function tryAgain(delivery: Delivery): void {
  const { workspace, job } = delivery
  const pause = pausesMs[job.attempts]
  if (pause === undefined) {
    fail(delivery, 'Its server could not be reached, or took too long, four times.')
    return
  }
  workspace.db.run(
    'UPDATE webhook_jobs SET attempts = attempts + 1, due_ms = ? WHERE job_id = ?',
    workspace.clock.now() + pause,
    job.job_id,
  )
}

function answer(delivery: Delivery, body: string): void {
  const reply = replyIn(body, delivery.service.interface)
  if (reply.kind === 'invalid') fail(delivery, reply.reason)
  else if (reply.kind === 'nothing') finish(delivery.workspace, delivery.job)
  else
    try {
      say(delivery, reply.content)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      fail(delivery, `Its answer could not be posted: ${error.message}`)
    }
}

/** Posts the reply in the conversation where the bot was called, and ends the job in the same transaction. */
function say({ workspace, job, bot, row }: Delivery, content: string): void {
  const target = placeOf(workspace, row)
  if (target === undefined) finish(workspace, job)
  else
    sendMessage(workspace, {
      sender: bot,
      target,
      content,
      client: 'OutgoingWebhookResponse',
      alongside: () => finish(workspace, job),
    })
}

function placeOf(workspace: Workspace, row: MessageRow): Target | undefined {
  if (row.channel_id === null)
    return { kind: 'direct', userIds: directUserIds(workspace.db, row.direct_group_id ?? 0) }
  const channel = channelById(workspace.db, row.channel_id)
  return channel && { kind: 'channel', channel, topic: row.topic }
}

/** Posts in the conversation that the bot did not answer, and tells its owner why. */
function fail(delivery: Delivery, reason: string): void {
  const { workspace, job, bot, row } = delivery
  try {
    say(delivery, 'The bot could not answer: something is wrong with its server. Its owner has been told.')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    finish(workspace, job)
  }
  const owner = bot.bot_owner_id === null ? undefined : userById(workspace.db, bot.bot_owner_id)
  if (owner?.is_active !== 1) return
  const name = `@_**${bot.full_name}|${bot.user_id}**`
  notify(workspace, owner, `${name} was called ${placeName(workspace, row)} and did not answer. ${reason}`)
}

function placeName(workspace: Workspace, row: MessageRow): string {
  const channel = row.channel_id === null ? undefined : channelById(workspace.db, row.channel_id)
  if (channel === undefined) return 'in a direct message'
  const topic = row.topic === '' ? realmValue(workspace.db, 'empty_topic_display_name') : row.topic
  return `in #**${channel.name}>${topic}**`
}

/** After a fault of the service itself: retry later, so that the job is neither repeated at once nor lost. */
function postpone({ db, clock }: Workspace, job: WebhookJob): void {
  db.run('UPDATE webhook_jobs SET due_ms = ? WHERE job_id = ?', clock.now() + longestWaitMs, job.job_id)
}

function finish({ db }: Workspace, job: WebhookJob): void {
  db.run('DELETE FROM webhook_jobs WHERE job_id = ?', job.job_id)
}
