import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../../src-shared/api/endpoint.ts'
import { api, type EndpointName } from '../../../src-shared/api/index.ts'
import { openApi } from '../../support/openapi.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
} from '../../support/organization.ts'

// What holds for every endpoint alike (specification, Endpoints, Conventions).

const org = organization({ configuration: { pushBouncerUrl: 'http://127.0.0.1:9' } })

const call = (who: Person, method: Endpoint['method'], path: string, fields: Fields) =>
  ({ GET: who.get, POST: who.post, PATCH: who.patch, PUT: who.put, DELETE: who.delete })[method](path, fields)

type Case = readonly [endpoint: string, fields: () => Promise<Fields> | Fields]

const draft = { type: '', to: [], topic: '', content: 'words' }
const nothing = () => ({})
const message = () => org.member.send(org.plaza, 'Every endpoint', 'a message')
const folder = async () =>
  succeeded(await org.owner.post('/channel_folders/create', { name: fresh('Folder'), description: '' }))
    .channel_folder_id
const group = async () =>
  succeeded(
    await org.owner.post('/user_groups/create', {
      name: fresh('group'),
      description: '',
      members: [],
    }),
  ).group_id
const linkifier = () => ({
  pattern: `${fresh('EVERY')}-(?P<id>[0-9]+)`,
  url_template: 'https://example.org/{id}',
})

/** A request to each endpoint of the specification that succeeds; `id` is in the path. */
const requests: readonly Case[] = [
  ['PATCH /settings', () => ({ color_scheme: 1 })],
  ['PATCH /settings/display', () => ({ color_scheme: 1 })],
  ['PATCH /settings/notifications', () => ({ enable_sounds: true })],
  ['POST /users/me/subscriptions/properties', () => ({ subscription_data: [] })],
  ['PATCH /user_groups/{id}', async () => ({ id: await group(), description: 'x' })],
  ['POST /user_groups/{id}/members', async () => ({ id: await group(), add: [org.other.id] })],
  ['POST /user_topics', () => ({ stream_id: org.plaza, topic: 'T', visibility_policy: 1 })],
  ['PATCH /channel_folders/{id}', async () => ({ id: await folder(), description: 'x' })],
  ['GET /messages/{id}', async () => ({ id: await message() })],
  [
    'PATCH /drafts/{id}',
    async () => ({ id: succeeded(await org.owner.post('/drafts', { drafts: [draft] })).ids[0], draft }),
  ],
  ['POST /invites/multiuse', nothing],
  [
    'POST /mark_topic_as_read',
    async () => {
      await message()
      return { stream_id: org.plaza, topic_name: 'Every endpoint' }
    },
  ],
  ['POST /messages/{id}/reactions', async () => ({ id: await message(), emoji_name: 'tada' })],
  ['GET /users/me/{id}/topics', () => ({ id: org.plaza })],
  [
    'POST /messages/{id}/typing',
    async () => ({ id: await org.owner.send(org.plaza, 'T', 'mine'), op: 'start' }),
  ],
  [
    'PATCH /saved_snippets/{id}',
    async () => ({
      id: succeeded(await org.owner.post('/saved_snippets', { title: 'x', content: 'y' })).saved_snippet_id,
    }),
  ],
  ['GET /streams', nothing],
  [
    'POST /realm/playgrounds',
    () => ({ name: fresh('Play'), pygments_language: 'Bash', url_template: 'https://example.org/{code}' }),
  ],
  [
    'PATCH /realm/filters/{id}',
    async () => ({ id: succeeded(await org.owner.post('/realm/filters', linkifier())).id, ...linkifier() }),
  ],
  ['GET /users/me', nothing],
  ['GET /users/{id}', () => ({ id: org.other.id })],
  ['GET /realm/presence', nothing],
  ['POST /mobile_push/test_notification', nothing],
  ['POST /register', () => ({ fetch_event_types: [] })],
  ['GET /server_settings', nothing],
]

async function answerTo([endpoint, fields]: Case, more: Fields = {}) {
  const [method = '', path = ''] = endpoint.split(' ')
  const { id, ...rest } = { ...(await fields()) } as Record<string, unknown>
  // The table names methods of HTTP alone.
  const verb = method as Endpoint['method']
  return call(org.owner, verb, path.replace('{id}', String(id)), { ...rest, ...more })
}
const ask = async (request: Case, more?: Fields) => succeeded(await answerTo(request, more))

test.each(requests)(
  'ENV-13: Every endpoint of the specification lists unknown parameters, and lists none when all are known (%s).',
  async (...request) => {
    expect((await ask(request, { flavour: 'mint' }))['ignored_parameters_unsupported']).toEqual(['flavour'])
    expect(await ask(request)).not.toHaveProperty('ignored_parameters_unsupported')
  },
)

/** What the other endpoints answer with has tests of its own. */
const answersMore = [
  'GET /messages/{id}',
  'POST /invites/multiuse',
  'GET /users/me/{id}/topics',
  'GET /streams',
  'POST /realm/playgrounds',
  'GET /users/me',
  'GET /users/{id}',
  'GET /realm/presence',
  'POST /register',
  'GET /server_settings',
]

test.each(requests.filter(([endpoint]) => !answersMore.includes(endpoint)))(
  'ENV-17: An endpoint that returns only the envelope returns nothing else (%s).',
  async (...request) => {
    expect(await ask(request)).toEqual({ result: 'success', msg: '' })
  },
)

/** What the specification requires, parameter by parameter, whatever the table of endpoints says. */
const required: readonly (readonly [endpoint: string, ...parameters: string[]])[] = [
  ['POST /users/me/subscriptions/properties', 'subscription_data'],
  ['POST /user_topics', 'stream_id', 'topic', 'visibility_policy'],
  ['PATCH /drafts/{id}', 'draft'],
  ['POST /mark_topic_as_read', 'stream_id', 'topic_name'],
  ['POST /messages/{id}/reactions', 'emoji_name'],
  ['POST /messages/{id}/typing', 'op'],
  ['POST /realm/playgrounds', 'name', 'pygments_language', 'url_template'],
  ['PATCH /realm/filters/{id}', 'pattern', 'url_template'],
]

test.each(required)(
  'ENV-21: Omitting a single required parameter is reported as missing, and nothing is done (%s).',
  async (endpoint, ...parameters) => {
    const [, fields = nothing] = requests.find(([one]) => one === endpoint) ?? []
    for (const parameter of parameters) {
      // oxlint-disable-next-line typescript/await-thenable -- Promise<Fields> vanishes in the union with Fields
      const { [parameter]: _left, ...rest }: Fields = await fields()
      const answer = await answerTo([endpoint, () => rest])
      expect(refused(answer, 'REQUEST_VARIABLE_MISSING')['var_name']).toBe(parameter)
    }
    succeeded(await answerTo([endpoint, fields]))
  },
)

// The keys of the table are its names.
const names = (Object.keys(api) as EndpointName[]).filter(
  (name) => (api[name] as Endpoint).takesFile === undefined,
)
const inPath = ({ path }: Endpoint) => [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name)
const filled = ({ path }: Endpoint) => path.replace(/\{\w+\*?\}/g, '1')
const isRequired = (schema: unknown) => schema instanceof z.ZodType && !schema.safeParse(undefined).success

test('ENV-14: In every endpoint, REQUEST_VARIABLE_MISSING names a required parameter that is missing.', async () => {
  let asked = 0
  for (const name of names) {
    const endpoint: Endpoint = api[name]
    const required = Object.entries(endpoint.input.shape).flatMap(([field, schema]) =>
      isRequired(schema) && !inPath(endpoint).includes(field) ? [field] : [],
    )
    if (required.length === 0) continue
    const answer = await call(org.owner, endpoint.method, filled(endpoint), {})
    expect([name, required.includes(refused(answer, 'REQUEST_VARIABLE_MISSING')['var_name'])]).toEqual([
      name,
      true,
    ])
    asked += 1
  }
  expect(asked).toBeGreaterThan(40)
})

/** A text that is no value of any parameter but one that takes every text. */
const nonsense = '{"never'

/** What an endpoint says of a value of one of its parameters. */
const told = async (name: EndpointName, field: string, value: string) => {
  const endpoint: Endpoint = api[name]
  const { status, body } = await call(org.owner, endpoint.method, filled(endpoint), { [field]: value })
  return [name, status, body['code'], body['var_name'], body['bad_value']]
}

test('ENV-15: A value of the wrong type is rejected with REQUEST_VARIABLE_INVALID, and a disallowed one with BAD_REQUEST; both name the parameter and the value.', async () => {
  const asked = { REQUEST_VARIABLE_INVALID: 0, BAD_REQUEST: 0 }
  for (const name of names) {
    const endpoint: Endpoint = api[name]
    const fields = Object.entries(endpoint.input.shape).filter(([field]) => !inPath(endpoint).includes(field))
    // Where something else is missing, that is what is said first.
    if (fields.filter(([, schema]) => isRequired(schema)).length > 1) continue
    for (const [field, schema] of fields) {
      const others = fields.filter(([other, one]) => other !== field && isRequired(one))
      if (!(schema instanceof z.ZodType) || schema.safeParse(nonsense).success || others.length > 0) continue
      // One of a few words is a text like any other, which is not among them.
      const isWord = inside(schema) instanceof z.ZodEnum
      const code = isWord ? 'BAD_REQUEST' : 'REQUEST_VARIABLE_INVALID'
      expect(await told(name, field, nonsense)).toEqual([name, 400, code, field, nonsense])
      asked[code] += 1
    }
  }
  expect(asked.REQUEST_VARIABLE_INVALID).toBeGreaterThan(150)
  expect(asked.BAD_REQUEST).toBeGreaterThan(10)
  // It is JSON, and of another kind; or of the kind, and not allowed; or not all of it is.
  for (const [name, field, value, code] of [
    ['updateSettings', 'enter_sends', '1', 'REQUEST_VARIABLE_INVALID'],
    ['updateSettings', 'color_scheme', '"dark"', 'REQUEST_VARIABLE_INVALID'],
    ['updateSettings', 'color_scheme', '1.5', 'REQUEST_VARIABLE_INVALID'],
    ['updateSettings', 'color_scheme', '9', 'BAD_REQUEST'],
    ['getUsers', 'user_ids', '{}', 'REQUEST_VARIABLE_INVALID'],
    ['getUsers', 'user_ids', '["a"]', 'BAD_REQUEST'],
  ] as const)
    expect(await told(name, field, value)).toEqual([name, 400, code, field, value])
})

/** What a parameter takes when it is given. */
const inside = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? inside(schema.def.innerType)
    : schema

/** Endpoints that the specification describes as having no parameters. */
const withoutParameters: readonly EndpointName[] = ['getOwnUser', 'getRealmPresence', 'getServerSettings']

test('ENV-16: Endpoints specified without parameters accept none.', () => {
  for (const name of withoutParameters) expect(Object.keys(api[name].input.shape)).toEqual([])
})

test('ENV-18: Endpoints require authentication unless specified otherwise.', async () => {
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name]
    if (endpoint.authenticated === false) continue
    const { status, body } = await call(org.nobody, endpoint.method, filled(endpoint), {})
    expect([name, status, body['code']]).toEqual([name, 401, 'UNAUTHORIZED'])
  }
  const open = Object.values<Endpoint>(api).filter(({ authenticated }) => authenticated === false)
  expect(open.map(({ path }) => path).sort()).toEqual(['/fetch_api_key', '/server_settings'])
})

/** Endpoints of others that are left out on purpose, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'POST /dev_fetch_api_key': 'signs in without a password, on machines of developers',
  'GET /calls/bigbluebutton/create': 'there are no calls',
  'POST /real-time': 'stands for a page about events, and is no endpoint',
  'POST /rest-error-handling': 'stands for a page about errors, and is no endpoint',
  'POST /zulip-outgoing-webhook': 'describes what is posted to others',
}

const described = openApi()
test.skipIf(described === null)(
  'ENV-20: Every endpoint in a third-party description of the interface is implemented, except those deliberately omitted.',
  () => {
    const form = (method: string, path: string) =>
      `${method} ${path.replaceAll(/\{(?!email\})[^}]*\}/g, '{}')}`
    const here = new Set(Object.values<Endpoint>(api).map(({ method, path }) => form(method, path)))
    const absent = (described?.endpoints ?? []).filter((one) => {
      const [method = '', path = ''] = one.split(' ')
      return !here.has(form(method, path))
    })
    expect(absent.sort()).toEqual(Object.keys(leftOut).sort())
  },
)
