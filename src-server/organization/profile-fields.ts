import { z } from 'zod'
import type { ApiProfileField } from '../../src-shared/api/profile-fields.ts'
import type { Database } from '../database.ts'
import { render } from '../markdown/render.ts'
import { profileOf } from '../people/shown-users.ts'
import { badRequest } from '../service-error.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'

/** A row of the table of profile fields; flags are 0 or 1. */
export interface FieldRow {
  readonly field_id: number
  readonly field_type: number
  readonly name: string
  readonly hint: string
  readonly field_data: string
  readonly position: number
  readonly is_in_summary: number
  readonly is_required: number
  readonly is_editable: number
}

/** Kinds of profile fields, by the names of the API. */
export const fieldKinds = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const

const longestShortText = 50
const longestLongText = 10_000

/** The organization's profile fields, in order. */
export const profileFieldRows = (db: Database): FieldRow[] =>
  db.all<FieldRow>('SELECT * FROM profile_fields ORDER BY position, field_id')

/** The same as the API shows them. */
export function profileFieldsOf(db: Database): ApiProfileField[] {
  return profileFieldRows(db).map((row, index) => ({
    id: row.field_id,
    type: row.field_type,
    order: index + 1,
    name: row.name,
    hint: row.hint,
    field_data: row.field_data,
    ...(row.is_in_summary === 1 ? { display_in_profile_summary: true } : {}),
    required: row.is_required === 1,
    editable_by_user: row.is_editable === 1,
  }))
}

/** The field with this id. Throws BAD_REQUEST. */
export function profileField(workspace: Workspace, id: number): FieldRow {
  const row = workspace.db.get<FieldRow>('SELECT * FROM profile_fields WHERE field_id = ?', id)
  if (row === undefined) throw badRequest(`Field id ${id} not found.`)
  return row
}

/**
 * Sets a person's value of a field, or clears it with an empty value, and tells everybody. Throws BAD_REQUEST for a
 * value that the field does not accept. A value that names people finds them by `find`: everybody, unless it is given.
 */
export function setProfileValue(
  workspace: Workspace,
  userId: number,
  field: FieldRow,
  wanted: string | readonly number[],
  find: (id: number) => UserRow | undefined = (id) => userById(workspace.db, id),
): void {
  const { db } = workspace
  const user = userById(db, userId)
  if (user === undefined) throw badRequest('No such user')
  const value = checkedValue(field, wanted, find)
  const { [String(field.field_id)]: before, ...others } = profileOf(user)
  if ((before?.value ?? '') === value) return
  const isText = field.field_type === fieldKinds.SHORT_TEXT.id || field.field_type === fieldKinds.LONG_TEXT.id
  const shown =
    isText && value !== '' ? { value, rendered_value: render(workspace, user, value).html } : { value }
  db.run(
    'UPDATE users SET profile_data = ? WHERE user_id = ?',
    JSON.stringify(value === '' ? others : { ...others, [String(field.field_id)]: shown }),
    userId,
  )
  workspace.publish(null, {
    type: 'realm_user',
    op: 'update',
    person: {
      user_id: userId,
      custom_profile_field: { id: field.field_id, ...(value === '' ? { value: null } : shown) },
    },
  })
}

const choices = z.record(z.string(), z.looseObject({ text: z.string().trim().min(1), order: z.string() }))
const account = z.union([
  z.strictObject({ subtype: z.enum(['github', 'twitter']) }),
  z.strictObject({
    subtype: z.literal('custom'),
    url_pattern: z.string().regex(/^https?:\/\/.*%\(username\)s/),
  }),
])

/**
 * Validates a field's additional data and returns it as JSON text. Throws BAD_REQUEST if it does not fit the kind.
 */
export function checkedFieldData(type: number, data: Readonly<Record<string, unknown>> | undefined): string {
  if (type === fieldKinds.SELECT.id) {
    const parsed = choices.safeParse(data)
    if (!parsed.success || Object.keys(parsed.data).length === 0)
      throw badRequest('Field must have at least one choice.')
    const texts = Object.values(parsed.data).map(({ text }) => text)
    if (new Set(texts).size !== texts.length) throw badRequest('Field must not have duplicate choices.')
    return JSON.stringify(parsed.data)
  }
  if (type === fieldKinds.EXTERNAL_ACCOUNT.id) {
    const parsed = account.safeParse(data)
    if (!parsed.success) throw badRequest('Invalid external account type')
    return JSON.stringify(parsed.data)
  }
  return ''
}

function checkedValue(
  field: FieldRow,
  wanted: string | readonly number[],
  find: (id: number) => UserRow | undefined,
): string {
  const { field_type: type, name } = field
  if (type === fieldKinds.USER.id) return checkedPeople(wanted, find)
  if (typeof wanted !== 'string') throw badRequest(`${name} is not a string`)
  const value = wanted.trim()
  if (value === '') return ''
  if (value.includes('\0')) throw badRequest(`${name} must not contain null bytes.`)
  const length = [...value].length
  if (length > longestLongText) throw badRequest(`${name} is too long.`)
  switch (type) {
    case fieldKinds.SHORT_TEXT.id:
    case fieldKinds.PRONOUNS.id:
    case fieldKinds.EXTERNAL_ACCOUNT.id:
      if (length > longestShortText)
        throw badRequest(`${name} is too long (limit: ${longestShortText} characters)`)
      return value
    case fieldKinds.SELECT.id:
      // `checkedFieldData` wrote it.
      if (!Object.hasOwn(JSON.parse(field.field_data) as object, value))
        throw badRequest(`'${value}' is not a valid choice for '${name}'.`)
      return value
    case fieldKinds.DATE.id:
      if (!isDate(value)) throw badRequest(`${name} is not a date`)
      return value
    case fieldKinds.URL.id:
      if (!isWebAddress(value)) throw badRequest(`${name} is not a URL`)
      return value
    default:
      return value
  }
}

function checkedPeople(
  wanted: string | readonly number[],
  find: (id: number) => UserRow | undefined,
): string {
  const list = typeof wanted === 'string' ? parsedIds(wanted) : wanted
  for (const id of list) {
    const person = find(id)
    if (person === undefined) throw badRequest(`Invalid user ID: ${id}`)
    if (person.is_active === 0) throw badRequest(`User with ID ${id} is deactivated`)
    if (person.bot_type !== null) throw badRequest(`User with ID ${id} is a bot`)
  }
  return list.length === 0 ? '' : JSON.stringify([...new Set(list)])
}

function parsedIds(text: string): number[] {
  if (text === '') return []
  try {
    return z.array(z.int()).parse(JSON.parse(text))
  } catch {
    throw badRequest('User field needs a list of user ids')
  }
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
