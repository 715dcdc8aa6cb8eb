import type { ApiBot } from '../../src-shared/api/bots.ts'
import { newApiKey } from './accounts.ts'
import { avatarUrl } from './avatars.ts'
import { roles } from '../../src-shared/roles.ts'
import { isAdministrator } from '../permissions/roles.ts'
import { channelById, userById, type UserRow, type Workspace } from '../workspace.ts'

/** The domain of bots' addresses. */
export const botDomain = 'bots.service.invalid'

/** Kinds of bots by name, with their numbers in the API. */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const

/** The format of an outgoing webhook: the specification's JSON, or another chat service's form. */
export const interfaces = { json: 1, slack: 2 } as const

/** The additional properties of a bot. */
export interface BotRow {
  readonly user_id: number
  readonly default_sending_channel: number | null
  readonly default_events_channel: number | null
  readonly hears_all_public: number
  readonly config_data: string
  readonly payload_url: string | null
  readonly interface: number | null
  readonly token: string | null
  readonly service_name: string | null
}

/** A bot's row; bots that were created in another way have an empty one. */
export function botRow({ db }: Workspace, id: number): BotRow {
  return (
    db.get<BotRow>('SELECT * FROM bots WHERE user_id = ?', id) ?? {
      user_id: id,
      default_sending_channel: null,
      default_events_channel: null,
      hears_all_public: 0,
      config_data: '{}',
      payload_url: null,
      interface: null,
      token: null,
      service_name: null,
    }
  )
}

/** Stores a bot's additional properties, replacing the previous ones. */
export function putBotRow({ db }: Workspace, row: BotRow): void {
  db.run(
    'INSERT OR REPLACE INTO bots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    row.user_id,
    row.default_sending_channel,
    row.default_events_channel,
    row.hears_all_public,
    row.config_data,
    row.payload_url,
    row.interface,
    row.token,
    row.service_name,
  )
}

/** The channels where a bot writes and listens by default. */
export function defaultsOf(workspace: Workspace, row: BotRow) {
  const nameOf = (id: number | null) => (id === null ? null : (channelById(workspace.db, id)?.name ?? null))
  return {
    default_sending_stream: nameOf(row.default_sending_channel),
    default_events_register_stream: nameOf(row.default_events_channel),
    default_all_public_streams: row.hears_all_public === 1,
  }
}

/** The target of an outgoing webhook; nothing for other bots. */
export function servicesOf(row: BotRow): ApiBot['services'] {
  return row.payload_url === null || row.token === null
    ? []
    : [{ base_url: row.payload_url, interface: row.interface ?? interfaces.json, token: row.token }]
}

/** A bot, as the API shows it to people who may have its key. */
export function apiBot(workspace: Workspace, user: UserRow): ApiBot {
  const row = botRow(workspace, user.user_id)
  return {
    user_id: user.user_id,
    email: user.email,
    full_name: user.full_name,
    api_key: user.api_key,
    bot_type: user.bot_type ?? botTypes.generic,
    is_active: user.is_active === 1,
    avatar_url: avatarUrl(user),
    owner_id: user.bot_owner_id,
    ...defaultsOf(workspace, row),
    services: servicesOf(row),
  }
}

/**
 * The bots whose keys a person may have: those that they own and, for administrators, all whose role is not above their
 * own. Whoever has a bot's key can do everything that the bot may do.
 */
export function botsOf(workspace: Workspace, user: UserRow): UserRow[] {
  return workspace.db.all<UserRow>(
    'SELECT * FROM users WHERE bot_type IS NOT NULL AND (bot_owner_id = ? OR role >= ?) ORDER BY user_id',
    user.user_id,
    isAdministrator(user) ? user.role : Infinity,
  )
}

/** The audience of a bot's events: everybody who may have its key. */
export function audienceOfBot({ db }: Workspace, bot: UserRow): Set<number> {
  const admins = db.column<number>(
    'SELECT user_id FROM users WHERE role <= ? AND bot_type IS NULL',
    Math.min(roles.administrator, bot.role),
  )
  return new Set([...(bot.bot_owner_id === null ? [] : [bot.bot_owner_id]), ...admins])
}

/**
 * The key of a bot that gets a role: a new one if the bot rises above administrators, because they all may have the old
 * one. A person keeps theirs.
 */
export const keyForRole = (account: UserRow, role: number): string =>
  account.bot_type !== null && role < account.role && role < roles.administrator
    ? newApiKey()
    : account.api_key

/**
 * After a bot got another owner or role: removes it from people who may no longer have its key, and adds it for those
 * who now may.
 */
export function publishNewAudience(workspace: Workspace, was: UserRow, bot: UserRow): void {
  const before = audienceOfBot(workspace, was)
  const after = audienceOfBot(workspace, bot)
  const lost = [...before].filter((id) => !after.has(id))
  const gained = [...after].filter((id) => !before.has(id))
  workspace.publish(lost, { type: 'realm_bot', op: 'delete', bot: { user_id: bot.user_id } })
  workspace.publish(gained, { type: 'realm_bot', op: 'add', bot: apiBot(workspace, bot) })
  if (bot.api_key !== was.api_key) publishBot(workspace, bot.user_id, { api_key: bot.api_key })
}

/** Tells a bot's audience what changed. */
export function publishBot(
  workspace: Workspace,
  botId: number,
  changed: Readonly<Record<string, unknown>>,
): void {
  const bot = userById(workspace.db, botId)
  if (bot === undefined) return
  workspace.publish(audienceOfBot(workspace, bot), {
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: botId, ...changed },
  })
}
