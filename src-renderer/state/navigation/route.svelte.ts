import {
  accountId,
  channelId,
  messageId,
  userId,
  type AccountId,
  type ChannelId,
  type MessageId,
} from '../../../src-shared/ids.ts'
import { channelLists, type ChannelListName } from '../../../src-shared/model/channel-settings.ts'
import { narrowKey, type Narrow } from '../../../src-shared/model/narrow.ts'
import { isInPage } from '../in-page.ts'
import { settingsPages, type SettingsPage } from './settings-pages.ts'

/** A place in the app. Every place has an address and works after a reload. */
export type Route =
  | { readonly view: 'sign-in' }
  /** What all organizations have. */
  | { readonly view: 'all'; readonly page: AllPage }
  | { readonly view: 'inbox'; readonly accountId: AccountId }
  | { readonly view: 'recent'; readonly accountId: AccountId }
  | { readonly view: 'drafts'; readonly accountId: AccountId }
  /** Scheduled messages and reminders. */
  | { readonly view: 'scheduled'; readonly accountId: AccountId }
  | { readonly view: 'reminders'; readonly accountId: AccountId }
  /** Starred messages, ordered by the time they were starred. */
  | { readonly view: 'last-starred'; readonly accountId: AccountId }
  /** The topics of a channel. */
  | { readonly view: 'topics'; readonly accountId: AccountId; readonly channelId: ChannelId }
  | {
      readonly view: 'settings'
      readonly accountId: AccountId
      readonly page: SettingsPage
      /** The row that was searched for. */
      readonly row: string | null
    }
  /** Channels to join and manage, shown over the previous place. */
  | {
      readonly view: 'channels'
      readonly accountId: AccountId
      readonly list: ChannelListName
      /** The selected channel. */
      readonly channelId: ChannelId | null
      readonly tab: ChannelTab
      /** A new channel is being created. */
      readonly creates?: true
    }
  | { readonly view: 'search'; readonly accountId: AccountId; readonly text: string }
  | {
      readonly view: 'feed'
      readonly accountId: AccountId
      readonly narrow: Narrow
      readonly near: MessageId | null
    }

/** The pages over all organizations; the first is their inbox. */
export const allPages = ['inbox', 'recent', 'mentions', 'starred', 'drafts', 'scheduled'] as const
export type AllPage = (typeof allPages)[number]

/** The tabs of a channel's settings. */
export const channelTabs = ['general', 'personal', 'people', 'permissions'] as const
export type ChannelTab = (typeof channelTabs)[number]

/** What can be shown over a place in one organization. */
export type ChannelsRoute = Extract<Route, { view: 'channels' }>

/** A place in one organization. */
export type AccountRoute = Exclude<Route, { view: 'sign-in' | 'all' } | ChannelsRoute>

/** The channel of a place; null if it belongs to none. */
export function channelOf(route: Route): ChannelId | null {
  if (route.view === 'topics') return route.channelId
  if (route.view !== 'feed') return null
  return route.narrow.kind === 'topic' || route.narrow.kind === 'channel' ? route.narrow.channelId : null
}

/** The narrow that a place shows; null if it shows no messages. */
export function narrowOf(route: Route): Narrow | null {
  switch (route.view) {
    case 'inbox':
    case 'recent':
      return { kind: 'combined' }
    case 'topics':
      return { kind: 'channel', channelId: route.channelId }
    case 'feed':
      return route.narrow
    default:
      return null
  }
}

/** A text inside an address; `encodeURIComponent` throws on unpaired surrogates, which `toWellFormed` replaces. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** The address of a place, below `#`. */
export function addressOf(route: Route): string {
  if (route.view === 'sign-in') return '/sign-in'
  if (route.view === 'all') return route.page === 'inbox' ? '/all' : `/all/${route.page}`
  const base = `/${route.accountId}`
  switch (route.view) {
    case 'inbox':
    case 'recent':
    case 'drafts':
    case 'scheduled':
    case 'reminders':
    case 'last-starred':
      return `${base}/${route.view}`
    case 'topics':
      return `${base}/channel/${route.channelId}/topics`
    case 'settings':
      return `${base}/settings/${route.page}${route.row === null ? '' : `?row=${encoded(route.row)}`}`
    case 'channels': {
      const { list, channelId, tab, creates } = route
      return channelId === null
        ? `${base}/channels/${list}${creates === true ? '?new' : ''}`
        : `${base}/channels/${channelId}/${tab}?list=${list}`
    }
    case 'search':
      return `${base}/search?text=${encoded(route.text)}`
    case 'feed': {
      const near = route.near === null ? '' : `?near=${route.near}`
      return `${base}/${narrowAddress(route.narrow)}${near}`
    }
  }
}

function narrowAddress(narrow: Narrow): string {
  switch (narrow.kind) {
    case 'topic':
      return `channel/${narrow.channelId}/topic/${encoded(narrow.topic)}`
    case 'channel':
      return `channel/${narrow.channelId}`
    case 'direct':
      return `direct/${narrow.userIds.join(',')}`
    case 'combined':
    case 'mentions':
    case 'directs':
    case 'starred':
      return narrow.kind
    case 'reactions':
      return `reactions/${narrow.userId}`
  }
}

/** The text that was encoded; null when nobody can have encoded it. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const numberIn = (text: string | null | undefined): number | null =>
  text != null && /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null

/** The place with an address; null if the address is invalid. */
export function routeFrom(hash: string): Route | null {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?')
  const parts = path.split('/').filter(Boolean)
  const search = new URLSearchParams(query)
  if (parts[0] === 'sign-in') return { view: 'sign-in' }
  if (parts[0] === 'all') return { view: 'all', page: allPages.find((page) => page === parts[1]) ?? 'inbox' }
  const [account, place, id, word] = parts
  if (account === undefined || place === undefined) return null
  const own = accountId(account)
  const number = numberIn(id)
  const nearNumber = numberIn(search.get('near'))
  const near = nearNumber === null ? null : messageId(nearNumber)
  const feed = (narrow: Narrow): Route => ({ view: 'feed', accountId: own, narrow, near })
  switch (place) {
    case 'inbox':
    case 'recent':
    case 'drafts':
    case 'scheduled':
    case 'reminders':
    case 'last-starred':
      return { view: place, accountId: own }
    case 'settings': {
      const page = settingsPages.find((one) => one === id) ?? 'appearance'
      return { view: 'settings', accountId: own, page, row: search.get('row') }
    }
    case 'channels': {
      const isList = (one: string | null | undefined) => channelLists.find((name) => name === one)
      const isChannel = number !== null && number !== 0
      return {
        view: 'channels',
        accountId: own,
        list: isList(isChannel ? search.get('list') : id) ?? (isChannel ? 'all' : 'subscribed'),
        channelId: isChannel ? channelId(number) : null,
        tab: channelTabs.find((tab) => tab === word) ?? 'general',
        ...(search.has('new') ? { creates: true } : {}),
      }
    }
    case 'search':
      return { view: 'search', accountId: own, text: search.get('text') ?? '' }
    case 'combined':
    case 'mentions':
    case 'directs':
    case 'starred':
      return feed({ kind: place })
    case 'reactions':
      return number === null ? null : feed({ kind: 'reactions', userId: userId(number) })
    case 'channel': {
      if (number === null) return null
      if (word === 'topics') return { view: 'topics', accountId: own, channelId: channelId(number) }
      if (word !== 'topic') return feed({ kind: 'channel', channelId: channelId(number) })
      const topic = decoded(parts[4] ?? '')
      return topic === null ? null : feed({ kind: 'topic', channelId: channelId(number), topic })
    }
    case 'direct': {
      const userIds = (id ?? '').split(',').filter(Boolean).map(numberIn)
      const areAll = userIds.every((one) => one !== null)
      return areAll ? feed({ kind: 'direct', userIds: userIds.map((one) => userId(one)) }) : null
    }
    default:
      return null
  }
}

const isAccountRoute = (route: Route): route is AccountRoute =>
  route.view !== 'sign-in' && route.view !== 'all' && route.view !== 'channels'

/** The places that are left for where they were opened from. */
type Leavable = 'settings' | 'drafts' | 'all-drafts'

function leavable(route: Route | null): Leavable | null {
  if (route?.view === 'settings' || route?.view === 'drafts') return route.view
  return route?.view === 'all' && route.page === 'drafts' ? 'all-drafts' : null
}

/** The current place. It follows the address bar, so back and forward work by themselves. */
class CurrentRoute {
  current = $state.raw<Route | null>(isInPage ? routeFrom(location.hash) : null)

  /** The place under the channels; null if nothing was shown before. */
  below = $state.raw<AccountRoute | null>(null)

  /** Where the person was before they opened the settings or drafts. */
  readonly #before = new Map<Leavable, string>()

  /** The address of the result that was opened last from a search, as long as the person is there. */
  #result: string | null = null

  readonly #beforeChanges = new Set<(event: HashChangeEvent) => void>()
  readonly #beforeGoings = new Set<() => void>()
  readonly #whenAgain = new Set<() => void>()
  /** How many times a place had to be looked up first. */
  #looked = 0

  constructor() {
    if (!isInPage) return
    addEventListener('hashchange', (event) => {
      for (const hear of this.#beforeChanges) hear(event)
      const last = this.current
      this.current = routeFrom(location.hash)
      if (location.hash !== this.#result) this.#result = null
      if (this.current?.view === 'channels' && last !== null && isAccountRoute(last)) this.below = last
      const now = leavable(this.current)
      if (now !== null && last !== null && leavable(last) !== now) this.#before.set(now, addressOf(last))
    })
  }

  /**
   * Calls back on each change of the address, while the last place is still shown, until the returned function is
   * called.
   */
  beforeChange(hear: (event: HashChangeEvent) => void): () => void {
    // A separate function for each caller: the next one may register the same callback before the last one stops.
    const own = (event: HashChangeEvent) => hear(event)
    this.#beforeChanges.add(own)
    return () => this.#beforeChanges.delete(own)
  }

  /**
   * Calls back before the window itself navigates, while its history entry is still the old one, until the returned
   * function is called.
   */
  beforeGoing(hear: () => void): () => void {
    this.#beforeGoings.add(hear)
    return () => this.#beforeGoings.delete(hear)
  }

  /**
   * Calls back when the person goes to the message in the address once more, which changes no address, until the
   * returned function is called.
   */
  whenAgain(hear: () => void): () => void {
    this.#whenAgain.add(hear)
    return () => this.#whenAgain.delete(hear)
  }

  /** Back to where the settings or drafts were opened from, else to `home`. */
  leave(place: Leavable, home: Route): void {
    location.hash = this.#before.get(place) ?? addressOf(home)
  }

  /** Back to the last place, else to `home`: a window may begin where the person was when the last one ended. */
  back(home: Route): void {
    if (navigation.canGoBack) history.back()
    else this.replace(home)
  }

  /** Back to the search whose result is open; whether there is one. */
  leaveResult(): boolean {
    if (this.#result === null) return false
    history.back()
    return true
  }

  /** Back to the place under the channels, else to `home`. */
  leaveChannels(home: Route): void {
    location.hash = addressOf(this.below ?? home)
  }

  /** Navigates within a place; the back button still leads to where the person was before that place. */
  replace(route: Route): void {
    location.replace(`#${addressOf(route)}`)
  }

  go(route: Route): void {
    const address = addressOf(route)
    if (route.view === 'feed' && route.near !== null && location.hash === `#${address}`) {
      for (const hear of this.#whenAgain) hear()
      return
    }
    for (const hear of this.#beforeGoings) hear()
    if (this.current?.view === 'search' && route.view === 'feed') this.#result = `#${address}`
    location.hash = address
  }

  /**
   * Goes to a place that must be looked up first, unless there is none, or the person navigated meanwhile, or asked to.
   * Rejects like `place`.
   */
  async goOnceFound(place: Promise<Route | null>): Promise<void> {
    const { hash } = location
    const own = ++this.#looked
    const found = await place
    if (found !== null && location.hash === hash && own === this.#looked) this.go(found)
  }
}

export const route = new CurrentRoute()

/** Whether the person is in a place of this account. */
export function isInAccount(accountId: string): boolean {
  const { current } = route
  return current !== null && 'accountId' in current && current.accountId === accountId
}

/** Whether the feed of this narrow is open. */
export function isFeedOpen(accountId: string, narrow: Narrow): boolean {
  const { current } = route
  return (
    current?.view === 'feed' &&
    current.accountId === accountId &&
    narrowKey(current.narrow) === narrowKey(narrow)
  )
}
