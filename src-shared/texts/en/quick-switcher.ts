import { number, plural } from './grammar.ts'

/** The palette: going somewhere or doing something by name. */
export const quickSwitcher = {
  name: 'Go to',
  field: 'Jump to a conversation, person or place',
  placeholder: 'Jump to a conversation, person or action',
  results: 'Results',
  sections: {
    acts: 'Actions',
    channels: 'Channels',
    recent: 'Recent conversations',
    conversations: 'Conversations',
    people: 'People and groups',
    messages: 'Messages on this device',
  },
  searchAll: (words: string) => `Search all messages for “${words}”`,
  /** A count with more to follow. */
  orMore: (count: number) => `${number(count)}+`,
  noAct: (words: string) => `No action here matches “${words}”.`,
  nothing: (words: string) => `Nothing on this device matches “${words}”.`,
  keys: { move: 'Move', open: 'Open', channels: 'channels', people: 'people', acts: 'actions' },
  /** Actions for the open channel. */
  channel: {
    mute: 'Mute channel',
    unmute: 'Unmute channel',
    pin: 'Pin channel',
    unpin: 'Unpin channel',
    leave: 'Leave channel',
  },
  resolvedIn: (channel: string) => `${channel}, resolved`,
  people: (count: number) => plural(count, { one: '# person', other: '# people' }),
  topics: (count: number) => plural(count, { one: '# topic', other: '# topics' }),
  bot: 'bot',
  group: 'user group',
  groupOf: (people: string) => `user group, ${people}`,
  mentionsYou: 'mentions you',
  unread: 'unread',
}
