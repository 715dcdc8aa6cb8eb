import type { GroupId, UserId } from '../ids.ts'
import type { Emoji } from './message.ts'
import type { GroupPermissionName, Holders } from './organization-edits.ts'
import type { Role } from './permissions.ts'
import type { Person } from './user.ts'

/** The value that a person gave one of the organization's profile fields. */
export interface ProfileValue {
  readonly fieldId: number
  readonly name: string
  readonly kind: 'text' | 'long-text' | 'choice' | 'date' | 'link' | 'people' | 'account' | 'pronouns'
  /** As it was written; a choice and people by name. */
  readonly text: string
  /** For a link, and for an external account if the organization says where these are. */
  readonly url: string | null
  /** For a field that names people. */
  readonly people: readonly { readonly userId: UserId; readonly name: string }[]
  /** For a text that the server rendered; untrusted until sanitized. */
  readonly html: string | null
  /** Whether it is shown where space is short. */
  readonly isInSummary: boolean
}

/** The longest value that any server takes for a profile field, in characters. */
export const longestProfileText = 10_000
/** Some servers take longer ones, others refuse them. */
const longestLongText = 500
const longestShortText = 50
const shortKinds: readonly ProfileValue['kind'][] = ['text', 'pronouns', 'account']

/** One of the organization's profile fields, as the person themselves fills it in. */
export interface OwnProfileField {
  readonly fieldId: number
  readonly name: string
  /** The organization's explanation; empty for none. */
  readonly hint: string
  readonly kind: ProfileValue['kind']
  /** As the server has it: a text, a date ("2027-03-01"), a choice's value, or people as JSON; empty for none. */
  readonly value: string
  /** For a choice, in the organization's order. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** For a field that names people. */
  readonly people: readonly { readonly userId: UserId; readonly name: string }[]
  /** The organization asks everybody to fill it in. */
  readonly isRequired: boolean
  /** False for a field that only administrators fill in. */
  readonly mayChange: boolean
  /** True while the value is not on the server yet. */
  readonly isWaiting: boolean
}

/** The value of a profile field as the server keeps it. */
export const profileValueText = (value: string | readonly UserId[]): string =>
  typeof value === 'string' ? value : value.length === 0 ? '' : JSON.stringify(value)

/** How long a text in this kind of field may be, in characters. */
export const longestProfileValue = (kind: ProfileValue['kind']): number =>
  shortKinds.includes(kind) ? longestShortText : kind === 'long-text' ? longestLongText : longestProfileText

/** Why the server would refuse a text in this kind of field; null if it would not. An empty text clears the field. */
export function profileValueProblem(
  kind: ProfileValue['kind'],
  text: string,
): 'too-long' | 'no-link' | 'link-space' | null {
  if ([...text].length > longestProfileValue(kind)) return 'too-long'
  if (kind !== 'link' || text === '') return null
  if (!/^https?:\/\/[^\s/]/i.test(text)) return 'no-link'
  return /\s/.test(text) ? 'link-space' : null
}

/** A person, as their profile shows them. */
export interface Profile {
  readonly person: Person
  /** What a search names this person by: the name, or the id if somebody else has the name. */
  readonly searchName: string
  readonly role: Role
  /** The address that this account is allowed to see; null if none. */
  readonly email: string | null
  /** Epoch milliseconds; null if unknown. */
  readonly joinedAt: number | null
  readonly isMuted: boolean
  /** When they were last here, epoch milliseconds; null if unknown. */
  readonly lastSeenAt: number | null
  /** The owner of a bot; null for people and for bots without an owner. */
  readonly botOwner: Person | null
  /** In the organization's order; only fields that have a value. */
  readonly values: readonly ProfileValue[]
  /** The groups that name the person as a direct member. */
  readonly groups: readonly { readonly groupId: GroupId; readonly name: string }[]
}

/** A group, as its card shows it. */
export interface GroupProfile {
  readonly groupId: GroupId
  readonly name: string
  readonly description: string
  /**
   * Includes the members of nested groups; oneself first, then by name; only some of them if there are very many.
   */
  readonly members: readonly Person[]
  readonly memberCount: number
  /** Sorted by name. */
  readonly subgroups: readonly { readonly groupId: GroupId; readonly name: string }[]
}

/** A group of people, with what the own user may do with it. */
export interface UserGroup {
  readonly groupId: number
  readonly name: string
  readonly description: string
  /** A system group for a role, which the server maintains. */
  readonly isSystem: boolean
  readonly isDeactivated: boolean
  /** Whether it was created here and is not on the server yet. */
  readonly isWaiting: boolean
  /** Direct members. */
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly number[]
  /** Whether the own user is a member, directly or through a nested group. */
  readonly isOwn: boolean
  readonly may: {
    readonly manage: boolean
    readonly addMembers: boolean
    readonly removeMembers: boolean
    readonly join: boolean
    readonly leave: boolean
    readonly mention: boolean
  }
  /** Who may do what with it; null if the server does not say. */
  readonly holders: Readonly<Record<GroupPermissionName, Holders | null>>
}

/** A website that can run code of one language; specification, POST /realm/playgrounds. */
export interface Playground {
  readonly playgroundId: number
  readonly name: string
  /** The name of the language's lexer, in any case. */
  readonly language: string
  /** An RFC 6570 template with the variable `code`. */
  readonly urlTemplate: string
}

/** The organization's short lists. */
export interface OrganizationLists {
  /** In the order in which the server applies them. */
  readonly linkifiers: readonly {
    readonly linkifierId: number
    readonly pattern: string
    readonly urlTemplate: string
  }[]
  readonly playgrounds: readonly Playground[]
  readonly profileFields: readonly {
    readonly fieldId: number
    readonly name: string
    readonly hint: string
    readonly kind: ProfileValue['kind']
    readonly isRequired: boolean
    readonly isEditable: boolean
  }[]
  /** The own user's bots; for administrators, all bots. */
  readonly bots: readonly { readonly userId: UserId; readonly name: string; readonly isActive: boolean }[]
  readonly folders: readonly {
    readonly folderId: number
    readonly name: string
    readonly description: string
    readonly isArchived: boolean
    /** Whether it was created here and is not on the server yet. */
    readonly isWaiting: boolean
  }[]
}

/** A person's status; it always has a text or an emoji. */
export interface PersonStatus {
  readonly text: string
  readonly emoji: Emoji | null
  /** The path of the picture, for an organization's own emoji. */
  readonly emojiUrl: string | null
}
