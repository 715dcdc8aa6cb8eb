import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Inbox } from '../../../src-shared/model/conversation-lists.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { goToWrite } from '../../state/navigation/go-to-write.ts'
import { newMessage } from '../../state/writing/new-message.svelte.ts'
import { once } from '../../state/data/once.ts'
import { openFind } from '../../state/reading/open-find.ts'
import { channelOf, route, type AccountRoute, type Route } from '../../state/navigation/route.svelte.ts'
import { toasts } from '../../state/toast.svelte.ts'
import type { ChannelAct } from '../channels/channel-acts.ts'
import type { actsByName } from './acts-by-name.ts'
import type { WindowActs } from './keys.ts'

interface Place {
  readonly bridge: Bridge
  readonly account: Account
  /** The open place. */
  current(): AccountRoute
  /** The place where the person starts. */
  home(): AccountRoute
}

/** The shortcuts that lead from one place of an account to another, and those for the open channel. */
export function goingPlaces({ bridge, account, current, home }: Place) {
  const accountId = account.id
  const feedOf = (narrow: Narrow): Route => ({ view: 'feed', accountId, narrow, near: null })
  const openFeed = (narrow: Narrow) => route.go(feedOf(narrow))
  const openSearch = () => route.go({ view: 'search', accountId, text: '' })
  /** The inbox as it was when the last unread conversation was gone to. */
  let lastInbox: Inbox | null = null
  async function unreadPlace(kind: 'topic' | 'followed' | 'direct') {
    const { nextUnread } = await import('./next-place.ts')
    const here = current()
    const open = here.view === 'feed' ? here.narrow : null
    const inbox = await once(bridge, 'inbox', { accountId })
    const next = nextUnread(inbox, kind, { open, before: lastInbox })
    lastInbox = inbox
    if (next !== null) return feedOf(next)
    toasts.show({ words: t.mainWindow.noneUnread[kind], undo: null })
    return null
  }
  async function channelPlace(by: 1 | -1) {
    const { placeBeside } = await import('./next-place.ts')
    return placeBeside(bridge, accountId, channelOf(current()), by)
  }
  /** Unless the person goes elsewhere while the place is looked up. */
  const goTo = (place: Promise<Route | null>) =>
    void route.goOnceFound(place).catch((error: unknown) => toasts.failed(error))
  const noChannel = () => toasts.show({ words: t.mainWindow.noChannel, undo: null })
  function onOpenChannel(what: ChannelAct) {
    const channelId = channelOf(current())
    if (channelId === null) return noChannel()
    // Loaded on first use, so that the window's first picture does not wait for it.
    void import('../channels/channel-acts.ts').then(({ actOnChannel }) =>
      actOnChannel(bridge, accountId, channelId, what),
    )
  }
  function byName(name: keyof typeof actsByName) {
    const here = current()
    import('./acts-by-name.ts')
      .then(({ actsByName }) => actsByName[name](bridge, account, here))
      .catch((error: unknown) => toasts.failed(error))
  }
  return {
    search: openSearch,
    find: () => {
      if (!openFind.open()) openSearch()
    },
    inbox: () => route.go({ view: 'inbox', accountId }),
    recent: () => {
      // When it is open already, the shortcut opens its find bar.
      if (current().view !== 'recent' || !openFind.open()) route.go({ view: 'recent', accountId })
    },
    topics: () => {
      const here = current()
      const channelId = channelOf(here)
      if (here.view === 'topics') openFeed({ kind: 'channel', channelId: here.channelId })
      else if (channelId === null) noChannel()
      else route.go({ view: 'topics', accountId, channelId })
    },
    combined: () => openFeed({ kind: 'combined' }),
    starred: () => openFeed({ kind: 'starred' }),
    'last-starred': () => route.go({ view: 'last-starred', accountId }),
    mentions: () => openFeed({ kind: 'mentions' }),
    reactions: () => openFeed({ kind: 'reactions', userId: account.userId }),
    drafts: () => {
      if (current().view === 'drafts') route.leave('drafts', home())
      else route.go({ view: 'drafts', accountId })
    },
    channels: () =>
      route.go({ view: 'channels', accountId, list: 'available', channelId: null, tab: 'general' }),
    'channel-settings': () => onOpenChannel('settle'),
    'mute-channel': () => onOpenChannel('mute'),
    'pin-channel': () => onOpenChannel('pin'),
    'leave-channel': () => onOpenChannel('leave'),
    'create-channel': () => byName('create-channel'),
    'mark-place-read': () => byName('mark-place-read'),
    'copy-place-link': () => byName('copy-place-link'),
    // That page asks first, and says what would be lost.
    'sign-out': () => route.go({ view: 'settings', accountId, page: 'organizations', row: null }),
    scheduled: () => route.go({ view: 'scheduled', accountId }),
    reminders: () => route.go({ view: 'reminders', accountId }),
    'next-topic': () => goTo(unreadPlace('topic')),
    'next-direct': () => goTo(unreadPlace('direct')),
    'next-followed': () => goTo(unreadPlace('followed')),
    directs: () => openFeed({ kind: 'directs' }),
    'written-to': () => {
      const { conversation } = newMessage
      // The text is a draft of that conversation and continues there.
      if (conversation !== null) void goToWrite(accountId, conversation)
    },
    'previous-channel': () => goTo(channelPlace(-1)),
    'next-channel': () => goTo(channelPlace(1)),
    back: () => history.back(),
    forward: () => history.forward(),
    settings: () => route.go({ view: 'settings', accountId, page: 'appearance', row: null }),
  } satisfies Partial<WindowActs>
}
