import type { GroupId, UserId } from '../ids.ts'
import type { Emoji } from './message.ts'
import type { GroupPermissionName, Holders } from './organization-edits.ts'
import type { Role } from './permissions.ts'
import type { Person } from './user.ts'

/** What a person says of themselves in one of the organization's profile fields. */
export interface ProfileValue {
  readonly fieldId: number
  readonly name: string
  readonly kind: 'text' | 'long-text' | 'choice' | 'date' | 'link' | 'people' | 'account' | 'pronouns'
  /** As it was written; a choice by its name, people by theirs. */
  readonly text: string
  /** Of a link, and of an account elsewhere where the organization says where those are. */
  readonly url: string | null
  /** Of a field that names people. */
  readonly people: readonly { readonly userId: UserId; readonly name: string }[]
  /** Of a text that the server rendered; hostile until sanitized. */
  readonly html: string | null
  /** Shown where there is room for little. */
  readonly isInSummary: boolean
}

/** A person as a page of their own shows them. */
export interface Profile {
  readonly person: Person
  readonly role: Role
  /** The address that the person lets this account see; null when none. */
  readonly email: string | null
  /** Epoch milliseconds; null when unknown. */
  readonly joinedAt: number | null
  readonly isMuted: boolean
  /** When they were last here, epoch milliseconds; null when nobody knows. */
  readonly lastSeenAt: number | null
  /** Whose bot it is; null for people and for bots of nobody. */
  readonly botOwner: Person | null
  /** In the organization's order; only those that say something. */
  readonly values: readonly ProfileValue[]
  /** Groups that the person is in by name. */
  readonly groups: readonly { readonly groupId: GroupId; readonly name: string }[]
}

/** A group as a card shows it. */
export interface GroupProfile {
  readonly groupId: GroupId
  readonly name: string
  readonly description: string
  /** Also those of the groups in it, oneself first, then by name; some of them where there are very many. */
  readonly members: readonly Person[]
  readonly memberCount: number
  /** By name. */
  readonly subgroups: readonly { readonly groupId: GroupId; readonly name: string }[]
}

/** A group of people, and what the own user may do with it. */
export interface UserGroup {
  readonly groupId: number
  readonly name: string
  readonly description: string
  /** Of a role, kept by the server. */
  readonly isSystem: boolean
  readonly isDeactivated: boolean
  /** Whether it is to be founded: the server does not have it yet. */
  readonly isWaiting: boolean
  /** Direct ones. */
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly number[]
  /** Whether the own user is in it, also through another group. */
  readonly isOwn: boolean
  readonly may: {
    readonly manage: boolean
    readonly addMembers: boolean
    readonly removeMembers: boolean
    readonly join: boolean
    readonly leave: boolean
    readonly mention: boolean
  }
  /** Who may do what with it; null where the server does not say. */
  readonly holders: Readonly<Record<GroupPermissionName, Holders | null>>
}

/** Where code of a language can be run; specification, POST /realm/playgrounds. */
export interface Playground {
  readonly playgroundId: number
  readonly name: string
  /** As the lexer of the language is called, in any case. */
  readonly language: string
  /** A template of RFC 6570 with the variable `code`. */
  readonly urlTemplate: string
}

/** Short lists of the organization. */
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
  /** The own user's bots; for administrators everybody's. */
  readonly bots: readonly { readonly userId: UserId; readonly name: string; readonly isActive: boolean }[]
  readonly folders: readonly {
    readonly folderId: number
    readonly name: string
    readonly description: string
    readonly isArchived: boolean
    /** Whether it is to be founded: the server does not have it yet. */
    readonly isWaiting: boolean
  }[]
}

/** What a person says of their day; a text or an emoji is always there. */
export interface PersonStatus {
  readonly text: string
  readonly emoji: Emoji | null
  /** Path of the picture of an organization's own emoji. */
  readonly emojiUrl: string | null
}
