/** Places that a key leads to. */
export type KeyPlace = 'inbox' | 'recent' | 'drafts' | 'search' | 'combined' | 'mentions' | 'starred'

/** What a key begins to write: a new topic, a new direct message, or in the conversation that is open. */
export type Writing = 'topic' | 'direct' | 'reply'

/** Keys of the whole window; single letters only count outside text fields. */
export function listenToKeys(acts: {
  openPalette(): void
  go(place: KeyPlace): void
  /** Something is to be written. */
  write(what: Writing): void
}): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    if ((event.ctrlKey || event.metaKey) && event.code === 'KeyK') {
      event.preventDefault()
      acts.openPalette()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const place = placeOf(event)
    const writing = event.shiftKey ? undefined : writingKeys[event.code]
    if (place === null && writing === undefined) return
    event.preventDefault()
    if (place !== null) acts.go(place)
    else if (writing !== undefined) acts.write(writing)
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

/** Whether keys go into a text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

const writingKeys: Readonly<Record<string, Writing>> = { KeyC: 'topic', KeyX: 'direct', KeyR: 'reply' }

function placeOf(event: KeyboardEvent): KeyPlace | null {
  // By the place of the key, so that layouts with other letters work.
  if (event.shiftKey && event.code === 'KeyI') return 'inbox'
  if (event.shiftKey) return null
  switch (event.code) {
    case 'KeyA':
      return 'combined'
    case 'KeyT':
      return 'recent'
    case 'KeyD':
      return 'drafts'
    case 'Slash':
      return 'search'
    default:
      return null
  }
}
