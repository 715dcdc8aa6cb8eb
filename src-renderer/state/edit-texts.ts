/** A person's unsaved edit of a text that exists already. */
export interface EditText {
  readonly text: string
  /** The text that the edit is based on; null if unknown. */
  readonly previous: string | null
  /** Of a merged text: the person's own text that it was made from. */
  readonly own?: string
  /** What else the edited thing is known by, besides its text and id. */
  readonly mark?: string
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
    const mark = 'mark' in kept && typeof kept.mark === 'string' ? { mark: kept.mark } : {}
    return typeof text === 'string' && (previous === null || typeof previous === 'string')
      ? { text, previous, ...own, ...mark }
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

/**
 * Stores the text in a field, unless it is the text that is there now. `previous` is the text that the edit is based on,
 * if that is another one; `mark` as in `EditText`.
 */
export function keepChange(
  accountId: string,
  edited: Edited,
  text: string,
  now: string,
  previous: string | null = now,
  mark?: string,
): void {
  keepEdit(accountId, edited, text === now ? null : { text, previous, ...(mark !== undefined && { mark }) })
}

/** Whether something was changed after its kept edit began. The server stores texts without blank edges. */
export const isOutdated = (kept: EditText | null, now: string): boolean =>
  kept !== null && kept.previous?.trim() !== now.trim()

/** Whether the id of a scheduled message or snippet is the server's. */
const isOfServer = (id: string): boolean => /^(scheduled-)?\d+$/.test(id)

/**
 * What waited here gets another id when the server has it: its unsaved edit follows, to what has the text that it is
 * based on and, as far as known, the same mark. Returns the ids of the edits of that kind that belong to nothing in the
 * list.
 */
export function followEdits(
  accountId: string,
  kind: 'scheduled' | 'snippet' | 'snippet-title',
  all: readonly { readonly id: string; readonly text: string; readonly mark: string }[],
): string[] {
  const start = keyOf(accountId, `${kind} `)
  const ids = Object.keys(localStorage).flatMap((key) =>
    key.startsWith(start) ? [key.slice(start.length)] : [],
  )
  return ids.filter((id) => {
    if (all.some((one) => one.id === id)) return false
    const kept = keptEdit(accountId, `${kind} ${id}`)
    if (kept === null) return false
    const mayBe = isOfServer(id) ? [] : all.filter((one) => isOfServer(one.id) && !ids.includes(one.id))
    const heir = mayBe.find(
      (one) => !isOutdated(kept, one.text) && (kept.mark === undefined || kept.mark === one.mark),
    )
    if (heir === undefined) return true
    keepEdit(accountId, `${kind} ${heir.id}`, kept)
    keepEdit(accountId, `${kind} ${id}`, null)
    return false
  })
}
