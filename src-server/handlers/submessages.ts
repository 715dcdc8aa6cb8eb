import type { InputOf } from '../../src-shared/api/endpoint.ts'
import type { Handlers } from '../../src-shared/api/index.ts'
import type { submessages as endpoints } from '../../src-shared/api/submessages.ts'
import { audienceOf } from '../messages/message-audience.ts'
import { accessibleMessage } from '../messages/message-pages.ts'
import { notifyChannel } from '../messages/notification-bot.ts'
import { badRequest } from '../service-error.ts'
import { followByParticipating } from '../messages/sending-rules.ts'
import { isVote, refusalOfStep } from '../messages/widget-steps.ts'
import { channelById, realmValue, userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestDescription = 1_000
const longestStep = 10_000

export const submessages: Pick<
  Handlers<HandlerContext>,
  'sendSubmessage' | 'reportMessage' | 'reportOneMessage'
> = {
  sendSubmessage: (input, { workspace, user }) => {
    const { db } = workspace
    const row = accessibleMessage(workspace, user, input.message_id)
    if (input.msg_type !== 'widget') throw badRequest('Invalid type of submessage')
    if (input.content.length > longestStep) throw badRequest('The submessage is too long.')
    const step = parsed(input.content)
    const first = db.get<{ content: string }>(
      'SELECT content FROM submessages WHERE message_id = ? ORDER BY submessage_id LIMIT 1',
      row.message_id,
    )
    const isAuthor = row.sender_id === user.user_id
    if (first === undefined && !isAuthor) throw badRequest('You cannot attach a submessage to this message.')
    // This service wrote the first submessage, and checked that the others are JSON.
    const widget =
      first === undefined ? null : (JSON.parse(first.content) as { widget_type?: unknown } | null)
    const refusal = refusalOfStep(widget?.widget_type, step, isAuthor)
    if (refusal !== undefined) throw badRequest(refusal)
    const { lastId } = db.run(
      'INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)',
      row.message_id,
      user.user_id,
      input.msg_type,
      input.content,
    )
    workspace.publish(audienceOf(workspace, row), {
      type: 'submessage',
      message_id: row.message_id,
      submessage_id: lastId,
      sender_id: user.user_id,
      msg_type: input.msg_type,
      content: input.content,
    })
    if (row.channel_id !== null && isVote(step)) {
      const place = { channelId: row.channel_id, topic: row.topic }
      for (const { userId, event } of followByParticipating(workspace, user, place))
        workspace.publish([userId], event)
    }
    return {}
  },
  reportMessage: (input, { workspace, user }) => report(workspace, user, input),
  reportOneMessage: (input, { workspace, user }) => report(workspace, user, input),
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw badRequest('Invalid json for submessage')
  }
}

const reasons: Readonly<Record<InputOf<typeof endpoints.reportMessage>['report_type'], string>> = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
}

/** Posts a report of a message in the moderators' channel, in the name of the service. */
function report(
  workspace: Workspace,
  user: UserRow,
  input: InputOf<typeof endpoints.reportMessage>,
): Record<string, never> {
  const channelId = Number(realmValue(workspace.db, 'moderation_request_channel_id'))
  const channel = channelById(workspace.db, channelId)
  if (channel === undefined || channel.is_archived === 1)
    throw badRequest('Moderation request channel must be specified to enable message reporting.')
  const row = accessibleMessage(workspace, user, input.message_id)
  const description = (input.description ?? '').trim()
  if ([...description].length > longestDescription)
    throw badRequest(`A description may have ${longestDescription} characters at most.`)
  if (input.report_type === 'other' && description === '')
    throw badRequest('An explanation is required when reporting with the "other" reason.')
  const author = userById(workspace.db, row.sender_id)
  const name = author?.full_name ?? ''
  const lines = [
    `@_**${user.full_name}|${user.user_id}** reported a message by @_**${name}|${row.sender_id}**.`,
    '',
    `* Reason: **${reasons[input.report_type]}**`,
    ...(description === '' ? [] : ['* Notes:', quoted(description)]),
    '',
    row.channel_id === null ? 'The direct message says:' : `The message (number ${row.message_id}) says:`,
    quoted([...row.content].slice(0, 2_000).join('')),
  ]
  notifyChannel(workspace, channel, `${name} moderation requests`, lines.join('\n'))
  return {}
}

const quoted = (text: string) => `\`\`\`quote\n${text.replace(/`{3,}/g, "'''")}\n\`\`\``
