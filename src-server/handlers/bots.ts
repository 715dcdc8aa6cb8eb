import { checkedName, createUser, newApiKey } from '../people/accounts.ts'
import type { InputOf } from '../../src-shared/api/endpoint.ts'
import type { bots as endpoints } from '../../src-shared/api/bots.ts'
import type { Handlers } from '../../src-shared/api/index.ts'
import {
  apiBot,
  audienceOfBot,
  botDomain,
  botRow,
  botsOf,
  botTypes,
  defaultsOf,
  interfaces,
  keyForRole,
  publishBot,
  publishNewAudience,
  putBotRow,
  servicesOf,
  type BotRow,
} from '../people/bots.ts'
import { avatarSource, avatarUrl, largeAvatarUrl } from '../people/avatars.ts'
import { roles } from '../../src-shared/roles.ts'
import { readableChannel } from '../permissions/channels.ts'
import { mayInRealm } from '../permissions/holders.ts'
import { assertPerson, isAdministrator } from '../permissions/roles.ts'
import { storePicture } from '../files/picture-files.ts'
import { apiUser } from '../people/shown-users.ts'
import { badRequest } from '../service-error.ts'
import { knownPeople } from '../people/user-access.ts'
import { publishRole } from '../people/user-groups.ts'
import { userById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'
import { deactivate } from './accounts.ts'
import type { HandlerContext } from './context.ts'

const longestUrl = 2_048

export const bots: Pick<
  Handlers<HandlerContext>,
  'getBots' | 'createBot' | 'updateBot' | 'deactivateBot' | 'regenerateBotKey'
> = {
  getBots: (_input, { workspace, user }) => ({
    bots: workspace.db
      .all<UserRow>(
        'SELECT * FROM users WHERE bot_owner_id = ? AND is_active = 1 ORDER BY user_id',
        user.user_id,
      )
      .map((bot) => ({
        username: bot.email,
        full_name: bot.full_name,
        api_key: bot.api_key,
        avatar_url: avatarUrl(bot),
        ...defaultsOf(workspace, botRow(workspace, bot.user_id)),
      })),
  }),
  createBot,
  updateBot,
  deactivateBot: ({ bot_id }, { workspace, user }) => {
    const bot = ownBot(workspace, user, bot_id)
    if (bot.is_active === 0) throw badRequest('Bot is already deactivated')
    deactivate(workspace, bot)
    return {}
  },
  regenerateBotKey: ({ bot_id }, { workspace, user }) => {
    ownBot(workspace, user, bot_id)
    const api_key = newApiKey()
    workspace.db.run('UPDATE users SET api_key = ? WHERE user_id = ?', api_key, bot_id)
    publishBot(workspace, bot_id, { api_key })
    return { api_key }
  },
}

async function createBot(
  input: InputOf<typeof endpoints.createBot>,
  { workspace, user, file }: HandlerContext,
) {
  assertPerson(user)
  const type = input.bot_type ?? botTypes.generic
  if (!Object.values<number>(botTypes).includes(type)) throw badRequest('Invalid bot type')
  const permission =
    type === botTypes.incomingWebhook ? 'can_create_write_only_bots_group' : 'can_create_bots_group'
  if (!mayInRealm(workspace.db, user, 'can_create_bots_group') && !mayInRealm(workspace.db, user, permission))
    throw badRequest('Insufficient permission')
  const fullName = checkedName(input.full_name)
  assertFreeName(workspace, user.user_id, fullName)
  const shortName = input.short_name.trim().toLowerCase().replace(/-bot$/, '')
  if (!/^[a-z0-9][a-z0-9._+-]{0,60}$/.test(shortName)) throw badRequest('Bad name or username')
  const email = `${shortName}-bot@${botDomain}`
  if (workspace.db.get('SELECT 1 FROM users WHERE email = ?', email) !== undefined)
    throw badRequest('Username already in use')
  const isOutgoing = type === botTypes.outgoingWebhook
  const service = isOutgoing
    ? {
        payload_url: checkedUrl(input.payload_url ?? ''),
        interface: checkedInterface(input.interface_type ?? interfaces.json),
        token: newApiKey(),
        service_name: (input.service_name ?? '').trim() || shortName,
      }
    : { payload_url: null, interface: null, token: null, service_name: null }
  const sending = channelNamed(workspace, user, input.default_sending_stream)
  const listening = channelNamed(workspace, user, input.default_events_register_stream)
  const picture = file === null ? null : await storePicture(workspace, file)
  const bot = workspace.db.transaction(() => {
    const created = createUser(workspace, {
      fullName,
      email,
      role: roles.member,
      password: null,
      botType: type,
      botOwnerId: user.user_id,
    })
    putBotRow(workspace, {
      user_id: created.user_id,
      default_sending_channel: sending,
      default_events_channel: listening,
      hears_all_public: input.default_all_public_streams === true ? 1 : 0,
      config_data: JSON.stringify(input.config_data ?? {}),
      ...service,
    })
    if (picture !== null) putPicture(workspace, created.user_id, picture)
    return userById(workspace.db, created.user_id) ?? created
  })
  workspace.publish(null, { type: 'realm_user', op: 'add', person: apiUser(bot) })
  workspace.publish(audienceOfBot(workspace, bot), {
    type: 'realm_bot',
    op: 'add',
    bot: apiBot(workspace, bot),
  })
  const { user_id, api_key, avatar_url, ...rest } = apiBot(workspace, bot)
  return {
    user_id,
    api_key,
    avatar_url,
    default_sending_stream: rest.default_sending_stream,
    default_events_register_stream: rest.default_events_register_stream,
    default_all_public_streams: rest.default_all_public_streams,
  }
}

async function updateBot(
  input: InputOf<typeof endpoints.updateBot>,
  { workspace, user, file }: HandlerContext,
) {
  const { db } = workspace
  const bot = ownBot(workspace, user, input.bot_id)
  const before = botRow(workspace, bot.user_id)
  const name = input.full_name === undefined ? bot.full_name : checkedName(input.full_name)
  if (name !== bot.full_name && bot.bot_owner_id !== null) assertFreeName(workspace, bot.bot_owner_id, name)
  if (input.role !== undefined && input.role !== bot.role) assertMayGive(user, input.role)
  const owner = input.bot_owner_id === undefined ? null : newOwner(workspace, user, input.bot_owner_id)
  const after = changedRow(workspace, user, bot, before, input)
  const picture = file === null ? null : await storePicture(workspace, file)
  db.transaction(() => {
    db.run(
      'UPDATE users SET full_name = ?, role = ?, api_key = ?, bot_owner_id = ? WHERE user_id = ?',
      name,
      input.role ?? bot.role,
      keyForRole(bot, input.role ?? bot.role),
      owner?.user_id ?? bot.bot_owner_id,
      bot.user_id,
    )
    putBotRow(workspace, after)
    if (picture !== null) putPicture(workspace, bot.user_id, picture)
  })
  const now = userById(db, bot.user_id) ?? bot
  publishChanges(workspace, bot, now, before, after)
  return {
    full_name: now.full_name,
    avatar_url: avatarUrl(now),
    service_interface: after.interface,
    service_payload_url: after.payload_url,
    // This service wrote it.
    config_data: JSON.parse(after.config_data) as Record<string, string>,
    ...defaultsOf(workspace, after),
    ...(owner === null ? {} : { bot_owner: owner.email }),
  }
}

function changedRow(
  workspace: Workspace,
  user: UserRow,
  bot: UserRow,
  row: BotRow,
  input: InputOf<typeof endpoints.updateBot>,
): BotRow {
  const { service_payload_url: url, service_interface: face, config_data } = input
  if (url !== undefined && bot.bot_type !== botTypes.outgoingWebhook)
    throw badRequest('Only outgoing webhooks have an address.')
  const channel = (wanted: string | undefined, before: number | null) =>
    wanted === undefined ? before : channelNamed(workspace, user, wanted)
  return {
    ...row,
    default_sending_channel: channel(input.default_sending_stream, row.default_sending_channel),
    default_events_channel: channel(input.default_events_register_stream, row.default_events_channel),
    hears_all_public:
      input.default_all_public_streams === undefined
        ? row.hears_all_public
        : input.default_all_public_streams
          ? 1
          : 0,
    config_data: config_data === undefined ? row.config_data : JSON.stringify(config_data),
    ...(url === undefined
      ? {}
      : { payload_url: checkedUrl(url), interface: checkedInterface(face ?? interfaces.json) }),
  }
}

function publishChanges(
  workspace: Workspace,
  was: UserRow,
  bot: UserRow,
  before: BotRow,
  after: BotRow,
): void {
  const person = (changed: object) =>
    workspace.publish(null, {
      type: 'realm_user',
      op: 'update',
      person: { user_id: bot.user_id, ...changed },
    })
  if (bot.full_name !== was.full_name) {
    person({ full_name: bot.full_name })
    publishBot(workspace, bot.user_id, { full_name: bot.full_name })
  }
  if (bot.role !== was.role) publishRole(workspace, was, bot.role)
  if (bot.avatar_version !== was.avatar_version) {
    const avatar_url = avatarUrl(bot)
    person({
      avatar_source: avatarSource(bot),
      avatar_url,
      avatar_url_medium: largeAvatarUrl(bot),
      avatar_version: bot.avatar_version,
    })
    publishBot(workspace, bot.user_id, { avatar_url })
  }
  if (bot.bot_owner_id !== was.bot_owner_id || bot.role !== was.role) publishNewAudience(workspace, was, bot)
  if (bot.bot_owner_id !== was.bot_owner_id) {
    publishBot(workspace, bot.user_id, { owner_id: bot.bot_owner_id })
    person({ bot_owner_id: bot.bot_owner_id })
  }
  const [old, now] = [defaultsOf(workspace, before), defaultsOf(workspace, after)]
  const changed = Object.entries(now).filter(([name, value]) => Reflect.get(old, name) !== value)
  if (changed.length > 0) publishBot(workspace, bot.user_id, Object.fromEntries(changed))
  if (before.payload_url !== after.payload_url || before.interface !== after.interface)
    publishBot(workspace, bot.user_id, { services: servicesOf(after) })
}

/** A bot that a person may change: their own or, for administrators, any whose role is not above theirs. */
function ownBot(workspace: Workspace, user: UserRow, id: number): UserRow {
  const bot = userById(workspace.db, id)
  if (bot === undefined || bot.bot_type === null) throw badRequest('No such bot')
  if (!botsOf(workspace, user).some((one) => one.user_id === id)) throw badRequest('Insufficient permission')
  return bot
}

function newOwner(workspace: Workspace, user: UserRow, id: number): UserRow {
  const owner = knownPeople(workspace.db, user)(id)
  if (owner === undefined) throw badRequest('Failed to change owner, no such user')
  if (owner.is_active === 0) throw badRequest('Failed to change owner, user is deactivated')
  if (owner.bot_type !== null) throw badRequest("Failed to change owner, bots can't own other bots")
  return owner
}

function assertMayGive(user: UserRow, role: number): void {
  if (!Object.values<number>(roles).includes(role)) throw badRequest('Invalid role')
  if (!isAdministrator(user) || role < user.role) throw badRequest('Insufficient permission')
}

function assertFreeName(workspace: Workspace, ownerId: number, name: string): void {
  const other = workspace.db.get(
    'SELECT 1 FROM users WHERE bot_owner_id = ? AND full_name = ? AND is_active = 1',
    ownerId,
    name,
  )
  if (other !== undefined) throw badRequest('Name is already in use!')
}

function channelNamed(workspace: Workspace, user: UserRow, name: string | undefined): number | null {
  if (name === undefined || name === '') return null
  const channel = workspace.db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', name)
  if (channel === undefined) throw badRequest(`Invalid channel name '${name}'`)
  return readableChannel(workspace.db, user, channel.channel_id).channel_id
}

/** The target is checked when the webhook is sent, because a name may resolve differently by then. */
function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || text.length > longestUrl)
    throw badRequest('payload_url is not a URL')
  return text
}

function checkedInterface(wanted: number): number {
  if (!Object.values<number>(interfaces).includes(wanted)) throw badRequest('Invalid interface type')
  return wanted
}

function putPicture(workspace: Workspace, id: number, picture: { name: string; contentType: string }): void {
  workspace.db.run(
    'UPDATE users SET avatar_file = ?, avatar_type = ?, avatar_version = avatar_version + 1 WHERE user_id = ?',
    picture.name,
    picture.contentType,
    id,
  )
}
