import type { Database } from './database.ts'
import { badRequest } from './service-error.ts'
import { realmValue } from './workspace.ts'

export const maxTopic = 60

/** The form in which two spellings of a topic are equal. */
export const topicKey = (topic: string): string => topic.normalize('NFC').toLowerCase()

/** A topic in its stored form; the display name of the empty topic becomes the empty topic. */
export function normalizeTopic(db: Database, topic: string): string {
  const trimmed = topic.trim()

  if (/[\u0000-\u001f\u007f]/.test(trimmed)) throw badRequest('Invalid character in topic')
  if (trimmed === '(no topic)' || trimmed === realmValue(db, 'empty_topic_display_name')) return ''
  const letters = [...trimmed]
  return letters.length > maxTopic ? `${letters.slice(0, maxTopic - 3).join('')}...` : trimmed
}
