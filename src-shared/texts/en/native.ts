import { number, plural } from './grammar.ts'

/** Texts that the main process writes: menus, tray, badge, notifications, the words of lists. */
export const native = {
  open: 'Open Dunlin',
  quit: 'Quit Dunlin',
  notifications: 'Notifications',
  pauses: {
    hour: 'Pause notifications for 1 hour',
    tomorrow: 'Pause notifications until tomorrow',
    end: 'Resume notifications',
  },
  newDirectMessage: 'New direct message',
  newMessages: (count: number) => plural(count, { one: '# new message', other: '# new messages' }),
  newMessagesIn: (count: number, conversations: number) =>
    `${plural(count, { one: '# new message', other: '# new messages' })} in ${plural(conversations, { one: '# conversation', other: '# conversations' })}`,
  reply: 'Reply',
  /** Above the words of the reply. */
  replyNotKept: 'There is no space on this disk, so your reply isn’t saved yet. Keep Dunlin open.',
  /** A message that is a poll or to-do list, in one line: its question or title and all that follows. */
  poll: (words: string) => (words === '' ? 'Poll' : `Poll: ${words}`),
  todo: (words: string) => (words === '' ? 'To-do list' : `To-do list: ${words}`),
  unknownChannel: 'Unknown channel',
  unknownPerson: 'Unknown person',
  anotherChannel: 'another channel',
  /** The name of the empty topic, if the server has none. */
  emptyTopic: 'general chat',
  cannotStart: 'Dunlin can’t start',
  menus: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    find: 'Find…',
    combined: 'Combined feed',
    mentions: 'Mentions',
    starred: 'Starred messages',
    learnWord: (word: string) => `Add “${word}” to the dictionary`,
    copyLink: 'Copy link',
    /** Labels for what the operating system does by itself. */
    roles: {
      about: 'About Dunlin',
      services: 'Services',
      hide: 'Hide Dunlin',
      hideOthers: 'Hide others',
      unhide: 'Show all',
      undo: 'Undo',
      redo: 'Redo',
      cut: 'Cut',
      copy: 'Copy',
      paste: 'Paste',
      pasteAndMatchStyle: 'Paste without formatting',
      selectAll: 'Select all',
      resetZoom: 'Actual size',
      zoomIn: 'Zoom in',
      zoomOut: 'Zoom out',
      togglefullscreen: 'Full screen',
      minimize: 'Minimize',
      close: 'Close window',
      front: 'Bring all to front',
    },
  },
  /** Parts of the tray's tooltip and of the badge's description, in a list. */
  state: {
    unread: (count: number) => `${number(count)} unread`,
    forYou: (count: number) => `${number(count)} for you`,
    quiet: 'quiet',
    offline: 'offline',
    waiting: (count: number) => `${number(count)} waiting`,
  },
}
