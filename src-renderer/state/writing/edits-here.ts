import type { Edited, EditText, UnsavedEdit } from '../../../src-shared/model/unsaved-edit.ts'

// Before the engine kept unsaved edits, they were only in the browser's storage.

const startOf = (accountId: string) => `dunlin-edit:${accountId}:`

/** A message had no kind there. */
const editedOf = (rest: string): Edited | null => {
  if (/^\d+$/.test(rest)) return `message ${rest}`
  const [, kind, id] = /^(conflict|scheduled|snippet|snippet-title) ([\w-]+)$/.exec(rest) ?? []
  // The pattern lists kinds.
  return kind === undefined ? null : (`${kind} ${id}` as Edited)
}

/** The unsaved edits of an account in the browser's storage. */
export function editsHere(accountId: string): UnsavedEdit[] {
  const start = startOf(accountId)
  return Object.keys(localStorage).flatMap((key) => {
    const edited = key.startsWith(start) ? editedOf(key.slice(start.length)) : null
    const edit = edited === null ? null : editIn(localStorage.getItem(key))
    return edited === null || edit === null ? [] : [{ edited, ...edit }]
  })
}

function editIn(json: string | null): EditText | null {
  try {
    const kept: unknown = JSON.parse(json ?? 'null')
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

/** Removes an edit from the browser's storage: the engine has it. */
export function dropEditHere(accountId: string, edited: Edited): void {
  localStorage.removeItem(startOf(accountId) + edited.replace(/^message /, ''))
}
