import { z } from 'zod'
import { roles } from '../roles.ts'

// Building blocks of the wire: the forms that several resources share (specification, Resources and their fields).

/** Organization roles. */
export const role = z.literal(Object.values(roles))

/** Who holds a permission: a group's id, or people and groups by name. */
export const groupSettingValue = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
])

/** A request to change who holds a permission; `old` is who the caller thinks holds it now. */
export const groupSettingChange = z.object({ new: groupSettingValue, old: groupSettingValue.optional() })

/** The namespaces of emoji codes; real servers spell the last one differently. */
export const reactionType = z
  .enum(['unicode_emoji', 'realm_emoji', 'service_extra_emoji', 'zulip_extra_emoji'])
  .transform((type) => (type === 'zulip_extra_emoji' ? 'service_extra_emoji' : type))

/** A moment in UNIX seconds that a `Date` can hold, so that it can be drawn. */
export const wireSeconds = z.number().min(0).max(8.64e12)
/** The same in whole seconds. */
export const wireWholeSeconds = wireSeconds.int()

export const visibilityPolicy = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])

/** Fields that have one name in the specification and another on real servers; both are accepted. */
const dialects: Readonly<Record<string, string>> = {
  zulip_feature_level: 'service_feature_level',
  zulip_version: 'service_version',
  zulip_merge_base: 'service_merge_base',
}

/** Whether a server of this answer uses real servers' names alone, so that it understands no others. */
export const speaksDialect = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'zulip_feature_level' in value &&
  !('service_feature_level' in value)

/** A function that returns the same object with these names replaced by others; an object may have both. */
export const renaming =
  (names: Readonly<Record<string, string>>) =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const result: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(value)) {
      const specified = names[name] ?? name
      if (specified === name || !(specified in value)) result[specified] = field
    }
    return result
  }

/** The same object, with the names that real servers use replaced by those of the specification. */
export const inSpecificationNames = renaming(dialects)
