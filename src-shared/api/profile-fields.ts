import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A profile field: something that people of the organization can say about themselves. */
export const apiProfileField = z.looseObject({
  id: z.int(),
  /** 1 short text, 2 long text, 3 choice, 4 date, 5 link, 6 people, 7 account elsewhere, 8 pronouns. */
  type: z.int(),
  order: z.int().default(0),
  name: z.string(),
  hint: z.string().default(''),
  /** JSON: the choices, or the kind of external account. */
  field_data: z.string().default(''),
  display_in_profile_summary: z.boolean().optional(),
  required: z.boolean().default(false),
  editable_by_user: z.boolean().default(true),
})
export type ApiProfileField = z.output<typeof apiProfileField>

export const profileFieldsEvent = z.looseObject({ fields: z.array(apiProfileField) })

const options = {
  name: z.string().optional(),
  hint: z.string().optional(),
  field_data: z.record(z.string(), z.unknown()).optional(),
  display_in_profile_summary: z.boolean().optional(),
  required: z.boolean().optional(),
  editable_by_user: z.boolean().optional(),
}

/** A value as a person sets it; several people are a list of ids. */
export const profileValue = z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int())]) })

/** Profile fields, and the values that people give their own. */
export const profileFields = {
  getProfileFields: endpoint({
    method: 'GET',
    path: '/realm/profile_fields',
    input: z.object({}),
    output: z.looseObject({ custom_fields: z.array(apiProfileField) }),
  }),
  createProfileField: endpoint({
    method: 'POST',
    path: '/realm/profile_fields',
    input: z.object({ ...options, field_type: z.int() }),
    output: z.looseObject({ id: z.int() }),
  }),
  reorderProfileFields: endpoint({
    method: 'PATCH',
    path: '/realm/profile_fields',
    input: z.object({ order: z.array(z.int()) }),
    output: z.looseObject({}),
  }),
  updateProfileField: endpoint({
    method: 'PATCH',
    path: '/realm/profile_fields/{field_id}',
    input: z.object({ ...options, field_id: z.int() }),
    output: z.looseObject({}),
  }),
  deleteProfileField: endpoint({
    method: 'DELETE',
    path: '/realm/profile_fields/{field_id}',
    input: z.object({ field_id: z.int() }),
    output: z.looseObject({}),
  }),
  updateOwnProfile: endpoint({
    method: 'PATCH',
    path: '/users/me/profile_data',
    input: z.object({ data: z.array(profileValue) }),
    output: z.looseObject({}),
  }),
  clearOwnProfile: endpoint({
    method: 'DELETE',
    path: '/users/me/profile_data',
    input: z.object({ data: z.array(z.int()) }),
    output: z.looseObject({}),
  }),
  setAvatar: endpoint({
    method: 'POST',
    path: '/users/me/avatar',
    takesFile: true,
    input: z.object({}),
    output: z.looseObject({ avatar_url: z.string() }),
  }),
  removeAvatar: endpoint({
    method: 'DELETE',
    path: '/users/me/avatar',
    input: z.object({}),
    output: z.looseObject({ avatar_url: z.string() }),
  }),
}
