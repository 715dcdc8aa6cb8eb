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

/** The forms that a person fills in. A new reminder, a report and an answer to a poll or list have the id of the message. */
type FormKind = 'new-reminder' | 'reminder' | 'report' | 'answer' | 'new-channel'

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
