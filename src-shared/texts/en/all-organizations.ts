import { plural } from './grammar.ts'

/** The lists over all accounts, and the connection state of each organization (also shown in the sync pill). */
export const allOrganizations = {
  name: 'All organizations',
  title: (page: string) => `${page}, all organizations`,
  search: 'Search all organizations',
  searchPlaceholder: 'Jump to a conversation or person in any organization',
  organizations: 'Organizations',
  people: 'People you talk to most',
  /** Above the organizations to choose from. */
  newMessageIn: 'New message in',
  synced: (synced: number, count: number) =>
    `${synced} of ${plural(count, { one: '# server', other: '# servers' })} synced`,
  unread: (count: number) => plural(count, { one: '# unread', other: '# unread' }),
  nothingUnread: 'Nothing unread.',
  nothingFits: 'Nothing unread of this kind.',
  none: {
    mentions: 'No mentions on this device.',
    starred: 'No starred messages on this device.',
    drafts: 'No drafts, and nothing waiting.',
  },
  /** Links to the views of one organization, which have all of its messages. */
  allOf: { mentions: 'All mentions', starred: 'All starred messages' },
  order: 'Order',
  orders: { organization: 'By organization', time: 'By time' },
  filter: 'Show',
  filters: { all: 'All', 'for-me': 'For me', followed: 'Followed' },
  more: (count: number) => plural(count, { one: '# more conversation', other: '# more conversations' }),
  keys: {
    move: 'Move',
    open: 'Open in its organization',
    markRead: 'Mark read',
    organization: 'Switch organization',
  },
  states: {
    connecting: 'Connecting',
    synced: 'Synced',
    syncing: 'Syncing',
    offline: 'Offline',
    unreachableSince: (time: string) => `Not reachable since ${time}`,
    signedOut: 'Sign in to sync',
    incompatible: 'Can’t sync',
    cannotSave: 'Can’t save',
    messagesNeedYou: (count: number) =>
      plural(count, { one: '# message needs you', other: '# messages need you' }),
    changesNeedYou: (count: number) =>
      plural(count, { one: '# change needs you', other: '# changes need you' }),
  },
  waiting: (state: string, count: number) =>
    `${state}, ${plural(count, { one: '# waiting', other: '# waiting' })}`,
  showingDevice: (state: string) => `${state}, showing what’s on this device`,
}
