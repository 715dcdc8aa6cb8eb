import { t } from '../texts/texts.ts'
import { channelPermissions, groupPermissions } from './organization-edits.ts'

/**
 * What a server supports, and from which feature level on (the specification gives the level of each). This one table
 * serves both purposes: it decides what is requested from a server and what is offered to a person. Where the app has
 * no substitute for a missing ability, a text tells the person what they have to do without
 * (texts/en/server-abilities.ts). Only permissions stand elsewhere, each with its level (`organization-edits.ts`).
 */
const serverAbilities = {
  webPublicChannels: { since: 98 },
  /** "is_muted" as a property of a subscription; before that its opposite, "in_home_view". */
  channelMuting: { since: 139 },
  /** One endpoint for all settings of the account. */
  settings: { since: 80 },
  /** Drafts are synced between devices. */
  drafts: { since: 87 },
  /** A single message can be fetched rendered or as Markdown. */
  singleMessage: { since: 120 },
  /** A group's name and description can be changed one without the other. */
  singleGroupFields: { since: 165 },
  topicVisibility: { since: 170 },
  /** They can be listed from 173 on and created from 179 on, but changed only from this level on. */
  scheduledMessages: { since: 184 },
  /** "direct" as a type of message; "private" before. */
  directType: { since: 174 },
  /** "dm" as an operator of a narrow; "pm-with" and "private" before. */
  dmOperator: { since: 177 },
  mutedPeople: { since: 48 },
  /** Typing notices in channels; before that, what names a channel is read as a person. */
  channelTyping: { since: 58 },
  /** They name the channel in a field of their own. */
  channelTypingById: { since: 215 },
  followedTopics: { since: 219 },
  /** A deactivation is told as a change of the person; before that as if the person were gone. */
  deactivatedInPlace: { since: 222 },
  /** The server says who created a channel. */
  channelCreators: { since: 254 },
  /** "channel" as an operator of a narrow; "stream" before. */
  channelOperator: { since: 250 },
  /** The icon counts followed topics besides what is personal; the values after it had lower numbers before. */
  iconCountWithFollowed: { since: 227 },
  /** "is:followed" in a narrow. */
  followedOperator: { since: 265 },
  /** "with" as an operator of a narrow: the conversation that a message is in now. */
  withOperator: { since: 271 },
  groupDeactivation: { since: 290 },
  groupReactivation: { since: 386 },
  /** Groups have groups in them. */
  subgroups: { since: 127 },
  /** Groups are added to groups in the same way as people. */
  subgroupsWithMembers: { since: 311 },
  savedSnippets: { since: 297 },
  snippetChanges: { since: 368 },
  /** Messages can be asked for by their ids. */
  messagesById: { since: 300 },
  archivedChannels: { since: 315 },
  /** Archiving a channel is told as a change of it; before that as if the person could no longer read it. */
  archivedInPlace: { since: 378 },
  emptyTopics: { since: 334 },
  /** "is:muted" in a narrow. */
  mutedOperator: { since: 366 },
  /** The server refuses an edit if the message is not what the person started from. */
  editComparison: { since: 379 },
  reports: { since: 382 },
  /** A channel opens as its list of topics, or at its newest topic with unread messages. */
  topicListView: { since: 383 },
  topUnreadTopicView: { since: 401 },
  /** Other people see that somebody is editing a message; before that under another path. */
  editTyping: { since: 361 },
  channelFolders: { since: 389 },
  folderOrder: { since: 414 },
  channelReactivation: { since: 388 },
  /** Each channel has a policy of its own on messages without a topic. */
  topicPolicies: { since: 392 },
  /** That policy may forbid topics. */
  channelsWithoutTopics: { since: 404 },
  /** An endpoint creates channels; before that, subscribing does. */
  channelCreation: { since: 417 },
  /**
   * Reminders can be created from 381 on. But one whose answer got lost can be looked up only since they can be
   * listed.
   */
  reminders: { since: 399 },
  reminderNotes: { since: 415 },
  /** Subscribers may be left out until somebody looks at them. */
  partialSubscribers: { since: 412 },
  /** "mentions" as an operator of a narrow. */
  mentionsOperator: { since: 446 },
} as const satisfies Record<string, { readonly since: number }>

export type ServerAbility = keyof typeof serverAbilities

/** Servers below this level do not report what they are, and lack most of what this app needs. */
export const oldestLevel = 1

/** Whether a server of this level supports it. Level 0 is a server that has not reported its level yet. */
export const isAble = (featureLevel: number, ability: ServerAbility): boolean =>
  featureLevel >= serverAbilities[ability].since

/** What a server supports, by name. */
export type ServerAbilities = Readonly<Record<ServerAbility, boolean>>

/** Every ability, with whether a server of this level has it. */
export function abilitiesAt(featureLevel: number): ServerAbilities {
  // The names are those of the table.
  const names = Object.keys(serverAbilities) as ServerAbility[]
  return Object.fromEntries(names.map((name) => [name, isAble(featureLevel, name)])) as ServerAbilities
}

/** What a person has to do without if the server lacks an ability; null if the app has a substitute. */
export const withoutAbility = (ability: ServerAbility): string | null => {
  const texts: { readonly [A in ServerAbility]?: string } = t.serverAbilities
  return texts[ability] ?? null
}

/** What a person has to do without on a server of this level, in words; empty if nothing is missing. */
export const missingAt = (featureLevel: number): string[] =>
  // The names are those of the table.
  (Object.keys(serverAbilities) as ServerAbility[]).flatMap((name) => {
    const text = withoutAbility(name)
    // The wider of the two already says it.
    const isSaid = name === 'followedTopics' && !isAble(featureLevel, 'topicVisibility')
    return text !== null && !isAble(featureLevel, name) && !isSaid ? [text] : []
  })

/** The values of settings that not every server with the setting supports. */
const settingValueAbilities: Readonly<Record<string, Readonly<Record<string, ServerAbility>>>> = {
  iconCount: { 'personal-and-followed': 'iconCountWithFollowed' },
  channelView: { topics: 'topicListView', 'top-unread-topic': 'topUnreadTopicView' },
}

/** The values that a server of this level does not support, of each setting that has such values. */
export const missingValuesAt = (featureLevel: number): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(settingValueAbilities).map(([setting, values]) => [
      setting,
      Object.keys(values).filter((value) => !isAble(featureLevel, values[value] ?? 'settings')),
    ]),
  )

interface Action {
  readonly name: string
  readonly visibility?: unknown
  readonly property?: unknown
  readonly value?: unknown
  readonly member?: unknown
}

/** The ability that a change requires beyond what every server has; null if none, or if it concerns a permission. */
export function abilityFor(action: Action): ServerAbility | null {
  switch (action.name) {
    case 'update-setting':
      return settingValueAbilities[String(action.property)]?.[String(action.value)] ?? 'settings'
    case 'set-topic-visibility':
      return action.visibility === 'followed' ? 'followedTopics' : 'topicVisibility'
    case 'save-snippet':
    case 'delete-snippet':
      return 'savedSnippets'
    case 'change-snippet':
      return 'snippetChanges'
    case 'remind-me':
    case 'change-reminder':
      return 'reminders'
    case 'schedule-message':
    case 'edit-scheduled':
      return 'scheduledMessages'
    case 'mute-person':
      return 'mutedPeople'
    case 'report-message':
      return 'reports'
    case 'create-folder':
    case 'change-folder':
      return 'channelFolders'
    case 'order-folders':
      return 'folderOrder'
    case 'set-group-member':
      return isGroup(action.member) ? 'subgroups' : null
    case 'change-group':
      if (action.property !== 'active') return null
      return action.value === true ? 'groupReactivation' : 'groupDeactivation'
    case 'change-channel':
      return channelAbility(action)
    default:
      return null
  }
}

const isGroup = (member: unknown): boolean =>
  typeof member === 'object' && member !== null && 'kind' in member && member.kind === 'group'

function channelAbility({ property, value }: Action): ServerAbility | null {
  switch (property) {
    case 'folder':
      return 'channelFolders'
    case 'topics':
      return value === 'none' ? 'channelsWithoutTopics' : 'topicPolicies'
    case 'archived':
      return value === true ? null : 'channelReactivation'
    case 'access':
      return value === 'web-public' ? 'webPublicChannels' : null
    default:
      return null
  }
}

const permissionTables: Readonly<Record<string, Readonly<Record<string, { readonly since: number }>>>> = {
  'change-group': groupPermissions,
  'change-channel': channelPermissions,
}

/** Whether a server of this level accepts a change. */
export function supports(featureLevel: number, action: Action): boolean {
  const needed = abilityFor(action)
  if (needed !== null) return isAble(featureLevel, needed)
  return featureLevel >= (permissionTables[action.name]?.[String(action.property)]?.since ?? 0)
}
