import { number, plural } from './grammar.ts'

/** What surrounds every view: title bar, sidebar, rail, people, the sync pill and its panel. */
export const mainWindow = {
  showSidebar: 'Show sidebar',
  hideSidebar: 'Hide sidebar',
  /** The title of the window; the place is worded like its heading. */
  title: (place: string, organization: string) => `${place}, ${organization}`,
  placeIn: (place: string, channel: string) => `${place}, ${channel}`,
  search: {
    online: 'Search, or jump to a conversation',
    offline: (count: number) =>
      plural(count, { one: 'Search # message on this device', other: 'Search # messages on this device' }),
  },
  /** There is no place to which the key for the next unread one could lead. */
  noneUnread: {
    topic: 'No more unread topics',
    followed: 'No more unread topics that you follow',
    direct: 'No more unread direct messages',
  },
  rail: {
    name: 'Organizations',
    all: 'All organizations',
    add: 'Add an organization',
    unread: (count: number) => plural(count, { one: '# unread', other: '# unread' }),
    /** Part of the unread count: direct messages and mentions. */
    forYou: (count: number) => plural(count, { one: '# for you', other: '# for you' }),
    unreachable: 'not reachable',
    /** Announced after an organization was moved. */
    moved: (name: string, place: number, count: number) =>
      `${name}, now ${number(place)} of ${number(count)}`,
    self: (name: string) => `${name}, you`,
  },
  account: {
    add: 'Add an organization',
    setStatus: 'Set your status',
    status: 'Your status',
    pause: 'Pause notifications',
    pauseAll: 'Pause notifications for all organizations',
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
    inTopic: 'In this topic',
    inConversation: 'In this conversation',
    inChannel: (channel: string) => `In ${channel}`,
    everyone: 'Everyone',
    elsewhere: 'Elsewhere',
    asOf: (group: string, time: string) => `${group}, as of ${time}`,
    typing: 'typing…',
    guest: 'guest',
  },
  noChannel: 'Open a channel first.',
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
    showFewer: 'Show fewer',
    needsYou: (count: number) => plural(count, { one: '# needs you', other: '# need you' }),
    entries: (count: number) => plural(count, { one: '# entry', other: '# entries' }),
    /** The folder for channels that are in no folder of the organization. */
    folders: {
      pinned: 'Pinned',
      others: 'Other channels',
      channels: 'Channels',
      /** Channels where nobody has written for a long time, at the end of a folder. */
      more: 'More channels',
    },
  },
  /** What is fetched to this device, in that order. */
  history: {
    newest: 'The newest messages come first. You can already read and write.',
    unread: (count: number) =>
      plural(count, {
        one: 'Then what is unread: # conversation to go.',
        other: 'Then what is unread: # conversations to go.',
      }),
    earlier: (share: string) => `Earlier messages are on their way to this device, ${share}.`,
  },
  sync: {
    name: 'Sync',
    waiting: (count: number) => plural(count, { one: '# waiting', other: '# waiting' }),
    /** Which of the changes that are sent one after another is being sent. */
    sending: (at: number, of: number) => `Syncing ${number(at)} of ${number(of)}`,
    awaySince: (time: string) => `Offline since ${time}`,
    /** What the state means, in one sentence. */
    away: 'You can read, search, write and react. Everything sends by itself, in order, once you’re back.',
    unreachable:
      'This server doesn’t answer as it should. You can keep reading and writing. Everything sends by itself, in order.',
    allThere: (time: string) => `All changes are on the server, ${time}`,
    onTheirWay: (count: number) =>
      plural(count, {
        one: '# change is on its way to the server.',
        other: '# changes are on their way to the server.',
      }),
    /** While something was refused. */
    othersThere:
      'This, and anything waiting for it, stays here until you decide. Everything else goes to the server by itself.',
    connecting: 'Everything on this device is ready to use. Changes go out as soon as the server answers.',
    nextAttempt: {
      seconds: (count: number) => `Next attempt in ${number(count)} s`,
      minutes: (count: number) => `Next attempt in ${number(count)} min`,
      now: 'Trying now',
    },
    /** The same, for screen readers. */
    nextAttemptAloud: {
      seconds: (count: number) =>
        plural(count, { one: 'Next attempt in # second', other: 'Next attempt in # seconds' }),
      minutes: (count: number) =>
        plural(count, { one: 'Next attempt in # minute', other: 'Next attempt in # minutes' }),
    },
    progress: 'Time to the next attempt',
    lastSynced: (time: string) => `Last synced ${time}`,
    queue: 'Waiting for the server',
    /** The state of one of them, in a word. */
    states: { queued: 'Queued', trying: 'Trying', checking: 'Checking', needsYou: 'Needs you' },
    /** Changes of one kind, in a row of their own. */
    groups: {
      reactions: (count: number) => plural(count, { one: '# reaction', other: '# reactions' }),
      edits: (count: number) => plural(count, { one: '# edit', other: '# edits' }),
      deletions: (count: number) => plural(count, { one: '# deletion', other: '# deletions' }),
      moves: (count: number) => plural(count, { one: '# move', other: '# moves' }),
      markedRead: (count: number) =>
        plural(count, { one: '# message marked read', other: '# messages marked read' }),
      markedUnread: (count: number) =>
        plural(count, { one: '# message marked unread', other: '# messages marked unread' }),
      stars: (count: number) => plural(count, { one: '# star', other: '# stars' }),
      topics: (count: number) =>
        plural(count, { one: '# topic muted or followed', other: '# topics muted or followed' }),
      channels: (count: number) => plural(count, { one: '# channel change', other: '# channel changes' }),
      settings: (count: number) => plural(count, { one: '# setting', other: '# settings' }),
      others: (count: number) => plural(count, { one: '# other change', other: '# other changes' }),
    },
    conversations: (count: number) => plural(count, { one: '# conversation', other: '# conversations' }),
    more: (count: number) => plural(count, { one: '# more in the outbox', other: '# more in the outbox' }),
    discard: {
      title: 'Discard this?',
      /** The question before several changes in one row are discarded. */
      titleOfMany: (count: number) =>
        plural(count, { one: 'Discard # change?', other: 'Discard # changes?' }),
      text: 'The server doesn’t have it yet, so discarding it deletes it for good.',
      /** Asked of a message or an edit of one. */
      textOfKept:
        'The server doesn’t have it yet. If you discard it, it isn’t sent; its text stays under Recently deleted in Drafts for 30 days.',
      /** Asked of what may have been sent. */
      textOfUndecided: 'The server may already have it. If you discard it, it isn’t sent again.',
      /** Asked of a channel that waits to be created. */
      textOfChannel: 'The channel won’t be created. What you wrote for it is kept in Drafts.',
      keepAsDraft: 'Keep as a draft',
      discard: 'Discard',
    },
    peopleAsOf: (time: string) => `People, as of ${time}`,
    openOutbox: 'Open outbox',
    allowNotifications: 'Allow notifications',
    tryNow: 'Try now',
    /** The same while everything is synced. */
    checkNow: 'Check now',
    network: 'Network details',
  },
  banners: {
    /** Nothing can be saved: what happened, what is safe, what to do. */
    disk: {
      'disk-full': (free: string | null) =>
        `Dunlin can’t save on this disk${free === null ? '' : `, ${free} free`}. What was saved is safe.`,
      'read-only': 'Dunlin can’t write to its folder. What was saved is safe. Allow writing there.',
      'disk-error': 'The disk is failing. Copy Dunlin’s folder to another disk, then check this one.',
    },
    /** On a full disk: leads to the setting for how much history is kept. */
    chooseWhatToKeep: 'Choose what to keep',
    signedOut:
      'This device needs to sign in again. You can keep reading and writing. Your changes are safe here.',
    signIn: 'Sign in to sync',
    dismiss: 'Dismiss',
    otherZone: (here: string, told: string) =>
      `This device is in ${here}. Others see the time in ${told} beside your name.`,
    takeZone: 'Update my time zone',
    leaveZone: 'Keep',
  },
  signInAgain: {
    title: 'Sign in again to keep syncing',
    text: (organization: string) =>
      `${organization} no longer accepts this device’s key. Nothing here is lost: you can keep reading and writing, and your drafts and outbox stay.`,
    waiting: 'Waiting to send',
    changes: (count: number) =>
      count === 0 ? 'Nothing' : plural(count, { one: '# change', other: '# changes' }),
    synced: 'Last synced',
    kept: 'On this device',
    secrets: {
      password: (email: string) => `Password for ${email}`,
      'api-key': (email: string) => `API key for ${email}`,
    },
    otherWay: { password: 'Use an API key', 'api-key': 'Use your password' },
    show: 'Show what is typed',
    signingIn: 'Signing in',
    later: 'Keep working offline',
    signIn: 'Sign in',
  },
}
