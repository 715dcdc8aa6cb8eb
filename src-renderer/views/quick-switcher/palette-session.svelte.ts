import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { JumpTarget } from '../../../src-shared/model/search-results.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import { wordsOf } from '../../../src-shared/model/name-match.ts'
import { narrowKey } from '../../../src-shared/model/narrow.ts'
import type { SearchInside } from '../../../src-shared/model/search-results.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import type { Doable } from '../../state/keys/doable.ts'
import { changeDevice } from '../../state/change-device.ts'
import { newMessage } from '../../state/writing/new-message.svelte.ts'
import { openCompose } from '../../state/writing/open-compose.ts'
import { isOwnApp } from '../../port.ts'
import { isLinked } from '../../state/navigation/place-link.ts'
import { channelOf, narrowOf, type AccountRoute } from '../../state/navigation/route.svelte.ts'
import { searchesOf } from '../../state/searches-of.ts'
import { settingsPages } from '../../state/navigation/settings-pages.ts'
import { Watched } from '../../state/data/watched.svelte.ts'
import {
  actEntries,
  jumpKey,
  messageEntry,
  scopeOf,
  searchEntries,
  section,
  settingEntries,
  targetEntry,
  type PaletteEntry,
  type PaletteFindings,
  type PaletteSection,
} from './palette-entries.ts'

/** The place over which the palette is open. */
export interface PaletteSurroundings {
  readonly accountId: AccountId
  /** The open place. */
  readonly current: AccountRoute
  readonly hasOthers: boolean
  /** The actions that are possible there. */
  readonly offered: readonly Doable[]
}

/** The search shows the remaining messages. */
const mostMessages = 2

const isPlace = ({ kind }: JumpTarget) => kind === 'conversation' || kind === 'channel'
const isOfPlace = ({ subject }: PaletteEntry) => subject.kind === 'target' && isPlace(subject.target)

/**
 * The results of the palette while a person types in it. Create it during the creation of a component; it ends with the
 * component.
 */
export class PaletteSession implements PaletteFindings {
  readonly #bridge: Bridge
  readonly #around: () => PaletteSurroundings

  typed = $state('')
  readonly asked = $derived(scopeOf(this.typed))
  readonly text = $derived(this.asked.text.trim().slice(0, 200))
  readonly #words = $derived(wordsOf(this.text))

  // The last answer stays until the next one arrives, so that nothing flickers while a person types.
  #targets = $state.raw<readonly JumpTarget[]>([])
  #answered = $state<string | null>(null)
  #messages = $state.raw<SearchInside | null>(null)

  readonly #device: Watched<'device-settings'>
  readonly #channel: Watched<'channel'> | undefined
  /** What was chosen here before, and how often. */
  readonly choices = $derived.by(() => this.#device.current?.chosenTargets[this.#around().accountId] ?? [])
  readonly #often = $derived(this.choices.map(([key]) => key))

  constructor(bridge: Bridge, around: () => PaletteSurroundings) {
    this.#bridge = bridge
    this.#around = around
    this.#device = new Watched(bridge, 'device-settings', {})
    this.#channel = $derived.by(() => {
      const channelId = channelOf(around().current)
      return channelId === null
        ? undefined
        : new Watched(bridge, 'channel', { accountId: around().accountId, channelId })
    })
    const found = $derived(
      new Watched(bridge, 'jump-targets', {
        accountId: around().accountId,
        text: this.asked.scope === 'acts' ? '' : this.text,
        of: this.asked.scope === 'acts' ? 'everything' : this.asked.scope,
        often: this.#often,
        limit: this.asked.scope === 'everything' ? 5 : 12,
      }),
    )
    const hits = $derived(
      this.asked.scope === 'everything' && this.text.length >= 2
        ? new Watched(bridge, 'search', {
            accountId: around().accountId,
            text: this.text,
            limit: mostMessages,
          })
        : null,
    )
    // Substring matches are requested only if whole words leave room for them.
    const inside = $derived(
      hits?.current !== undefined && hits.current.results.length < mostMessages
        ? new Watched(bridge, 'search-inside', {
            accountId: around().accountId,
            text: this.text,
            limit: mostMessages,
          })
        : null,
    )
    $effect.pre(() => {
      if (found.current === undefined) return
      this.#targets = found.current
      this.#answered = this.typed
    })
    $effect.pre(() => {
      if (hits === null) this.#messages = null
      if (hits?.current === undefined || (inside !== null && inside.current === undefined)) return
      const { results, total, hasMore } = hits.current
      const parts = inside?.current ?? { results: [], total: 0, hasMore: false }
      this.#messages = {
        results: [...results, ...parts.results].slice(0, mostMessages),
        total: total + parts.total,
        hasMore: hasMore || parts.hasMore,
      }
    })
  }

  /** Whether the results answer the typed text. */
  readonly isAnswered = $derived(this.#answered === this.typed)

  /** Leaves out actions that make no sense here, and names the object of those that have one. */
  readonly #acts = $derived.by(() => {
    const { offered, hasOthers, current } = this.#around()
    const narrow = narrowOf(current)
    const channelName = this.#channel?.current == null ? '' : `#${this.#channel.current.name}`
    return offered.flatMap((one): Doable[] => {
      switch (one.name) {
        case 'topics':
          return this.#channel === undefined ? [] : [{ ...one, object: channelName }]
        case 'channel-settings':
          return this.#channel?.current == null ? [] : [{ ...one, object: channelName }]
        case 'mute-channel':
        case 'pin-channel':
        case 'leave-channel': {
          const channel = this.#channel?.current
          if (channel == null || !channel.isSubscribed) return []
          const { mute, unmute, pin, unpin, leave } = t.quickSwitcher.channel
          const words =
            one.name === 'leave-channel'
              ? leave
              : one.name === 'mute-channel'
                ? channel.isMuted
                  ? unmute
                  : mute
                : channel.isPinned
                  ? unpin
                  : pin
          return [{ ...one, words, object: channelName }]
        }
        case 'mark-place-read':
          return narrow === null ? [] : [one]
        case 'copy-place-link':
          return narrow === null || !isLinked(narrow) ? [] : [one]
        case 'new-topic':
          return [{ ...one, object: channelName }]
        case 'reply':
          return openCompose.current === null ? [] : [one]
        case 'written-to':
          return newMessage.conversation === null ? [] : [one]
        case 'all-organizations':
          return hasOthers ? [one] : []
        default:
          return [one]
      }
    })
  })

  /** The shown sections. */
  readonly sections = $derived.by((): PaletteSection[] => {
    const { scope } = this.asked
    const { sections: names } = t.quickSwitcher
    const { accountId, current } = this.#around()
    const acts = (most: number) =>
      section(
        { key: 'acts', accountId, name: names.acts },
        actEntries(this.#acts, this.text, this.#often, most),
      )
    const settings = (most: number) =>
      section(
        { key: 'settings', accountId, name: t.settings.title },
        settingEntries(
          this.text,
          settingsPages.filter((page) => page !== 'window' || isOwnApp()),
          most,
        ),
      )
    if (scope === 'acts') return [...acts(this.#acts.length), ...settings(12)]
    const openKey = current.view === 'feed' ? narrowKey(current.narrow) : ''
    const entries = this.#targets
      .filter((target) => this.#words.length > 0 || jumpKey(target) !== openKey)
      .map((target) => targetEntry(target, this.#words))
    const placesName =
      scope === 'channels' ? 'channels' : this.#words.length === 0 ? 'recent' : 'conversations'
    const places = section({ key: 'places', accountId, name: names[placesName] }, entries.filter(isOfPlace))
    const people = (most: number) =>
      section(
        { key: 'people', accountId, name: names.people },
        entries.filter((entry) => !isOfPlace(entry)).slice(0, most),
      )
    if (scope !== 'everything') return [...places, ...people(entries.length)]
    const messages = {
      key: 'messages',
      accountId,
      name: names.messages,
      count: this.#messageCount(),
    }
    return [
      ...places,
      ...acts(4),
      ...people(3),
      ...section(
        { key: 'searches', accountId, name: t.mainWindow.sidebar.searches },
        searchEntries(searchesOf(this.#device.current, accountId), this.#words, 2),
      ),
      ...settings(3),
      ...(this.text === '' ? [] : section(messages, this.#messageEntries())),
    ]
  })

  /** Stores that a target was chosen once more, for the next time's order; the palette does not wait for it. */
  remember(chosenTargets: readonly (readonly [key: string, times: number])[]): void {
    const seen = this.#device.current
    if (seen === undefined) return
    const { accountId } = this.#around()
    const own = chosenTargets.map(([key, times]): [string, number] => [key, times])
    void changeDevice(this.#bridge, seen, (device) => ({
      chosenTargets: { ...device.chosenTargets, [accountId]: own },
    })).catch(() => {})
  }

  #messageCount(): string | null {
    if (this.#messages === null) return null
    const { total, hasMore } = this.#messages
    return hasMore ? t.quickSwitcher.orMore(total) : t.number(total)
  }

  #messageEntries(): PaletteEntry[] {
    return [
      ...(this.#messages?.results ?? []).map(messageEntry),
      {
        key: 'search',
        name: { text: t.quickSwitcher.searchAll(this.text), spans: [] },
        detail: { text: '', spans: [] },
        subject: { kind: 'search' },
      },
    ]
  }
}
