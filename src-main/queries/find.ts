import { messageId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { FoundInFeed } from '../../src-shared/model/search-results.ts'
import { findConversation } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { textFromHtml } from '../store/html-text.ts'
import { hasOutdatedWords } from '../store/outdated-words.ts'
import { contentsOf } from './feed.ts'
import type { QueryContext } from './context.ts'
import { allMatchingIds, mostConsidered } from './search.ts'
import { matchOf, type SearchPlan } from './search-plan.ts'
import { wordsMatch } from './search-words.ts'

/**
 * The messages of a narrow on this device that contain a text as typed, ignoring case, newest first. The index returns
 * up to 1,000 messages with its words or parts of them; those that contain the text itself are kept.
 */
export function findInFeed({ db }: QueryContext, narrow: Narrow, text: string): FoundInFeed {
  const wanted = plain(text)
  const words = wanted.replaceAll('"', ' ')
  const { match } = wordsMatch(db, words)
  if (match === null) return { ids: [], hasMore: false }
  const candidates = allMatchingIds(db, planFor(db, narrow, words, match))
  const ids = db
    .all<{ id: number; html: string }>(
      `SELECT m.message_id AS id, m.content_html AS html FROM json_each(?) wanted
       JOIN messages m ON m.message_id = wanted.value ORDER BY wanted.key`,
      [JSON.stringify(candidates)],
    )
    .filter(({ html }) => plain(textFromHtml(db, html)).includes(wanted))
    .map(({ id }) => messageId(id))
  return { ids, hasMore: candidates.length >= mostConsidered }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

function planFor(db: ReadableDb, narrow: Narrow, words: string, match: string): SearchPlan {
  const filter = filterOf(db, narrow)
  const { where, parameters } = filter === null ? contentsOf(db, narrow) : { where: 'TRUE', parameters: [] }
  const filters = filter === null ? null : `filters : (${filter})`
  return {
    terms: [],
    near: null,
    words,
    match: matchOf(match, filters),
    filters,
    where,
    parameters,
    hasPhrases: true,
    needles: [],
    problem: null,
  }
}

/** The index's filter for a narrow; null if the index has none for its kind, or does not know yet what moved. */
function filterOf(db: ReadableDb, narrow: Narrow): string | null {
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      // No conversation has the id 0.
      return hasOutdatedWords(db) ? null : `v${findConversation(db, narrow) ?? 0}`
    case 'channel':
      return hasOutdatedWords(db) ? null : `c${narrow.channelId}`
    case 'directs':
      return 'direct'
    default:
      return null
  }
}
