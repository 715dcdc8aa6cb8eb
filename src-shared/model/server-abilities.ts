import { t } from '../texts/texts.ts'

/**
 * What a server can do, and from which feature level on (the specification tags levels throughout). One table for
 * both sides of it: what is asked of a server, and what is offered to a person. What a
 * person has to do without is told in words (texts/en/server-abilities.ts), but where there is another way to it.
 */
const serverAbilities = {
  /** "is_muted" as a property of a subscription; its opposite "in_home_view" before. */
  channelMuting: { since: 139 },
  /** Settings of the account in one place. */
  settings: { since: 80 },
  /** Drafts are kept for all devices. */
  drafts: { since: 87 },
  /** A single message comes rendered or as Markdown, as asked for. */
  singleMessage: { since: 120 },
  topicVisibility: { since: 170 },
  /** "direct" as a type of message; "private" before. */
  directType: { since: 174 },
  /** "dm" as an operator of a narrow; "pm-with" and "private" before. */
  dmOperator: { since: 177 },
  /** Typing notices in channels name the channel in a field of their own. */
  channelTyping: { since: 215 },
  followedTopics: { since: 219 },
  /** "channel" as an operator of a narrow; "stream" before. */
  channelOperator: { since: 250 },
  /** "is:followed" in a narrow. */
  followedOperator: { since: 265 },
  /** "with" as an operator of a narrow: the conversation that a message is in now. */
  withOperator: { since: 271 },
  savedSnippets: { since: 297 },
  snippetChanges: { since: 368 },
  /** Messages can be asked for by their ids. */
  messagesById: { since: 300 },
  archivedChannels: { since: 315 },
  emptyTopics: { since: 334 },
  /** "is:muted" in a narrow. */
  mutedOperator: { since: 366 },
  reports: { since: 382 },
  /** Others hear that somebody changes a message; named by another path before. */
  editTyping: { since: 361 },
  channelFolders: { since: 389 },
  /** They are made from 381 on, but one whose answer got lost can be looked up only since they are listed. */
  reminders: { since: 399 },
  reminderNotes: { since: 415 },
  /** Subscribers that nobody looks at may be left out. */
  partialSubscribers: { since: 412 },
  /** "mentions" as an operator of a narrow. */
  mentionsOperator: { since: 446 },
} as const satisfies Record<string, { readonly since: number }>

export type ServerAbility = keyof typeof serverAbilities

/** Servers below this level do not say what they are, and lack most of what this app is made of. */
export const oldestLevel = 1

/** Whether a server of this level can do it. Level 0 is a server that has not said yet. */
export const isAble = (featureLevel: number, ability: ServerAbility): boolean =>
  featureLevel >= serverAbilities[ability].since

/** What a server can do, by name. */
export type ServerAbilities = Readonly<Record<ServerAbility, boolean>>

/** Everything that a server of this level can do and cannot do. */
export function abilitiesAt(featureLevel: number): ServerAbilities {
  // The names are those of the table.
  const names = Object.keys(serverAbilities) as ServerAbility[]
  return Object.fromEntries(names.map((name) => [name, isAble(featureLevel, name)])) as ServerAbilities
}

/** What a person has to do without where the server lacks an ability; null when there is another way to the same. */
export const withoutAbility = (ability: ServerAbility): string | null => {
  const texts: { readonly [A in ServerAbility]?: string } = t.serverAbilities
  return texts[ability] ?? null
}

/** What a person has to do without at a server of this level, in words; empty when nothing is missing. */
export const missingAt = (featureLevel: number): string[] =>
  // The names are those of the table.
  (Object.keys(serverAbilities) as ServerAbility[]).flatMap((name) => {
    const text = withoutAbility(name)
    // Said already by the wider of the two.
    const isSaid = name === 'followedTopics' && !isAble(featureLevel, 'topicVisibility')
    return text !== null && !isAble(featureLevel, name) && !isSaid ? [text] : []
  })

/** What a change needs of a server beyond what every one takes; null when nothing. */
export function abilityFor(action: {
  readonly name: string
  readonly visibility?: unknown
}): ServerAbility | null {
  switch (action.name) {
    case 'update-setting':
      return 'settings'
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
    case 'report-message':
      return 'reports'
    default:
      return null
  }
}
