import { number, plural } from './grammar.ts'

/** Messages, what stands around them, and what is done with them. */
export const feed = {
  name: 'Messages',
  /** What the feed shows, above it. */
  heads: {
    directs: 'Direct messages',
    direct: 'Direct message',
    mentions: 'Mentions',
    starred: 'Starred',
    reactions: 'Reactions',
    reactionsText: 'What you wrote and others reacted to',
    combined: 'Combined feed',
    combinedText: 'Everything on this device, newest last',
    subscribers: (count: number) => plural(count, { one: '# subscriber', other: '# subscribers' }),
    everything: 'Everything in this channel',
    topics: 'Topics of this channel',
    searchHere: {
      channel: 'Search in this channel',
      topic: 'Search in this topic',
      direct: 'Search in this conversation',
    },
    wholeText: 'Read all of it',
  },
  empty: {
    notKept: {
      title: 'Not kept on this device',
      text: 'These messages are on the server. They load when you’re back online, and you can write already.',
    },
    nothing: 'Nothing here yet',
    writeFirst: 'Write the first message.',
    willCome: 'Messages appear here as they come.',
  },
  /** Above the first message; the day is one as `dayOfYear` writes it. */
  start: {
    conversation: (day: string) => `Start of the conversation, ${day}`,
    feed: (day: string) => `Start, ${day}`,
    older: 'Older messages are not kept on this device. They load when you’re back online.',
  },
  gap: {
    loading: 'Loading messages',
    offline: 'Messages are missing here. They load when you’re back online.',
  },
  unreadCount: (count: number) => plural(count, { one: '# unread', other: '# unread' }),
  unread: 'Unread',
  jump: {
    latest: 'Jump to latest',
    newLatest: (count: number) =>
      plural(count, { one: '# new, jump to latest', other: '# new, jump to latest' }),
  },
  /** The bar that finds a text in the feed on screen. */
  find: {
    name: 'Find in these messages',
    /** Counted from the newest. */
    place: (at: number, total: number) => `${number(at)} of ${number(total)}`,
    placeOfMore: (at: number, total: number) => `${number(at)} of more than ${number(total)}`,
    nothing: 'Nothing on this device',
    older: 'Older match (Enter)',
    newer: 'Newer match (Shift Enter)',
    close: 'Close (Esc)',
  },
  typing: {
    one: (name: string) => `${name} is typing`,
    /** At the message. */
    edits: (name: string) => `${name} is editing this message`,
    two: (first: string, second: string) => `${first} and ${second} are typing`,
    many: (first: string, others: number) =>
      plural(others, { one: `${first} and # other are typing`, other: `${first} and # others are typing` }),
  },
  /** Said of a message that came, to those who hear the page. */
  announced: (sender: string, text: string) => `${sender}: ${text}`,
  arrived: {
    below: (count: number) => plural(count, { one: '# new message below', other: '# new messages below' }),
    in: (sender: string, place: string) => `${sender}, ${place}`,
    /** `newest` is what is said of one message. */
    several: (count: number, newest: string) =>
      `${plural(count, { one: '# new message', other: '# new messages' })}. ${newest}`,
  },

  message: {
    waiting: 'Waiting message',
    mentionsYou: 'mentions you',
    unread: 'unread',
    starred: 'starred',
    bot: 'bot',
    guest: 'guest',
    muted: 'Message from a muted person.',
    show: 'Show',
    collapsed: 'Collapsed.',
    begunEdit: 'You began to change this.',
    goOn: 'Go on',
    edited: 'Edited',
    moved: 'Moved',
    earlierVersions: (when: string) => `${when}, earlier versions`,
    edit: 'Edit',
    retry: 'Retry',
    discard: 'Discard',
    showMore: 'Show more',
    showLess: 'Show less',
  },
  edit: {
    box: 'Message being edited',
    name: 'Edit message',
    notHere: (reason: string) => `The text as it was written is not on this device. ${reason}`,
    notSaved: (reason: string) => `Not saved, the text is still here. ${reason}`,
    escape: 'Esc closes and keeps what you wrote',
  },
  /** What stands inside of a message's text. */
  content: {
    todayAt: (time: string) => `Today ${time}`,
    dayAt: (day: string, time: string) => `${day}, ${time}`,
    spoiler: 'Spoiler',
    copy: 'Copy',
    copied: 'Copied',
    runIn: (playground: string) => `Run in ${playground}`,
    tooLongToRun: 'This code is too long to be run by a link. Copy it instead.',
    hiddenLines: (count: number) =>
      plural(count, {
        one: '# line, hidden until you open it',
        other: '# lines, hidden until you open it',
      }),
    moreLines: (count: number) => plural(count, { one: 'Show # more line', other: 'Show # more lines' }),
  },
  files: {
    download: (name: string) => `Download ${name}`,
    loading: 'Loading',
    gone: 'The server does not have this file any more',
    notHere: 'Not on this device. It can be opened when you’re back online',
    failed: 'This file could not be loaded. Try again',
    film: {
      notHere: 'This film is not on this device. It can be played when you’re back online.',
      unplayable: 'This film is of a kind that cannot be played here.',
    },
    sound: {
      notHere: 'This sound is not on this device. It can be played when you’re back online.',
      unplayable: 'This sound is of a kind that cannot be played here.',
    },
  },
  pictures: {
    unnamed: 'Picture',
    place: (at: number, count: number) => `${number(at)} of ${number(count)}`,
    preview: 'The whole picture is not on this device. This is its preview.',
    previous: 'Previous picture',
    next: 'Next picture',
  },

  acts: {
    name: 'Message actions',
    reactWith: (emoji: string) => `React with ${emoji}`,
    chooseReaction: 'Choose a reaction',
    addReaction: 'Add reaction',
    reply: 'Reply',
    quote: 'Quote and reply',
    forward: 'Forward',
    replyToSender: 'Reply to sender',
    openConversation: 'Open conversation',
    openInContext: 'See it among its neighbours',
    edit: 'Edit',
    star: 'Star',
    collapse: 'Collapse',
    expand: 'Expand',
    removeStar: 'Remove star',
    markUnread: 'Mark unread from here',
    move: 'Move...',
    remind: 'Remind me',
    remindOther: 'Another time, or a note...',
    earlierVersions: 'Earlier versions',
    readers: 'Who has read it',
    copyLink: 'Copy link',
    copyText: 'Copy text',
    copyMarkdown: 'Copy Markdown',
    report: 'Report...',
    delete: 'Delete...',
    more: 'More actions',
  },
  remindTimes: {
    oneHour: 'In one hour',
    threeHours: 'In three hours',
    tomorrow: 'Tomorrow morning',
    monday: 'Monday morning',
  },
  notes: {
    reminded: (when: string) => `You will be reminded: ${when}`,
    textCopied: 'Text copied',
    markdownCopied: 'Markdown copied',
    linkCopied: 'Link copied',
    reported: { now: 'Reported', later: 'Reported when you’re back online' },
    moving: { now: 'Moving', later: 'Moving when you’re back online' },
    noEdit: 'You cannot change this message any more.',
    notAllowed: 'The organization does not let you do this here.',
  },
  reactions: {
    add: 'Add reaction',
    others: (count: number) => plural(count, { one: '# other', other: '# others' }),
    spoken: (emoji: string, who: string) => `${emoji}, ${who}`,
    spokenWaiting: (emoji: string, who: string) => `${emoji}, ${who}, waiting to sync`,
    noteWaiting: (who: string) => `${who} · waiting to sync`,
  },
  widget: {
    poll: 'Poll',
    todo: 'To-do list',
    somebody: 'somebody',
    votes: (option: string, count: number) =>
      plural(count, { one: `${option}, # vote`, other: `${option}, # votes` }),
    waiting: 'waiting to sync',
    question: 'Question',
    title: 'Title',
    editQuestion: 'Change the question',
    editTitle: 'Change the title',
    addOption: 'Add an option',
    addTask: 'Add a task',
  },

  /** In which order starred messages are shown. */
  starOrder: { name: 'Order', sent: 'By message', starred: 'Last starred' },
  topic: {
    resolve: 'Mark as resolved',
    unresolve: 'Mark as not resolved',
    waiting: 'A change of this topic waits for the server',
    rename: 'Rename this topic',
    renameOrMove: 'Rename or move the topic',
    openLink: (text: string) => `Open ${text} in the browser`,
    visibility: 'Visibility of this topic',
    visibilities: { followed: 'Follow', none: 'Default', unmuted: 'Unmute', muted: 'Mute' },
    mute: 'Mute this topic',
    unmute: 'Unmute this topic',
    follow: 'Follow this topic',
    unfollow: 'Stop following this topic',
    resolveThis: 'Mark topic as resolved',
    unresolveThis: 'Mark topic as not resolved',
  },
  /** What somebody else did to the topic that is open. */
  moved: {
    conversation: 'This conversation has moved.',
    channel: (topic: string) => `This topic has moved to another channel, as “${topic}”.`,
    renamed: (topic: string) => `This topic is called “${topic}” now.`,
    resolved: 'This topic was marked as resolved.',
    unresolved: 'This topic is not resolved any more.',
  },
  /** In the bar above messages. */
  rename: {
    name: 'New name of the topic',
    now: 'Rename',
  },
  move: {
    topic: 'Rename or move the topic',
    messages: 'Move messages',
    channel: 'Channel',
    to: 'Topic',
    which: 'Which messages',
    whichOnes: {
      one: 'This message',
      later: 'This and later messages of the topic',
      all: 'All messages of the topic',
    },
    now: 'Move',
    later: 'Move when back online',
  },
  delete: {
    title: 'Delete this message?',
    now: 'It disappears for everybody, and nobody can bring it back.',
    later: 'It disappears for everybody when you’re back online, and nobody can bring it back.',
  },
  history: {
    title: 'Versions of this message',
    unavailable: (reason: string) => `Earlier versions are kept by the server. ${reason}`,
    written: (name: string, when: string) => `Written by ${name}, ${when}`,
    edited: (name: string, when: string) => `Edited by ${name}, ${when}`,
    moved: (from: string, name: string, when: string) => `Moved from ${from} by ${name}, ${when}`,
    editedAndMoved: (from: string, name: string, when: string) =>
      `Edited and moved from ${from} by ${name}, ${when}`,
    somebody: 'somebody',
  },
  readers: {
    title: 'Who has read this',
    titleCount: (count: number) => plural(count, { one: 'Read by #', other: 'Read by #' }),
    unavailable: (reason: string) => `Only the server knows who has read it. ${reason}`,
    nobody: 'Nobody yet, or nobody who says so.',
  },
  report: {
    title: 'Report this message',
    text: 'The moderators see the message and that it was you who reported it. Nobody else does.',
    reason: 'Reason',
    reasons: {
      spam: 'Spam',
      harassment: 'Harassment',
      inappropriate: 'Inappropriate content',
      norms: 'Against the rules here',
      other: 'Something else',
    },
    whatIsWrong: 'What is wrong',
    anythingToAdd: 'Anything to add',
    send: 'Report',
  },

  /** Where something stands that waits to be sent. */
  sending: {
    refused: (reason: string) => `Not sent. ${reason}`,
    refusedUnsaid: 'The server refused it.',
    undecided: 'It may have been sent. Look, then retry or discard.',
    checking: 'Checking whether it was sent',
    trying: (attempt: number) => `Trying to send, attempt ${number(attempt)}`,
    now: 'Sending',
    behindAnother: 'Queued, sends after the message above',
    away: 'Queued, sends when you’re back online',
    queued: 'Queued',
  },
}
