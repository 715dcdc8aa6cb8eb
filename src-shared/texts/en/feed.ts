import { number, plural } from './grammar.ts'

/** Messages, what surrounds them, and the actions for them. */
export const feed = {
  name: 'Messages',
  /** What the feed shows, above it. */
  heads: {
    directs: 'Direct messages',
    direct: 'Direct message',
    active: (name: string) => `${name} is active`,
    idle: (name: string) => `${name} is idle`,
    wasActive: {
      minutes: (name: string, count: number) => `${name} was active ${number(count)} min ago`,
      hours: (name: string, count: number) => `${name} was active ${number(count)} h ago`,
      days: (name: string, count: number) =>
        `${name} was active ${plural(count, { one: '# day ago', other: '# days ago' })}`,
    },
    /** The same in a conversation of two, whose heading is the other one's name. */
    alone: {
      active: 'Active now',
      idle: 'Idle',
      minutes: (count: number) => `Active ${number(count)} min ago`,
      hours: (count: number) => `Active ${number(count)} h ago`,
      days: (count: number) => `Active ${plural(count, { one: '# day ago', other: '# days ago' })}`,
    },
    mentions: 'Mentions',
    mentionsText: 'Messages that mention you or your groups',
    starred: 'Starred',
    reactions: 'Reactions',
    reactionsText: 'What you wrote and others reacted to',
    combined: 'Combined feed',
    combinedText: 'Everything on this device, newest last',
    subscribers: (count: number) => plural(count, { one: '# person', other: '# people' }),
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
      topic: 'This topic isn’t on this device yet',
      others: 'These messages aren’t on this device yet',
      text: (back: string) => `The messages are older than what this device keeps. They load here ${back}.`,
      keepMore: 'Keep more history…',
      writing: 'You can still write below. Your message waits in the outbox.',
    },
    failed: {
      title: 'These messages couldn’t be loaded',
      text: (reason: string) => `Nothing that you wrote is lost. ${reason}`,
    },
    nothing: 'Nothing here yet',
    writeFirst: 'Write the first message.',
    willCome: 'Messages appear here as they come.',
  },
  /** Above the first message; the day is one as `dayOfYear` writes it. */
  start: {
    topic: (day: string) => `Start of the topic, ${day}`,
    channel: (day: string) => `Start of the channel, ${day}`,
    conversation: (day: string) => `Start of the conversation, ${day}`,
    feed: (day: string) => `Start, ${day}`,
    limited: 'Older messages aren’t available: your organization’s plan limits its message history.',
    older: (back: string) => `Older messages aren’t kept on this device. They load ${back}.`,
  },
  gap: {
    loading: 'Loading messages',
    offline: (back: string) => `Messages are missing here. They load ${back}.`,
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
      `${first} and ${plural(others, { one: '# other', other: '# others' })} are typing`,
  },
  /** Announced to screen reader users when a message arrives. */
  announced: (sender: string, text: string) => `${sender}: ${text}`,
  arrived: {
    below: (count: number) => plural(count, { one: '# new message below', other: '# new messages below' }),
    in: (sender: string, place: string) => `${sender}, ${place}`,
    /** `newest` is the announcement of one message. */
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
    notShown: 'This message can’t be shown.',
    show: 'Show',
    hide: 'Hide again',
    collapsed: 'Collapsed.',
    begunEdit: 'You started editing this.',
    continueEditing: 'Continue',
    edited: 'Edited',
    moved: 'Moved',
    earlierVersions: (when: string) => `${when}, earlier versions`,
    edit: 'Edit',
    review: 'Review…',
    retry: 'Retry',
    discard: 'Discard',
    showMore: 'Show more',
    showLess: 'Show less',
  },
  edit: {
    box: 'Message being edited',
    name: 'Edit message',
    notHere: (reason: string) => `The source of this message isn’t on this device. ${reason}`,
    notSaved: (reason: string) => `Not saved, the text is still here. ${reason}`,
    escape: 'Esc closes and keeps what you wrote',
    /** Of somebody else's message, which is only read. */
    source: 'Message source',
    escapeSource: 'Esc closes',
    /** Above the words of an edit that cannot be saved any more. */
    leftOver: 'Your edit, not saved',
    discardLeftOver: 'Discard edit',
  },
  /** Inside a message's text. */
  content: {
    todayAt: (time: string) => `Today ${time}`,
    tomorrowAt: (time: string) => `Tomorrow ${time}`,
    dayAt: (day: string, time: string) => `${day}, ${time}`,
    spoiler: 'Spoiler',
    copy: 'Copy',
    copied: 'Copied',
    runIn: (playground: string) => `Run in ${playground}`,
    tooLongToRun: 'This code is too long to run from a link. Copy it instead.',
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
    gone: 'The server no longer has this file',
    notHere: 'Not on this device. It can be opened once you’re connected again.',
    failed: 'This file couldn’t be loaded. Try again.',
    picture: { notHere: 'Not on this device. It’s shown once you’re connected again.' },
    film: {
      notHere: 'This video isn’t on this device. It can be played once you’re connected again.',
      unplayable: 'This kind of video can’t be played here.',
    },
    sound: {
      notHere: 'This recording isn’t on this device. It can be played once you’re connected again.',
      unplayable: 'This kind of recording can’t be played here.',
    },
  },
  pictures: {
    unnamed: 'Picture',
    place: (at: number, count: number) => `${number(at)} of ${number(count)}`,
    preview: 'The full picture isn’t on this device. This is a preview.',
    previous: 'Previous picture',
    next: 'Next picture',
    zoom: 'Zoom',
    /** A picture that is larger than the window, with the keys that move it. */
    moved: (name: string) => `${name}, arrow keys move it`,
    openOutside: 'Open in the browser',
    download: 'Download',
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
    openInContext: 'View in context',
    edit: 'Edit',
    /** Of somebody else's message. */
    viewSource: 'View source',
    star: 'Star',
    collapse: 'Collapse',
    expand: 'Expand',
    removeStar: 'Remove star',
    markUnread: 'Mark unread from here',
    move: 'Move…',
    remind: 'Remind me',
    remindOther: 'Another time, or a note…',
    earlierVersions: 'Earlier versions',
    reactors: 'Who reacted',
    readers: 'Who has read it',
    copyLink: 'Copy link',
    copyText: 'Copy text',
    copyMarkdown: 'Copy Markdown',
    report: 'Report…',
    delete: 'Delete…',
    more: 'More actions',
  },
  remindTimes: {
    oneHour: 'In one hour',
    threeHours: 'In three hours',
    tomorrow: 'Tomorrow morning',
    monday: 'Monday morning',
  },
  notes: {
    reminded: {
      now: (when: string) => `You will be reminded: ${when}`,
      later: (when: string, back: string) => `${when}: reminder will be set ${back}`,
    },
    textCopied: 'Text copied',
    markdownCopied: 'Markdown copied',
    linkCopied: 'Link copied',
    /** Said while something waits for it. */
    fetchingText: 'The message’s original text is being fetched',
    quoted: 'Quote added to the draft of its conversation',
    reported: { now: 'Reported', later: (back: string) => `Will be reported ${back}` },
    moving: { now: 'Moving', later: (back: string) => `Will be moved ${back}` },
    renaming: { now: 'Renaming', later: (back: string) => `Will be renamed ${back}` },
    noEdit: 'You can no longer edit this message.',
    notAllowed: 'You don’t have permission to do this here.',
    noUnread: 'You aren’t in this channel, so you can’t mark its messages as unread.',
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
    somebody: 'someone',
    votes: (option: string, count: number) =>
      `${option}, ${plural(count, { one: '# vote', other: '# votes' })}`,
    waiting: 'waiting to sync',
    question: 'Question',
    title: 'Title',
    editQuestion: 'Change the question',
    editTitle: 'Change the title',
    addOption: 'Add an option',
    addTask: 'Add a task',
    optionThere: 'This option already exists.',
    taskThere: 'This task already exists.',
  },

  /** In which order starred messages are shown. */
  starOrder: { name: 'Order', sent: 'By date', starred: 'Last starred' },
  topic: {
    resolve: 'Mark as resolved',
    unresolve: 'Mark as unresolved',
    waiting: 'A change to this topic is queued',
    waitingName: (topic: string, back: string) => `Will be renamed to “${topic}” ${back}`,
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
    unresolveThis: 'Mark topic as unresolved',
  },
  /** What another person did to the open topic. */
  moved: {
    conversation: 'This conversation has moved.',
    channel: (topic: string) => `This topic has moved to another channel, as “${topic}”.`,
    renamed: (topic: string) => `This topic is now called “${topic}”.`,
    resolved: 'This topic was marked as resolved.',
    unresolved: 'This topic is no longer resolved.',
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
      later: 'This and later messages in this topic',
      all: 'All messages in this topic',
    },
    now: 'Move',
    later: (back: string) => `Move ${back}`,
  },
  delete: {
    title: 'Delete this message?',
    now: 'It disappears for everyone and can’t be restored.',
    later: (back: string) => `It disappears for everyone ${back} and can’t be restored.`,
  },
  history: {
    title: 'Versions of this message',
    unavailable: (reason: string) => `Earlier versions are kept by the server. ${reason}`,
    offline: (back: string) => `Earlier versions are on the server. They are shown here ${back}.`,
    known: 'You’re offline. These are the versions this device knows; others may be missing.',
    /** Over the oldest known text of a message that was changed before this device knew it. */
    earlier: 'An earlier version',
    written: (name: string, when: string) => `Written by ${name}, ${when}`,
    edited: (name: string, when: string) => `Edited by ${name}, ${when}`,
    moved: (from: string, name: string, when: string) => `Moved from “${from}” by ${name}, ${when}`,
    editedAndMoved: (from: string, name: string, when: string) =>
      `Edited and moved from “${from}” by ${name}, ${when}`,
    somebody: 'someone',
    /** Before words that only a screen reader says. */
    added: 'added:',
    removed: 'removed:',
  },
  reactors: { title: 'Who reacted', nobody: 'No one anymore.' },
  readers: {
    title: 'Who has read this',
    titleCount: (count: number) => plural(count, { one: 'Read by # person', other: 'Read by # people' }),
    unavailable: (reason: string) => `Only the server knows who has read it. ${reason}`,
    offline: (back: string) => `Only the server knows who has read it. The list is shown here ${back}.`,
    nobody: 'No one else yet, or no one who lets others see it.',
  },
  report: {
    title: 'Report this message',
    text: 'The moderators see the message and that you reported it. No one else does.',
    reason: 'Reason',
    reasons: {
      spam: 'Spam',
      harassment: 'Harassment',
      inappropriate: 'Inappropriate content',
      norms: 'Breaks the rules',
      other: 'Something else',
    },
    whatIsWrong: 'What is wrong',
    anythingToAdd: 'Anything to add (optional)',
    send: 'Report',
  },

  /** The state of something that waits to be sent. */
  sending: {
    refused: (reason: string) => `Not sent. ${reason}`,
    refusedUnsaid: 'The server refused it.',
    undecided: 'It may have been sent. Check, then retry or discard.',
    /** The same of what is not a message to be sent now. Another device may have changed it since. */
    undecidedOf: {
      scheduled:
        'The server’s response was lost. It may be scheduled already, or changed on another device. Check in Scheduled, then retry or discard.',
      reminder:
        'The server’s response was lost. It may be set already, or changed on another device. Check in Reminders, then retry or discard.',
      snippet:
        'The server’s response was lost. It may be saved already, or changed on another device. Check your snippets, then retry or discard.',
    },
    checking: 'Checking whether it was sent',
    checkingOf: {
      scheduled: 'Checking whether it was scheduled',
      reminder: 'Checking whether it was set',
      snippet: 'Checking whether it was saved',
    },
    checkedLater: (back: string) => `May have arrived, checked ${back}`,
    trying: (attempt: number) => `Trying to send, attempt ${number(attempt)}`,
    now: 'Sending',
    behindAnother: 'Queued, sends after the message above',
    behindCreation: 'Queued, sends after the channel is created',
    away: (back: string) => `Queued, sends ${back}`,
    queued: 'Queued',
  },
}
