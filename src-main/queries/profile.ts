import { groupId as groupIdOf, userId, type UserId } from '../../src-shared/ids.ts'
import type { OwnProfileField, Profile, ProfileValue } from '../../src-shared/model/profile.ts'
import type { ReadableDb } from '../store/database.ts'
import { objectsOf } from '../store/objects.ts'
import { idsIn, roleName } from '../store/permissions.ts'
import { organizationValue } from '../store/organization.ts'
import { fieldKind } from '../store/profile-fields.ts'
import type { QueryContext } from './context.ts'
import { personById, searchName, userName } from './labels.ts'

interface ProfileRow {
  role: number
  delivery_email: string | null
  joined_at: number | null
  bot_owner_id: number | null
  profile: string
  is_muted: number
  seen_at: number
}

/** A person with their whole profile; null if nobody has this id. */
export function profile(context: QueryContext, id: UserId): Profile | null {
  const { db } = context
  const row = db.get<ProfileRow>(
    `SELECT role, delivery_email, joined_at, bot_owner_id, profile,
       EXISTS (SELECT 1 FROM muted_users m WHERE m.user_id = users.user_id) AS is_muted,
       max(coalesce(active_at, 0), coalesce(idle_at, 0)) AS seen_at
     FROM users LEFT JOIN presence USING (user_id) WHERE users.user_id = ?`,
    [id],
  )
  if (row === undefined) return null
  const person = personById(context, id)
  return {
    person,
    searchName: searchName(db, person),
    role: roleName(row.role),
    email: row.delivery_email,
    joinedAt: row.joined_at,
    isMuted: row.is_muted === 1,
    lastSeenAt: row.seen_at === 0 ? null : row.seen_at,
    botOwner: row.bot_owner_id === null ? null : personById(context, userId(row.bot_owner_id)),
    values: valuesOf(db, row.profile),
    groups: objectsOf(db, 'user-group').flatMap(
      ({ id: groupId, name, members, is_system_group, deactivated }) =>
        typeof groupId === 'number' &&
        typeof name === 'string' &&
        is_system_group !== true &&
        deactivated !== true &&
        Array.isArray(members) &&
        members.includes(id)
          ? [{ groupId: groupIdOf(groupId), name }]
          : [],
    ),
  }
}

type Fields = Readonly<Record<string, unknown>>

function valuesOf(db: ReadableDb, profileJson: string): ProfileValue[] {
  // Only `putUser` and `setProfileValue` write it, and the wire's schema gives them an object.
  const said = JSON.parse(profileJson) as Fields
  return objectsOf(db, 'profile-field')
    .sort((a, b) => Number(a['order']) - Number(b['order']))
    .flatMap((field): ProfileValue[] => {
      const { id, name } = field
      const entry = said[String(id)]
      if (typeof id !== 'number' || typeof name !== 'string') return []
      if (typeof entry !== 'object' || entry === null) return []
      const { value, rendered_value }: Fields = { ...entry }
      if (typeof value !== 'string' || value === '') return []
      const kind = fieldKind(field['type'])
      return [
        {
          fieldId: id,
          name,
          kind,
          ...shown(db, kind, value, fieldData(field['field_data'])),
          people:
            kind === 'people'
              ? idsFromJson(value).map((one) => ({ userId: userId(one), name: userName(db, one) }))
              : [],
          html: typeof rendered_value === 'string' ? rendered_value : null,
          isInSummary: field['display_in_profile_summary'] === true,
        },
      ]
    })
}

function shown(
  db: ReadableDb,
  kind: ProfileValue['kind'],
  value: string,
  data: Fields,
): { text: string; url: string | null } {
  switch (kind) {
    case 'choice':
      return { text: fieldChoices(data).find((one) => one.value === value)?.label ?? value, url: null }
    case 'people':
      return {
        text: idsFromJson(value)
          .map((id) => userName(db, id))
          .join(', '),
        url: null,
      }
    case 'link':
      return { text: value, url: value }
    case 'account': {
      const pattern = data['url_pattern'] ?? knownAccounts(db, data['subtype'])
      const isUsable = typeof pattern === 'string' && pattern.includes('%(username)s')
      return {
        text: value,
        url: isUsable ? pattern.replace('%(username)s', encodeURIComponent(value)) : null,
      }
    }
    default:
      return { text: value, url: null }
  }
}

/** The URL pattern of an external account kind that the server knows by name. */
function knownAccounts(db: ReadableDb, name: unknown): unknown {
  const all = organizationValue(db, 'realm_default_external_accounts')
  if (typeof all !== 'object' || all === null || typeof name !== 'string') return undefined
  const kind: unknown = Reflect.get(all, name)
  return typeof kind === 'object' && kind !== null ? Reflect.get(kind, 'url_pattern') : undefined
}

/** The choices of a field's data, in the organization's order. */
export const fieldChoices = (data: Fields): OwnProfileField['choices'] =>
  Object.entries(data)
    .map(([value, choice]) => {
      const { text, order }: Fields = typeof choice === 'object' && choice !== null ? { ...choice } : {}
      return { value, label: typeof text === 'string' ? text : value, order: Number(order) }
    })
    .sort((a, b) => a.order - b.order)
    .map(({ value, label }) => ({ value, label }))

/** Parses the JSON text of a field's data; empty if it is invalid. */
export function fieldData(text: unknown): Fields {
  try {
    const data: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : {}
    return typeof data === 'object' && data !== null ? { ...data } : {}
  } catch {
    return {}
  }
}

/** The ids in the JSON text of a value that names people; none if it is invalid. */
export function idsFromJson(text: string): number[] {
  try {
    return idsIn(JSON.parse(text))
  } catch {
    return []
  }
}
