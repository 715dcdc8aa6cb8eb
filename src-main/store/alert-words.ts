import type { ReadableDb, WritableDb } from './database.ts'
import { objectsOf, putObject, removeObject } from './objects.ts'

/** The person's alert words in their own spelling, unordered. */
export const alertWords = (db: ReadableDb): string[] =>
  objectsOf(db, 'alert-word').flatMap(({ word }) => (typeof word === 'string' ? [word] : []))

/** The key under which two spellings of a word are equal: servers ignore case. */
export const alertWordKey = (word: string): string => word.toLowerCase()

const spellings = (db: ReadableDb, word: string): string[] =>
  alertWords(db).filter((known) => alertWordKey(known) === alertWordKey(word))

/** Whether the word, in any spelling, is among the person's alert words. */
export const hasAlertWord = (db: ReadableDb, word: string): boolean => spellings(db, word).length > 0

/** Adds a word unless another spelling of it is there, or removes every spelling of it. */
export function setAlertWordHere(db: WritableDb, word: string, on: boolean): void {
  const known = spellings(db, word)
  if (!on) for (const spelling of known) removeObject(db, 'alert-word', spelling)
  else if (known.length === 0) putObject(db, 'alert-word', word, { word })
}
