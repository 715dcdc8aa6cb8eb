import { number, plural } from './grammar.ts'

/** Words that many screens use, each with one meaning: what a button does, what a state is called. */
export const shared = {
  cancel: 'Cancel',
  close: 'Close',
  delete: 'Delete',
  save: 'Save',
  edit: 'Edit',
  /** When something that needs the server goes on, at the end of a sentence. */
  whenBack: { online: 'when you’re back online', signedIn: 'once you sign in' },
  /** An edit was given up, and can be brought back. */
  editDiscarded: 'Edit discarded',
  undo: 'Undo',
  goThere: 'Go there',
  remove: 'Remove',
  rename: 'Rename',
  add: 'Add',
  tryAgain: 'Try again',
  cannotCopy: 'Not copied: this window can’t use the clipboard.',
  you: 'you',
  markedUnread: (name: string) => `Marked unread: ${name}`,
  starsRemoved: (count: number) => plural(count, { one: '# star removed', other: '# stars removed' }),
  markedRead: (name: string) => `Marked read: ${name}`,
  messagesRead: (count: number) =>
    plural(count, { one: '# message marked read', other: '# messages marked read' }),
  removed: (name: string) => `Removed: ${name}`,
  /** Before the text as it is now, beside an unsaved edit of an earlier one. */
  changedSince: 'It was changed in the meantime. Saving replaces this text:',
  useThat: 'Use that text',
  quoted: (words: string) => `“${words}”`,
  withKeys: (words: string, keys: string) => `${words} (${keys})`,
  openPlaces: 'What is open',
  back: 'Back',
  forward: 'Forward',
  /** Icons of conversations, for screen readers. */
  followed: 'followed',
  mutedNow: (topic: string) => `Muted: ${topic}`,
  unmutedNow: (topic: string) => `No longer muted: ${topic}`,
  muted: 'muted',
  resolved: 'resolved',
  mentionsYou: 'mentions you',
  /** The unit of a number that appears alone. */
  unread: (count: number) => plural(count, { one: '# unread', other: '# unread' }),
  messages: (count: number) => plural(count, { one: '# message', other: '# messages' }),
  presence: { active: 'active', idle: 'idle' },
  sizes: {
    bytes: (count: number) => `${number(count)} B`,
    kilobytes: (count: number) => `${number(count)} KB`,
    megabytes: (count: number) => `${number(count)} MB`,
    gigabytes: (count: number) => `${number(count)} GB`,
  },
}
