import { topicKey, typedTopic } from '../../src-shared/topic-names.ts'
import type { ReadableDb } from './database.ts'
import { organizationNumber, organizationText } from './organization.ts'

/** The note that a server appends to a text that it truncated. */
const cutNote = '\n[message truncated]'

/** A text without leading and trailing blanks, which no server keeps. */
export const withoutBlankEdges = (text: string): string =>
  // This runs at each keystroke, and most texts begin with a letter.
  (text.charCodeAt(0) > space ? text : text.replace(/^(?:[ \t]*\n)+/, '')).trimEnd()

const space = 0x20

/** A text as the server stores it: without blank edges, and truncated at the server's limit. */
export function keptText(db: ReadableDb, text: string): string {
  const kept = withoutBlankEdges(text)
  const most = mostLetters(db)
  // A text never has more letters than UTF-16 units, and counting letters is slow.
  if (kept.length <= most) return kept
  const letters = [...kept]
  return letters.length > most ? letters.slice(0, most - cutNote.length).join('') + cutNote : kept
}

/** How many letters of a text the server stores. */
export const mostLetters = (db: ReadableDb): number => organizationNumber(db, 'max_message_length') ?? 10_000

/** Whether the server would store a text without its end. */
export const isCut = (db: ReadableDb, text: string): boolean => keptText(db, text) !== withoutBlankEdges(text)

/** A topic as the server stores it: trimmed, truncated, and empty if it is the name of topics without a name. */
export function keptTopic(db: ReadableDb, topic: string): string {
  const kept = typedTopic(topic, organizationText(db, 'realm_empty_topic_display_name') ?? null)
  const letters = [...kept]
  const most = organizationNumber(db, 'max_topic_length') ?? 60
  return letters.length > most ? `${letters.slice(0, most - 3).join('')}...` : kept
}

/** Whether the server would store both texts as the same text. */
export const isSameText = (db: ReadableDb, a: string, b: string): boolean =>
  a === b || keptText(db, a) === keptText(db, b)

/** Whether the server would store both topics as the same topic, ignoring case. */
export const isSameTopic = (db: ReadableDb, a: string, b: string): boolean =>
  a === b || topicKey(keptTopic(db, a)) === topicKey(keptTopic(db, b))
