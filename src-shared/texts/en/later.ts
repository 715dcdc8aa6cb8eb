import { plural } from './grammar.ts'

/** Scheduled messages, reminders and starred messages. */
export const later = {
  when: 'When',
  isOver: 'This time has passed. Choose a later one.',
  keys: { move: 'Move', open: 'Open', edit: 'Edit', delete: 'Delete', done: 'Done' },
  /** A scheduled message, reminder or snippet that was changed while it left. */
  hasLeft: 'It’s on its way to the server. Your changes are still here: save them again in a moment.',
  scheduled: {
    name: 'Scheduled',
    list: 'Scheduled messages',
    count: (count: number) => plural(count, { one: '# message', other: '# messages' }),
    none: 'Nothing is scheduled',
    noneText: 'Write a message and choose “Send later” beside Send to have it sent at a set time.',
    late: 'Not sent at their time',
    edit: 'Edit',
    sendNow: 'Send now',
    delete: 'Delete',
    deleted: {
      now: 'Scheduled message deleted',
      later: (back: string) => `Scheduled message will be deleted ${back}`,
    },
    keptAsDraft: 'Its time had passed, so it is a draft again',
    /** Where it stands. */
    missed: 'Not sent at its time',
    waiting: 'Queued to be scheduled',
    changing: 'Change queued',
    begunEdit: 'Edit not saved',
    sending: 'Sends in a moment',
    /** The dialog. */
    editTitle: 'Change the scheduled message',
    /** The message was sent or deleted. */
    editAsDraft: 'The unsaved edit of a scheduled message is now a draft',
    text: 'Message',
    offline: (back: string) =>
      `This reaches the server ${back}. Until then, the server sends its own version at the set time.`,
  },
  starred: {
    list: 'Starred messages, the last starred first',
    count: (count: number) => plural(count, { one: '# message', other: '# messages' }),
    none: 'No starred messages',
    noneText: 'Starred messages appear here, on all your devices. Only you see your stars.',
    /** What this device did not see being starred. */
    before: 'Starred earlier or on another device',
    unstar: 'Remove the star',
    ended: 'Star removed',
  },
  reminders: {
    name: 'Reminders',
    list: 'Messages to come back to',
    count: (count: number) => plural(count, { one: '# reminder', other: '# reminders' }),
    none: 'No reminders',
    noneText: 'Choose “Remind me” in a message’s menu to be reminded of it.',
    late: 'Overdue',
    edit: 'Change',
    done: 'Done',
    ended: { now: 'Reminder done', later: (back: string) => `Reminder will be marked as done ${back}` },
    /** The reminder has ended. */
    noteAsDraft: 'The unsaved note of a reminder is now a draft',
    noteHelp: 'What you want to remember about it',
    noteOptional: 'Note (optional)',
    notHere: 'This message isn’t on this device.',
    missed: 'Not delivered',
    waiting: 'Queued',
    /** The dialogs. */
    newTitle: 'Remind me',
    editTitle: 'Change the reminder',
    set: 'Set the reminder',
    offline: (back: string) => `This reaches the server ${back}.`,
  },
}
