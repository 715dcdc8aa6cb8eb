import { number, plural } from './grammar.ts'

/** The list of a channel's topics. */
export const topics = {
  name: 'Topics',
  find: 'Find a topic',
  which: 'Which topics',
  resolved: { any: 'All', no: 'Not resolved', yes: 'Resolved' },
  onlyUnread: 'Unread',
  onlyFollowed: 'Followed',
  total: (count: number) => plural(count, { one: '# topic', other: '# topics' }),
  totalOnDevice: (count: number) =>
    plural(count, { one: '# topic on this device', other: '# topics on this device' }),
  someMissing: (reason: string) => `Some topics may be missing. ${reason}`,
  offline: (back: string) => `Topics that aren’t on this device yet are listed ${back}.`,
  noneNamed: (words: string) => `No match for “${words}”.`,
  noneYet: 'No topics yet. Press C to start one.',
  noneOfKind: 'No topics of this kind.',
  showMore: (count: number) => `Show ${number(count)} more`,
}
