import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { Agent, request } from 'undici'
import type { Database } from '../src-server/database.ts'
import type { Workspace } from '../src-server/workspace.ts'
import type { FilledService } from './service-workload.ts'

const agent = new Agent({ connections: 100, pipelining: 1 })

/** A service in this process, over real HTTP, compared with bare servers that do the minimum of the same work. */
export interface Bench {
  readonly workspace: Workspace
  readonly db: Database
  readonly url: string
  readonly filled: FilledService
}

export interface Caller {
  get(path: string, fields?: Record<string, string>): Promise<string>
  post(path: string, fields: Record<string, string>): Promise<string>
}

export function callerOf(url: string, who: { email: string; apiKey: string }): Caller {
  const authorization = `Basic ${Buffer.from(`${who.email}:${who.apiKey}`).toString('base64')}`
  const call = async (method: 'GET' | 'POST', path: string, fields: Record<string, string>) => {
    const form = new URLSearchParams(fields).toString()
    const { statusCode, body } = await request(`${url}/api/v1${path}${method === 'GET' ? `?${form}` : ''}`, {
      method,
      dispatcher: agent,
      headers: { authorization, 'user-agent': 'Bench/1.0' },
      ...(method === 'GET' ? {} : { body: form }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${method} ${path}: ${text.slice(0, 200)}`)
    return text
  }
  return {
    get: (path, fields = {}) => call('GET', path, fields),
    post: (path, fields) => call('POST', path, fields),
  }
}

const once = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const repeated = async (
  times: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> => {
  const all: number[] = []
  for (let index = 0; index < times; index++) {
    all.push(await once(() => work(index)))
    // After a pause, each run on a busy machine starts with an unspent share of the processor, long contenders like
    // short ones.
    await sleep(5)
  }
  return all
}

/** A server that answers what it is told to: the floor of everything over HTTP. */
export async function bare(
  answer: (path: string, body: string) => unknown,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = Fastify({ logger: false, forceCloseConnections: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.all('/*', (asked, reply) =>
    reply
      .type('application/json')
      .send(JSON.stringify(answer(asked.url, typeof asked.body === 'string' ? asked.body : ''))),
  )
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return { url, close: () => server.close() }
}

export const bareGet = async (url: string): Promise<string> => {
  const { body } = await request(url, { dispatcher: agent })
  return body.text()
}
