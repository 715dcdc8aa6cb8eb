import { Lazy } from '../state/data/lazy.svelte.ts'
import type { AllPage, Route } from '../state/navigation/route.svelte.ts'

/** The views that a window does not need for its first picture. */
export const pages = {
  accountMenu: new Lazy(() => import('./main-window/AccountMenu.svelte')),
  allOrganizations: new Lazy(() => import('./all-organizations/AllOrganizations.svelte')),
  allDrafts: new Lazy(() => import('./all-organizations/AllDrafts.svelte')),
  allMessages: new Lazy(() => import('./all-organizations/AllMessages.svelte')),
  allRecent: new Lazy(() => import('./all-organizations/AllRecent.svelte')),
  allScheduled: new Lazy(() => import('./all-organizations/AllScheduled.svelte')),
  channels: new Lazy(() => import('./channels/ChannelsDialog.svelte')),
  diagnostics: new Lazy(() => import('./diagnostics/Diagnostics.svelte')),
  drafts: new Lazy(() => import('./drafts/Drafts.svelte')),
  everythingRead: new Lazy(() => import('./inbox/EverythingRead.svelte')),
  feed: new Lazy(() => import('./feed/FeedPlace.svelte')),
  feedPresses: new Lazy(() => import('./feed/FeedPresses.svelte')),
  formattingHelp: new Lazy(() => import('./formatting-help/FormattingHelp.svelte')),
  inboxActs: new Lazy(() => import('./inbox/InboxLineActs.svelte')),
  network: new Lazy(() => import('./network/NetworkDialog.svelte')),
  newMessage: new Lazy(() => import('./compose/NewMessage.svelte')),
  palette: new Lazy(() => import('./quick-switcher/Palette.svelte')),
  people: new Lazy(() => import('./main-window/People.svelte')),
  placeMenu: new Lazy(() => import('./place-menu/PlaceMenu.svelte')),
  profileCard: new Lazy(() => import('./profile/ProfileCard.svelte')),
  rail: new Lazy(() => import('./main-window/Rail.svelte')),
  recent: new Lazy(() => import('./recent/Recent.svelte')),
  reminders: new Lazy(() => import('./later/Reminders.svelte')),
  scheduled: new Lazy(() => import('./later/Scheduled.svelte')),
  'last-starred': new Lazy(() => import('./later/LastStarred.svelte')),
  searchFacets: new Lazy(() => import('./search/SearchFacets.svelte')),
  search: new Lazy(() => import('./search/SearchView.svelte')),
  searchSession: new Lazy(() =>
    import('./search/search-session.svelte.ts').then(({ SearchSession }) => ({ default: SearchSession })),
  ),
  settingsNav: new Lazy(() => import('./settings/SettingsNav.svelte')),
  settings: new Lazy(() => import('./settings/SettingsView.svelte')),
  shortcuts: new Lazy(() => import('./shortcuts/Shortcuts.svelte')),
  sideGrip: new Lazy(() => import('./main-window/SideGrip.svelte')),
  sidebarDirects: new Lazy(() => import('./sidebar/FurtherDirects.svelte')),
  sidebarRows: new Lazy(() => import('./sidebar/RowActs.svelte')),
  sidebarTopics: new Lazy(() => import('./sidebar/Topics.svelte')),
  signIn: new Lazy(() => import('./sign-in/SignIn.svelte')),
  signInAgain: new Lazy(() => import('./main-window/SignInAgain.svelte')),
  statusDialog: new Lazy(() => import('./profile/StatusDialog.svelte')),
  syncPanel: new Lazy(() => import('./main-window/SyncPanel.svelte')),
  topics: new Lazy(() => import('./topics/Topics.svelte')),
  zoneBanner: new Lazy(() => import('./main-window/ZoneBanner.svelte')),
} as const

/**
 * Loads the view of a place while the window still waits for the engine's first answers; the inbox is there already.
 */
export function fetchPage(route: Route | null): void {
  const view = route?.view ?? 'inbox'
  if (view === 'inbox') return
  if (route?.view === 'all') pageOverAll(route.page)?.fetch()
  pages[view === 'sign-in' ? 'signIn' : view === 'all' ? 'allOrganizations' : view].fetch()
}

/** The list of a page over all organizations; null for their inbox, which comes with the window. */
export function pageOverAll(page: AllPage) {
  switch (page) {
    case 'inbox':
      return null
    case 'recent':
      return pages.allRecent
    case 'mentions':
    case 'starred':
      return pages.allMessages
    case 'drafts':
      return pages.allDrafts
    case 'scheduled':
      return pages.allScheduled
  }
}

/** How long nothing else is loaded while the window shows its first picture, milliseconds. */
const firstPictureMs = 1_000

/**
 * On a machine that is never idle, the views are loaded after this time, milliseconds; they include the keys of rows.
 */
const busyMs = 2_000

/** Loads all other views once the first picture is there and the window is idle, so that no click waits for a file. */
export function fetchOtherPages(): () => void {
  const timer = setTimeout(() => {
    const fetchAll = () => {
      for (const page of Object.values(pages)) page.fetch()
    }
    requestIdleCallback(fetchAll, { timeout: busyMs })
  }, firstPictureMs)
  return () => clearTimeout(timer)
}
