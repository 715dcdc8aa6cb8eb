import { plural } from './grammar.ts'

/** Changes that wait to be sent, each in a few words, which the main process writes. */
export const outbox = {
  unknown: (name: string) => `A kind of change that this version doesn’t know (${name})`,
  edit: (text: string) => `Edit: ${text}`,
  deletion: (text: string) => (text === '' ? '1 deletion' : `Deletion: ${text}`),
  moved: {
    one: (topic: string) => `1 message moved to “${topic}”`,
    later: (topic: string) => `Messages moved to “${topic}”`,
    all: (topic: string) => `Topic renamed to “${topic}”`,
  },
  resolved: 'Topic marked as resolved',
  unresolved: 'Topic marked as unresolved',
  movedToChannel: {
    one: '1 message moved to another channel',
    later: 'Messages moved to another channel',
    all: 'Topic moved to another channel',
  },
  reaction: (emoji: string) => `Reaction ${emoji}`,
  reactionRemoved: (emoji: string) => `Reaction ${emoji} removed`,
  starred: (count: number) => plural(count, { one: '# message starred', other: '# messages starred' }),
  unstarred: (count: number) => plural(count, { one: '# message unstarred', other: '# messages unstarred' }),
  collapsed: (count: number) => plural(count, { one: '# message collapsed', other: '# messages collapsed' }),
  expanded: (count: number) => plural(count, { one: '# message expanded', other: '# messages expanded' }),
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
  topicAsChannel: 'A topic back to its channel’s default',
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
  /** Replaces a name that is no longer known. */
  aChannel: 'A channel',
  channelCreated: (name: string) => `New channel #${name}`,
  /**
   * Properties of a channel that are the same for everybody; `channel` is its name with the # before it, or “A
   * channel”.
   */
  channelEdit: {
    renamed: (channel: string, name: string) => `${channel} renamed to #${name}`,
    description: (channel: string) => `Description of ${channel}`,
    access: (channel: string) => `Who can see ${channel}`,
    folder: (channel: string) => `Folder of ${channel}`,
    topics: (channel: string) => `Topics in ${channel}`,
    retention: (channel: string) => `How long ${channel} keeps messages`,
    archived: (channel: string) => `${channel} archived`,
    unarchived: (channel: string) => `${channel} unarchived`,
    permissions: (channel: string) => `Permissions of ${channel}`,
    memberAdded: (channel: string, person: string) => `${person} added to ${channel}`,
    memberRemoved: (channel: string, person: string) => `${person} removed from ${channel}`,
  },
  aFolder: 'A folder',
  folder: {
    created: (name: string) => `New folder “${name}”`,
    renamed: (folder: string, name: string) => `Folder “${folder}” renamed to “${name}”`,
    description: (folder: string) => `Description of folder “${folder}”`,
    archived: (folder: string) => `Folder “${folder}” archived`,
    unarchived: (folder: string) => `Folder “${folder}” unarchived`,
    order: 'Order of the folders',
  },
  aGroup: 'A group',
  /** Changes of a user group; `group` is its name with the @ before it, or “A group”. */
  group: {
    created: (name: string) => `New group @${name}`,
    memberAdded: (group: string, member: string) => `${group}: ${member} added`,
    memberRemoved: (group: string, member: string) => `${group}: ${member} removed`,
    renamed: (group: string, name: string) => `${group} renamed to @${name}`,
    description: (group: string) => `Description of ${group}`,
    deactivated: (group: string) => `${group} deactivated`,
    reactivated: (group: string) => `${group} reactivated`,
    permissions: (group: string) => `Permissions of ${group}`,
  },
  scheduledCancelled: (text: string) =>
    text === '' ? 'A scheduled message cancelled' : `Scheduled message cancelled: ${text}`,
  scheduledChanged: (text: string) =>
    text === '' ? 'A scheduled message changed' : `Scheduled message changed: ${text}`,
  snippet: (title: string) => `Snippet: ${title}`,
  snippetChanged: (title: string) => `Snippet changed: ${title}`,
  snippetDeleted: (title: string) => `Snippet deleted: ${title}`,
  vote: '1 vote',
  widget: '1 change to a poll or list',
  report: '1 report',
  reminder: (text: string) => (text === '' ? '1 reminder' : `Reminder: ${text}`),
  reminderChanged: (text: string) => (text === '' ? 'A reminder changed' : `Reminder changed: ${text}`),
  reminderDone: (text: string) => (text === '' ? 'A reminder done' : `Reminder done: ${text}`),
  personMuted: '1 person muted',
  personUnmuted: '1 person unmuted',
  alertWord: (word: string) => `Alert word “${word}”`,
  alertWordRemoved: (word: string) => `Alert word “${word}” removed`,
  status: 'Your status',
  statusCleared: 'Your status cleared',
  ownName: (name: string) => `Name “${name}”`,
  profileField: (field: string) => `“${field}” in your profile`,
  aProfileField: 'A field of your profile',
  setting: 'A setting',
}
