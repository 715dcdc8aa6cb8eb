/** What somebody began to change in a message and has not saved. */
export interface EditText {
  readonly text: string
  /** The text that the change began from; null when unknown. */
  readonly previous: string | null
}

const keyOf = (accountId: string, messageId: number) => `dunlin-edit:${accountId}:${messageId}`

/** The unsaved change of a message; null when there is none. It outlives a reload and a crash of the window. */
export function keptEdit(accountId: string, messageId: number): EditText | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(accountId, messageId)) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('previous' in kept)) return null
    const { text, previous } = kept
    return typeof text === 'string' && (previous === null || typeof previous === 'string')
      ? { text, previous }
      : null
  } catch {
    // Somebody else wrote there.
    return null
  }
}

/** Keeps an unsaved change; null forgets it. */
export function keepEdit(accountId: string, messageId: number, edit: EditText | null): void {
  const key = keyOf(accountId, messageId)
  if (edit === null) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(edit))
}
