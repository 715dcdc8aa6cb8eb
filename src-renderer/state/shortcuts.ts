/** Where a shortcut works; a key may mean one thing in each, and what works in the window works everywhere. */
export type ShortcutPlace = 'window' | 'feed' | 'list' | 'compose'

/** One thing that keys do. */
export interface Shortcut {
  readonly name: string
  readonly place: ShortcutPlace
  readonly group: string
  /** What it does, for people. */
  readonly words: string
  /** The keys that do it unless the person chose others, as `chordOf` writes them. */
  readonly chords: readonly string[]
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Every shortcut of the app. Nothing listens for a key that is not here. */
export const shortcuts = [
  {
    name: 'palette',
    place: 'window',
    group: 'Going places',
    words: 'Search, or jump to a conversation',
    chords: ['Ctrl+K'],
  },
  { name: 'search', place: 'window', group: 'Going places', words: 'Search messages', chords: ['/'] },
  { name: 'inbox', place: 'window', group: 'Going places', words: 'Inbox', chords: ['Shift+I'] },
  { name: 'recent', place: 'window', group: 'Going places', words: 'Recent conversations', chords: ['T'] },
  { name: 'combined', place: 'window', group: 'Going places', words: 'Combined feed', chords: ['A'] },
  { name: 'starred', place: 'window', group: 'Going places', words: 'Starred messages', chords: ['*'] },
  { name: 'drafts', place: 'window', group: 'Going places', words: 'Drafts and outbox', chords: ['D'] },
  { name: 'topics', place: 'window', group: 'Going places', words: 'Topics of the channel', chords: ['Y'] },
  { name: 'next-topic', place: 'window', group: 'Going places', words: 'Next unread topic', chords: ['N'] },
  {
    name: 'next-direct',
    place: 'window',
    group: 'Going places',
    words: 'Next unread direct message',
    chords: ['P'],
  },
  {
    name: 'next-followed',
    place: 'window',
    group: 'Going places',
    words: 'Next unread followed topic',
    chords: ['Shift+N'],
  },
  {
    name: 'directs',
    place: 'window',
    group: 'Going places',
    words: 'All direct messages',
    chords: ['Shift+P'],
  },
  {
    name: 'written-to',
    place: 'window',
    group: 'Going places',
    words: 'Where the new message goes',
    chords: ['Ctrl+.'],
  },
  {
    name: 'previous-channel',
    place: 'window',
    group: 'Going places',
    words: 'Previous channel',
    chords: ['Shift+A'],
  },
  {
    name: 'next-channel',
    place: 'window',
    group: 'Going places',
    words: 'Next channel',
    chords: ['Shift+D'],
  },
  {
    name: 'back',
    place: 'window',
    group: 'Going places',
    words: 'Back',
    chords: ['Ctrl+[', 'Alt+ArrowLeft'],
  },
  {
    name: 'forward',
    place: 'window',
    group: 'Going places',
    words: 'Forward',
    chords: ['Ctrl+]', 'Alt+ArrowRight'],
  },
  {
    name: 'step-out',
    place: 'window',
    group: 'Going places',
    words: 'One step out, then the home view',
    chords: ['Escape'],
  },

  {
    name: 'filter-sidebar',
    place: 'window',
    group: 'The window',
    words: 'Filter channels and direct messages',
    chords: ['Q'],
  },
  { name: 'filter-people', place: 'window', group: 'The window', words: 'Filter people', chords: ['W'] },
  {
    name: 'sync-panel',
    place: 'window',
    group: 'The window',
    words: 'What waits for the server',
    chords: ['Ctrl+Shift+S'],
  },
  {
    name: 'next-region',
    place: 'window',
    group: 'The window',
    words: 'Next part of the window',
    chords: ['F6'],
  },
  {
    name: 'previous-region',
    place: 'window',
    group: 'The window',
    words: 'Previous part of the window',
    chords: ['Shift+F6'],
  },
  {
    name: 'organization',
    place: 'window',
    group: 'The window',
    words: 'Organization 1 to 9',
    chords: digits.map((digit) => `Ctrl+${digit}`),
  },
  {
    name: 'all-organizations',
    place: 'window',
    group: 'The window',
    words: 'All organizations',
    chords: ['Ctrl+0'],
  },
  { name: 'set-status', place: 'window', group: 'The window', words: 'Your status', chords: ['Shift+Y'] },
  { name: 'settings', place: 'window', group: 'The window', words: 'Settings', chords: ['Ctrl+,'] },
  {
    name: 'account-menu',
    place: 'window',
    group: 'The window',
    words: 'The organization’s menu',
    chords: ['G'],
  },
  { name: 'shortcuts', place: 'window', group: 'The window', words: 'All shortcuts', chords: ['?'] },

  { name: 'new-topic', place: 'window', group: 'Writing', words: 'New topic', chords: ['C'] },
  { name: 'new-direct', place: 'window', group: 'Writing', words: 'New direct message', chords: ['X'] },
  {
    name: 'reply',
    place: 'window',
    group: 'Writing',
    words: 'Write in the open conversation',
    chords: ['R'],
  },
  {
    name: 'edit-last',
    place: 'feed',
    group: 'Writing',
    words: 'Edit your last message',
    chords: ['ArrowLeft'],
  },
  { name: 'send', place: 'compose', group: 'Writing', words: 'Send', chords: ['Ctrl+Enter'] },
  { name: 'preview', place: 'compose', group: 'Writing', words: 'Preview', chords: ['Alt+P'] },
  { name: 'bold', place: 'compose', group: 'Writing', words: 'Bold', chords: ['Ctrl+B'] },
  { name: 'italic', place: 'compose', group: 'Writing', words: 'Italic', chords: ['Ctrl+I'] },
  { name: 'link', place: 'compose', group: 'Writing', words: 'Link', chords: ['Ctrl+Shift+L'] },
  { name: 'code', place: 'compose', group: 'Writing', words: 'Code', chords: ['Ctrl+Shift+C'] },
  { name: 'strike', place: 'compose', group: 'Writing', words: 'Strikethrough', chords: ['Ctrl+Shift+X'] },
  { name: 'snippets', place: 'compose', group: 'Writing', words: 'Snippets', chords: ["Ctrl+'"] },

  { name: 'next-row', place: 'list', group: 'Lists', words: 'Next row', chords: ['J', 'ArrowDown'] },
  { name: 'previous-row', place: 'list', group: 'Lists', words: 'Previous row', chords: ['K', 'ArrowUp'] },
  {
    name: 'mark-row-read',
    place: 'list',
    group: 'Lists',
    words: 'Mark the conversation read',
    chords: ['E'],
  },
  {
    name: 'mark-channel-read',
    place: 'list',
    group: 'Lists',
    words: 'Mark the channel read',
    chords: ['Shift+E'],
  },
  { name: 'mute-row', place: 'list', group: 'Lists', words: 'Mute the topic', chords: ['Shift+M'] },
  { name: 'undo', place: 'list', group: 'Lists', words: 'Take that back', chords: ['Ctrl+Z'] },

  {
    name: 'next-message',
    place: 'feed',
    group: 'Reading',
    words: 'Next message',
    chords: ['J', 'ArrowDown'],
  },
  {
    name: 'previous-message',
    place: 'feed',
    group: 'Reading',
    words: 'Previous message',
    chords: ['K', 'ArrowUp'],
  },
  {
    name: 'next-page',
    place: 'feed',
    group: 'Reading',
    words: 'A page on',
    chords: ['Shift+J', 'PageDown', 'Space'],
  },
  {
    name: 'previous-page',
    place: 'feed',
    group: 'Reading',
    words: 'A page back',
    chords: ['Shift+K', 'PageUp', 'Shift+Space'],
  },
  {
    name: 'first-message',
    place: 'feed',
    group: 'Reading',
    words: 'First message',
    chords: ['Home'],
  },
  {
    name: 'last-message',
    place: 'feed',
    group: 'Reading',
    words: 'Last message',
    chords: ['End', 'Shift+G'],
  },
  {
    name: 'menu',
    place: 'feed',
    group: 'Selected message',
    words: 'More actions',
    chords: ['I'],
  },
  {
    name: 'edit',
    place: 'feed',
    group: 'Selected message',
    words: 'Edit, or see how it is written',
    chords: ['E'],
  },
  {
    name: 'quote',
    place: 'feed',
    group: 'Selected message',
    words: 'Quote and reply',
    chords: ['>'],
  },
  {
    name: 'forward-message',
    place: 'feed',
    group: 'Selected message',
    words: 'Forward',
    chords: ['<'],
  },
  {
    name: 'reply-direct',
    place: 'feed',
    group: 'Selected message',
    words: 'Reply to the sender alone',
    chords: ['Shift+R'],
  },
  {
    name: 'mention',
    place: 'feed',
    group: 'Selected message',
    words: 'Reply with a mention of the sender',
    chords: ['@'],
  },
  {
    name: 'star',
    place: 'feed',
    group: 'Selected message',
    words: 'Star',
    chords: ['Ctrl+S'],
  },
  {
    name: 'choose-emoji',
    place: 'feed',
    group: 'Selected message',
    words: 'React with an emoji',
    chords: [':'],
  },
  {
    name: 'first-reaction',
    place: 'feed',
    group: 'Selected message',
    words: 'Join the first reaction',
    chords: ['='],
  },
  {
    name: 'thumbs-up',
    place: 'feed',
    group: 'Selected message',
    words: 'React with a thumb up',
    chords: ['+'],
  },
  {
    name: 'unread-from-here',
    place: 'feed',
    group: 'Selected message',
    words: 'Mark unread from here',
    chords: ['Shift+U'],
  },
  {
    name: 'collapse',
    place: 'feed',
    group: 'Selected message',
    words: 'Fold or unfold',
    chords: ['-'],
  },
  {
    name: 'move',
    place: 'feed',
    group: 'Selected message',
    words: 'Move to another topic or channel',
    chords: ['M'],
  },
  {
    name: 'history',
    place: 'feed',
    group: 'Selected message',
    words: 'Earlier versions',
    chords: ['Shift+H'],
  },
  {
    name: 'readers',
    place: 'feed',
    group: 'Selected message',
    words: 'Who has read it',
    chords: ['Shift+V'],
  },
  {
    name: 'copy-link',
    place: 'feed',
    group: 'Selected message',
    words: 'Copy a link',
    chords: ['L'],
  },
  {
    name: 'copy-text',
    place: 'feed',
    group: 'Selected message',
    words: 'Copy the text',
    chords: ['Ctrl+C'],
  },
  {
    name: 'show-picture',
    place: 'feed',
    group: 'Selected message',
    words: 'Show its pictures',
    chords: ['V'],
  },
  {
    name: 'sender-profile',
    place: 'feed',
    group: 'Selected message',
    words: 'Who wrote it',
    chords: ['U'],
  },
  {
    name: 'context',
    place: 'feed',
    group: 'Selected message',
    words: 'See it among its neighbours',
    chords: ['Z'],
  },
  {
    name: 'visibility',
    place: 'feed',
    group: 'Selected message',
    words: 'Mute the topic, or not any more',
    chords: ['Shift+M'],
  },
  {
    name: 'open-conversation',
    place: 'feed',
    group: 'Selected message',
    words: 'Open its conversation',
    chords: ['S'],
  },
] as const satisfies readonly Shortcut[]

export type ShortcutName = (typeof shortcuts)[number]['name']
/** The names of those that work in a place. */
export type ShortcutOf<P extends ShortcutPlace> = Extract<(typeof shortcuts)[number], { place: P }>['name']

/** Keys that a person chose, by the name of the shortcut; an empty list switches one off. */
export type ChosenKeys = Readonly<Record<string, readonly string[]>>

/** The keys of a shortcut as things are. */
export const keysOf = (shortcut: Shortcut, chosen: ChosenKeys): readonly string[] =>
  chosen[shortcut.name] ?? shortcut.chords

/** Whether a key would mean two things where both places hear it. */
const overlap = (a: ShortcutPlace, b: ShortcutPlace) => a === b || a === 'window' || b === 'window'

/** The shortcut that has the key already, where another one is to get it; null when it is free. */
export function takenBy(chord: string, shortcut: Shortcut, chosen: ChosenKeys): Shortcut | null {
  return (
    shortcuts.find(
      (other) =>
        other.name !== shortcut.name &&
        overlap(other.place, shortcut.place) &&
        keysOf(other, chosen).includes(chord),
    ) ?? null
  )
}
