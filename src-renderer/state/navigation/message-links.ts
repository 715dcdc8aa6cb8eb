import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { channelId, groupId, userId, type AccountId, type ChannelId } from '../../../src-shared/ids.ts'
import { channelLists } from '../../../src-shared/model/channel-settings.ts'
import { linkOwner, linkTerms, placeFromLink, type LinkTerm } from '../../../src-shared/model/message-link.ts'
import {
  operatorOf,
  peopleOperators,
  searchText,
  searchValues,
  type SearchOperator,
  type SearchTerm,
} from '../../../src-shared/model/search.ts'
import { linkedNarrow } from './linked-narrow.ts'
import { once } from '../data/once.ts'
import type { ProfileSubject } from '../open-profile.svelte.ts'
import { channelTabs, type ChannelTab, type Route } from './route.svelte.ts'
import type { SettingsPage } from './settings-pages.ts'

/** The target of a link in a message. */
export type LinkGoal =
  | { readonly kind: 'place'; readonly route: Route }
  /** A channel, which opens in the way that the person prefers. */
  | { readonly kind: 'channel'; readonly accountId: AccountId; readonly channelId: ChannelId }
  | { readonly kind: 'card'; readonly subject: ProfileSubject }
  /** The help on formatting messages. */
  | { readonly kind: 'formatting-help' }
  | { readonly kind: 'outside'; readonly url: string }

/** The target of a link in a message of the account; null if it is none of the app's. */
export async function linkGoal(href: string, bridge: Bridge, accountId: AccountId): Promise<LinkGoal | null> {
  const accounts = await once(bridge, 'accounts', {})
  const owner = linkOwner(href, accounts, accountId)
  const inside = owner === null ? null : await goalOf(href, bridge, owner, accountId)
  if (inside !== null) return inside
  if (/^(https?|mailto|tel):/i.test(href)) return { kind: 'outside', url: href }
  // These exist only on the server's own pages.
  const base = accounts.find(({ id }) => id === accountId)?.baseUrl
  const isOfServer = base !== undefined && /^[/#]/.test(href) && URL.canParse(href, base)
  return isOfServer ? { kind: 'outside', url: new URL(href, new URL('/', base)).href } : null
}

async function goalOf(
  href: string,
  bridge: Bridge,
  owner: AccountId,
  here: AccountId,
): Promise<LinkGoal | null> {
  const terms = linkTerms(href)
  if (terms !== null) {
    const isPlace = terms.every(({ operator, isNegated }) => placeOperators.has(operator) && !isNegated)
    const place = isPlace ? placeFromLink(href) : null
    if (place === null) return searchGoal(terms, bridge, owner)
    const { near } = place
    if (place.narrow.kind === 'channel' && near === null)
      return { kind: 'channel', accountId: owner, channelId: place.narrow.channelId }
    const narrow = await linkedNarrow(place, bridge, owner)
    return { kind: 'place', route: { view: 'feed', accountId: owner, narrow, near } }
  }
  const parts = (/#(.*)$/.exec(href)?.[1] ?? '').split('/')
  if (parts[0] === 'message-formatting') return { kind: 'formatting-help' }
  const number = numberOf(parts[1])
  if (number > 0 && owner === here) {
    if (parts[0] === 'user') return { kind: 'card', subject: { kind: 'person', userId: userId(number) } }
    if (parts[0] === 'groups') return { kind: 'card', subject: { kind: 'group', groupId: groupId(number) } }
  }
  const route = viewOf(parts, owner)
  return route === null ? null : { kind: 'place', route }
}

/** Terms that name a conversation or a message in it. */
const placeOperators = new Set(
  'channel stream topic subject dm pm-with near with'.split(' ') as readonly string[],
)

const numberOf = (part = ''): number => Number(/^\d+/.exec(part)?.[0] ?? 0)

/** Our names for the pages of other clients' settings; what they have and we do not opens in the browser. */
const settingsOf: Readonly<Record<string, SettingsPage>> = {
  '': 'appearance',
  'account-and-privacy': 'privacy',
  'alert-words': 'alert-words',
  'display-settings': 'appearance',
  'muted-topics': 'muted',
  'muted-users': 'muted',
  notifications: 'notifications',
  preferences: 'appearance',
  topics: 'muted',
}

/** Our name for a tab of a channel in other clients. */
const tabOf = (name: string | undefined): ChannelTab =>
  name === 'subscribers' ? 'people' : (channelTabs.find((tab) => tab === name) ?? 'general')

/** The view that other clients have at an address; null if we have none. */
function viewOf([view, first, , third]: readonly string[], accountId: AccountId): Route | null {
  switch (view) {
    case 'inbox':
    case 'recent':
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return { view, accountId }
    case 'recent_topics':
      return { view: 'recent', accountId }
    case 'feed':
    case 'all_messages':
      return { view: 'feed', accountId, narrow: { kind: 'combined' }, near: null }
    case 'channels':
    case 'streams': {
      const id = numberOf(first)
      return {
        view: 'channels',
        accountId,
        list: channelLists.find((list) => list === first) ?? 'all',
        channelId: id > 0 ? channelId(id) : null,
        tab: tabOf(third),
        ...(first === 'new' ? { creates: true } : {}),
      }
    }
    case 'settings': {
      const page = settingsOf[first ?? '']
      return page === undefined ? null : { view, accountId, page, row: null }
    }
    case 'keyboard-shortcuts':
      return { view: 'settings', accountId, page: 'keyboard', row: null }
    case 'about-zulip':
      return { view: 'settings', accountId, page: 'about', row: null }
    case 'search-operators':
      return { view: 'search', accountId, text: '' }
    default:
      return null
  }
}

/** Other clients' views that are a search with one filter. */
const ownViews = { dm: 'directs', private: 'directs', starred: 'starred', mentioned: 'mentions' } as const
/** The search that a link asks for, in our notation; null if it cannot be searched here. */
async function searchGoal(
  terms: readonly LinkTerm[],
  bridge: Bridge,
  accountId: AccountId,
): Promise<LinkGoal | null> {
  const [first] = terms
  if (terms.length === 1 && first?.operator === 'is' && !first.isNegated) {
    const kind = Object.entries(ownViews).find(([name]) => name === first.operand)?.[1]
    if (kind !== undefined)
      return { kind: 'place', route: { view: 'feed', accountId, narrow: { kind }, near: null } }
  }
  const words: string[] = []
  const conditions: SearchTerm[] = []
  for (const { operator, operand, isNegated } of terms) {
    if (operator === 'search') {
      words.push(operand)
      continue
    }
    const name = operatorOf(operator)
    const value = name === undefined ? null : await valueOf(name, operand, bridge, accountId)
    if (name === undefined || value === null) return null
    conditions.push({ operator: name, operand: value, isNegated })
  }
  if (words.length + conditions.length === 0) return null
  const text = searchText({ terms: conditions, words: words.join(' ') })
  return { kind: 'place', route: { view: 'search', accountId, text } }
}

/** The value of a filter as it is typed here: names instead of ids. */
async function valueOf(
  operator: SearchOperator,
  operand: string,
  bridge: Bridge,
  accountId: AccountId,
): Promise<string | null> {
  const values = searchValues[operator]
  if (values !== undefined)
    return values.find((value) => value === (operand === 'private' ? 'dm' : operand)) ?? null
  if (operator === 'channel') return /^\d+/.exec(operand)?.[0] ?? operand
  if (!peopleOperators.includes(operator) || !/^\d/.test(operand)) return operand
  const ids = operand
    .replace(/-.*$/, '')
    .split(',')
    .map((id) => userId(Number(id)))
  const people = await once(bridge, 'direct-people', { accountId, userIds: ids })
  return people.length === 0 ? null : people.map(({ fullName }) => fullName).join(', ')
}
