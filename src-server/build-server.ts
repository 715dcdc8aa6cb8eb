import type { Socket } from 'node:net'
import Fastify, {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import { z } from 'zod'
import { decodeInput, sealError, sealSuccess } from '../src-shared/api/encoding.ts'
import type { Endpoint } from '../src-shared/api/endpoint.ts'
import { api, type EndpointName } from '../src-shared/api/index.ts'
import { roles } from '../src-shared/roles.ts'
import { authenticate } from './people/accounts.ts'
import { handlers } from './handlers/index.ts'
import { multipartForm, urlencodedForm, type Form, type FormFile } from './files/forms.ts'
import type { HandlerContext } from './handlers/context.ts'
import { botTypes } from './people/bots.ts'
import { addFiles } from './pages/file-pages.ts'
import { addPages } from './pages/pages.ts'
import {
  answerAt,
  codeAt,
  endpointAt,
  reportsIgnoredParameters,
  pathAt,
  refuseNewer,
  type LeveledEndpoint,
} from './older-levels.ts'
import { refuseForeignRequests } from './local-requests.ts'
import { addOrganizationPictures } from './organization/organization-pictures.ts'
import { systemGroupId } from './permissions/groups.ts'
import { RateLimits } from './rate-limits.ts'
import { answerText } from './events/ready-json.ts'
import { addResumableUploads } from './files/resumable-uploads.ts'
import { badRequest, ServiceError } from './service-error.ts'
import { allowsSpectators, userById, type UserRow, type Workspace } from './workspace.ts'

const mebibyte = 1024 * 1024
const bodyLimit = 2 * mebibyte

/** The longest path segment, in characters; addresses of people and of views are path segments. */
const longestParameter = 1_000

/** The service over HTTP; never listens by itself. */
export function buildServer(workspace: Workspace): FastifyInstance {
  const server = Fastify({
    bodyLimit,
    logger: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: longestParameter },
    clientErrorHandler: refuse,
    frameworkErrors(_error, _request, reply) {
      reply.hijack()
      reply.raw.writeHead(404, { 'Content-Type': 'application/json; charset=utf-8' })
      reply.raw.end(JSON.stringify(sealError('BAD_REQUEST', 'There is no such endpoint.')))
    },
  })
  const limits = new RateLimits(workspace.clock, workspace.rateLimit)
  refuseForeignRequests(server, workspace.configuration.allowedHosts)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer) => multipartForm(body, request.headers['content-type'] ?? ''),
  )
  addOrganizationPictures(server, workspace)
  addPages(server, workspace, limits)
  addFiles(server, workspace)
  addResumableUploads(server, workspace, limits)
  for (const [path, methods] of endpointsByPath(workspace.featureLevel))
    addRoute(server, workspace, limits, path, methods)
  server.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(sealError('BAD_REQUEST', 'There is no such endpoint.')),
  )
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof ServiceError) {
      if (error.status === 401) reply.header('WWW-Authenticate', 'Basic realm="service"')
      const retryAfter = error.extra['retry-after']
      if (typeof retryAfter === 'number') reply.header('Retry-After', Math.ceil(retryAfter))
      const code = codeAt(error.code, workspace.featureLevel)
      return reply.code(error.status).send(sealError(code, error.message, error.extra))
    }
    const status =
      typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
    if (status < 500)
      return reply
        .code(status)
        .send(
          sealError(
            'BAD_REQUEST',
            status === 413
              ? 'The request is larger than this server takes.'
              : 'The request could not be read.',
          ),
        )
    workspace.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return reply.code(500).send(sealError('INTERNAL_SERVER_ERROR', 'Internal server error'))
  })
  return server
}

/** Answers requests that are malformed, or whose address is longer than the service reads. */
function refuse(error: ConnectionError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const body = JSON.stringify(
    sealError('BAD_REQUEST', isLong ? 'The address is too long.' : 'The request could not be read.'),
  )
  socket.end(
    `HTTP/1.1 ${isLong ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

type Methods = ReadonlyMap<string, EndpointName>

/** The endpoints that a service of this level has. */
function endpointsByPath(featureLevel: number): Map<string, Map<string, EndpointName>> {
  const paths = new Map<string, Map<string, EndpointName>>()
  // The keys of the table are its names.
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name]
    const { method } = endpoint
    const path = pathAt(name, endpoint, featureLevel)
    if (path === undefined) continue
    paths.set(path, (paths.get(path) ?? new Map<string, EndpointName>()).set(method, name))
  }
  return paths
}

function addRoute(
  server: FastifyInstance,
  workspace: Workspace,
  limits: RateLimits,
  path: string,
  methods: Methods,
): void {
  const level = workspace.featureLevel
  const leveled = new Map(
    [...methods.values()].map((name) => [name, endpointAt(name, api[name] as Endpoint, level)] as const),
  )
  const takesFile = [...methods.values()].some((name) => (api[name] as Endpoint).takesFile !== undefined)
  server.route({
    method: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
    url: `/api/v1${routeOf(path)}`,
    ...(takesFile ? forFiles(workspace) : {}),
    handler: async (request, reply) => {
      const form = formOf(request)
      const name = methods.get(methodOf(request, form))
      if (name === undefined) {
        const allowed = [...methods.keys()].sort()
        return reply
          .code(405)
          .header('Allow', allowed.join(', '))
          .send(sealError('BAD_REQUEST', 'Method Not Allowed', { allowed_methods: allowed }))
      }
      const endpoint: Endpoint = api[name]
      const user = whoAsks(workspace, endpoint, request)
      if (user === undefined) throw new ServiceError('UNAUTHORIZED', 'Invalid API key', {}, 401)
      // The key of such a bot is stored in other services' settings, so the bot may only send messages.
      if (user.bot_type === botTypes.incomingWebhook && name !== 'sendMessage')
        throw new ServiceError('UNAUTHORIZED', 'This API is not available to incoming webhook bots.', {}, 401)
      limits.spend(user.user_id === 0 ? request.ip : String(user.user_id), reply)
      const input = leveledInput(leveled.get(name) ?? { endpoint, names: new Map() }, request, form)
      refuseNewer(workspace.db, path, name, input.values, user, level)
      const context: HandlerContext = {
        workspace,
        user,
        client: /^[^/\s]+/.exec(request.headers['user-agent'] ?? '')?.[0] ?? 'Unknown',
        file: fileFor(endpoint, form.files),
        whenGone: (listener) => void reply.raw.once('close', listener),
      }
      // The handler of this name takes what this endpoint's schema has parsed.
      const handler = handlers[name] as (input: unknown, context: HandlerContext) => unknown
      const output = await handler(input.values, context)
      if (workspace.checksAnswers === true) assertForm(name, endpoint, output)
      // The output of such an endpoint is an address, as its schema says.
      if (endpoint.redirects === true) return reply.redirect((output as { url: string }).url)
      // The handler's own object: parsing would add defaults that are meant for readers.
      const answer = answerAt(name, output as object, level, input.values, {
        userId: user.user_id,
        person: (id) => userById(workspace.db, id),
        administrators: () => systemGroupId(workspace.db, 'role:administrators'),
      })
      return send(reply, sealSuccess(answer, reportsIgnoredParameters(name, level) ? input.ignored : []))
    },
  })
}

/** A path in the router's form. An email address may replace an id; its @ distinguishes it. */
const routeOf = (path: string): string =>
  path
    .replace(/\{\w+\*\}$/, '*')
    .replace('{email}', ':email(^.+@.+$)')
    .replace(/\{(\w+)\}/g, ':$1')

function assertForm(name: string, endpoint: Endpoint, output: unknown): void {
  // In wire form: some objects define their own JSON.
  const checked = endpoint.output.safeParse(JSON.parse(JSON.stringify(output)))
  if (!checked.success) throw new Error(`${name} answers in a form of its own: ${checked.error.message}`)
}

const send = (reply: FastifyReply, body: Record<string, unknown>) =>
  reply.code(200).type('application/json; charset=utf-8').send(answerText(body))

/** The sender of a request; undefined if the request must be authenticated and is not. */
function whoAsks(workspace: Workspace, endpoint: Endpoint, request: FastifyRequest): UserRow | undefined {
  if (endpoint.authenticated === false) return nobody
  const { authorization } = request.headers
  const isSpectator = endpoint.authenticated === 'optional' && authorization === undefined
  if (isSpectator && allowsSpectators(workspace.db)) return nobody
  return authenticate(workspace.db, authorization)
}

/** Files may be large, so the sender is authenticated before the body is read. */
function forFiles(workspace: Workspace): Pick<RouteOptions, 'bodyLimit' | 'onRequest'> {
  return {
    bodyLimit: Math.ceil(workspace.configuration.maxUploadMib * mebibyte) + mebibyte,
    onRequest: (request, _reply, done) => {
      const isKnown = authenticate(workspace.db, request.headers.authorization) !== undefined
      done(isKnown ? undefined : new ServiceError('UNAUTHORIZED', 'Invalid API key', {}, 401))
    },
  }
}

function fileFor({ takesFile }: Endpoint, files: readonly FormFile[]): FormFile | null {
  const [file] = files
  if (takesFile === undefined || (takesFile === 'optional' && file === undefined)) return null
  if (file === undefined) throw badRequest('You must specify a file to upload')
  if (files.length > 1) throw badRequest('You may only upload one file at a time')
  return file
}

const noForm: Form = { fields: [], files: [] }

/** The body of a request, as one of the two parsers left it. */
function formOf({ body }: FastifyRequest): Form {
  if (typeof body === 'string') return urlencodedForm(body)
  // Only `multipartForm` makes an object.
  return typeof body === 'object' && body !== null ? (body as Form) : noForm
}

/** The method of a request; a POST may name another one in its form. */
function methodOf({ method }: FastifyRequest, form: Form): string {
  if (method !== 'POST') return method
  const named = form.fields.find(([name]) => name === 'method')?.[1]
  return named !== undefined && ['PATCH', 'PUT', 'DELETE'].includes(named) ? named : 'POST'
}

/** The input of a request under today's parameter names. */
function leveledInput(
  { endpoint, names }: LeveledEndpoint,
  request: FastifyRequest,
  form: Form,
): { values: Record<string, unknown>; ignored: string[] } {
  const { values, ignored } = inputOf(endpoint, request, form)
  if (names.size === 0) return { values, ignored }
  const named = Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value] as const)
  return { values: Object.fromEntries(named), ignored }
}

function inputOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  form: Form,
): { values: Record<string, unknown>; ignored: string[] } {
  // Fastify has parsed the path. A field that is not text is a number; any other value is no path of this service.
  const { '*': rest, ...named } = request.params as Record<string, string>
  const restName = /\{(\w+)\*\}$/.exec(endpoint.path)?.[1]
  const params = rest === undefined || restName === undefined ? named : { ...named, [restName]: rest }
  const isText = (name: string) => endpoint.input.shape[name] instanceof z.ZodString
  if (Object.entries(params).some(([name, value]) => !isText(name) && !/^-?\d{1,15}$/.test(value))) {
    throw new ServiceError('BAD_REQUEST', 'There is no such endpoint.', {}, 404)
  }
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : ''
  const fields = [...new URLSearchParams(query), ...form.fields]
  const decoded = decodeInput(
    endpoint,
    params,
    request.method === 'POST' && methodOf(request, form) !== 'POST'
      ? fields.filter(([name]) => name !== 'method')
      : fields,
  )
  if (decoded.kind === 'confusing') {
    const { name, alias } = decoded
    throw new ServiceError(
      'REQUEST_CONFUSING_VAR',
      `Can't decide between '${name}' and '${alias}' arguments`,
      {
        var_name1: name,
        var_name2: alias,
      },
    )
  }
  if (decoded.kind === 'missing') {
    throw new ServiceError('REQUEST_VARIABLE_MISSING', `Missing '${decoded.name}' argument`, {
      var_name: decoded.name,
    })
  }
  if (decoded.kind === 'invalid') {
    const code = decoded.isReadable ? 'BAD_REQUEST' : 'REQUEST_VARIABLE_INVALID'
    throw new ServiceError(code, `Invalid ${decoded.name}: ${decoded.reason}`, {
      var_name: decoded.name,
      bad_value: decoded.value.slice(0, 200),
    })
  }
  return { values: decoded.input, ignored: decoded.ignored }
}

/** The caller of an endpoint that needs no authentication. */
const nobody: UserRow = {
  user_id: 0,
  email: '',
  delivery_email: '',
  full_name: '',
  role: roles.guest,
  is_active: 1,
  bot_type: null,
  bot_owner_id: null,
  api_key: '',
  password_hash: null,
  timezone: '',
  avatar_version: 1,
  avatar_file: null,
  avatar_type: null,
  profile_data: '{}',
  date_joined: 0,
}
