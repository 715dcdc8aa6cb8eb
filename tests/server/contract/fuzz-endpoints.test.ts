import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../../src-shared/api/endpoint.ts'
import { api, type EndpointName } from '../../../src-shared/api/index.ts'
import { requestsTo, type FuzzedRequest, type Surroundings } from '../../support/arbitrary-input.ts'
import { organization, succeeded, type Person } from '../../support/organization.ts'

// Every endpoint, with whatever may come: no fault of the service, no silence, and nothing of what is not for the caller.

const org = organization()

/** Those that would end the conversation: they wait by design, or change who may speak. */
const left = new Set<EndpointName>(['regenerateApiKey', 'deactivateOrganization'])
// The keys of the table are its names.
const names = (Object.keys(api) as EndpointName[]).filter(
  (name) => !left.has(name) && (api[name] as Endpoint).takesFile === undefined,
)
const patience = 60_000

async function ask(person: Person | null, endpoint: Endpoint, { path, fields }: FuzzedRequest) {
  // A poll with nothing to give waits; that is no silence.
  const sent =
    endpoint.path === '/events' && endpoint.method === 'GET' ? [...fields, ['dont_block', 'true']] : fields
  const form = new URLSearchParams(sent.map(([name = '', value = '']) => [name, value]))
  const isGet = endpoint.method === 'GET'
  const response = await fetch(`${org.service.baseUrl}${path}${isGet ? `?${form}` : ''}`, {
    method: endpoint.method,
    headers:
      person === null ? {} : { Authorization: `Basic ${btoa(`${person.email}:${person.row.api_key}`)}` },
    ...(isGet ? {} : { body: form }),
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  })
  return { status: response.status, text: await response.text() }
}

async function around(): Promise<Surroundings> {
  const public1 = await org.member.send(org.plaza, 'Open', 'for all')
  const direct = await org.member.send([org.other], '', 'for two')
  const draft = succeeded(
    await org.member.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'a draft' }] }),
  )['ids'][0]
  const queue = await org.member.register({ fetch_event_types: [] })
  return {
    ids: [
      org.plaza,
      org.cellar,
      org.lobby,
      org.member.id,
      org.other.id,
      org.guest.id,
      public1,
      direct,
      draft,
      1,
      2,
    ],
    words: ['plaza', 'cellar', 'Open', org.member.email, org.other.name, queue.id, `@**${org.other.name}**`],
  }
}

const isEnvelope = (text: string) => {
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null || !('result' in body) || !('msg' in body)) return false
  if (body.result === 'success') return body.msg === ''
  return body.result === 'error' && 'code' in body && typeof body.code === 'string' && body.code !== ''
}

test('FUZZ-01: Whatever the request, every endpoint responds with an envelope and never with an internal error.', async () => {
  const place = await around()
  const answered = new Map<number, number>()
  for (const name of names) {
    const endpoint: Endpoint = api[name]
    await fc.assert(
      fc.asyncProperty(
        requestsTo(endpoint, place),
        fc.constantFrom('owner', 'member', 'bot'),
        async (request, who) => {
          const { status, text } = await ask(org[who], endpoint, request)
          answered.set(status, (answered.get(status) ?? 0) + 1)
          expect(`${name} ${status}`).not.toMatch(/ 5\d\d$/)
          if (status !== 302) expect(isEnvelope(text)).toBe(true)
        },
      ),
      { numRuns: 12, seed: 20_261_121 },
    )
  }
  // Most would be of no use if nothing ever got through.
  expect(answered.get(200) ?? 0).toBeGreaterThan(200)
  expect(answered.get(400) ?? 0).toBeGreaterThan(200)
  succeeded(await org.owner.get('/users/me'))
}, 240_000)
