import type { Database } from '../database.ts'

/** A person's alert words, in the order in which they were added. */
export function alertWordsOf(db: Database, userId: number): string[] {
  return db.column<string>('SELECT word FROM alert_words WHERE user_id = ? ORDER BY alert_word_id', userId)
}

const letter = /[\p{L}\p{N}_]/u

/**
 * Which of these people have an alert word or phrase that appears as whole words in a text; case does not matter.
 */
export function alertedUsers(db: Database, userIds: Iterable<number>, content: string): Set<number> {
  const rows = db.all<{ user_id: number; word: string }>(
    'SELECT user_id, word FROM alert_words WHERE user_id IN (SELECT value FROM json_each(?))',
    JSON.stringify([...userIds]),
  )
  const text = content.toLowerCase()
  const standing = new Map<string, boolean>()
  const alerted = new Set<number>()
  for (const { user_id, word } of rows) {
    const wanted = word.toLowerCase()
    const stands = standing.get(wanted) ?? standsIn(text, wanted)
    standing.set(wanted, stands)
    if (stands) alerted.add(user_id)
  }
  return alerted
}

function standsIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
    const after = [...text.slice(at + word.length, at + word.length + 2)][0] ?? ''
    if (!letter.test(before) && !letter.test(after)) return true
  }
  return false
}
