import type { ProfileValue } from '../../src-shared/model/profile.ts'
import type { ReadableDb } from './database.ts'
import { object } from './objects.ts'

const kinds: readonly (ProfileValue['kind'] | undefined)[] = [
  undefined,
  'text',
  'long-text',
  'choice',
  'date',
  'link',
  'people',
  'account',
  'pronouns',
]

/** The kind of a profile field, by the wire's number; a number that this version does not know counts as text. */
export const fieldKind = (type: unknown): ProfileValue['kind'] =>
  (typeof type === 'number' ? kinds[type] : undefined) ?? 'text'

/** Whether people type the values of a profile field, and do not choose them. A field that is gone counts as typed. */
export const isTypedField = (db: ReadableDb, fieldId: number): boolean =>
  !['choice', 'date', 'people'].includes(fieldKind(object(db, 'profile-field', fieldId)?.['type']))
