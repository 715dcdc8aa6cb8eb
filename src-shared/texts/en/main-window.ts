import { number, plural } from './grammar.ts'

/** What surrounds every view: title bar, sidebar, rail, people, the sync pill and its panel. */
export const mainWindow = {
  showSidebar: 'Show sidebar',
  hideSidebar: 'Hide sidebar',
  /** What the window is called; the place is one as its heading says. */
  title: (place: string, organization: string) => `${place}, ${organization}`,
  placeIn: (place: string, channel: string) => `${place}, ${channel}`,
  search: { online: 'Search, or jump to a conversation', offline: 'Search on this device' },
  rail: {
    name: 'Organizations',
    all: 'All organizations',
    add: 'Add an organization',
    unread: (count: number) => plural(count, { one: '# unread', other: '# unread' }),
    unreachable: 'not reachable',
  },
  account: {
    add: 'Add an organization',
    setStatus: 'Set your status',
    status: 'Your status',
    pause: 'Pause notifications',
    pauseAll: 'Pause notifications of all organizations',
    resume: 'Resume notifications',
    shortcuts: 'Shortcuts',
    settings: 'Settings',
    signOut: (name: string) => `Sign out ${name}`,
    signOutAndDiscard: 'Sign out and discard',
  },
  /** The mark in the title bar. */
  quietUntil: (moment: string) => `No notifications until ${moment}`,
  widths: {
    sidebar: 'Width of the sidebar',
    people: 'Width of the list of people',
    hint: 'Drag to make it wider, double-click to reset',
  },
  people: {
    name: 'People',
    filter: 'Filter people',
    people: 'People',
    bots: 'Bots',
    asOfLastSync: (group: string) => `${group}, as of the last sync`,
    guest: 'guest',
  },
  sidebar: {
    name: 'Views and channels',
    newMessage: 'New message',
    filter: 'Filter',
    filterWhat: 'Filter views, people, channels and topics',
    inbox: 'Inbox',
    recent: 'Recent conversations',
    combined: 'Combined feed',
    mentions: 'Mentions',
    reactions: 'Reactions',
    starred: 'Starred',
    drafts: 'Drafts and outbox',
    scheduled: 'Scheduled',
    reminders: 'Reminders',
    searches: 'Searches',
    directs: 'Direct messages',
    allDirects: 'All direct messages',
    newDirect: 'New direct message',
    showMore: (count: number) => `Show ${number(count)} more`,
    needsYou: (count: number) => plural(count, { one: '# needs you', other: '# need you' }),
    entries: (count: number) => plural(count, { one: '# entry', other: '# entries' }),
    /** Where channels are kept that are in no folder of the organization. */
    folders: {
      pinned: 'Pinned',
      others: 'Other channels',
      channels: 'Channels',
      inactive: 'Inactive channels',
    },
  },
  sync: {
    name: 'Sync',
    waiting: (count: number) => plural(count, { one: '# waiting', other: '# waiting' }),
    isAway: (time: string) => `Offline since ${time}`,
    isThere: 'All changes go to the server by themselves',
    awayText:
      "You can read, search, write and react. Everything below sends by itself, in order, once you're back.",
    lastHeard: (count: number, time: string) =>
      plural(count, { one: `# waiting. Last heard ${time}.`, other: `# waiting. Last heard ${time}.` }),
    neverHeard: (count: number) =>
      plural(count, { one: '# waiting. Last heard never.', other: '# waiting. Last heard never.' }),
    openOutbox: 'Open outbox',
    allowNotifications: 'Allow notifications',
    tryNow: 'Try now',
    network: 'Network',
    diagnostics: 'Diagnostics',
  },
  banners: {
    signedOut:
      'The key of this account is not accepted any more. You can keep reading and writing, everything waits here.',
    signIn: 'Sign in to sync',
    dismiss: 'Dismiss',
  },
  signInAgain: {
    title: 'Sign in again to keep syncing',
    text: (email: string) =>
      `Everything on this device stays readable, and your drafts and outbox stay. What waits is sent after you sign in as ${email}.`,
    ways: { password: 'Password', 'api-key': 'API key' },
    later: 'Keep working offline',
    signIn: 'Sign in',
  },
}
