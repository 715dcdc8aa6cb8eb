// A worker: a server with the history of an account, which it gives in pages; reports its address.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { sizeOf, workload } from './workload.ts'

// Given by history.ts.
const total = workerData as number
/** Each message as JSON, in order; ids start at 1. */
const texts = [...workload(sizeOf(total))].map((message) => {
  const { id, conversation, senderId, senderName, sentAt, contentHtml, isRead, isStarred, isMentioned } =
    message
  const isTopic = conversation.kind === 'topic'
  return JSON.stringify({
    id,
    type: isTopic ? 'stream' : 'private',
    content: contentHtml,
    content_type: 'text/html',
    timestamp: Math.floor(sentAt / 1_000),
    sender_id: senderId,
    sender_email: `p${senderId}@example.org`,
    sender_full_name: senderName,
    sender_realm_str: 'example',
    avatar_url: null,
    client: 'website',
    display_recipient: isTopic
      ? `channel ${conversation.channelId}`
      : [...conversation.userIds, 1].map((user) => ({
          id: user,
          email: `p${user}@example.org`,
          full_name: `Person ${user}`,
          is_mirror_dummy: false,
        })),
    ...(isTopic ? { stream_id: conversation.channelId } : {}),
    subject: isTopic ? conversation.topic : '',
    recipient_id: 7,
    is_me_message: false,
    flags: [
      ...(isRead ? ['read'] : []),
      ...(isStarred ? ['starred'] : []),
      ...(isMentioned ? ['mentioned'] : []),
    ],
    reactions: message.reactions.map(({ type, code, name, userId }) => ({
      emoji_code: code,
      emoji_name: name,
      reaction_type: type,
      user_id: userId,
    })),
    submessages: [],
    topic_links: [],
  })
})

const server = createServer((asked, answer) => {
  const fields = new URL(asked.url ?? '', 'http://localhost').searchParams
  const anchor = fields.get('anchor') ?? 'newest'
  const last = anchor === 'newest' ? total : Number(anchor)
  const first = Math.max(1, last - Number(fields.get('num_before')))
  const body = Buffer.from(
    `{"result":"success","msg":"","anchor":${last},"found_anchor":true,"found_oldest":${first === 1},` +
      `"found_newest":${last === total},"history_limited":false,"messages":[${texts.slice(first - 1, last).join(',')}]}`,
  )
  answer.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  parentPort?.postMessage(`http://127.0.0.1:${port}`)
})
