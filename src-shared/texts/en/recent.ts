import { list, plural } from './grammar.ts'

/** Recent conversations, and the table of conversations that the list of a channel's topics has too. */
export const recent = {
  name: 'Recent conversations',
  find: 'Filter by name, topic or person',
  filters: {
    withDirects: 'Direct messages',
    onlyUnread: 'Unread',
    onlyOwn: 'Participated',
    withMuted: 'Include muted',
  },
  onDevice: (count: number) =>
    plural(count, { one: '# conversation on this device', other: '# conversations on this device' }),
  noneNamed: (words: string) => `No match for “${words}”.`,
  /** Where there are more conversations than can be compared at once. */
  lookedBackTo: (day: string) => `Only conversations back to ${day} were searched.`,
  /** Where the person wrote too many messages to look at all of them. */
  wroteSince: (day: string) => `Only conversations where you wrote since ${day} are listed.`,
  noneOfKind: 'No conversations of this kind on this device.',
  showOlder: 'Show older',
  columns: {
    conversation: 'Conversation',
    topic: 'Topic',
    people: 'People',
    lastWriter: 'Last written by',
    messages: 'Messages',
    /** Where the server may have more than this device. */
    messagesHere: 'Messages here',
    latest: 'Latest',
    unread: 'Unread',
  },
  sortBy: {
    name: { conversation: 'Sort by conversation', topic: 'Sort by topic' },
    newest: 'Sort by latest',
    unread: 'Sort by unread',
  },
  /** Who wrote there, for screen readers. */
  writers: (names: readonly string[], others: number) =>
    list(
      others === 0 ? names : [...names, plural(others, { one: '# other person', other: '# other people' })],
    ),
  draft: 'Draft',
  waiting: (count: number) => plural(count, { one: '# waiting to send', other: '# waiting to send' }),
  /** Of a conversation that the server has named, before its messages were fetched. */
  notYetHere: 'Not on this device yet',
  newestNotYetHere: 'Newest not on this device yet',
  messagesHere: (count: number) =>
    plural(count, {
      one: '# message on this device, the server may have more',
      other: '# messages on this device, the server may have more',
    }),
  mayHaveMore: 'Only messages on this device are counted. The server may have more.',
}
