import { number, plural } from './grammar.ts'

export const inbox = {
  name: 'Inbox',
  list: 'Unread conversations',
  filters: { all: 'All', directs: 'Direct messages', mentions: 'Mentions', followed: 'Followed' },
  newest: (count: number) =>
    plural(count, { one: 'the newest # conversation', other: 'the newest # conversations' }),
  sum: (unread: number, conversations: number) =>
    plural(conversations, {
      one: `${number(unread)} unread in # conversation`,
      other: `${number(unread)} unread in # conversations`,
    }),
  markAllRead: 'Mark all read',
  directs: 'Direct messages',
  /** Before the server has said anything. */
  coming: {
    title: 'Your messages are on their way',
    text: 'The newest come first. You can read and write as soon as they are here.',
  },
  /** The same while the server cannot be reached, or asks to sign in. */
  away: {
    title: 'No messages here yet',
    text: 'They come once this device is connected. You can read and write as soon as they are here.',
  },
  /** The account cannot be opened. */
  closed: {
    title: 'This account isn’t open',
    text: 'The message above says why, and what to do.',
  },
  nothing: {
    all: {
      title: 'Everything is read',
      text: 'New messages appear here, including those that arrive while you’re away.',
    },
    directs: {
      title: 'No unread direct messages',
      text: 'Messages sent directly to you appear here.',
    },
    mentions: { title: 'No unread mentions', text: 'Messages that mention you appear here.' },
    followed: { title: 'Nothing new in followed topics', text: 'Follow a topic to see it here.' },
  },
  /** What an inbox suggests when all its messages are read. */
  facts: {
    starred: (count: number) => plural(count, { one: '# starred', other: '# starred' }),
    drafts: (count: number) => plural(count, { one: '# draft', other: '# drafts' }),
    nextScheduled: (when: string) => `Next scheduled: ${when}`,
  },
  olderLater: 'Older ones appear as you read these.',
  keys: {
    writeToChannel: 'Write to a channel',
    writeToPerson: 'Write to a person',
    jump: 'Jump anywhere',
    recent: 'Recent conversations',
    move: 'Move',
    open: 'Open',
    markRead: 'Mark read',
    mute: 'Mute topic',
    markChannelRead: 'Mark channel read',
    all: 'All shortcuts',
  },
  /** Of one row. */
  acts: {
    more: 'More',
    open: 'Open',
    markRead: 'Mark as read',
    mute: 'Mute the topic',
    markChannelRead: (channel: string) => `Mark ${channel} as read`,
    visibility: {
      followed: 'Follow the topic',
      none: 'Channel default',
      unmuted: 'Unmute the topic',
      muted: 'Mute the topic',
    },
  },
  /** Follows the number beside a row, for screen readers. */
  unread: 'unread',
}
