/** What is edited: its kind, and its id. */
export type Edited = `${
  | 'message'
  | 'conflict'
  | 'scheduled'
  | 'snippet'
  | 'snippet-title'
  | 'profile-field'
  | 'own-name'
  | FormKind} ${string}`

/**
 * The forms that a person fills in. A new reminder, a report, an answer to a poll or list and its new question or title
 * have the id of the message.
 */
type FormKind = 'new-reminder' | 'reminder' | 'report' | 'answer' | 'widget-title' | 'new-channel' | 'status'

/** A person's unsaved edit of a text that exists already, or of the fields of a form. */
export interface EditText {
  /** Of a form: its fields as JSON. */
  readonly text: string
  /** The text that the edit is based on; null if unknown. */
  readonly previous: string | null
  /** Of a merged text: the person's own text that it was made from. */
  readonly own?: string | undefined
  /** What else the edited thing is known by, besides its text and id. */
  readonly mark?: string | undefined
}

/** An unsaved edit, and what it is an edit of. */
export interface UnsavedEdit extends EditText {
  readonly edited: Edited
}

/** What is in the fields of a form, by their names. */
export type Fields = Readonly<Record<string, string>>

/** The fields of a form, as the text of an unsaved edit. */
export const formText = (fields: Fields): string => JSON.stringify(fields)

/** The fields in such a text; none if it is another text. */
export function fieldsIn(text: string): Fields {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null) return {}
    return Object.fromEntries(Object.entries(read).filter((field) => typeof field[1] === 'string'))
  } catch {
    return {}
  }
}
