import { untrack } from 'svelte'
import { fieldsIn, formText, type Edited, type Fields } from '../../../src-shared/model/unsaved-edit.ts'
import type { UnsavedEdits } from './edit-texts.ts'

/** A form whose fields a person fills in. */
export interface UnfinishedForm<F extends Fields> {
  /** What is in the fields; they can be bound. */
  readonly fields: { -readonly [Name in keyof F]: string }
  /** What is in the fields is no longer needed: it was sent. */
  end(): void
}

/**
 * A form that keeps what a person entered, as an unsaved edit, until it is sent: it is there again when the form opens
 * again, however it was closed. `start`: what the fields contain before that; `mark` as in `EditText`. Call it while a
 * component is created.
 */
export function unfinishedForm<F extends Fields>(
  edits: UnsavedEdits,
  edited: Edited,
  start: F,
  mark?: string,
): UnfinishedForm<F> {
  const fields: Record<string, string> = $state({ ...start })
  const names = Object.keys(start)
  let isRestored = false
  $effect.pre(() => {
    if (isRestored || !edits.isLoaded) return
    isRestored = true
    untrack(restore)
  })
  /** Takes over what the person changed; the rest may have got another start since. */
  function restore() {
    const kept = edits.of(edited)
    if (kept === null) return
    const [now, before] = [fieldsIn(kept.text), fieldsIn(kept.previous ?? '')]
    for (const name of names) {
      const text = now[name]
      // What was typed before the rest was known stays.
      if (text !== undefined && text !== before[name] && fields[name] === start[name]) fields[name] = text
    }
  }
  // Only what is typed here is kept: the same form may be open in another window too.
  let last = formText(start)
  $effect(() => {
    const text = formText(fields)
    if (!edits.isLoaded || text === last) return
    last = text
    untrack(() => edits.keepChange(edited, text, formText(start), undefined, mark))
  })
  return {
    // It has the names of `start`, and its values are bound as strings.
    fields: fields as { -readonly [Name in keyof F]: string },
    end() {
      Object.assign(fields, start)
      edits.keep(edited, null)
    },
  }
}
