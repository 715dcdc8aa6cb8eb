import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { systemClock } from '../src-shared/clock/clock.ts'
import { openStore } from '../src-main/store/database.ts'
import type { MessageFields } from '../src-main/store/messages.ts'
import { fetchPage } from '../src-main/sync/backfill.ts'
import { createRequestsInFlight } from '../src-main/sync/requests-in-flight.ts'
import type { ApiMessage } from '../src-shared/api/messages.ts'
import { createCheckpoints } from '../src-shared/sqlite/checkpoints.ts'
import { directConversation, topicConversation } from '../src-shared/model/conversation.ts'
import { handWriter } from './engine-filling.ts'
import { compare, type Line } from './measure.ts'
import { authorization, connectTo } from './person.ts'
import { ownUserId } from './workload.ts'

const total = 20_000
const perPage = 1_000

/**
 * Pages of history from a server in a thread of its own, newest first, each timed from the request until it is written
 * and searchable. Dunlin checks every message, writes in small transactions with turns of the event loop between them,
 * and records which range is complete; the loop by hand does none of that.
 */
export async function historyPages(directory: string, rounds: number): Promise<Line[]> {
  const server = new Worker(new URL('./history-server.ts', import.meta.url), { workerData: total })
  // Posted by history-server.ts.
  const [realm] = (await once(server, 'message')) as [string]
  const agent = new Agent()
  const connection = connectTo(realm)
  const checkpoints = createCheckpoints(() => {})
  const pages = Array.from({ length: total / perPage }, (_, index) => total - index * perPage)
  const lines = await compare(
    '1,000 messages of history, from the request until they are searchable',
    rounds,
    [
      {
        name: 'by hand, all in one transaction',
        async run(round) {
          const writer = handWriter(join(directory, `pages-hand-${round}.db`))
          const times: number[] = []
          for (const anchor of pages) {
            const start = performance.now()
            const query = `anchor=${anchor}&include_anchor=true&num_before=${perPage}&num_after=0&narrow=[]`
            const { body } = await request(`${realm}/api/v1/messages?${query}`, {
              dispatcher: agent,
              headers: { authorization },
            })
            // Sent by history-server.ts.
            const page = JSON.parse(await body.text()) as { messages: ApiMessage[] }
            // The last one is the oldest of the page before.
            writer.write(page.messages.slice(0, anchor === total ? undefined : -1).map(fieldsByHand))
            times.push(performance.now() - start)
          }
          writer.close()
          return times
        },
      },
      {
        name: 'Dunlin',
        async run(round) {
          const store = openStore(join(directory, `pages-own-${round}.db`), () => {}, { checkpoints })
          store.write((db) => db.run('UPDATE sync SET feature_level = 420, generation = 1 WHERE id = 1'))
          const parts = {
            store,
            connection,
            clock: systemClock,
            ownUserId,
            signal: new AbortController().signal,
            requestsInFlight: createRequestsInFlight(),
            reapply: () => {},
          }
          const times: number[] = []
          for (const id of pages) {
            const start = performance.now()
            const from = id === total ? ({ kind: 'newest' } as const) : ({ kind: 'before', id } as const)
            await fetchPage(parts, { kind: 'combined' }, from, perPage)
            times.push(performance.now() - start)
          }
          store.close()
          return times
        },
      },
    ],
  )
  connection.close()
  checkpoints.close()
  await agent.close()
  await server.terminate()
  return lines
}

/** What a message of this server has. */
function fieldsByHand(message: ApiMessage): MessageFields {
  const { id, type, flags = [], reactions } = message
  const people = typeof message.display_recipient === 'string' ? [] : message.display_recipient
  return {
    id,
    conversation:
      type === 'stream'
        ? topicConversation(message.stream_id ?? 0, message.subject)
        : directConversation(
            people.map((person) => person.id),
            ownUserId,
          ),
    senderId: message.sender_id,
    senderName: message.sender_full_name,
    sentAt: message.timestamp * 1_000,
    editedAt: null,
    movedAt: null,
    contentHtml: message.content,
    isMeMessage: false,
    isRead: flags.includes('read'),
    isStarred: flags.includes('starred'),
    isMentioned: flags.includes('mentioned'),
    isOnlyByWildcard: false,
    isCollapsed: false,
    hasAlertWord: false,
    submessages: [],
    changes: [],
    reactions: reactions.map(({ reaction_type, emoji_code, emoji_name, user_id }) => ({
      type: reaction_type,
      code: emoji_code,
      name: emoji_name,
      userId: user_id ?? 0,
    })),
  }
}
