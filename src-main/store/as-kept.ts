import { topicKey } from '../../src-shared/model/conversation.ts'
import type { ReadableDb } from './database.ts'
import { organizationNumber, organizationText } from './settings.ts'

/** What a server puts at the end of a text that it cut. */
const cutNote = '\n[message truncated]'
/** What topics without a name were called before they could have none. */
const formerEmptyTopic = '(no topic)'

/** A text without the blank edges that no server keeps. */
export const withoutBlankEdges = (text: string): string =>
  // Asked at each keystroke, of texts that begin with a letter.
  (text.charCodeAt(0) > space ? text : text.replace(/^(?:[ \t]*\n)+/, '')).trimEnd()

const space = 0x20

/** A text as the server keeps it: without blank edges, and cut where it is longer than the server takes. */
export function keptText(db: ReadableDb, text: string): string {
  const kept = withoutBlankEdges(text)
  const most = organizationNumber(db, 'max_message_length') ?? 10_000
  // Nothing has more letters than units, and counting letters costs.
  if (kept.length <= most) return kept
  const letters = [...kept]
  return letters.length > most ? letters.slice(0, most - cutNote.length).join('') + cutNote : kept
}

/** A topic as the server keeps it: trimmed, cut, and empty when it is called what topics without a name are called. */
export function keptTopic(db: ReadableDb, topic: string): string {
  const kept = topic.trim()
  if (kept === formerEmptyTopic || kept === organizationText(db, 'realm_empty_topic_display_name')) return ''
  const letters = [...kept]
  const most = organizationNumber(db, 'max_topic_length') ?? 60
  return letters.length > most ? `${letters.slice(0, most - 3).join('')}...` : kept
}

/** Whether the server keeps both texts as the same one. */
export const isSameText = (db: ReadableDb, a: string, b: string): boolean =>
  a === b || keptText(db, a) === keptText(db, b)

/** Whether the server keeps both topics as the same one, whatever the case of their letters. */
export const isSameTopic = (db: ReadableDb, a: string, b: string): boolean =>
  a === b || topicKey(keptTopic(db, a)) === topicKey(keptTopic(db, b))
