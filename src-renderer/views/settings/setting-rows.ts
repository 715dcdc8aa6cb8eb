import type { DeviceSettings, SettingValues } from '../../../src-shared/bridge/settings.ts'
import { foldName, wordsOf } from '../../../src-shared/model/name-match.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import type { SettingsPage } from '../../state/navigation/settings-pages.ts'
import { offeredLanguages } from './language-names.ts'

type NamesOf<Values, V> = {
  [N in keyof Values]: Values[N] extends V ? N : never
}[keyof Values]
type ChoiceNames<Values> = {
  [N in keyof Values]: Values[N] extends string ? (string extends Values[N] ? never : N) : never
}[keyof Values]

interface Words {
  readonly title: string
  /** One line. */
  readonly help?: string
  /** Synonyms that the search finds as well. */
  readonly also?: string
}
type SwitchOf<Values, Scope extends string> = Words & {
  readonly kind: 'switch'
  readonly scope: Scope
  readonly name: NamesOf<Values, boolean>
}
type ChoiceOf<Values, Scope extends string> = Words & {
  readonly kind: 'choice'
  readonly scope: Scope
  readonly name: ChoiceNames<Values>
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** The choices stand side by side, because they are few and short. */
  readonly inLine?: boolean
}

/** A row of the settings. `account` settings follow the account; `device` settings stay on this device. */
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
  /** Its page shows it in a way of its own. */
  | (Words & { readonly kind: 'own'; readonly scope: 'account' | 'device'; readonly name: string })

/** Settings under one heading. */
export interface SettingSection {
  readonly title: string
  readonly rows: readonly SettingRow[]
}

type AccountWords = typeof t.settings.account
type DeviceWords = typeof t.settings.device

const switchOf = (name: NamesOf<SettingValues, boolean> & keyof AccountWords): SettingRow => {
  const words: Words = t.settings.account[name]
  return { kind: 'switch', scope: 'account', name, ...words }
}
const deviceSwitch = (name: NamesOf<DeviceSettings, boolean> & keyof DeviceWords): SettingRow => {
  const words: Words = t.settings.device[name]
  return { kind: 'switch', scope: 'device', name, ...words }
}
const own = (name: keyof AccountWords): SettingRow => {
  const words: Words = t.settings.account[name]
  return { kind: 'own', scope: 'account', name, ...words }
}
const deviceOwn = (name: keyof DeviceWords): SettingRow => {
  const words: Words = t.settings.device[name]
  return { kind: 'own', scope: 'device', name, ...words }
}

const inOrder = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** The choices are in the order of the catalogue, which has a label for every value. */
function choice<N extends ChoiceNames<SettingValues>>(
  name: N,
  { choices, ...words }: Words & { readonly choices: Readonly<Record<SettingValues[N], string>> },
): SettingRow {
  return { kind: 'choice', scope: 'account', name, ...words, choices: inOrder(choices) }
}
function deviceChoice<N extends ChoiceNames<DeviceSettings>>(
  name: N,
  // The pseudo-locale is not offered.
  words: Words & { readonly choices: Readonly<Record<Exclude<DeviceSettings[N], 'ar-XB'>, string>> },
  layout: { inLine?: boolean } = {},
): SettingRow {
  return { kind: 'choice', scope: 'device', name, ...words, choices: inOrder(words.choices), ...layout }
}

/** The sections of a page in order, in the window's language. */
export function settingSections(page: SettingsPage): readonly SettingSection[] {
  const { account, device, sections, pages } = t.settings
  switch (page) {
    case 'profile':
      return [
        { title: sections.seenByOthers, rows: [own('ownName'), own('ownPicture')] },
        { title: sections.aboutYou, rows: [own('profileFields')] },
        { title: sections.signingIn, rows: [own('ownEmail'), own('ownPassword')] },
      ]
    case 'appearance':
      return [
        {
          title: sections.theme,
          rows: [
            own('colorScheme'),
            deviceChoice('theme', device.theme),
            switchOf('highContrast'),
            deviceChoice('reducedMotion', device.reducedMotion),
          ],
        },
        {
          title: sections.textAndSpace,
          rows: [
            deviceChoice('density', device.density, { inLine: true }),
            {
              kind: 'slider',
              scope: 'account',
              name: 'fontSize',
              ...account.fontSize,
              min: 12,
              max: 31,
              step: 1,
            },
            {
              kind: 'slider',
              scope: 'account',
              name: 'lineHeight',
              ...account.lineHeight,
              min: 110,
              max: 180,
              step: 5,
            },
            switchOf('fluidWidth'),
          ],
        },
        {
          title: sections.language,
          rows: [
            own('language'),
            deviceChoice('language', {
              ...device.language,
              choices: { ...device.language.choices, ...offeredLanguages },
            }),
          ],
        },
        {
          title: sections.pictures,
          rows: [own('emojiSet'), choice('imageAnimation', account.imageAnimation)],
        },
        {
          title: sections.time,
          rows: [own('twentyFourHourTime'), own('timezone'), switchOf('suggestsTimezone')],
        },
        {
          title: sections.sidebar,
          rows: [
            switchOf('channelFolders'),
            choice('inactiveChannels', account.inactiveChannels),
            choice('channelCounts', account.channelCounts),
            switchOf('sectionCounts'),
            switchOf('starredCounts'),
          ],
        },
        {
          title: sections.people,
          rows: [choice('userListStyle', account.userListStyle), switchOf('peopleOnLeft')],
        },
      ]
    case 'reading':
      return [
        {
          title: sections.reading,
          rows: [
            choice('homeView', account.homeView),
            switchOf('escapeGoesHome'),
            choice('channelView', account.channelView),
            choice('markReadOnScroll', account.markReadOnScroll),
            choice('resolvedNoticesRead', account.resolvedNoticesRead),
            switchOf('reactionNames'),
            switchOf('receivesTyping'),
          ],
        },
        {
          title: sections.writing,
          rows: [
            switchOf('enterSends'),
            switchOf('goesToSent'),
            switchOf('translatesEmoticons'),
            switchOf('sendsTopicTyping'),
            switchOf('sendsDirectTyping'),
          ],
        },
        {
          title: sections.followed,
          rows: [
            choice('followsTopics', account.followsTopics),
            switchOf('followsMentions'),
            choice('unmutesTopics', account.unmutesTopics),
          ],
        },
      ]
    case 'notifications':
      return [
        {
          title: sections.interruptions,
          rows: [
            own('matrix'),
            switchOf('wildcardMentionsNotify'),
            switchOf('followedWildcardMentionsNotify'),
          ],
        },
        {
          title: sections.thisComputer,
          rows: [
            deviceSwitch('notifications'),
            switchOf('directTextInNotices'),
            choice('iconCount', account.iconCount),
          ],
        },
        {
          title: sections.quiet,
          rows: [deviceOwn('pauses'), deviceOwn('quietHours'), deviceOwn('quietDays')],
        },
        {
          title: sections.byServer,
          rows: [
            switchOf('mobileWhileOnline'),
            own('emailDelaySeconds'),
            switchOf('textInEmails'),
            choice('organizationNameInEmails', account.organizationNameInEmails),
            switchOf('digestEmails'),
            switchOf('loginEmails'),
            switchOf('newsEmails'),
          ],
        },
      ]
    case 'alert-words':
      return [{ title: pages['alert-words'], rows: [own('alertWords')] }]
    case 'muted':
      return [
        { title: sections.people, rows: [own('mutedPeople')] },
        { title: sections.topics, rows: [own('chosenTopics')] },
      ]
    case 'privacy':
      return [
        {
          title: sections.seenByOthers,
          rows: [
            switchOf('sharesPresence'),
            switchOf('sendsReadReceipts'),
            choice('emailVisibility', account.emailVisibility),
            switchOf('allowsExport'),
          ],
        },
      ]
    case 'drafts':
      return [
        { title: sections.drafts, rows: [switchOf('draftsSynchronized')] },
        {
          title: sections.history,
          rows: [deviceChoice('historyDepth', device.historyDepth, { inLine: true }), deviceOwn('history')],
        },
      ]
    case 'keyboard':
      return [{ title: pages.keyboard, rows: [deviceOwn('shortcuts'), deviceSwitch('singleKeys')] }]
    case 'window':
      return [
        {
          title: pages.window,
          rows: [
            deviceSwitch('startsAtLogin'),
            deviceSwitch('keepsInTray'),
            deviceSwitch('hardwareAcceleration'),
          ],
        },
      ]
    case 'organizations':
      return [{ title: pages.organizations, rows: [deviceOwn('accounts')] }]
    case 'about':
      return [{ title: pages.about, rows: [deviceOwn('about')] }]
  }
}

/** A row that the search found, and its page. */
export interface FoundRow {
  readonly page: SettingsPage
  readonly row: SettingRow
}

/** Rows whose title, help, choices or synonyms contain all words; matches in titles first. */
export function findRows(text: string, pages: readonly SettingsPage[]): FoundRow[] {
  const wanted = wordsOf(text)
  if (wanted.length === 0) return []
  const has = (haystack: string) => wanted.every((word) => foldName(haystack).includes(word))
  return pages
    .flatMap((page) =>
      settingSections(page).flatMap(({ title, rows }) =>
        rows.map((row) => ({ page, row, section: `${t.settings.pages[page]} ${title}` })),
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
