/** What a key asks of the message that is selected. */
export type MessageCommand =
  | 'menu'
  | 'edit'
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
  | 'copy-link'
  | 'copy-text'
  | 'show-picture'
  | 'visibility'
  | 'open-conversation'

/** What a key asks of a feed. */
export type FeedKey =
  | { readonly kind: 'step'; readonly by: 1 | -1 }
  | { readonly kind: 'page'; readonly by: 1 | -1 }
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'command'; readonly name: MessageCommand }

/** What of a keyboard event decides. */
export type KeyFacts = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

const command = (name: MessageCommand): FeedKey => ({ kind: 'command', name })

/** Letters count by their place on the keyboard, so that layouts with other letters work; signs by what they are. */
export function feedKey(event: KeyFacts): FeedKey | null {
  const { key, code, shiftKey } = event
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) {
    if (shiftKey) return null
    if (code === 'KeyS') return command('star')
    return code === 'KeyC' ? command('copy-text') : null
  }
  switch (key) {
    case 'ArrowDown':
      return shiftKey ? null : { kind: 'step', by: 1 }
    case 'ArrowUp':
      return shiftKey ? null : { kind: 'step', by: -1 }
    case 'PageDown':
      return { kind: 'page', by: 1 }
    case 'PageUp':
      return { kind: 'page', by: -1 }
    case ' ':
      return { kind: 'page', by: shiftKey ? -1 : 1 }
    case 'Home':
      return { kind: 'first' }
    case 'End':
      return { kind: 'last' }
    case '>':
      return command('quote')
    case '<':
      return command('forward')
    case '@':
      return command('mention')
    case ':':
      return command('choose-emoji')
    case '=':
      return command('first-reaction')
    case '+':
      return command('thumbs-up')
    case '-':
      return command('collapse')
  }
  return shiftKey ? shifted(code) : plain(code)
}

function plain(code: string): FeedKey | null {
  switch (code) {
    case 'KeyJ':
      return { kind: 'step', by: 1 }
    case 'KeyK':
      return { kind: 'step', by: -1 }
    case 'KeyI':
      return command('menu')
    case 'KeyE':
      return command('edit')
    case 'KeyV':
      return command('show-picture')
    case 'KeyL':
      return command('copy-link')
    case 'KeyS':
      return command('open-conversation')
    default:
      return null
  }
}

function shifted(code: string): FeedKey | null {
  switch (code) {
    case 'KeyJ':
      return { kind: 'page', by: 1 }
    case 'KeyK':
      return { kind: 'page', by: -1 }
    case 'KeyG':
      return { kind: 'last' }
    case 'KeyU':
      return command('unread-from-here')
    case 'KeyR':
      return command('reply-direct')
    case 'KeyM':
      return command('visibility')
    default:
      return null
  }
}
