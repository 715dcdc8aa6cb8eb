import type { t } from '../../../src-shared/texts/texts.ts'
import { worksWhileTyping } from './chord.ts'

/**
 * Where a shortcut works. A key may have one meaning in each place. A shortcut of the window works everywhere except
 * in dialogs, which are shown over the window: the channels, the two versions of a draft in conflict, and the viewer of
 * pictures.
 */
export type ShortcutPlace = 'window' | 'feed' | 'list' | 'compose' | 'channels' | 'conflict' | 'viewer'

/** One action that keys trigger. Its label is in the catalogue (`t.shortcuts.actions`). */
export interface Shortcut {
  readonly name: keyof typeof t.shortcuts.actions
  readonly place: ShortcutPlace
  readonly group: keyof typeof t.shortcuts.groups
  /** Its default keys, as `chordOf` writes them. */
  readonly chords: readonly string[]
  /** Its keys can be switched off but not replaced, because each of them does something of its own. */
  readonly isFixed?: true
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Every shortcut of the app. Nothing listens for a key that is not here. */
export const shortcuts = [
  { name: 'palette', place: 'window', group: 'places', chords: ['Ctrl+K'] },
  { name: 'search', place: 'window', group: 'places', chords: ['/'] },
  { name: 'find', place: 'window', group: 'places', chords: ['Ctrl+F'] },
  { name: 'inbox', place: 'window', group: 'places', chords: ['Shift+I'] },
  { name: 'recent', place: 'window', group: 'places', chords: ['T'] },
  { name: 'combined', place: 'window', group: 'places', chords: ['A'] },
  { name: 'starred', place: 'window', group: 'places', chords: ['*'] },
  { name: 'last-starred', place: 'window', group: 'places', chords: [] },
  { name: 'mentions', place: 'window', group: 'places', chords: [] },
  { name: 'reactions', place: 'window', group: 'places', chords: [] },
  { name: 'drafts', place: 'window', group: 'places', chords: ['D'] },
  { name: 'scheduled', place: 'window', group: 'places', chords: [] },
  { name: 'reminders', place: 'window', group: 'places', chords: [] },
  { name: 'channels', place: 'window', group: 'places', chords: [] },
  { name: 'channel-settings', place: 'window', group: 'places', chords: [] },
  { name: 'topics', place: 'window', group: 'places', chords: ['Y'] },
  { name: 'next-topic', place: 'window', group: 'places', chords: ['N'] },
  { name: 'next-direct', place: 'window', group: 'places', chords: ['P'] },
  { name: 'next-followed', place: 'window', group: 'places', chords: ['Shift+N'] },
  { name: 'directs', place: 'window', group: 'places', chords: ['Shift+P'] },
  { name: 'written-to', place: 'window', group: 'places', chords: ['Ctrl+.'] },
  { name: 'previous-channel', place: 'window', group: 'places', chords: ['Shift+A'] },
  { name: 'next-channel', place: 'window', group: 'places', chords: ['Shift+D'] },
  { name: 'back', place: 'window', group: 'places', chords: ['Ctrl+[', 'Alt+ArrowLeft'] },
  { name: 'forward', place: 'window', group: 'places', chords: ['Ctrl+]', 'Alt+ArrowRight'] },
  { name: 'step-out', place: 'window', group: 'places', chords: ['Escape'] },

  { name: 'mute-channel', place: 'window', group: 'window', chords: [] },
  { name: 'pin-channel', place: 'window', group: 'window', chords: [] },
  { name: 'leave-channel', place: 'window', group: 'window', chords: [] },
  { name: 'create-channel', place: 'window', group: 'window', chords: [] },
  { name: 'mark-place-read', place: 'window', group: 'window', chords: [] },
  { name: 'copy-place-link', place: 'window', group: 'window', chords: [] },

  { name: 'filter-sidebar', place: 'window', group: 'window', chords: ['Q'] },
  { name: 'filter-people', place: 'window', group: 'window', chords: ['W'] },
  { name: 'sync-panel', place: 'window', group: 'window', chords: ['Ctrl+Shift+S'] },
  { name: 'next-region', place: 'window', group: 'window', chords: ['F6'] },
  { name: 'previous-region', place: 'window', group: 'window', chords: ['Shift+F6'] },
  {
    name: 'organization',
    place: 'window',
    group: 'window',
    chords: digits.map((digit) => `Ctrl+${digit}`),
    isFixed: true,
  },
  { name: 'next-organization', place: 'window', group: 'window', chords: ['Ctrl+Tab'] },
  { name: 'previous-organization', place: 'window', group: 'window', chords: ['Ctrl+Shift+Tab'] },
  { name: 'add-organization', place: 'window', group: 'window', chords: ['Ctrl+Shift+N'] },
  { name: 'all-organizations', place: 'window', group: 'window', chords: ['Ctrl+0'] },
  { name: 'set-status', place: 'window', group: 'window', chords: ['Shift+Y'] },
  { name: 'settings', place: 'window', group: 'window', chords: ['Ctrl+,'] },
  { name: 'account-menu', place: 'window', group: 'window', chords: ['G'] },
  { name: 'shortcuts', place: 'window', group: 'window', chords: ['?', 'Ctrl+Shift+K'] },
  { name: 'network', place: 'window', group: 'window', chords: [] },
  { name: 'diagnostics', place: 'window', group: 'window', chords: [] },
  { name: 'sign-out', place: 'window', group: 'window', chords: [] },
  { name: 'pause-notifications', place: 'window', group: 'window', chords: ['Ctrl+Shift+M'] },
  { name: 'reload', place: 'window', group: 'window', chords: ['Ctrl+R', 'F5'] },
  { name: 'zoom-in', place: 'window', group: 'window', chords: ['Ctrl+=', 'Ctrl++'] },
  { name: 'zoom-out', place: 'window', group: 'window', chords: ['Ctrl+-'] },
  { name: 'zoom-reset', place: 'window', group: 'window', chords: ['Ctrl+Alt+0'] },

  { name: 'new-topic', place: 'window', group: 'writing', chords: ['C'] },
  { name: 'new-direct', place: 'window', group: 'writing', chords: ['X'] },
  { name: 'reply', place: 'window', group: 'writing', chords: ['R'] },
  { name: 'reply-to-message', place: 'feed', group: 'writing', chords: ['Enter'] },
  { name: 'edit-last', place: 'feed', group: 'writing', chords: ['ArrowLeft'] },
  { name: 'send', place: 'compose', group: 'writing', chords: ['Ctrl+Enter'] },
  { name: 'send-later', place: 'compose', group: 'writing', chords: [] },
  { name: 'another-draft', place: 'compose', group: 'writing', chords: [] },
  { name: 'change-recipients', place: 'compose', group: 'writing', chords: [] },
  { name: 'expand-box', place: 'compose', group: 'writing', chords: [] },
  { name: 'preview', place: 'compose', group: 'writing', chords: ['Alt+P'] },
  { name: 'side-by-side', place: 'compose', group: 'writing', chords: [] },
  { name: 'bold', place: 'compose', group: 'writing', chords: ['Ctrl+B'] },
  { name: 'italic', place: 'compose', group: 'writing', chords: ['Ctrl+I'] },
  { name: 'link', place: 'compose', group: 'writing', chords: ['Ctrl+Shift+L'] },
  { name: 'code', place: 'compose', group: 'writing', chords: ['Ctrl+Shift+C'] },
  { name: 'strike', place: 'compose', group: 'writing', chords: ['Ctrl+Shift+X'] },
  { name: 'bulleted-list', place: 'compose', group: 'writing', chords: [] },
  { name: 'numbered-list', place: 'compose', group: 'writing', chords: [] },
  { name: 'block-quote', place: 'compose', group: 'writing', chords: [] },
  { name: 'spoiler', place: 'compose', group: 'writing', chords: [] },
  { name: 'math', place: 'compose', group: 'writing', chords: [] },
  { name: 'attach-files', place: 'compose', group: 'writing', chords: [] },
  { name: 'insert-emoji', place: 'compose', group: 'writing', chords: [] },
  { name: 'insert-mention', place: 'compose', group: 'writing', chords: [] },
  { name: 'insert-time', place: 'compose', group: 'writing', chords: [] },
  { name: 'poll', place: 'compose', group: 'writing', chords: [] },
  { name: 'todo', place: 'compose', group: 'writing', chords: [] },
  { name: 'snippets', place: 'compose', group: 'writing', chords: ["Ctrl+'"] },
  { name: 'save-snippet', place: 'compose', group: 'writing', chords: [] },
  { name: 'message-formatting', place: 'window', group: 'writing', chords: [] },

  { name: 'next-row', place: 'list', group: 'lists', chords: ['J', 'ArrowDown'] },
  { name: 'previous-row', place: 'list', group: 'lists', chords: ['K', 'ArrowUp'] },
  { name: 'next-rows', place: 'list', group: 'lists', chords: ['PageDown'] },
  { name: 'previous-rows', place: 'list', group: 'lists', chords: ['PageUp'] },
  { name: 'first-row', place: 'list', group: 'lists', chords: ['Home'] },
  { name: 'last-row', place: 'list', group: 'lists', chords: ['End'] },
  { name: 'next-in-row', place: 'list', group: 'lists', chords: ['L', 'ArrowRight'] },
  { name: 'previous-in-row', place: 'list', group: 'lists', chords: ['H', 'ArrowLeft'] },
  { name: 'mark-row-read', place: 'list', group: 'lists', chords: ['E'] },
  { name: 'mark-channel-read', place: 'list', group: 'lists', chords: ['Shift+E'] },
  { name: 'mute-row', place: 'list', group: 'lists', chords: ['Shift+M'] },
  { name: 'delete-row', place: 'list', group: 'lists', chords: ['Backspace', 'Delete'] },
  { name: 'undo', place: 'list', group: 'lists', chords: ['Ctrl+Z'] },

  { name: 'next-difference', place: 'conflict', group: 'conflict', chords: ['F7'] },
  { name: 'previous-difference', place: 'conflict', group: 'conflict', chords: ['Shift+F7'] },
  { name: 'choose-local', place: 'conflict', group: 'conflict', chords: ['1'] },
  { name: 'choose-remote', place: 'conflict', group: 'conflict', chords: ['2'] },
  { name: 'choose-both', place: 'conflict', group: 'conflict', chords: ['3'] },

  { name: 'view-channel', place: 'channels', group: 'channels', chords: ['Shift+V'] },
  { name: 'toggle-subscription', place: 'channels', group: 'channels', chords: ['Shift+S'] },
  { name: 'new-channel', place: 'channels', group: 'channels', chords: ['N'] },

  { name: 'enlarge-picture', place: 'viewer', group: 'viewer', chords: ['+', '='] },
  { name: 'shrink-picture', place: 'viewer', group: 'viewer', chords: ['-'] },
  { name: 'fit-picture', place: 'viewer', group: 'viewer', chords: ['0'] },
  { name: 'picture-actual-size', place: 'viewer', group: 'viewer', chords: ['1'] },

  { name: 'next-message', place: 'feed', group: 'reading', chords: ['J', 'ArrowDown'] },
  { name: 'previous-message', place: 'feed', group: 'reading', chords: ['K', 'ArrowUp'] },
  { name: 'next-page', place: 'feed', group: 'reading', chords: ['Shift+J', 'PageDown', 'Space'] },
  { name: 'previous-page', place: 'feed', group: 'reading', chords: ['Shift+K', 'PageUp', 'Shift+Space'] },
  { name: 'first-message', place: 'feed', group: 'reading', chords: ['Home'] },
  { name: 'last-message', place: 'feed', group: 'reading', chords: ['End', 'Shift+G'] },

  { name: 'menu', place: 'feed', group: 'message', chords: ['I'] },
  { name: 'edit', place: 'feed', group: 'message', chords: ['E'] },
  { name: 'quote', place: 'feed', group: 'message', chords: ['>'] },
  { name: 'forward-message', place: 'feed', group: 'message', chords: ['<'] },
  { name: 'reply-direct', place: 'feed', group: 'message', chords: ['Shift+R'] },
  { name: 'mention', place: 'feed', group: 'message', chords: ['@'] },
  { name: 'star', place: 'feed', group: 'message', chords: ['Ctrl+S'] },
  { name: 'choose-emoji', place: 'feed', group: 'message', chords: [':'] },
  { name: 'first-reaction', place: 'feed', group: 'message', chords: ['='] },
  { name: 'thumbs-up', place: 'feed', group: 'message', chords: ['+'] },
  { name: 'unread-from-here', place: 'feed', group: 'message', chords: ['Shift+U'] },
  { name: 'collapse', place: 'feed', group: 'message', chords: ['-'] },
  { name: 'move', place: 'feed', group: 'message', chords: ['M'] },
  { name: 'history', place: 'feed', group: 'message', chords: ['Shift+H'] },
  { name: 'readers', place: 'feed', group: 'message', chords: ['Shift+V'] },
  { name: 'copy-link', place: 'feed', group: 'message', chords: ['L'] },
  { name: 'copy-text', place: 'feed', group: 'message', chords: ['Ctrl+C'] },
  { name: 'show-picture', place: 'feed', group: 'message', chords: ['V'] },
  { name: 'sender-profile', place: 'feed', group: 'message', chords: ['U'] },
  { name: 'context', place: 'feed', group: 'message', chords: ['Z'] },
  { name: 'remind', place: 'feed', group: 'message', chords: [] },
  { name: 'report', place: 'feed', group: 'message', chords: [] },
  { name: 'delete', place: 'feed', group: 'message', chords: [] },
  { name: 'retry', place: 'feed', group: 'message', chords: [] },
  { name: 'open-conversation', place: 'feed', group: 'message', chords: ['S'] },

  { name: 'visibility', place: 'feed', group: 'topic', chords: ['Shift+M'] },
  { name: 'follow', place: 'feed', group: 'topic', chords: [] },
  { name: 'resolve', place: 'feed', group: 'topic', chords: ['Ctrl+Shift+R'] },
  { name: 'move-topic', place: 'feed', group: 'topic', chords: [] },
] as const satisfies readonly Shortcut[]

export type ShortcutName = (typeof shortcuts)[number]['name']
/** The names of the shortcuts of a place. */
export type ShortcutOf<P extends ShortcutPlace> = Extract<(typeof shortcuts)[number], { place: P }>['name']

/** The keys that a person chose, by the name of the shortcut; an empty list switches the shortcut off. */
export type ChosenKeys = Readonly<Record<string, readonly string[]>>

/** The current keys of a shortcut. */
export function keysOf({ name, chords, isFixed }: Shortcut, chosen: ChosenKeys): readonly string[] {
  const own = chosen[name] ?? chords
  return isFixed && own.length > 0 ? chords : own
}

const isDialog = (place: ShortcutPlace) => place === 'channels' || place === 'conflict' || place === 'viewer'

/** Whether a key would be ambiguous because both places receive it. */
const overlap = (a: ShortcutPlace, b: ShortcutPlace) =>
  a === b || ((a === 'window' || b === 'window') && !isDialog(a) && !isDialog(b))

/** The shortcut that already uses a key wanted for another shortcut; null if the key is free. */
export function conflictingShortcut(chord: string, shortcut: Shortcut, chosen: ChosenKeys): Shortcut | null {
  return (
    shortcuts.find(
      (other) =>
        other.name !== shortcut.name &&
        overlap(other.place, shortcut.place) &&
        keysOf(other, chosen).includes(chord),
    ) ?? null
  )
}

/** Keys by which a text is edited, whatever the field. */
const editsText = /^Ctrl\+([ACVXYZ]|Shift\+[VZ]|(Shift\+)?(Arrow\w+|Home|End|Backspace|Delete))$/

/**
 * What a key must keep doing, so that it cannot have this shortcut unless by default: moving the focus and pressing
 * buttons, or writing, if the shortcut works while a person writes. Null if it is free for it.
 */
export function dutyOf(chord: string, { place, chords }: Shortcut): 'everywhere' | 'writing' | null {
  if (chords.includes(chord)) return null
  if (/^(Shift\+)?(Tab|Enter|Space)$/.test(chord)) return 'everywhere'
  const writes =
    (place === 'compose' && !worksWhileTyping(chord)) ||
    ((place === 'compose' || place === 'window') && editsText.test(chord))
  return writes ? 'writing' : null
}
