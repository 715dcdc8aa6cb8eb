import type { DeviceSettings, SettingValues } from '../../../src-shared/bridge/settings.ts'
import type { SettingsPage } from '../../state/settings-pages.ts'

type NamesOf<Values, V> = {
  [N in keyof Values]: Values[N] extends V ? N : never
}[keyof Values]
type StringNames<Values> = {
  [N in keyof Values]: Values[N] extends string ? (string extends Values[N] ? never : N) : never
}[keyof Values]

interface Words {
  readonly title: string
  /** One line. */
  readonly help?: string
  /** Other words under which somebody looks for it. */
  readonly also?: string
}
type Choices<V> = readonly {
  readonly value: V
  readonly label: string
  /** This app has no such place: offered only while another app has chosen it. */
  readonly isElsewhere?: boolean
}[]

type ChoiceOf<Values, Scope extends string> = {
  [N in StringNames<Values>]: Words & {
    readonly kind: 'choice'
    readonly scope: Scope
    readonly name: N
    readonly choices: Choices<Values[N]>
    /** Side by side; few and short. */
    readonly inLine?: boolean
  }
}[StringNames<Values>]
type SwitchOf<Values, Scope extends string> = Words & {
  readonly kind: 'switch'
  readonly scope: Scope
  readonly name: NamesOf<Values, boolean>
}

/** A setting as the screen shows it. `account` settings follow the account, `device` settings stay. */
export type SettingRow =
  | SwitchOf<SettingValues, 'account'>
  | SwitchOf<DeviceSettings, 'device'>
  | ChoiceOf<SettingValues, 'account'>
  | ChoiceOf<DeviceSettings, 'device'>
  | (Words & {
      readonly kind: 'slider'
      readonly scope: 'account'
      readonly name: 'fontSize' | 'lineHeight'
      readonly min: number
      readonly max: number
      readonly step: number
    })
  /** Shown by its page in a way of its own. */
  | (Words & { readonly kind: 'own'; readonly scope: 'account' | 'device'; readonly name: string })

export interface SettingSection {
  readonly title: string
  readonly rows: readonly SettingRow[]
}

const on = (
  name: NamesOf<SettingValues, boolean>,
  title: string,
  help?: string,
  also?: string,
): SettingRow => ({
  kind: 'switch',
  scope: 'account',
  name,
  title,
  ...(help === undefined ? {} : { help }),
  ...(also === undefined ? {} : { also }),
})

const choices = <V extends string>(labels: Readonly<Record<V, string>>): Choices<V> =>
  // The keys of the record are its type's.
  (Object.entries(labels) as [V, string][]).map(([value, label]) => ({ value, label }))

const engagement = choices({
  participating: 'I react, vote or write in',
  sending: 'I write in',
  starting: 'I start',
  never: 'Never by itself',
})

/** Which settings each page shows, in their order. */
export const settingSections: Readonly<Record<SettingsPage, readonly SettingSection[]>> = {
  appearance: [
    {
      title: 'Theme',
      rows: [
        {
          kind: 'own',
          scope: 'account',
          name: 'colorScheme',
          title: 'Theme',
          help: 'Light, dark, or as the system is',
          also: 'dark mode night colour color scheme',
        },
        {
          kind: 'choice',
          scope: 'device',
          name: 'theme',
          title: 'Theme on this computer',
          help: 'If this screen should differ from your others',
          choices: choices({
            account: 'As chosen above',
            light: 'Light',
            dark: 'Dark',
            system: 'Match the system',
          }),
        },
        on('highContrast', 'More contrast', 'Stronger borders and darker grey text', 'accessibility'),
        {
          kind: 'choice',
          scope: 'device',
          name: 'reducedMotion',
          title: 'Reduce motion',
          help: 'Nothing on screen moves by itself',
          also: 'animation accessibility',
          choices: choices({ system: 'Match the system', always: 'Always' }),
        },
      ],
    },
    {
      title: 'Text and space',
      rows: [
        {
          kind: 'choice',
          scope: 'device',
          name: 'density',
          title: 'Density',
          help: 'Row height and spacing in lists and messages',
          inLine: true,
          choices: choices({ compact: 'Compact', comfortable: 'Comfortable', roomy: 'Roomy' }),
        },
        {
          kind: 'slider',
          scope: 'account',
          name: 'fontSize',
          title: 'Text size',
          also: 'font bigger smaller zoom',
          min: 12,
          max: 20,
          step: 1,
        },
        {
          kind: 'slider',
          scope: 'account',
          name: 'lineHeight',
          title: 'Line distance',
          also: 'height spacing',
          min: 110,
          max: 180,
          step: 5,
        },
        on(
          'fluidWidth',
          'Use the whole width',
          'Off keeps lines of messages short enough to read',
          'fluid layout wide',
        ),
      ],
    },
    {
      title: 'Emoji and pictures',
      rows: [
        {
          kind: 'own',
          scope: 'account',
          name: 'emojiSet',
          title: 'Emoji',
          help: 'As pictures, or by their names',
          also: 'emoticon smiley plain text',
        },
        {
          kind: 'choice',
          scope: 'account',
          name: 'imageAnimation',
          title: 'Animated pictures',
          help: 'When pictures in messages move',
          also: 'gif motion preview',
          choices: choices({ always: 'Always', 'on-hover': 'Under the pointer', never: 'Never' }),
        },
      ],
    },
    {
      title: 'Time',
      rows: [
        {
          kind: 'own',
          scope: 'account',
          name: 'twentyFourHourTime',
          title: 'Time format',
          also: 'clock 12 24 hour am pm',
        },
      ],
    },
    {
      title: 'Sidebar',
      rows: [
        on('channelFolders', 'Group channels by folder', 'Off lists them by name'),
        {
          kind: 'choice',
          scope: 'account',
          name: 'inactiveChannels',
          title: 'Set inactive channels apart',
          help: 'Where nobody wrote for a long time',
          also: 'demote hide quiet',
          choices: choices({ automatic: 'When there are many', always: 'Always', never: 'Never' }),
        },
        {
          kind: 'choice',
          scope: 'account',
          name: 'channelCounts',
          title: 'Show counts for',
          help: 'Muted topics are never counted',
          also: 'unread badge number',
          choices: choices({ all: 'All channels', unmuted: 'Unmuted channels', none: 'No channels' }),
        },
        on('sectionCounts', 'Counts of folded sections', 'What is unread in a folder that is closed'),
        on('starredCounts', 'Count of starred messages'),
      ],
    },
    {
      title: 'People',
      rows: [
        {
          kind: 'choice',
          scope: 'account',
          name: 'userListStyle',
          title: 'List of people',
          also: 'users avatar status compact',
          choices: choices({
            compact: 'Names',
            'with-status': 'Names and notes',
            'with-avatar': 'Pictures, names and notes',
          }),
        },
        on('peopleOnLeft', 'People on the left', 'In narrow windows, beside the channels', 'user list side'),
      ],
    },
  ],
  reading: [
    {
      title: 'Reading',
      rows: [
        {
          kind: 'choice',
          scope: 'account',
          name: 'homeView',
          title: 'Home view',
          help: 'Opens at the start',
          also: 'default inbox recent combined feed',
          choices: [
            { value: 'inbox', label: 'Inbox' },
            { value: 'recent', label: 'Recent conversations' },
            { value: 'combined', label: 'Combined feed' },
          ],
        },
        on('escapeGoesHome', 'Esc goes to the home view', 'When there is nothing left to close', 'escape'),
        {
          kind: 'choice',
          scope: 'account',
          name: 'channelView',
          title: 'A click on a channel opens',
          also: 'default topic feed link',
          choices: [
            { value: 'top-topic', label: 'Its newest topic' },
            { value: 'top-unread-topic', label: 'Its newest unread topic' },
            { value: 'feed', label: 'Everything in it' },
            { value: 'topics', label: 'The list of its topics' },
          ],
        },
        {
          kind: 'choice',
          scope: 'account',
          name: 'markReadOnScroll',
          title: 'Mark messages as read',
          also: 'scroll unread',
          choices: choices({
            always: 'As you scroll past them',
            'in-conversations': 'In topics and direct messages',
            never: 'Only when you say so',
          }),
        },
        {
          kind: 'choice',
          scope: 'account',
          name: 'resolvedNoticesRead',
          title: 'Mark notes about resolved topics as read',
          help: 'The server does this as they come',
          choices: choices({
            always: 'Always',
            'except-followed': 'Except in followed topics',
            never: 'Never',
          }),
        },
        on('reactionNames', 'Names on reactions', 'Who reacted, while there are three or fewer'),
        on('receivesTyping', 'Show who is typing', undefined, 'notice indicator'),
      ],
    },
    {
      title: 'Writing',
      rows: [
        on('enterSends', 'Enter sends', 'Off: Enter begins a new line, Ctrl Enter sends', 'return newline'),
        on('goesToSent', 'Go to what was sent', 'When a message leaves from a feed of many topics'),
        on(
          'translatesEmoticons',
          'Make emoji of emoticons',
          'The server does this when a message is sent: :) becomes 🙂',
          'smiley translate',
        ),
        on('sendsTopicTyping', 'Tell channels that you type', undefined, 'typing notifications'),
        on('sendsDirectTyping', 'Tell people in direct messages that you type', undefined, 'typing'),
      ],
    },
    {
      title: 'Topics that are followed by themselves',
      rows: [
        {
          kind: 'choice',
          scope: 'account',
          name: 'followsTopics',
          title: 'Follow topics that',
          also: 'automatically',
          choices: engagement,
        },
        on('followsMentions', 'Follow topics where somebody mentions you'),
        {
          kind: 'choice',
          scope: 'account',
          name: 'unmutesTopics',
          title: 'In muted channels, unmute topics that',
          also: 'automatically',
          choices: engagement,
        },
      ],
    },
  ],
  notifications: [
    {
      title: 'What may interrupt you',
      rows: [
        {
          kind: 'own',
          scope: 'account',
          name: 'matrix',
          title: 'Notify me about',
          also: 'direct messages mentions followed topics channels desktop sound mobile push email',
        },
        on(
          'wildcardMentionsNotify',
          'Mentions of everybody',
          '@all, @everyone and @channel count as mentions',
        ),
        on('followedWildcardMentionsNotify', 'Mentions of everybody in followed topics', '@topic as well'),
      ],
    },
    {
      title: 'On this computer',
      rows: [
        {
          kind: 'switch',
          scope: 'device',
          name: 'notifications',
          title: 'Notifications',
          help: 'Off: nothing pops up or makes a sound here. Counts still change',
          also: 'mute quiet pause',
        },
        on('directTextInNotices', 'Text of direct messages', 'Off shows only who wrote', 'content privacy'),
        {
          kind: 'choice',
          scope: 'account',
          name: 'iconCount',
          title: 'Count on the app icon',
          also: 'badge dock taskbar',
          choices: choices({
            all: 'All unread messages',
            'personal-and-followed': 'For you and followed topics',
            personal: 'Direct messages and mentions',
            none: 'No count',
          }),
        },
      ],
    },
    {
      title: 'Sent by the server',
      rows: [
        on('mobileWhileOnline', 'Mobile also while you are at this computer', undefined, 'push online'),
        {
          kind: 'own',
          scope: 'account',
          name: 'emailDelaySeconds',
          title: 'Wait before sending email',
          help: 'Messages that come meanwhile go into the same one',
          also: 'batching delay',
        },
        on('textInEmails', 'Text of messages in emails', undefined, 'content privacy'),
        {
          kind: 'choice',
          scope: 'account',
          name: 'organizationNameInEmails',
          title: 'Name of the organization in emails',
          choices: choices({ automatic: 'If you are in several', always: 'Always', never: 'Never' }),
        },
        on('digestEmails', 'A digest when you are away'),
        on('loginEmails', 'Email about new sign-ins', undefined, 'security login'),
        on('newsEmails', 'News from whoever runs the server', undefined, 'marketing'),
      ],
    },
  ],
  privacy: [
    {
      title: 'What others see',
      rows: [
        on('sharesPresence', 'Show when you are here', undefined, 'presence online status'),
        on('sendsReadReceipts', 'Let others see what you have read', undefined, 'receipts'),
        {
          kind: 'choice',
          scope: 'account',
          name: 'emailVisibility',
          title: 'Who sees your email address',
          choices: choices({
            everyone: 'Everybody, guests too',
            members: 'Members',
            moderators: 'Moderators and above',
            admins: 'Administrators',
            nobody: 'Nobody',
          }),
        },
        on('allowsExport', 'Let administrators export your direct messages', undefined, 'private data'),
      ],
    },
  ],
  drafts: [
    {
      title: 'Drafts',
      rows: [
        on(
          'draftsSynchronized',
          'Drafts on all your devices',
          'Off deletes the copies on the server. What is on this computer stays',
          'sync synchronize',
        ),
      ],
    },
    {
      title: 'History on this computer',
      rows: [
        {
          kind: 'choice',
          scope: 'device',
          name: 'historyDepth',
          title: 'Keep messages of',
          help: 'Older ones load when you look at them. Direct messages are always kept',
          also: 'offline cache storage download search',
          inLine: true,
          choices: choices({ '90-days': '90 days', everything: 'Everything' }),
        },
        {
          kind: 'own',
          scope: 'device',
          name: 'history',
          title: 'What is here',
          also: 'progress size disk',
        },
      ],
    },
  ],
  keyboard: [
    {
      title: 'Keyboard',
      rows: [
        {
          kind: 'own',
          scope: 'device',
          name: 'shortcuts',
          title: 'Shortcuts',
          help: 'Every one can be changed or switched off',
          also: 'keys hotkeys keyboard',
        },
        {
          kind: 'switch',
          scope: 'device',
          name: 'singleKeys',
          title: 'Single keys act',
          help: 'Like C for a new topic, only where nothing is being written',
          also: 'shortcuts letters',
        },
      ],
    },
  ],
  window: [
    {
      title: 'Window and startup',
      rows: [
        {
          kind: 'switch',
          scope: 'device',
          name: 'startsAtLogin',
          title: 'Start with the computer',
          help: 'In the tray, without a window',
          also: 'login autostart boot',
        },
        {
          kind: 'switch',
          scope: 'device',
          name: 'keepsInTray',
          title: 'Go on in the tray when the window is closed',
          help: 'Notifications come only while Dunlin runs',
          also: 'quit background',
        },
        {
          kind: 'switch',
          scope: 'device',
          name: 'hardwareAcceleration',
          title: 'Draw with the graphics card',
          help: 'Takes effect at the next start. Off helps when the window flickers or stays empty',
          also: 'hardware acceleration gpu',
        },
      ],
    },
  ],
  organizations: [
    {
      title: 'Organizations',
      rows: [
        {
          kind: 'own',
          scope: 'device',
          name: 'accounts',
          title: 'Organizations',
          help: 'Accounts on this computer',
          also: 'sign out log out remove account add switch proxy network certificate',
        },
      ],
    },
  ],
  about: [
    {
      title: 'About',
      rows: [
        {
          kind: 'own',
          scope: 'device',
          name: 'about',
          title: 'About Dunlin',
          help: 'Version, folder, diagnostics',
          also: 'server version data folder log help support',
        },
      ],
    },
  ],
}

/** What a page is called. */
export const pageTitles: Readonly<Record<SettingsPage, string>> = {
  appearance: 'Appearance',
  reading: 'Reading and writing',
  notifications: 'Notifications',
  privacy: 'Privacy',
  drafts: 'Drafts and history',
  keyboard: 'Keyboard',
  window: 'Window and startup',
  organizations: 'Organizations',
  about: 'About',
}

/** A row that was found, and where it is. */
export interface FoundRow {
  readonly page: SettingsPage
  readonly row: SettingRow
}

/** Rows whose title, help, choices or synonyms have all the words, titles first. */
export function findRows(text: string, pages: readonly SettingsPage[]): FoundRow[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const has = (haystack: string) => wanted.every((word) => haystack.toLowerCase().includes(word))
  return pages
    .flatMap((page) =>
      settingSections[page].flatMap(({ title, rows }) =>
        rows.map((row) => ({ page, row, section: `${pageTitles[page]} ${title}` })),
      ),
    )
    .flatMap(({ page, row, section }) => {
      const labels = row.kind === 'choice' ? row.choices.map(({ label }) => label).join(' ') : ''
      const rank = has(row.title)
        ? 0
        : has(`${row.title} ${row.help ?? ''} ${row.also ?? ''} ${labels}`)
          ? 1
          : has(`${section} ${row.title} ${row.help ?? ''} ${row.also ?? ''} ${labels}`)
            ? 2
            : null
      return rank === null ? [] : [{ found: { page, row }, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ found }) => found)
}
