import { plural } from './grammar.ts'

/** What waits for the server, each in a few words. */
export const outbox = {
  unknown: (name: string) => `A change of a kind that this version does not know (${name})`,
  edit: '1 edit',
  deletion: '1 deletion',
  moved: {
    one: (topic: string) => `1 message moved to “${topic}”`,
    later: (topic: string) => `Messages moved to “${topic}”`,
    all: (topic: string) => `Topic moved to “${topic}”`,
  },
  movedToChannel: {
    one: '1 message moved to another channel',
    later: 'Messages moved to another channel',
    all: 'Topic moved to another channel',
  },
  reaction: (emoji: string) => `Reaction ${emoji}`,
  reactionRemoved: (emoji: string) => `Reaction ${emoji} removed`,
  starred: (count: number) => plural(count, { one: '# message starred', other: '# messages starred' }),
  unstarred: (count: number) => plural(count, { one: '# message unstarred', other: '# messages unstarred' }),
  markedRead: (count: number) =>
    plural(count, { one: '# message marked read', other: '# messages marked read' }),
  markedUnread: (count: number) =>
    plural(count, { one: '# message marked unread', other: '# messages marked unread' }),
  narrowRead: {
    combined: 'Everything marked read',
    channel: 'A channel marked read',
    directs: 'Direct messages marked read',
    mentions: 'Mentions marked read',
    other: 'A conversation marked read',
  },
  topicAsChannel: 'A topic as its channel says',
  topicVisibility: {
    muted: 'A topic muted',
    unmuted: 'A topic unmuted',
    followed: 'A topic followed',
  },
  joined: (channel: string) => `${channel} joined`,
  left: (channel: string) => `${channel} left`,
  /** One's own settings for a channel. */
  channel: {
    muted: (channel: string) => `${channel} muted`,
    unmuted: (channel: string) => `${channel} unmuted`,
    pinned: (channel: string) => `${channel} pinned`,
    unpinned: (channel: string) => `${channel} unpinned`,
    color: (channel: string) => `Colour of ${channel}`,
    notifications: (channel: string) => `Notifications of ${channel}`,
  },
  /** In place of a name that is not known any more. */
  aChannel: 'A channel',
  scheduledCancelled: 'A scheduled message cancelled',
  scheduledChanged: 'A scheduled message changed',
  snippet: (title: string) => `Snippet: ${title}`,
  vote: '1 vote',
  widget: '1 change of a poll or list',
  report: '1 report',
  reminder: '1 reminder',
  reminderChanged: 'A reminder changed',
  reminderDone: 'A reminder done',
  personMuted: '1 person muted',
  personUnmuted: '1 person not muted any more',
  alertWord: (word: string) => `Alert word “${word}”`,
  alertWordRemoved: (word: string) => `Alert word “${word}” removed`,
  status: 'Your status',
  statusCleared: 'Your status cleared',
  setting: 'A setting',
}
