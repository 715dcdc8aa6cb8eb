import type { KeyFacts } from '../../state/keys/chord.ts'
import { keyBindings } from '../../state/keys/key-bindings.svelte.ts'
import { shortcuts, type ShortcutOf } from '../../state/keys/shortcuts.ts'

const topicCommands = ['visibility', 'follow', 'resolve', 'move-topic'] as const
/** The commands for a topic: the selected message's topic, or the open one. */
export type TopicCommand = (typeof topicCommands)[number]

/** Whether a command concerns the selected message's topic instead of the message. */
export const isTopicCommand = (name: MessageCommand): name is TopicCommand =>
  topicCommands.some((one) => one === name)

/** The commands for the selected message. */
export type MessageCommand =
  | 'menu'
  | 'edit'
  | 'reply'
  | 'quote'
  | 'forward'
  | 'reply-direct'
  | 'mention'
  | 'star'
  | 'choose-emoji'
  | 'first-reaction'
  | 'thumbs-up'
  | 'unread-from-here'
  | 'collapse'
  | 'move'
  | 'history'
  | 'readers'
  | 'copy-link'
  | 'copy-text'
  | 'show-picture'
  | TopicCommand
  | 'remind'
  | 'report'
  | 'delete'
  | 'retry'
  | 'open-conversation'
  | 'profile'
  | 'context'

/** What a key does in a feed. */
export type FeedKey =
  | { readonly kind: 'step'; readonly by: 1 | -1 }
  | { readonly kind: 'page'; readonly by: 1 | -1 }
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'edit-last' }
  | { readonly kind: 'command'; readonly name: MessageCommand }

const command = (name: MessageCommand): FeedKey => ({ kind: 'command', name })

const meanings: { readonly [N in ShortcutOf<'feed'>]: FeedKey } = {
  'next-message': { kind: 'step', by: 1 },
  'previous-message': { kind: 'step', by: -1 },
  'next-page': { kind: 'page', by: 1 },
  'previous-page': { kind: 'page', by: -1 },
  'first-message': { kind: 'first' },
  'last-message': { kind: 'last' },
  menu: command('menu'),
  edit: command('edit'),
  'reply-to-message': command('reply'),
  quote: command('quote'),
  'forward-message': command('forward'),
  'reply-direct': command('reply-direct'),
  mention: command('mention'),
  star: command('star'),
  'choose-emoji': command('choose-emoji'),
  'first-reaction': command('first-reaction'),
  'thumbs-up': command('thumbs-up'),
  'unread-from-here': command('unread-from-here'),
  collapse: command('collapse'),
  move: command('move'),
  history: command('history'),
  readers: command('readers'),
  'copy-link': command('copy-link'),
  'copy-text': command('copy-text'),
  'show-picture': command('show-picture'),
  remind: command('remind'),
  report: command('report'),
  delete: command('delete'),
  retry: command('retry'),
  visibility: command('visibility'),
  follow: command('follow'),
  resolve: command('resolve'),
  'move-topic': command('move-topic'),
  'open-conversation': command('open-conversation'),
  'sender-profile': command('profile'),
  context: command('context'),
  'edit-last': { kind: 'edit-last' },
}

/** The commands for a message, with the names of their shortcuts. */
export const feedCommands: readonly {
  readonly name: ShortcutOf<'feed'>
  readonly command: MessageCommand
}[] = shortcuts.flatMap(({ name, place }) => {
  const key = place === 'feed' ? meanings[name] : null
  return key?.kind === 'command' && place === 'feed' ? [{ name, command: key.name }] : []
})

/** What the pressed keys do in a feed, according to the table of shortcuts; null if they are not for it. */
export function feedKey(event: KeyFacts): FeedKey | null {
  const name = keyBindings.nameOfKeys(event, 'feed')
  return name === null ? null : meanings[name]
}
