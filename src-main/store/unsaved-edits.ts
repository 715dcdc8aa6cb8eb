import {
  fieldsIn,
  type Edited,
  type EditText,
  type UnsavedEdit,
} from '../../src-shared/model/unsaved-edit.ts'
import type { ReadableDb, WritableDb } from './database.ts'

/** More than a person has begun at a time; all of them go to every window. */
const most = 500

/** A subquery of the things with an unsaved edit, one row each: a snippet's title and text are one thing. */
export const editedThings = `(SELECT DISTINCT replace(edited, 'snippet-title', 'snippet') FROM unsaved_edits)`

interface UnsavedEditRow {
  readonly edited: Edited
  readonly content: string
  readonly previous: string | null
  readonly own: string | null
  readonly mark: string | null
}

/** Stores an unsaved edit instead of an earlier one of the same thing; null removes it. `now` is epoch milliseconds. */
export function putUnsavedEdit(db: WritableDb, edited: Edited, edit: EditText | null, now: number): void {
  if (edit === null) {
    db.run('DELETE FROM unsaved_edits WHERE edited = ?', [edited])
    return
  }
  db.run(
    `INSERT OR REPLACE INTO unsaved_edits (edited, content, previous, own, mark, edited_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [edited, edit.text, edit.previous, edit.own ?? null, edit.mark ?? null, now],
  )
}

/** What is an edit of a message or about it, and the field with the words if it is a form. */
const aboutMessages: ReadonlyMap<string, string | null> = new Map([
  ['message', null],
  ['report', 'words'],
  ['answer', 'text'],
  ['widget-title', 'title'],
  ['new-reminder', 'note'],
])

/** Removes the unsaved edits of these messages and about them. Returns the words in each of them, if there are any. */
export function endEditsOf(db: WritableDb, messageIds: readonly number[]): string[] {
  const ids = new Set(messageIds.map(String))
  const words: string[] = []
  for (const { edited, text } of unsavedEdits(db)) {
    const [kind = '', id = ''] = edited.split(' ')
    const field = aboutMessages.get(kind)
    if (field === undefined || !ids.has(id)) continue
    const content = field === null ? text : (fieldsIn(text)[field] ?? '')
    if (content.trim() !== '') words.push(content)
    putUnsavedEdit(db, edited, null, 0)
  }
  return words
}

/** The unsaved edits, newest first, at most 500. */
export function unsavedEdits(db: ReadableDb): UnsavedEdit[] {
  return db
    .all<UnsavedEditRow>(
      `SELECT edited, content, previous, own, mark FROM unsaved_edits ORDER BY edited_at DESC, edited LIMIT ${most}`,
    )
    .map(({ edited, content, previous, own, mark }) => ({
      edited,
      text: content,
      previous,
      ...(own !== null && { own }),
      ...(mark !== null && { mark }),
    }))
}
