import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { apiMessage, messages } from '../src-shared/api/messages.ts'
import { readTolerantly } from '../src-shared/api/tolerant.ts'
import { inTurn } from './engine-peers.ts'
import { compare, type Contender, type Line } from './measure.ts'
import { zulipClient } from './peers/zulip.js'
import { authorization, connectTo, credentials } from './person.ts'
import { wireMessage } from './wire-message.ts'
import { sizeOf, workload } from './workload.ts'

/** Enough runs to show one in a hundred. */
const calls = 200
const fetched = 100

/** The answer of a server to a request for messages of channels. */
const fetchedAnswer = (): string =>
  JSON.stringify({
    result: 'success',
    msg: '',
    anchor: fetched,
    found_anchor: true,
    found_oldest: true,
    found_newest: true,
    history_limited: false,
    messages: [...workload(sizeOf(fetched))].map(wireMessage),
  })

/**
 * Sequential calls, each timed from the call to the parsed answer: Dunlin's connection and zulip-js beside a bare
 * request, all to the same server in a thread of its own. All must return the same.
 */
export async function callsBeside(rounds: number): Promise<Line[]> {
  const server = new Worker(new URL('./calls-server.ts', import.meta.url), {
    workerData: { toGet: fetchedAnswer(), toPost: JSON.stringify({ result: 'success', msg: '', id: 42 }) },
  })
  // Posted by calls-server.ts.
  const [realm] = (await once(server, 'message')) as [string]
  const agent = new Agent()
  const connection = connectTo(realm)
  const client = await zulipClient(realm, credentials.email, credentials.apiKey)
  const bare = async (method: 'GET' | 'POST', fields: Record<string, string>): Promise<unknown> => {
    const form = new URLSearchParams(fields).toString()
    const { body } = await request(`${realm}/api/v1/messages${method === 'GET' ? `?${form}` : ''}`, {
      method,
      dispatcher: agent,
      headers: {
        authorization,
        ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'GET' ? {} : { body: form }),
    })
    return JSON.parse(await body.text())
  }
  const window = { anchor: 'newest', num_before: fetched, num_after: 0 }
  const sent = { type: 'stream', to: 1, topic: 'calls', content: 'One of many short messages.' } as const
  const text = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  const contender = (
    name: string,
    call: () => Promise<unknown>,
    isRight: (answer: unknown) => boolean,
  ): Contender => ({
    name,
    run: () =>
      inTurn(Array.from({ length: calls }), async () => {
        if (!isRight(await call())) throw new Error(`${name} is answered something else`)
      }),
  })
  const hasAll = (answer: unknown) =>
    (Array.isArray(answer) ? answer : (answer as { messages: unknown[] }).messages).length === fetched
  const isSent = (answer: unknown) => (answer as { id: number }).id === 42
  const lines = [
    ...(await compare('a call that fetches 100 messages', rounds, [
      contender('bare request of undici, JSON.parse', () => bare('GET', text(window)), hasAll),
      contender(
        'Dunlin, the answer’s form checked',
        () => connection.call(messages.getMessages, window),
        hasAll,
      ),
      contender(
        'Dunlin, and each message’s, as it takes them',
        async () => {
          const page = await connection.call(messages.getMessages, window)
          return page.messages.flatMap((raw) => readTolerantly(apiMessage, raw).read.data ?? [])
        },
        hasAll,
      ),
      contender('zulip-js', () => client.messages.retrieve(window), hasAll),
    ])),
    ...(await compare('a call that sends a message', rounds, [
      contender('bare request of undici, JSON.parse', () => bare('POST', text(sent)), isSent),
      contender(
        'Dunlin, the answer’s form checked',
        () => connection.call(messages.sendMessage, sent),
        isSent,
      ),
      contender('zulip-js', () => client.messages.send(sent), isSent),
    ])),
  ]
  connection.close()
  await agent.close()
  await server.terminate()
  return lines
}
