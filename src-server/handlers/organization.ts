import type { z } from 'zod'
import type { Handlers } from '../../src-shared/api/index.ts'
import type { organization as endpoints } from '../../src-shared/api/organization.ts'
import { watchAcquaintances } from '../people/acquaintances.ts'
import { domainList } from '../people/domains.ts'
import { welcome } from '../messages/notification-bot.ts'
import { deactivateOrganization } from '../organization/deactivation.ts'
import { messageLimits } from '../permissions/message-limits.ts'
import { accessibleChannel } from '../permissions/channels.ts'
import { assertAdministrator, assertOwner } from '../permissions/roles.ts'
import {
  checkedChanges,
  isOwnersPermission,
  writePermissions,
  type CheckedPermission,
} from '../permissions/setting-changes.ts'
import { realmPermissions } from '../permissions/setting-table.ts'
import { badRequest } from '../service-error.ts'
import { realmValue, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestName = 40
const longestDescription = 1_000
const longestWelcome = 8_000

type Input = z.output<(typeof endpoints)['updateOrganization']['input']>

export const organization: Pick<
  Handlers<HandlerContext>,
  'updateOrganization' | 'deactivateOrganization' | 'testWelcomeMessage'
> = {
  updateOrganization: (input, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    const isPermission = (name: string) => (realmPermissions as readonly string[]).includes(name)
    const entries = Object.entries(input)
    // In the schema, every permission has the form of a change.
    const changes = Object.fromEntries(entries.filter(([name]) => isPermission(name))) as Parameters<
      typeof checkedChanges
    >[3]
    const permissions = checkedChanges(db, 'realm', null, changes)
    if (permissions.some(({ setting }) => isOwnersPermission(setting))) assertOwner(user)
    const values = checkedValues(workspace, user, input).filter(
      ({ name, text }) => text !== realmValue(db, name),
    )
    const acquaintances = permissions.some(({ setting }) => setting === 'can_access_all_users_group')
      ? watchAcquaintances(workspace, null, 'access')
      : undefined
    db.transaction(() => {
      writePermissions(db, 'realm', 0, permissions)
      for (const { name, text } of values) db.run('INSERT OR REPLACE INTO realm VALUES (?, ?)', name, text)
    })
    publish(workspace, values, permissions)
    acquaintances?.announceMet()
    acquaintances?.announceLost()
    return {}
  },

  deactivateOrganization: (_input, { workspace, user }) => {
    assertOwner(user)
    deactivateOrganization(workspace)
    return {}
  },

  testWelcomeMessage: ({ welcome_message_custom_text: text }, { workspace, user }) => {
    assertAdministrator(user)
    if (text.trim() === '') throw badRequest('welcome_message_custom_text must not be empty')
    return {
      message_id: welcome(workspace, user, atMost('welcome_message_custom_text', text, longestWelcome)),
    }
  },
}

/** Settings that depend on each other; if one changes, clients are told all of them. */
const together: Readonly<Record<string, (workspace: Workspace) => object>> = {
  allow_message_editing: editing,
  message_content_edit_limit_seconds: editing,
  topics_policy: ({ db }) => {
    const topics_policy = realmValue(db, 'topics_policy')
    return { topics_policy, mandatory_topics: topics_policy === 'disable_empty_topic' }
  },
}

function editing({ db }: Workspace) {
  const { allow_message_editing, message_content_edit_limit_seconds } = messageLimits(db)
  return { allow_message_editing, message_content_edit_limit_seconds }
}

/** Tells everybody what has changed. */
function publish(
  workspace: Workspace,
  values: readonly Kept[],
  permissions: readonly CheckedPermission[],
): void {
  let data = Object.fromEntries<unknown>(permissions.map(({ setting, value }) => [setting, value]))
  for (const { name, value } of values) {
    const whole = together[name]?.(workspace)
    if (whole === undefined) workspace.publish(null, { type: 'realm', op: 'update', property: name, value })
    else data = { ...data, ...whole }
  }
  if (Object.keys(data).length > 0)
    workspace.publish(null, { type: 'realm', op: 'update_dict', property: 'default', data })
}

/** A setting in its stored form, and in the form that clients get. */
interface Kept {
  readonly name: string
  readonly text: string
  readonly value: unknown
}

/** Validates the organization's settings other than permissions; refuses impossible values. */
function checkedValues(workspace: Workspace, user: UserRow, input: Input): Kept[] {
  const kept: Kept[] = []
  const keep = (name: string, value: unknown, text = String(value)) => kept.push({ name, text, value })
  if (input.name !== undefined) {
    const name = input.name.trim()
    if (name === '' || [...name].length > longestName) {
      throw badRequest(`The name of an organization has between one and ${longestName} characters.`)
    }
    keep('name', name)
  }
  if (input.description !== undefined) {
    keep('description', atMost('description', input.description.trim(), longestDescription))
  }
  if (input.welcome_message_custom_text !== undefined) {
    keep(
      'welcome_message_custom_text',
      atMost('welcome_message_custom_text', input.welcome_message_custom_text, longestWelcome),
    )
  }
  const channelId = input.moderation_request_channel_id
  if (channelId !== undefined) {
    if (channelId !== -1) accessibleChannel(workspace.db, user, channelId)
    keep('moderation_request_channel_id', channelId)
  }
  if (input.emails_restricted_to_domains === true && domainList(workspace.db).length === 0)
    throw badRequest('Add a domain first: nobody could join.')
  for (const name of [
    'emails_restricted_to_domains',
    'enable_spectator_access',
    'allow_message_editing',
    'enable_read_receipts',
    'name_changes_disabled',
    'email_changes_disabled',
    'avatar_changes_disabled',
    'message_edit_history_visibility_policy',
    'topics_policy',
  ] as const) {
    if (input[name] !== undefined) keep(name, input[name])
  }
  for (const name of Object.keys(messageLimits(workspace.db)) as (keyof Input)[]) {
    const seconds = name.endsWith('_limit_seconds') ? input[name] : undefined
    if (seconds === 'unlimited') keep(name, null, '')
    else if (typeof seconds === 'number') keep(name, seconds)
  }
  return kept
}

function atMost(name: string, text: string, most: number): string {
  if ([...text].length > most) throw badRequest(`${name} is too long (limit: ${most} characters)`)
  return text
}
