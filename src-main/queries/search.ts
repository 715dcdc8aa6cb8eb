import type { SearchResult, SearchResults } from '../../src-shared/bridge/queries.ts'
import { messageId } from '../../src-shared/ids.ts'
import { conversationFromRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { textFromHtml } from '../store/words.ts'
import { labelOf, type QueryContext } from './labels.ts'

const countedUpTo = 1_000
const excerptBefore = 60
const excerptLength = 240

/** The words to find: whole words and "phrases"; the last word also as a beginning, since it is still being typed. */
interface Wanted {
  readonly match: string
  readonly needles: readonly string[]
}

function wantedFrom(text: string): Wanted | null {
  const parts = [...text.matchAll(/"([^"]+)"?|([\p{L}\p{M}\p{N}_]+)/gu)]
  if (parts.length === 0) return null
  const needles: string[] = []
  const terms = parts.map((part, index) => {
    const phrase = part[1]
    const word = part[2] ?? ''
    const needle = phrase ?? word
    needles.push(needle.toLowerCase())
    // Quoted, so that nothing a person types is an operator of the index.
    const quoted = `"${needle.replaceAll('"', '""')}"`
    const isLast = index === parts.length - 1 && phrase === undefined && /\S$/.test(text)
    return isLast ? `${quoted} *` : quoted
  })
  return { match: `words : (${terms.join(' AND ')})`, needles }
}

/** How long a count of all messages is good enough, milliseconds: counting a million takes longer than finding in them. */
const countedMs = 10_000
const counted = new WeakMap<ReadableDb, { readonly at: number; readonly n: number }>()

function messageCount({ db, now }: QueryContext): number {
  const before = counted.get(db)
  if (before !== undefined && Math.abs(now - before.at) < countedMs) return before.n
  const n = db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n ?? 0
  counted.set(db, { at: now, n })
  return n
}

/** Messages on this device with all of the words, newest first. */
export function search(context: QueryContext, text: string, limit: number): SearchResults {
  const { db } = context
  const start = performance.now()
  const messagesOnDevice = messageCount(context)
  const wanted = wantedFrom(text)
  if (wanted === null) return { results: [], total: 0, tookMs: 0, messagesOnDevice }
  const total =
    db.get<{ n: number }>(
      'SELECT count(*) AS n FROM (SELECT rowid FROM message_words WHERE message_words MATCH ? LIMIT ?)',
      [wanted.match, countedUpTo],
    )?.n ?? 0
  const rows = db.all<{
    message_id: number
    kind: 'topic' | 'direct'
    channel_id: number | null
    topic: string | null
    user_ids: string | null
    sender_name: string
    avatar_url: string | null
    sent_at: number
    content_html: string
  }>(
    `SELECT m.message_id, c.kind, c.channel_id, c.topic, c.user_ids, coalesce(u.full_name, m.sender_name) AS sender_name,
       u.avatar_url, m.sent_at, m.content_html
     FROM (SELECT rowid AS id FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT ?) found
     JOIN messages m ON m.message_id = found.id
     JOIN conversations c ON c.conversation_id = m.conversation_id
     LEFT JOIN users u ON u.user_id = m.sender_id
     ORDER BY m.message_id DESC`,
    [wanted.match, limit],
  )
  const results = rows.map((row): SearchResult => {
    const conversation = conversationFromRow(row)
    return {
      messageId: messageId(row.message_id),
      conversation,
      label: labelOf(context, conversation),
      senderName: row.sender_name,
      senderAvatarUrl: row.avatar_url,
      sentAt: row.sent_at,
      ...excerptOf(textFromHtml(row.content_html), wanted.needles),
    }
  })
  return { results, total, tookMs: performance.now() - start, messagesOnDevice }
}

function excerptOf(text: string, needles: readonly string[]): Pick<SearchResult, 'excerpt' | 'matches'> {
  const folded = text.toLowerCase()
  // Lower case changes the length of very few letters; then no match is marked rather than a wrong one.
  const places = folded.length === text.length ? needles.map((needle) => folded.indexOf(needle)) : []
  const first = Math.min(...places.filter((place) => place >= 0), text.length)
  const start =
    first <= excerptBefore || first === text.length ? 0 : text.lastIndexOf(' ', first - excerptBefore) + 1
  const excerpt = text.slice(start, start + excerptLength)
  const matches: [number, number][] = []
  if (places.length > 0) {
    const lower = excerpt.toLowerCase()
    for (const needle of needles) {
      for (
        let at = lower.indexOf(needle);
        at >= 0 && needle !== '';
        at = lower.indexOf(needle, at + needle.length)
      ) {
        matches.push([at, at + needle.length])
      }
    }
  }
  return { excerpt, matches: disjoint(matches) }
}

function disjoint(spans: [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
