import { z } from 'zod'
import type { LocalId } from '../ids.ts'
import type { SendState } from '../model/outbox.ts'
import { accountIdSchema } from './id-schemas.ts'
import { languages, type Language } from '../texts/texts.ts'

const choice = <const C extends readonly [string, ...string[]]>(...choices: C) => z.enum(choices)
const engagement = choice('participating', 'sending', 'starting', 'never')

/**
 * Every setting that follows the account and that this app acts on or lets a person change, with the schema of its
 * value. Only `src-main/store/account-settings.ts` knows what servers call them.
 */
export const settingForms = {
  // Appearance.
  colorScheme: choice('automatic', 'light', 'dark'),
  highContrast: z.boolean(),
  /** In the service's unit, where 16 is the default size. */
  fontSize: z.int().min(8).max(40),
  /** In percent, as the service has it, where 140 is the default line height. */
  lineHeight: z.int().min(80).max(300),
  fluidWidth: z.boolean(),
  emojiSet: choice('google', 'twitter', 'google-blob', 'text'),
  imageAnimation: choice('always', 'on-hover', 'never'),
  twentyFourHourTime: z.boolean(),
  timezone: z.string().max(100),
  suggestsTimezone: z.boolean(),
  language: z.string().max(40),

  // Reading.
  homeView: choice('inbox', 'recent', 'combined'),
  escapeGoesHome: z.boolean(),
  channelView: choice('top-topic', 'feed', 'topics', 'top-unread-topic'),
  markReadOnScroll: choice('always', 'in-conversations', 'never'),
  resolvedNoticesRead: choice('always', 'except-followed', 'never'),
  reactionNames: z.boolean(),
  receivesTyping: z.boolean(),

  // The columns beside the feed.
  starredCounts: z.boolean(),
  channelCounts: choice('all', 'unmuted', 'none'),
  sectionCounts: z.boolean(),
  channelFolders: z.boolean(),
  inactiveChannels: choice('automatic', 'always', 'never'),
  userListStyle: choice('compact', 'with-status', 'with-avatar'),
  peopleOnLeft: z.boolean(),

  // Writing.
  enterSends: z.boolean(),
  translatesEmoticons: z.boolean(),
  goesToSent: z.boolean(),
  draftsSynchronized: z.boolean(),
  sendsTopicTyping: z.boolean(),
  sendsDirectTyping: z.boolean(),

  // Topics that are followed automatically.
  followsTopics: engagement,
  followsMentions: z.boolean(),
  unmutesTopics: engagement,

  // What other people see.
  sharesPresence: z.boolean(),
  sendsReadReceipts: z.boolean(),
  emailVisibility: choice('everyone', 'members', 'admins', 'nobody', 'moderators'),
  allowsExport: z.boolean(),

  // Notifications.
  personalDesktop: z.boolean(),
  personalSound: z.boolean(),
  personalMobile: z.boolean(),
  personalEmail: z.boolean(),
  followedDesktop: z.boolean(),
  followedSound: z.boolean(),
  followedMobile: z.boolean(),
  followedEmail: z.boolean(),
  channelDesktop: z.boolean(),
  channelSound: z.boolean(),
  channelMobile: z.boolean(),
  channelEmail: z.boolean(),
  wildcardMentionsNotify: z.boolean(),
  followedWildcardMentionsNotify: z.boolean(),
  mobileWhileOnline: z.boolean(),
  notificationSound: z.string().max(200),
  directTextInNotices: z.boolean(),
  textInEmails: z.boolean(),
  iconCount: choice('all', 'personal-and-followed', 'personal', 'none'),
  emailDelaySeconds: z.int().min(1).max(604_800),
  organizationNameInEmails: choice('automatic', 'always', 'never'),
  digestEmails: z.boolean(),
  loginEmails: z.boolean(),
  newsEmails: z.boolean(),
} as const

export type SettingName = keyof typeof settingForms
/** The value of each setting. */
export type SettingValues = { readonly [N in SettingName]: z.output<(typeof settingForms)[N]> }

/** The account settings for the screen that changes them. */
export interface SettingsState {
  readonly values: SettingValues
  /** Settings that the account's server does not have. */
  readonly missing: readonly SettingName[]
  /** By setting, the values that it does not have. */
  readonly missingValues: Readonly<Record<string, readonly string[]>>
  /** Settings whose last change is not on the server yet, or was refused. */
  readonly changes: readonly SettingChange[]
}

/** A change of an account setting that the server does not have yet. */
export interface SettingChange {
  readonly localId: LocalId
  readonly name: SettingName
  readonly state: SendState
}

// The keys of the table above, at least one.
export const settingNames = Object.keys(settingForms) as [SettingName, ...SettingName[]]

// The keys of the catalogues, at least one.
const languageNames = Object.keys(languages) as [Language, ...Language[]]

const minuteOfDay = z
  .int()
  .min(0)
  .max(24 * 60 - 1)

/** The limits for the widths of the side columns, in CSS pixels. */
export const sideWidths = {
  sidebar: { least: 220, most: 360 },
  people: { least: 200, most: 320 },
} as const

/** Settings that stay on this device, with the schemas of their values. */
export const deviceSettingForms = {
  /** Overrides the account's setting. */
  theme: z.enum(['account', 'light', 'dark', 'system']),
  density: z.enum(['compact', 'comfortable', 'roomy']),
  /** Overrides the account's setting. */
  language: z.enum(['account', 'system', ...languageNames]),
  /** The language that results from all preferences. The texts of this process (menus, failures) use it too. */
  spokenLanguage: z.enum(languageNames),
  reducedMotion: z.enum(['system', 'always']),
  notifications: z.boolean(),
  /** The daily period in which nothing notifies; see `src-shared/model/quiet.ts`. */
  quietHours: z
    .object({
      isOn: z.boolean(),
      from: minuteOfDay,
      to: minuteOfDay,
      days: z.array(z.int().min(1).max(7)).max(7).readonly(),
      accountId: accountIdSchema.nullable(),
    })
    .readonly(),
  pauses: z
    .array(z.object({ accountId: accountIdSchema.nullable(), until: z.int().min(0) }))
    .max(100)
    .readonly(),
  /** The window's time zone: this process may not notice that the machine's time zone changed. */
  zone: z.string().max(100),
  /** The keys that the person chose, by the name of the shortcut; an empty list switches the shortcut off. */
  shortcuts: z
    .record(z.string().max(60), z.array(z.string().max(40)).max(10).readonly())
    .refine((chosen) => Object.keys(chosen).length <= 200)
    .readonly(),
  /** Whether keys without Ctrl or Alt work as shortcuts. */
  singleKeys: z.boolean(),
  /** The saved searches of all accounts. */
  savedSearches: z
    .array(
      z.object({ accountId: accountIdSchema, name: z.string().min(1).max(60), text: z.string().max(1_000) }),
    )
    .max(500)
    .readonly(),
  /** How far back history is fetched in the background. */
  historyDepth: z.enum(['90-days', 'everything']),
  startsAtLogin: z.boolean(),
  /** Closing the window leaves the app running. */
  keepsInTray: z.boolean(),
  /** Takes effect at the next start. */
  hardwareAcceleration: z.boolean(),
  /**
   * What the person went to or did most in the palette, by account: frequency weighted by recency, highest first.
   */
  chosenTargets: z
    .record(
      z.string().max(60),
      z
        .array(z.tuple([z.string().max(1_100), z.number()]))
        .max(100)
        .readonly(),
    )
    .readonly(),
  /** The collapsed groups of the inbox, by account. */
  foldedGroups: z.record(z.string().max(60), z.array(z.string().max(60)).max(500).readonly()).readonly(),
  /** Sidebar folders that the person opened or closed, by account: those that differ from their initial state. */
  turnedFolders: z.record(z.string().max(60), z.array(z.string().max(60)).max(500).readonly()).readonly(),
  /** For emoji of hands and people; 0 is none, 1 the lightest, 5 the darkest. */
  skinTone: z.int().min(0).max(5),
  /** The widths of the side columns in CSS pixels; null: determined by the window's size. */
  sidebarWidth: z.int().min(sideWidths.sidebar.least).max(sideWidths.sidebar.most).nullable(),
  peopleWidth: z.int().min(sideWidths.people.least).max(sideWidths.people.most).nullable(),
  /** Accounts in the order that the person gave them. Others follow in the order in which they were added. */
  organizationOrder: z.array(accountIdSchema).max(1_000).readonly(),
} as const

type DeviceSettingForms = typeof deviceSettingForms
/** The value of each of this device's settings. */
export type DeviceSettings = { readonly [N in keyof DeviceSettingForms]: z.output<DeviceSettingForms[N]> }

const deviceDefaults: DeviceSettings = {
  theme: 'account',
  density: 'comfortable',
  language: 'account',
  spokenLanguage: 'en',
  reducedMotion: 'system',
  notifications: true,
  quietHours: { isOn: false, from: 20 * 60, to: 6 * 60 + 30, days: [1, 2, 3, 4, 5, 6, 7], accountId: null },
  pauses: [],
  zone: '',
  shortcuts: {},
  singleKeys: true,
  savedSearches: [],
  historyDepth: '90-days',
  startsAtLogin: false,
  keepsInTray: true,
  hardwareAcceleration: true,
  foldedGroups: {},
  turnedFolders: {},
  skinTone: 0,
  sidebarWidth: null,
  peopleWidth: null,
  organizationOrder: [],
  chosenTargets: {},
}

/** This device's settings as stored. A value that another version stored in another form counts as not set. */
export function deviceSettingsFrom(stored: Readonly<Record<string, unknown>>): DeviceSettings {
  const values = Object.entries(deviceSettingForms).map(([name, form]) => {
    const parsed = form.safeParse(stored[name])
    return [name, parsed.success ? parsed.data : undefined] as const
  })
  // Each value was parsed by the form of its own name.
  const set = Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Partial<DeviceSettings>
  return { ...deviceDefaults, ...set }
}
