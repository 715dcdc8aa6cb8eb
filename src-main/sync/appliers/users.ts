import type { EventPayload } from '../../../src-shared/api/events.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import type { WritableDb } from '../../store/database.ts'
import { forgetHistoryLimits } from '../../store/history-limits.ts'
import { obeyingHistoryPolicy } from '../../store/message-changes.ts'
import { putOrganizationValue } from '../../store/organization.ts'
import { setRealmEmoji } from '../../store/custom-emoji.ts'
import { putAccountSetting } from '../../store/account-settings.ts'
import {
  putPresence,
  putUser,
  removeUser,
  setProfileValue,
  updateUser,
  userIdByEmail,
} from '../../store/users.ts'
import { setMutedUsers } from '../../store/muted-users.ts'
import { presenceFromApi, settingFromApi, userFromApi } from '../from-wire.ts'
import { isOrganizationField } from '../organization-fields.ts'
import { unusedState } from '../unused-state.ts'
import type { ApplyContext } from './context.ts'

/** A person joined, was deactivated, or changed. */
export function applyRealmUser(
  db: WritableDb,
  payload: EventPayload<'realm_user'>,
  context: ApplyContext,
): void {
  switch (payload.op) {
    case 'add':
      putUser(db, userFromApi(payload.person, payload.person.is_active !== false))
      break
    case 'remove':
      // A guest may not know of the person any more; the next registration does not name them either.
      if (isAble(context.featureLevel, 'deactivatedInPlace')) removeUser(db, payload.person.user_id)
      else updateUser(db, payload.person.user_id, { isActive: false })
      break
    case 'update': {
      const { person } = payload
      const { user_id, full_name, avatar_url, timezone, role, new_email, is_active } = person
      updateUser(db, user_id, {
        ...(full_name === undefined ? {} : { fullName: full_name }),
        ...(avatar_url === undefined ? {} : { avatarUrl: avatar_url }),
        ...(timezone === undefined ? {} : { timezone }),
        ...(role === undefined ? {} : { role }),
        ...(new_email === undefined ? {} : { email: new_email }),
        ...(is_active === undefined ? {} : { isActive: is_active }),
        ...(person.bot_owner_id === undefined ? {} : { botOwnerId: person.bot_owner_id }),
        ...(person.delivery_email === undefined ? {} : { deliveryEmail: person.delivery_email }),
      })
      if (person.custom_profile_field !== undefined) {
        const { id, value, rendered_value } = person.custom_profile_field
        const said = { value, ...(rendered_value === undefined ? {} : { rendered_value }) }
        setProfileValue(db, user_id, id, value === null ? null : said)
      }
      if (user_id !== context.ownUserId) break
      if (role !== undefined) context.rightsChanged = true
      if (person.avatar_source !== undefined) putOrganizationValue(db, 'avatar_source', person.avatar_source)
      break
    }
  }
}

/** A person was active or idle, in either of the two forms that servers send. */
export function applyPresence(
  db: WritableDb,
  payload: EventPayload<'presence'>,
  { serverTime }: ApplyContext,
): void {
  serverTime.learn(payload.server_timestamp)
  const put = (id: number, entry: unknown) => {
    const seen = presenceFromApi(entry)
    if (seen !== null) putPresence(db, id, serverTime.local(seen.activeAt), serverTime.local(seen.idleAt))
  }
  for (const [id, entry] of Object.entries(payload.presences ?? {})) put(Number(id), entry)
  const userId =
    payload.user_id ?? (payload.email === undefined ? undefined : userIdByEmail(db, payload.email))
  if (userId !== undefined && payload.presence !== undefined) put(userId, payload.presence)
}

/** The person changed an account setting. */
export function applyUserSettings(
  db: WritableDb,
  { property, value }: EventPayload<'user_settings'>,
  { draftsSwitched }: ApplyContext,
): void {
  putAccountSetting(db, property, settingFromApi(property, value))
  if (property === 'enable_drafts_synchronization') draftsSwitched(db, value !== false)
}

/** The whole list of people whom the person has muted, after a change. */
export function applyMutedUsers(db: WritableDb, payload: EventPayload<'muted_users'>): void {
  setMutedUsers(
    db,
    payload.muted_users.map(({ id, timestamp }) => ({ id, since: timestamp * 1000 })),
  )
}

/** Applies a change of the organization; stores only the settings that a registration stores too. */
export function applyRealm(db: WritableDb, payload: EventPayload<'realm'>, context: ApplyContext): void {
  // The account learns of this when its requests are refused.
  if (payload.op === 'deactivated') return
  const changes = payload.op === 'update' ? { [payload.property]: payload.value } : payload.data
  for (const [name, value] of Object.entries(changes)) {
    // Most of the snapshot's fields have the prefix; limits such as max_file_upload_size_mib do not.
    const names = [`realm_${name}`, name]
    const field = names.find(isOrganizationField)
    if (name === 'plan_type') forgetHistoryLimits(db)
    if (field !== undefined) obeyingHistoryPolicy(db, () => putOrganizationValue(db, field, value))
    else if (!names.some((one) => Object.hasOwn(unusedState, one)))
      context.stranger(db, 'property', `realm/${payload.op}/${name}`)
  }
}

/** The whole list of the organization's emoji, after a change. */
export function applyRealmEmoji(db: WritableDb, payload: EventPayload<'realm_emoji'>): void {
  setRealmEmoji(db, Object.values(payload.realm_emoji).map(realmEmojiFromApi))
}

/** A custom emoji in our words. */
export function realmEmojiFromApi(emoji: EventPayload<'realm_emoji'>['realm_emoji'][string]) {
  return {
    id: emoji.id,
    name: emoji.name,
    sourceUrl: emoji.source_url,
    stillUrl: emoji.still_url ?? null,
    isDeactivated: emoji.deactivated,
    authorId: emoji.author_id ?? null,
  }
}
