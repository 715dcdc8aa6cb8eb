/** A person's unsaved edit of a text that exists already. */
export interface EditText {
  readonly text: string
  /** The text that the edit is based on; null if unknown. */
  readonly previous: string | null
  /** Of a merged text: the person's own text that it was made from. */
  readonly own?: string
}

/** What is edited: the id of a message, or the kind and id of something else. */
type Edited = number | `${'conflict' | 'scheduled' | 'snippet' | 'snippet-title'} ${string | number}`

const keyOf = (accountId: string, edited: Edited) => `dunlin-edit:${accountId}:${edited}`

/** The unsaved edit of something; null if there is none. It survives a reload and a crash of the window. */
export function keptEdit(accountId: string, edited: Edited): EditText | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(accountId, edited)) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('previous' in kept)) return null
    const { text, previous } = kept
    const own = 'own' in kept && typeof kept.own === 'string' ? { own: kept.own } : {}
    return typeof text === 'string' && (previous === null || typeof previous === 'string')
      ? { text, previous, ...own }
      : null
  } catch {
    // Other code wrote to that storage key.
    return null
  }
}

/** Stores an unsaved edit; null deletes it. */
export function keepEdit(accountId: string, edited: Edited, edit: EditText | null): void {
  const key = keyOf(accountId, edited)
  if (edit === null) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(edit))
}

/** Stores the text in a field, unless it is the text that was there before. */
export function keepChange(accountId: string, edited: Edited, text: string, previous: string): void {
  keepEdit(accountId, edited, text === previous ? null : { text, previous })
}
