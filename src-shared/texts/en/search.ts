import { number, plural } from './grammar.ts'

/** Searching messages on this device and on the server. */
export const search = {
  name: 'Search',
  /** Combines results of both places, as `results` and `older` count them. */
  alsoThere: (here: string, there: string) => `${here}, ${there}`,
  field: 'Search messages',
  /** The filters themselves (`sender:`) are typed the same in every language. */
  placeholder: 'Words, "exact phrases", sender:name, has:link…',
  conditions: 'Conditions',
  excludeCondition: (condition: string) => `Exclude ${condition}`,
  includeCondition: (condition: string) => `Include ${condition}`,
  removeCondition: (condition: string) => `Remove ${condition}`,
  removeLastCondition: (condition: string) => `Remove ${condition}?`,
  results: (count: number) => plural(count, { one: '# result', other: '# results' }),
  /** Used if no more were counted. */
  moreResults: (count: number) => `more than ${plural(count, { one: '# result', other: '# results' })}`,
  clear: 'Clear the search',
  add: 'Add',
  searches: (count: number) =>
    `Searches ${plural(count, { one: '# message', other: '# messages' })} on this device while you type.`,
  /** Quotation marks are typed as they stand here. */
  help: 'Words that start with what you type come first, then words that contain it: “water” finds “waterline” and “breakwater”. Use "quotation marks" to find whole words only.',
  /** What each condition asks for; its name, as it is typed, stands beside. */
  operators: {
    name: 'Conditions',
    negation: 'A minus sign in front of a condition excludes what it finds',
    channel: 'In a channel',
    topic: 'In a topic',
    sender: 'Written by someone, or by me',
    dm: 'Direct messages with exactly these people',
    'dm-including': 'Direct messages that include someone',
    mentions: 'Messages that mention someone by name',
    is: 'Starred, unread, resolved, muted…',
    has: 'With a link, an image, a file…',
    in: 'What you haven’t muted (home), or everything (all)',
    channels: 'In all public channels, or in web-public ones',
    before: 'Before a date, such as 2026-11-21',
    after: 'On or after a date',
    near: 'Around a message, by its number',
    with: 'In the conversation a message is now in, by its number',
    id: 'One message, by its number',
  },
  here: 'On this device',
  /** Results that contain the typed text inside longer words. */
  inside: 'Inside longer words',
  /** `results` as `results` or `moreResults` count them. */
  resultsIn: (results: string, milliseconds: number) => `${results} in ${number(milliseconds)} ms`,
  nothingHere: 'Nothing on this device matches.',
  /** Shown when there are more messages than a search looks through. */
  lookedBackTo: (count: number, day: string) =>
    `Only ${number(count)} messages were searched, back to ${day}. Use before: to search earlier ones.`,
  showMoreHere: (count: number) => `Show ${number(count)} more on this device`,
  notKept: 'Not kept on this device. Opening it downloads the messages around it.',
  there: 'From the server',
  asking: 'asking for older messages',
  nothingThere: 'nothing more',
  /** Where nothing on this device matches. */
  nothingThereEither: 'Nothing there either',
  older: (count: number) => plural(count, { one: '# older result', other: '# older results' }),
  olderSoFar: (count: number) =>
    plural(count, { one: '# older result so far', other: '# older results so far' }),
  offline: (back: string) => `Older messages are on the server. They can be searched ${back}.`,
  askAgain: 'Ask again',
  showOlder: 'Show older results from the server',
  saved: {
    keep: 'Save search',
    keepInSidebar: 'Save search to the sidebar',
    keptAs: (name: string) => `Saved as ${name}`,
    name: 'Name',
    help: 'It stays on this device, in the sidebar.',
    save: 'Save',
  },
  facets: {
    name: 'Narrow the search',
    /** The button that opens and closes them. */
    button: 'Filters',
    sender: 'Sender',
    topic: 'Topic',
    channel: 'Channel',
    contents: 'Has',
    /** Below the values with the most results: shows the others, or hides them again. */
    more: 'More',
    fewer: 'Fewer',
    has: { link: 'Link', image: 'Image', attachment: 'File', reaction: 'Reaction', code: 'Code' },
    when: 'When',
    anyTime: 'Any time',
    pastMonth: 'Past month',
    pickDates: 'Pick dates…',
    from: 'From',
    before: 'Before',
    onDevice: 'What’s on this device',
    kept: (count: number, span: string) =>
      `${plural(count, { one: '# message', other: '# messages' })}, ${span}.`,
  },
}
