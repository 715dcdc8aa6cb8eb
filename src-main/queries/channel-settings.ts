import { roles } from '../../src-shared/roles.ts'
import { channelId, isProvisional, type ChannelId, type UserId } from '../../src-shared/ids.ts'
import type { Action } from '../../src-shared/bridge/actions.ts'
import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type {
  ChannelChange,
  ChannelKept,
  ChannelMemberChange,
  ChannelList,
  ChannelPeople,
  ChannelSettings,
} from '../../src-shared/model/channel-settings.ts'
import {
  accessOf,
  channelPermissionNames,
  channelPermissions,
  topicPolicies,
  topicPolicyNames,
  type ChannelEdit,
  type ChannelPermissionName,
  type Holders,
} from '../../src-shared/model/organization-edits.ts'
import { supports } from '../../src-shared/model/server-abilities.ts'
import { settingValue } from '../store/account-settings.ts'
import type { ReadableDb } from '../store/database.ts'
import { channelFields } from '../store/channels.ts'
import { knownLevel } from '../store/cursor.ts'
import { holdersIn } from '../store/holders.ts'
import { outboxRows, type OutboxRow } from '../store/outbox.ts'
import {
  channelPermission,
  channelRights,
  ownHolder,
  type Holder,
  type PermittingChannel,
} from '../store/permissions.ts'
import { organizationValue } from '../store/organization.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import { nearestColor } from './channel-color.ts'
import { channel as channelDetails } from './channels.ts'
import type { QueryContext } from './context.ts'
import { personColumns, personFromRow, privacyOf, userName, userNames, type PersonRow } from './labels.ts'
import { permissionsIn } from './permissions.ts'
import { isBehind, sendStateOf } from './send-state.ts'

type ChangeHere = Extract<
  Action,
  { name: 'subscribe' | 'unsubscribe' | 'set-subscription' | 'change-channel' }
>

const namesHere: readonly string[] = ['subscribe', 'unsubscribe', 'set-subscription', 'change-channel']
const isChangeHere = (action: Action | null): action is ChangeHere =>
  action !== null && namesHere.includes(action.name)

/** The person's changes of channels that the server does not have yet. */
function changesHere(db: ReadableDb): { readonly row: OutboxRow; readonly action: ChangeHere }[] {
  return outboxRows(db, 1_000).flatMap((row) =>
    row.state !== 'accepted' && isChangeHere(row.action) ? [{ row, action: row.action }] : [],
  )
}

/** Whether a person who is not in a channel may join it themselves. */
const mayEnter = (db: ReadableDb, who: Holder, channel: PermittingChannel): boolean =>
  who.role < roles.guest && channelRights(db, who, { ...channel, is_subscribed: 0 }).mayRead

interface ListedRow extends PermittingChannel {
  readonly name: string
  readonly color: string
  readonly is_muted: number
  readonly subscriber_count: number | null
  readonly weekly_traffic: number | null
}

/** Channels of a list whose name or description contains the text, matching names first; bounded by `limit`. */
export function channelList(
  { db, ownUserId }: QueryContext,
  { which, text, limit }: CheckedParamsOf<'channel-list'>,
): ChannelList {
  const changes = changesHere(db).filter(({ row }) => row.state !== 'refused')
  const waiting = new Set<number>(changes.map(({ action }) => action.channelId))
  const left = new Set<number>(
    changes.flatMap(({ action }) => (action.name === 'unsubscribe' ? [action.channelId] : [])),
  )
  const who = ownHolder(db, ownUserId)
  const rows = db
    .all<ListedRow>(
      `SELECT channel_id, name, color, is_private, is_web_public, has_shared_history, is_archived, is_subscribed, is_muted,
         subscriber_count, weekly_traffic, CASE WHEN is_private = 1 THEN permissions ELSE '{}' END AS permissions
       FROM channels
       WHERE (?1 = '' OR instr(folded_name, ?1) > 0 OR instr(lower(description), ?1) > 0)
         AND (?2 = 'all' OR (is_archived = 0 AND is_subscribed = (?2 = 'subscribed')))
       ORDER BY instr(folded_name, ?1) = 0, folded_name`,
      { 1: foldName(text.trim().replace(/^#/, '')), 2: which },
    )
    // A channel that was left a moment ago may be rejoined as long as the server does not know that it was left.
    .filter((row) => which !== 'available' || left.has(row.channel_id) || mayEnter(db, who, row))
  return {
    total: rows.length,
    channels: rows.slice(0, limit).map((row) => ({
      channelId: channelId(row.channel_id),
      name: row.name,
      color: nearestColor(row.color),
      privacy: privacyOf(row),
      isArchived: row.is_archived === 1,
      isSubscribed: row.is_subscribed === 1,
      isMuted: row.is_muted === 1,
      subscriberCount: row.subscriber_count,
      weeklyTraffic: row.weekly_traffic,
      isWaiting: isProvisional(row.channel_id) || waiting.has(row.channel_id),
    })),
  }
}

/** A channel with the person's settings for it and their waiting changes; null if this device does not know it. */
export function channelSettings(context: QueryContext, id: ChannelId): ChannelSettings | null {
  const { db, ownUserId } = context
  const channel = channelDetails(context, id)
  const row = db.get<PermittingChannel>(
    `SELECT channel_id, permissions, is_private, is_web_public, has_shared_history, is_archived, is_subscribed
     FROM channels WHERE channel_id = ?`,
    [id],
  )
  if (channel === null || row === undefined) return null
  const all = outboxRows(db, 1_000)
  const own = changesHere(db).filter(({ action }) => action.channelId === id)
  const who = ownHolder(db, ownUserId)
  const mayReturn = mayEnter(db, who, row)
  const holders = holdersOf(db, id)
  const level = knownLevel(db)
  const policy = channelFields(db, id)?.topicsPolicy
  const isLeaving = own.some(({ row, action }) => action.name === 'unsubscribe' && row.state !== 'refused')
  return {
    channel,
    folderName:
      channel.folderId === null
        ? null
        : (db.get<{ name: string }>('SELECT name FROM channel_folders WHERE folder_id = ?', [
            channel.folderId,
          ])?.name ?? null),
    creatorName: channel.creatorId === null ? null : userName(db, channel.creatorId),
    defaults: {
      desktop: settingValue(db, 'channelDesktop'),
      sound: settingValue(db, 'channelSound'),
      push: settingValue(db, 'channelMobile'),
      email: settingValue(db, 'channelEmail'),
      wildcardMentions: settingValue(db, 'wildcardMentionsNotify'),
    },
    mayJoin: !channel.isSubscribed && !channel.isArchived && (mayReturn || isLeaving),
    mayReturn,
    changes: own.map(({ row, action }): ChannelChange => ({
      localId: row.localId,
      what: 'property' in action ? action.property : 'membership',
      state: sendStateOf(row, isBehind(all, row)),
    })),
    access: accessOf({
      isPrivate: row.is_private === 1,
      isWebPublic: row.is_web_public === 1,
      hasSharedHistory: channel.hasSharedHistory,
    }),
    topics: topicPolicyNames.find((name) => topicPolicies[name] === policy) ?? 'inherit',
    topicChoices: topicPolicyNames.filter((value) =>
      supports(level, { name: 'change-channel', property: 'topics', value }),
    ),
    holders,
    barred: barredGroups(db),
    holderNames: namesOf(
      db,
      Object.values(holders).flatMap((held) => held?.people ?? []),
    ),
    may: permissionsIn(db, who, row),
    missing: channelEdits.filter(
      (property) => !supports(level, { name: 'change-channel', property, value: null }),
    ),
  }
}

const channelEdits: readonly ChannelEdit[] = ['folder', 'topics', ...channelPermissionNames]

/** The holders of each permission of a channel, as far as the server said. */
function holdersOf(db: ReadableDb, id: ChannelId): ChannelSettings['holders'] {
  const read = holdersIn(db)
  // The keys of the table.
  return Object.fromEntries(
    channelPermissionNames.map((name) => [
      name,
      read(channelPermission(db, id, channelPermissions[name].field)),
    ]),
  ) as Record<ChannelPermissionName, Holders | null>
}

const partOf = (whole: unknown, name: string): unknown =>
  typeof whole === 'object' && whole !== null
    ? Object.getOwnPropertyDescriptor(whole, name)?.value
    : undefined

/** The groups that the server bars from each permission; if it does not say, only visitors from the internet. */
function barredGroups(db: ReadableDb): ChannelSettings['barred'] {
  const told = partOf(organizationValue(db, 'server_supported_permission_settings'), 'stream')
  // Filled below, for every name.
  const barred = {} as Record<ChannelPermissionName, readonly string[]>
  for (const name of channelPermissionNames) {
    const rules = partOf(told, channelPermissions[name].field)
    barred[name] = [
      ...(partOf(rules, 'allow_internet_group') === true ? [] : ['role:internet']),
      ...(partOf(rules, 'allow_everyone_group') === false ? ['role:everyone'] : []),
      ...(partOf(rules, 'allow_nobody_group') === false ? ['role:nobody'] : []),
    ]
  }
  return barred
}

function namesOf(db: ReadableDb, ids: readonly UserId[]): ChannelSettings['holderNames'] {
  const name = userNames(db, ids)
  return [...new Set(ids)].map((userId) => ({ userId, fullName: name(userId) }))
}

/** The person's changes of a channel's subscribers that the server does not have yet. */
function memberChanges(db: ReadableDb, id: ChannelId): ChannelMemberChange[] {
  const all = outboxRows(db, 1_000)
  return all.flatMap((row) => {
    const { action, state, localId } = row
    if (action?.name !== 'set-channel-member' || action.channelId !== id || state === 'accepted') return []
    const { userId, on } = action
    return [
      { localId, userId, fullName: userName(db, userId), on, state: sendStateOf(row, isBehind(all, row)) },
    ]
  })
}

/** The known subscribers of a channel, by name; `text` filters by a part of the name. */
export function channelPeople(
  context: QueryContext,
  { channelId: id, text, limit }: CheckedParamsOf<'channel-people'>,
): ChannelPeople {
  const { db } = context
  const from = `FROM subscribers JOIN users USING (user_id) LEFT JOIN presence USING (user_id)
    WHERE subscribers.channel_id = ?1 AND is_active = 1`
  const fitting = `${from} AND (?2 = '' OR instr(folded_name, ?2) > 0)`
  const count = (sql: string, text = '') =>
    db.get<{ n: number }>(`SELECT count(*) AS n ${sql} AND ?2 IS NOT NULL`, { 1: id, 2: text })?.n ?? 0
  const wanted = foldName(text.trim())
  return {
    people: db
      .all<PersonRow>(`SELECT ${personColumns} ${fitting} ORDER BY is_bot, folded_name LIMIT ?3`, {
        1: id,
        2: wanted,
        3: limit,
      })
      .map((row) => personFromRow(row, context)),
    changes: memberChanges(db, id),
    found: count(fitting, wanted),
    known: count(from),
    total:
      db.get<{ n: number | null }>('SELECT subscriber_count AS n FROM channels WHERE channel_id = ?', [id])
        ?.n ?? null,
  }
}

/** How much of a channel is on this device. */
export function channelKept({ db }: QueryContext, id: ChannelId): ChannelKept {
  const oldest = db.get<{ sent_at: number }>(
    'SELECT sent_at FROM messages WHERE channel_id = ? ORDER BY message_id LIMIT 1',
    [id],
  )
  return {
    messages: db.get<{ n: number }>('SELECT count(*) AS n FROM messages WHERE channel_id = ?', [id])?.n ?? 0,
    oldestAt: oldest?.sent_at ?? null,
  }
}
