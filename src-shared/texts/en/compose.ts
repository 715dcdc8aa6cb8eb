import { list, number, plural } from './grammar.ts'

const few = (names: readonly string[]) =>
  list(names.length < 3 ? names : [...names.slice(0, 1), `${number(names.length - 1)} others`])

/** Where messages are written. */
export const compose = {
  message: 'Message',
  write: 'Write a message',
  writeOffline: (back: string) => `Write a message. It’s kept here and sent ${back}.`,
  toTopic: (channel: string, topic: string) => `Compose to ${channel}, ${topic}`,
  toPeople: (names: string) => `Compose to ${names}`,
  to: 'To',
  changeRecipients: 'Change recipients',
  expand: 'Expand',
  makeSmaller: 'Make smaller',
  /** The same two, for a reader who does not see the box. */
  expandBox: 'Expand the message box',
  shrinkBox: 'Make the message box smaller',
  newTopic: 'New topic',
  writeIn: (channel: string) => `Write in ${channel}`,
  newTopicIn: (channel: string) => `New topic in ${channel}`,
  thisChannel: 'this channel',
  newDirect: 'New direct message',
  /** Why a message cannot be sent, beside its text or its button. */
  obstacle: {
    archived: 'This channel is archived. You can read it, but not post.',
    notAllowed: 'You can’t post in this channel.',
    nobody: 'Choose who to send it to.',
    unchosen: (words: string) => `“${words}” isn’t chosen yet. Choose from the list, or delete it.`,
    noChannel: 'Choose a channel.',
    channelGone: 'This channel no longer exists, or you can’t see it.',
    topicTooLong: 'The topic is too long.',
    noTopic: 'A topic is required.',
    noTopics: 'This channel has no topics.',
    deactivated: (names: readonly string[]) =>
      `You can’t write to ${few(names)}. ${plural(names.length, { one: 'The account is', other: 'The accounts are' })} deactivated.`,
    noDirects: 'Your organization doesn’t allow direct messages here.',
    onlyAnswers: 'You can’t start direct conversations. You can reply once someone writes to you.',
  },
  channelIs: (name: string) => `Channel: ${name}`,
  channel: 'Channel',
  chooseChannel: 'Choose a channel',
  channelOrPerson: 'Channel or person',
  /** Other recipients for the same text. */
  instead: { direct: 'Write to people instead', topic: 'Write in a channel instead' },
  topic: 'Topic',
  topicRequired: 'A topic is required',
  addSomeone: 'Add someone',
  removePerson: (name: string) => `Remove ${name}`,
  closeKeepingDraft: 'Close and keep the draft',
  closeKeys: 'Close (Esc)',
  /** What a person should know before sending. */
  notes: {
    notifies: (count: number, channel: string) => `This notifies all ${number(count)} people in #${channel}.`,
    mayNotNotify: (count: number, channel: string) =>
      `Only some people can notify all ${number(count)} people in #${channel}.`,
    notifiesTopic: (count: number) => `This notifies all ${number(count)} people who wrote in this topic.`,
    mayNotNotifyTopic: (count: number) =>
      `Only some people can notify all ${number(count)} people who wrote in this topic.`,
    barredGroups: (names: readonly string[]) =>
      `You can’t mention the ${plural(names.length, { one: 'group', other: 'groups' })} ${few(names)}.`,
    outsiders: (names: readonly string[], channel: string) =>
      `${few(names)} ${plural(names.length, { one: 'is', other: 'are' })} not in #${channel} and may not see this.`,
    privateChannels: (names: readonly string[]) =>
      `${few(names.map((name) => `#${name}`))} ${plural(names.length, {
        one: 'is private. Not everyone here can open it, but everyone sees its name.',
        other: 'are private. Not everyone here can open them, but everyone sees their names.',
      })}`,
    guests: (names: readonly string[]) =>
      `${few(names)} ${plural(names.length, { one: 'is a guest', other: 'are guests' })}.`,
    resolved: 'This topic is marked as resolved.',
    notSubscribed: (channel: string) => `You haven’t joined #${channel}, so replies won’t be in your inbox.`,
    muted: 'You muted this, so replies won’t count as unread.',
  },
  /** What the person can do about them. */
  noteActs: {
    add: 'Add to the channel',
    join: 'Join',
    unresolve: 'Mark as unresolved',
    unmute: 'Unmute',
    silence: 'Mention silently',
  },
  send: 'Send',
  queue: 'Queue',
  sent: 'Sent',
  queued: 'Queued',
  moreWaysToSend: 'More ways to send',
  sendLater: 'Send later',
  anotherTime: 'Another time…',
  keepAndBeginAnother: 'Keep as draft and start another',
  saveAsSnippet: 'Save as snippet',
  enterSends: 'Enter sends',
  scheduled: {
    now: (moment: string) => `Sends ${moment}`,
    later: (moment: string, back: string) => `${moment}: will be scheduled ${back}`,
  },
  tooLongBy: (count: number) =>
    plural(count, { one: '# character too long', other: '# characters too long' }),
  left: (count: number) => `${number(count)} left`,
  /** The state of a draft, beside the button. */
  draft: {
    conflict: 'Edited on two devices',
    synced: 'Draft saved',
    saving: 'Saving draft',
    local: 'Saved on this device',
    refused: 'Refused, kept here',
    only: 'On this device only',
    /** Another device changed it just now; both versions were merged if it was being written here. */
    elsewhere: 'Changed on another device',
  },
  /** The last of them, short, for the bar. */
  elsewhereShort: 'Changed on another device',
  compare: 'Compare',
  otherDrafts: (count: number) => plural(count, { one: '# draft', other: '# drafts' }),
  moreDrafts: (count: number) => plural(count, { one: '# more draft', other: '# more drafts' }),
  history: {
    name: 'Draft history',
    /** Follows the state of the draft. */
    hint: (state: string) => `${state}. Show earlier versions`,
    earlier: 'Earlier versions',
    none: 'This is the first version. A version is saved at each pause and kept for 30 days.',
    empty: 'Empty',
    restore: 'Restore',
    on: (day: string, time: string) => `${day}, ${time}`,
    here: (when: string) => `${when}, written here`,
    elsewhere: (when: string) => `${when}, from another device`,
    merged: (when: string) => `${when}, merged`,
    followed: (when: string) => `${when}, before its topic moved`,
    sent: (when: string) => `${when}, sent`,
  },
  files: {
    name: 'Files',
    /** Over the box while files are dragged over the window. */
    drop: 'Drop the files to attach them',
    copying: 'Copying to this device',
    waiting: 'Waiting to upload',
    waitingOffline: (back: string) => `Kept here, uploads ${back}`,
    uploading: (percent: number) => `Uploading, ${number(percent)}%`,
    uploadOf: (file: string) => `Upload of ${file}`,
    uploaded: 'Uploaded',
    refused: 'Refused',
    takeOut: 'Remove',
    takeFileOut: (file: string) => `Remove ${file}`,
    notAttached: (file: string, reason: string) => `${file} wasn’t attached. ${reason}`,
    /** The name of a file that has none. */
    unnamed: 'file',
  },
  /** The name of the file for pasted text. */
  paste: {
    tooLong: 'This is too long for a message. You can attach it as a file instead.',
    asFile: 'Attach as a file',
    fileName: 'pasted-text.txt',
  },
  modes: { name: 'Formatting', write: 'Write', preview: 'Preview', both: 'Side by side' },
  formats: {
    bold: 'Bold',
    italic: 'Italic',
    strike: 'Strikethrough',
    link: 'Link',
    code: 'Code',
    list: 'List',
    numbered: 'Numbered list',
    quote: 'Quote',
    spoiler: 'Spoiler',
    math: 'Math',
  },
  /** Placeholders that the writer replaces. */
  samples: { spoilerHeader: 'Header' },
  /** The controls that make a poll or a to-do list; numbers are positions in the list, from 1. */
  widget: {
    insert: 'Add to the message',
    keep: 'Keep as a draft',
    kept: 'Not sent yet: it is a draft',
    /** While there are other words in the box. */
    apart: 'This is a message of its own. What is in the box stays there.',
    poll: {
      name: 'Poll',
      title: 'Question',
      lines: 'Options',
      line: (place: number) => `Option ${number(place)}`,
      up: (place: number) => `Move option ${number(place)} up`,
      down: (place: number) => `Move option ${number(place)} down`,
      remove: (place: number) => `Remove option ${number(place)}`,
      moved: (place: number, count: number) => `Option ${number(place)} of ${number(count)}`,
      add: 'Add an option',
      help: 'Everyone who sees the poll can add options. Alt and the arrow keys move an option.',
    },
    todo: {
      name: 'To-do list',
      title: 'Title',
      lines: 'Tasks',
      line: (place: number) => `Task ${number(place)}`,
      up: (place: number) => `Move task ${number(place)} up`,
      down: (place: number) => `Move task ${number(place)} down`,
      remove: (place: number) => `Remove task ${number(place)}`,
      moved: (place: number, count: number) => `Task ${number(place)} of ${number(count)}`,
      add: 'Add a task',
      help: 'A colon starts a description: “Oars: the long ones”. Alt and the arrow keys move a task.',
    },
  },
  attach: 'Attach files',
  emoji: 'Emoji',
  mention: 'Mention',
  moreFormatting: 'More formatting',
  time: {
    name: 'Time for everyone',
    yours: 'Your time',
    help: 'Everyone sees it in their own time zone.',
    insert: 'Insert',
  },
  snippets: {
    name: 'Snippets',
    find: 'Find a snippet',
    none: 'A snippet is text you use often. You can save what you write as one.',
    nothingFits: (words: string) => `No match for “${words}”.`,
    title: 'Title',
    keep: 'Save',
    text: 'Content',
    change: 'Change',
    changeOne: (title: string) => `Change ${title}`,
    delete: 'Delete',
    deleteOne: (title: string) => `Delete ${title}`,
    deleted: (title: string) => `Snippet deleted: ${title}`,
    /** The snippet was deleted. */
    editAsDraft: 'The unsaved edit of a snippet is now a draft',
    keepThis: 'Save this text as a snippet',
    notKept: (reason: string) => `Not saved. ${reason}`,
  },
  preview: {
    name: 'Preview',
    nothingYet: 'Nothing to preview yet.',
    none: (reason: string) => `No preview. ${reason}`,
  },
  /** The list that opens while something is typed. */
  suggestions: {
    name: 'Suggestions',
    everyoneHere: 'everyone here',
    everyoneInChannel: 'everyone in the channel',
    everyoneInTopic: 'everyone who wrote in the topic',
    people: (count: number) => plural(count, { one: '# person', other: '# people' }),
    bot: 'bot',
    guest: 'guest',
    deactivated: 'deactivated',
    notInChannel: 'not in this channel',
    group: 'user group',
    notForYou: 'you can’t mention it',
    notSubscribed: 'not joined',
    resolved: 'resolved',
    newTopic: 'New topic',
    chooseTopic: 'Press > to choose a topic',
  },
  commands: {
    me: 'Say what you are doing',
    poll: 'Ask a question with options',
    todo: 'Share a list of tasks',
    dark: 'Dark theme',
    light: 'Light theme',
    night: 'Dark theme',
    day: 'Light theme',
    ping: 'How fast the server answers',
  },
  /** Announced once it is done. */
  commandDone: {
    dark: 'Dark theme.',
    light: 'Light theme.',
    ping: (ms: number) => `The server answered in ${number(ms)} ms.`,
  },
}
