import { afterAll, beforeAll, expect } from 'vitest'
import { createUser } from '../../src-server/people/accounts.ts'
import { hashPassword } from '../../src-server/people/passwords.ts'
import { createChannel } from '../../src-server/channels/channels.ts'
import { roles } from '../../src-shared/roles.ts'
import { systemGroupId, type SystemGroupName } from '../../src-server/permissions/groups.ts'
import type { GroupSettingValue } from '../../src-server/permissions/holders.ts'
import { checkedChanges, writePermissions } from '../../src-server/permissions/setting-changes.ts'
import type { RealmPermission } from '../../src-server/permissions/setting-table.ts'
import { addSubscriber } from '../../src-server/channels/subscriptions.ts'
import type { Database } from '../../src-server/database.ts'
import type { UserRow } from '../../src-server/workspace.ts'
import { manualClock, type ManualClock } from '../fakes/clock.ts'
import { startService, type TestService, type TestServiceOptions } from './service.ts'

/** What the service answered. */
export interface Answer {
  readonly status: number
  /** The whole envelope. */
  readonly body: Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- read field by field
  readonly headers: Headers
}

/** Fields of a request: strings as they are, everything else as JSON text; `undefined` is not sent. */
export type Fields = Readonly<Record<string, unknown>>

/** A person who calls the service over real HTTP, without any of the client's code. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly row: UserRow
  get(path: string, fields?: Fields): Promise<Answer>
  post(path: string, fields?: Fields): Promise<Answer>
  patch(path: string, fields?: Fields): Promise<Answer>
  put(path: string, fields?: Fields): Promise<Answer>
  delete(path: string, fields?: Fields): Promise<Answer>
  /** Sends and returns the id. */
  send(channel: number | readonly Person[], topic: string, content: string): Promise<number>
  /** Registers a queue; `state` is the registration's answer. */
  register(fields?: Fields): Promise<Queue>
  /**
   * Registers a queue for a client with all capabilities, unless the fields say otherwise; its events have no ids.
   */
  listen(fields?: Fields): Promise<Queue>
}

export interface Queue {
  readonly id: string
  readonly state: Answer['body']
  /** The events since the last call, which are acknowledged; never waits. */
  events(): Promise<Answer['body'][]>
}

/** A small organization: one person of each kind, a public and a private channel. */
export interface Organization {
  readonly service: TestService
  readonly clock: ManualClock
  readonly owner: Person
  readonly admin: Person
  readonly moderator: Person
  /** Two ordinary members. */
  readonly member: Person
  readonly other: Person
  /** Only subscribed to #lobby. */
  readonly guest: Person
  /** The member's bot. */
  readonly bot: Person
  readonly nobody: Person
  /** Public; everybody except the guest and the bot. */
  readonly plaza: number
  /** Private, with protected history; owner and member. */
  readonly cellar: number
  /** Public; only the guest and the member. */
  readonly lobby: number
  /** While something runs, guests know only people with whom they share a channel or conversation. */
  whileGuestsAreLimited(work: () => Promise<void>): Promise<void>
  /** Adds another person. */
  join(name: string, role?: number, bot?: { botType?: number; botOwnerId?: number }): Person
  /** Adds a bot that belongs to somebody. */
  joinBot(name: string, botOwner: Person): Person
}

/** An organization for the tests of a file, with a clock that only the tests advance. */
export function organization(options: TestServiceOptions = {}): Organization {
  // Filled before the first test runs.
  const org = {} as Organization
  beforeAll(async () => {
    Object.assign(org, await found(options))
  })
  afterAll(() => org.service.close())
  return org
}

/** A new organization, for tests that need more than one; close its service. */
export async function found(options: TestServiceOptions): Promise<Organization> {
  const clock = manualClock()
  const service = await startService({ clock, ...options })
  const { workspace } = service
  const join = (
    name: string,
    role: number = roles.member,
    bot: { botType?: number; botOwnerId?: number } = {},
  ) =>
    personWithPassword(
      service,
      createUser(workspace, {
        fullName: name,
        email: `${name.toLowerCase().replaceAll(' ', '-')}@example.org`,
        role,
        password: null,
        ...bot,
      }),
    )
  const owner = person(service, service.owner)
  const admin = join('Ada Admin', roles.administrator)
  const moderator = join('Milo Moderator', roles.moderator)
  const member = join('Mara Member')
  const other = join('Otto Other')
  const guest = join('Gwen Guest', roles.guest)
  const joinBot = (name: string, botOwner: Person) =>
    join(name, roles.member, { botType: 1, botOwnerId: botOwner.id })
  const bot = joinBot('Bertie Bot', member)
  const channel = (name: string, people: readonly Person[], isPrivate = false) => {
    const row = createChannel(workspace, service.owner, { name, description: '', isPrivate })
    for (const one of people) addSubscriber(workspace, one.row, row)
    return row.channel_id
  }
  return {
    service,
    clock,
    owner,
    admin,
    moderator,
    member,
    other,
    guest,
    bot,
    nobody: person(service, null),
    plaza: channel('plaza', [owner, admin, moderator, member, other]),
    cellar: channel('cellar', [owner, member], true),
    lobby: channel('lobby', [member, guest]),
    async whileGuestsAreLimited(work) {
      const { db } = workspace
      const allow = (name: SystemGroupName) =>
        setRealmPermission(db, 'can_access_all_users_group', systemGroupId(db, name))
      allow('role:members')
      await work().finally(() => allow('role:everyone'))
    },
    join,
    joinBot,
  }
}

/** Stores a permission of the organization; refuses groups that must not hold it. */
export function setRealmPermission(db: Database, name: RealmPermission, wanted: GroupSettingValue): void {
  writePermissions(db, 'realm', 0, checkedChanges(db, 'realm', null, { [name]: { new: wanted } }))
}

/** Everybody's password, hashed once to make starts quick. */
const passwordHash = hashPassword('correct horse battery', { log2N: 10, passes: 1 })

function personWithPassword(service: TestService, row: UserRow): Person {
  service.workspace.db.run('UPDATE users SET password_hash = ? WHERE user_id = ?', passwordHash, row.user_id)
  return person(service, row)
}

function person(service: TestService, row: UserRow | null): Person {
  const call = async (method: string, path: string, fields: Fields = {}): Promise<Answer> => {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const inUrl = method === 'GET' && form.size > 0
    const response = await fetch(`${service.baseUrl}${path}${inUrl ? `?${form}` : ''}`, {
      method,
      headers: {
        'User-Agent': 'Contract/1.0',
        ...(row === null ? {} : { Authorization: `Basic ${btoa(`${row.email}:${row.api_key}`)}` }),
      },
      ...(method === 'GET' ? {} : { body: form }),
    })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text), headers: response.headers }
  }
  const listenTo = async (fields: Fields, withIds: boolean): Promise<Queue> => {
    const state = succeeded(await call('POST', '/register', fields))
    let last: number = state.last_event_id
    return {
      id: state.queue_id,
      state,
      async events() {
        const answer = await call('GET', '/events', {
          queue_id: state.queue_id,
          last_event_id: last,
          dont_block: true,
        })
        const { events } = succeeded(answer)
        last = events.at(-1)?.id ?? last
        return withIds ? events : events.map(({ id: _id, ...event }: Answer['body']) => event)
      },
    }
  }
  const self: Person = {
    id: row?.user_id ?? 0,
    email: row?.email ?? '',
    name: row?.full_name ?? '',
    // The row of an unauthenticated caller is never read.
    row: row as UserRow,
    get: (path, fields) => call('GET', path, fields),
    post: (path, fields) => call('POST', path, fields),
    patch: (path, fields) => call('PATCH', path, fields),
    put: (path, fields) => call('PUT', path, fields),
    delete: (path, fields) => call('DELETE', path, fields),
    async send(to, topic, content) {
      const target =
        typeof to === 'number'
          ? { type: 'stream', to, topic }
          : { type: 'direct', to: to.map((one) => one.id) }
      return succeeded(await call('POST', '/messages', { ...target, content })).id
    },
    register: (fields = {}) => listenTo(fields, true),
    listen: (fields = {}) => listenTo({ client_capabilities: allCapabilities, ...fields }, false),
  }
  return self
}

/** The capabilities that a modern client declares. */
export const allCapabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
}

let made = 0

/** A name that nothing else in a test file has. */
export const fresh = (word: string): string => `${word} ${++made}`

/** Checks the envelope of a successful answer and returns the body. */
export function succeeded(answer: Answer): Answer['body'] {
  expect(answer.body).toMatchObject({ result: 'success', msg: '' })
  expect(answer.status).toBe(200)
  return answer.body
}

/**
 * Checks the envelope of a failure: the status, the code, and a message for people. Returns the body. If no code is
 * given, it must be the generic one, or the one for an invalid value.
 */
export function refused(answer: Answer, code?: string, status = 400): Answer['body'] {
  const { result, code: told } = answer.body
  const isUnreadable = code === undefined && told === 'REQUEST_VARIABLE_INVALID' && 'var_name' in answer.body
  expect({ result, code: told, status: answer.status }).toEqual({
    result: 'error',
    code: isUnreadable ? told : (code ?? 'BAD_REQUEST'),
    status,
  })
  expect(answer.body.msg).toMatch(/\S/)
  return answer.body
}
