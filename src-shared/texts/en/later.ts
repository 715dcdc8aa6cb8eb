import { plural } from './grammar.ts'

/** Scheduled messages, reminders and starred messages. */
export const later = {
  when: 'When',
  isOver: 'This time has passed. Choose a later one.',
  keys: { move: 'Move', open: 'Open', edit: 'Edit', delete: 'Delete', done: 'Done' },
  scheduled: {
    name: 'Scheduled',
    list: 'Scheduled messages',
    count: (count: number) => plural(count, { one: '# message', other: '# messages' }),
    none: 'Nothing is scheduled',
    noneText: 'Write a message and choose “Send later” beside Send to have it sent at its time.',
    late: 'Not sent at their time',
    edit: 'Edit',
    sendNow: 'Send now',
    delete: 'Delete',
    deleted: 'Scheduled message deleted',
    keptAsDraft: 'It is a draft again, as its time is over',
    /** Its state. */
    missed: 'Not sent at its time',
    waiting: 'Waits to be scheduled',
    changing: 'The change waits for the server',
    sending: 'Sends in a moment',
    /** The dialog. */
    editTitle: 'Change the scheduled message',
    hasLeft: 'It is on its way to the server. Your changes are still here: save them again in a moment.',
    text: 'Message',
    offline:
      'The server hears of it when you’re back online. What is there already is sent at its time until then.',
  },
  starred: {
    list: 'Starred messages, the last starred first',
    count: (count: number) => plural(count, { one: '# message', other: '# messages' }),
    none: 'No starred messages',
    noneText: 'A star on a message brings it here. It is yours alone, and on all your devices.',
    /** For messages whose starring this device did not see. */
    before: 'Starred before, or elsewhere',
    unstar: 'Remove the star',
    ended: 'Star removed',
  },
  reminders: {
    name: 'Reminders',
    list: 'Messages to come back to',
    count: (count: number) => plural(count, { one: '# reminder', other: '# reminders' }),
    none: 'No reminders',
    noneText: 'Choose “Remind me” in the menu of a message to have it brought back.',
    late: 'Their time is over',
    edit: 'Change',
    done: 'Done',
    ended: 'Reminder done',
    noteHelp: 'What you want to remember of it',
    noteOptional: 'Note (if you like)',
    notHere: 'This message is not on this device.',
    missed: 'Not delivered',
    waiting: 'Waits for the server',
    /** The dialogs. */
    newTitle: 'Remind me',
    editTitle: 'Change the reminder',
    set: 'Set the reminder',
    offline: 'The server hears of it when you’re back online.',
  },
}
