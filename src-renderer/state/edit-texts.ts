/** A person's unsaved edit of a message. */
export interface EditText {
  readonly text: string
  /** The text that the edit is based on; null if unknown. */
  readonly previous: string | null
}

const keyOf = (accountId: string, messageId: number) => `dunlin-edit:${accountId}:${messageId}`

/** The unsaved edit of a message; null if there is none. It survives a reload and a crash of the window. */
export function keptEdit(accountId: string, messageId: number): EditText | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(accountId, messageId)) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('previous' in kept)) return null
    const { text, previous } = kept
    return typeof text === 'string' && (previous === null || typeof previous === 'string')
      ? { text, previous }
      : null
  } catch {
    // Other code wrote to that storage key.
    return null
  }
}

/** Stores an unsaved edit; null deletes it. */
export function keepEdit(accountId: string, messageId: number, edit: EditText | null): void {
  const key = keyOf(accountId, messageId)
  if (edit === null) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(edit))
}
