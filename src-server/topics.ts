import { typedTopic } from '../src-shared/topic-names.ts'
import type { Database } from './database.ts'
import { badRequest } from './service-error.ts'
import { realmValue } from './workspace.ts'

export const maxTopic = 60

/** A topic in its stored form; the display name of the empty topic becomes the empty topic. */
export function normalizeTopic(db: Database, topic: string): string {
  const typed = typedTopic(topic, realmValue(db, 'empty_topic_display_name'))
  if (/\p{Cc}|\p{Cs}|\p{Cn}/u.test(typed)) throw badRequest('Invalid character in topic')
  const letters = [...typed]
  return letters.length > maxTopic ? `${letters.slice(0, maxTopic - 3).join('')}...` : typed
}
