import { z } from 'zod'
import {
  channelAccesses,
  channelPermissionNames,
  groupPermissionNames,
  topicPolicyNames,
  type ChannelEdit,
  type ChannelPermissionName,
  type GroupPermissionName,
} from '../model/organization-edits.ts'
import { channelIdSchema, folderIdSchema as folderId, groupIdSchema, userIdSchema } from './id-schemas.ts'

// Without blank edges, because servers trim them.
const named = z
  .string()
  .max(100)
  .regex(/^\S(?:.*\S)?$/u, { error: 'A name begins and ends with a letter.' })
const described = z.string().max(10_000)
/** When the request that creates it left last, by the server's clock, epoch milliseconds; noted when it leaves. */
const askedAt = z.int().min(0).optional()
/** The highest id of its kind that was here when it was enqueued. */
const newestKnown = z.int().min(0).optional()
const holders = z.object({
  people: z.array(userIdSchema).max(10_000).readonly(),
  groups: z.array(groupIdSchema).max(10_000).readonly(),
})

/** The properties of something that can be changed, with the schemas of their values. */
type Forms = Readonly<Record<string, z.ZodType>>

/** Whether `value` is valid for its property, and also `before` if it is given. */
const hasValueOf =
  (forms: Forms) =>
  ({ property, value, before }: { property: string; value?: unknown; before?: unknown }): boolean => {
    const form = Object.hasOwn(forms, property) ? forms[property] : undefined
    return form?.safeParse(value).success === true && (before === undefined || form.safeParse(before).success)
  }
const notAValue = { error: 'Not a value of this property.' }

const groupForms = {
  name: named,
  description: described,
  active: z.boolean(),
  // One entry for each permission name, and nothing else.
  ...(Object.fromEntries(groupPermissionNames.map((name) => [name, holders])) as Record<
    GroupPermissionName,
    typeof holders
  >),
}
type GroupProperty = keyof typeof groupForms
// The keys of the table above, at least one.
const groupProperties = Object.keys(groupForms) as [GroupProperty, ...GroupProperty[]]
const groupValue = z.union([z.boolean(), z.string(), holders])

const folderForms = { name: named, description: described, archived: z.boolean() }
const folderProperties = ['name', 'description', 'archived'] as const
const folderValue = z.union([z.boolean(), z.string()])

/** Servers store it as one line. */
const oneLine = z
  .string()
  .max(1_024)
  .regex(/^[^\r\n]*$/)
const channelForms = {
  name: named,
  description: oneLine,
  /** Who can see it. */
  access: z.enum(channelAccesses),
  /** Null: none. */
  folder: folderId.nullable(),
  /** Whether messages need a topic. */
  topics: z.enum(topicPolicyNames),
  /** How many days messages are kept; null: the organization's default; -1: for ever. */
  retention: z.union([z.literal(-1), z.int().min(1).max(1_000_000), z.null()]),
  archived: z.boolean(),
  // As above.
  ...(Object.fromEntries(channelPermissionNames.map((name) => [name, holders])) as Record<
    ChannelPermissionName,
    typeof holders
  >),
} satisfies Record<ChannelEdit, z.ZodType>
// As above.
const channelEdits = Object.keys(channelForms) as [ChannelEdit, ...ChannelEdit[]]
const channelValue = z.union([z.boolean(), z.string(), z.int(), z.null(), holders])

/**
 * Changes of what people of an organization share. Names are stored on disk, so they may be added but never renamed or
 * removed.
 */
export const organizationActions = {
  /** Creates a group of people and groups. */
  'create-group': z.object({
    groupName: named,
    description: described,
    people: z.array(userIdSchema).max(10_000).readonly(),
    groups: z.array(groupIdSchema).max(1_000).readonly(),
    askedAt,
    newestKnown,
  }),
  /** Adds a person or a group to a group, or removes them. */
  'set-group-member': z.object({
    groupId: groupIdSchema,
    member: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('person'), userId: userIdSchema }),
      z.object({ kind: z.literal('group'), groupId: groupIdSchema }),
    ]),
    on: z.boolean(),
  }),
  /** Changes one property of a group. A group that is not active cannot be mentioned or given permissions. */
  'change-group': z
    .object({
      groupId: groupIdSchema,
      property: z.enum(groupProperties),
      value: groupValue,
      /** The value that the person saw before, so that somebody else's change is noticed; absent if unknown. */
      before: groupValue.optional(),
    })
    .refine(hasValueOf(groupForms), notAValue),
  /** Creates a channel folder. */
  'create-folder': z.object({ folderName: named, description: described, askedAt }),
  /** Changes one property of a folder. */
  'change-folder': z
    .object({
      folderId,
      property: z.enum(folderProperties),
      value: folderValue,
      before: folderValue.optional(),
    })
    .refine(hasValueOf(folderForms), notAValue),
  /** The order of the folders, first to last, which everybody sees. */
  'order-folders': z.object({ order: z.array(folderId).max(10_000).readonly() }),
  /** Creates a channel that the own user and these people join. */
  'create-channel': z.object({
    channelName: named,
    description: oneLine,
    access: z.enum(channelAccesses),
    folderId: folderId.nullable(),
    people: z.array(userIdSchema).max(10_000).readonly(),
    askedAt,
    newestKnown,
  }),
  /** Adds a person to a channel, or removes them. */
  'set-channel-member': z.object({ channelId: channelIdSchema, userId: userIdSchema, on: z.boolean() }),
  /** Changes one property of a channel, for everybody. */
  'change-channel': z
    .object({
      channelId: channelIdSchema,
      property: z.enum(channelEdits),
      value: channelValue,
      /** As for a group. */
      before: channelValue.optional(),
    })
    .refine(hasValueOf(channelForms), notAValue),
} as const satisfies Record<string, z.ZodObject>
