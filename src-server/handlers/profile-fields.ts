import type { Handlers } from '../../src-shared/api/index.ts'
import { flagColumn } from '../database.ts'
import { avatarSource, avatarUrl, largeAvatarUrl } from '../people/avatars.ts'
import { knownPeople } from '../people/user-access.ts'
import { assertMayChangeOwn } from '../permissions/accounts.ts'
import { assertAdministrator, assertPerson, isAdministrator } from '../permissions/roles.ts'
import { storePicture } from '../files/picture-files.ts'
import {
  checkedFieldData,
  fieldKinds,
  profileField,
  profileFieldRows,
  profileFieldsOf,
  setProfileValue,
  type FieldRow,
} from '../organization/profile-fields.ts'
import { badRequest } from '../service-error.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestName = 40
const longestHint = 80
const mostInSummary = 2

interface Options {
  readonly name?: string | undefined
  readonly hint?: string | undefined
  readonly field_data?: Record<string, unknown> | undefined
  readonly display_in_profile_summary?: boolean | undefined
  readonly required?: boolean | undefined
  readonly editable_by_user?: boolean | undefined
}

export const profileFields: Pick<
  Handlers<HandlerContext>,
  | 'getProfileFields'
  | 'createProfileField'
  | 'reorderProfileFields'
  | 'updateProfileField'
  | 'deleteProfileField'
  | 'updateOwnProfile'
  | 'clearOwnProfile'
  | 'setAvatar'
  | 'removeAvatar'
> = {
  getProfileFields: (_input, { workspace }) => ({ custom_fields: profileFieldsOf(workspace.db) }),
  createProfileField: ({ field_type, ...options }, { workspace, user }) => {
    assertAdministrator(user)
    if (!Object.values(fieldKinds).some((kind) => kind.id === field_type))
      throw badRequest('Invalid field type.')
    const rows = profileFieldRows(workspace.db)
    const blank: FieldRow = {
      field_id: 0,
      field_type,
      name: '',
      hint: '',
      field_data: '',
      position: Math.max(0, ...rows.map((row) => row.position)) + 1,
      is_in_summary: 0,
      is_required: 0,
      is_editable: 1,
    }
    const row = changed(
      blank,
      { ...options, name: options.name ?? '', field_data: options.field_data ?? {} },
      rows,
    )
    const { lastId } = workspace.db.run(
      `INSERT INTO profile_fields (field_type, name, hint, field_data, position, is_in_summary, is_required, is_editable)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.field_type,
      row.name,
      row.hint,
      row.field_data,
      row.position,
      row.is_in_summary,
      row.is_required,
      row.is_editable,
    )
    publishFields(workspace)
    return { id: lastId }
  },
  reorderProfileFields: ({ order }, { workspace, user }) => {
    assertAdministrator(user)
    const known = profileFieldRows(workspace.db).map((row) => row.field_id)
    if (order.length !== known.length || known.some((id) => !order.includes(id)))
      throw badRequest('Invalid order mapping.')
    workspace.db.transaction(() => {
      for (const [position, id] of order.entries())
        workspace.db.run('UPDATE profile_fields SET position = ? WHERE field_id = ?', position + 1, id)
    })
    publishFields(workspace)
    return {}
  },
  updateProfileField: ({ field_id, ...options }, { workspace, user }) => {
    assertAdministrator(user)
    const before = profileField(workspace, field_id)
    const row = changed(before, options, profileFieldRows(workspace.db))
    workspace.db.run(
      `UPDATE profile_fields SET name = ?, hint = ?, field_data = ?, is_in_summary = ?, is_required = ?, is_editable = ?
       WHERE field_id = ?`,
      row.name,
      row.hint,
      row.field_data,
      row.is_in_summary,
      row.is_required,
      row.is_editable,
      field_id,
    )
    publishFields(workspace)
    return {}
  },
  deleteProfileField: ({ field_id }, { workspace, user }) => {
    assertAdministrator(user)
    profileField(workspace, field_id)
    workspace.db.transaction(() => {
      workspace.db.run('DELETE FROM profile_fields WHERE field_id = ?', field_id)
      workspace.db.run(`UPDATE users SET profile_data = json_remove(profile_data, ?)`, `$."${field_id}"`)
    })
    publishFields(workspace)
    return {}
  },
  updateOwnProfile: ({ data }, { workspace, user }) => {
    const values = data.map(({ id, value }) => ({ field: editable(workspace, user, id), value }))
    const find = knownPeople(workspace.db, user)
    workspace.db.transaction(() => {
      for (const { field, value } of values) setProfileValue(workspace, user.user_id, field, value, find)
    })
    return {}
  },
  clearOwnProfile: ({ data }, { workspace, user }) => {
    const fields = data.map((id) => editable(workspace, user, id))
    workspace.db.transaction(() => {
      for (const field of fields) setProfileValue(workspace, user.user_id, field, '')
    })
    return {}
  },
  setAvatar: async (_input, { workspace, user, file }) => {
    assertMayChangeOwn(workspace.db, user, 'avatar')
    if (file === null) throw badRequest('You must upload exactly one avatar.')
    const picture = await storePicture(workspace, file)
    return putAvatar(workspace, user, picture)
  },
  removeAvatar: (_input, { workspace, user }) => {
    assertMayChangeOwn(workspace.db, user, 'avatar')
    return putAvatar(workspace, user, null)
  },
}

function editable(workspace: Workspace, user: UserRow, id: number): FieldRow {
  assertPerson(user)
  const field = profileField(workspace, id)
  if (field.is_editable === 0 && !isAdministrator(user))
    throw badRequest('You are not allowed to change this field. Contact an administrator to update it.')
  return field
}

function changed(row: FieldRow, options: Options, all: readonly FieldRow[]): FieldRow {
  const name = options.name === undefined ? row.name : options.name.trim()
  const hint = options.hint === undefined ? row.hint : options.hint.trim()
  if (name === '') throw badRequest('Label cannot be blank.')
  if ([...name].length > longestName) throw badRequest(`A label may have ${longestName} characters at most.`)
  if ([...hint].length > longestHint) throw badRequest(`A hint may have ${longestHint} characters at most.`)
  const others = all.filter((one) => one.field_id !== row.field_id)
  if (others.some((one) => one.name.toLowerCase() === name.toLowerCase()))
    throw badRequest('A field with that label already exists.')
  const isInSummary = options.display_in_profile_summary ?? row.is_in_summary === 1
  if (isInSummary) {
    if (row.field_type === fieldKinds.LONG_TEXT.id || row.field_type === fieldKinds.USER.id)
      throw badRequest('Field type not supported for display in profile summary.')
    if (others.filter((one) => one.is_in_summary === 1).length >= mostInSummary)
      throw badRequest('Only 2 custom profile fields can be displayed in the profile summary.')
  }
  return {
    ...row,
    name,
    hint,
    field_data:
      options.field_data === undefined
        ? row.field_data
        : checkedFieldData(row.field_type, options.field_data),
    is_in_summary: isInSummary ? 1 : 0,
    is_required: flagColumn(options.required, row.is_required),
    is_editable: flagColumn(options.editable_by_user, row.is_editable),
  }
}

const publishFields = (workspace: Workspace) =>
  workspace.publish(null, { type: 'custom_profile_fields', fields: profileFieldsOf(workspace.db) })

function putAvatar(
  workspace: Workspace,
  user: UserRow,
  picture: { name: string; contentType: string } | null,
): { avatar_url: string } {
  workspace.db.run(
    'UPDATE users SET avatar_file = ?, avatar_type = ?, avatar_version = avatar_version + 1 WHERE user_id = ?',
    picture?.name ?? null,
    picture?.contentType ?? null,
    user.user_id,
  )
  const now = userById(workspace.db, user.user_id) ?? user
  const avatar_url = avatarUrl(now)
  workspace.publish(null, {
    type: 'realm_user',
    op: 'update',
    person: {
      user_id: user.user_id,
      avatar_source: avatarSource(now),
      avatar_url,
      avatar_url_medium: largeAvatarUrl(now),
      avatar_version: now.avatar_version,
    },
  })
  return { avatar_url }
}
