import type { ApiMessage } from '../src-shared/api/messages.ts'
import type { Database } from './database.ts'
import { escapeHtml } from './markdown/html.ts'
import { searchedFor, type NarrowTerm } from './narrow.ts'
import { wordsOf } from './narrow-terms.ts'
import type { Workspace } from './workspace.ts'

const [open, close] = ['<span class="highlight">', '</span>']
// Neither can be in a text node: both are refused or escaped before.
const [openMark, closeMark] = ['\u0001', '\u0002']

/**
 * The same HTML with what a search found in it marked; tags and entities stay as they are. Words are compared as the
 * search compares them, by their stems.
 */
export function highlighted(db: Database, html: string, search: string): string {
  const { words, phrases } = wordsOf(search)
  if (words.length + phrases.length === 0) return html
  db.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.match_texts USING fts5 (text, tokenize='porter unicode61')`)
  const parts = html.split(/(<[^>]*>|&[#\w]+;)/)
  db.run('DELETE FROM temp.match_texts')
  parts.forEach((part, index) => {
    // Texts are at even places; what separates them at odd ones.
    if (index % 2 === 0 && part !== '')
      db.run('INSERT INTO temp.match_texts (rowid, text) VALUES (?, ?)', index, part)
  })
  const found = db.all<{ rowid: number; text: string }>(
    `SELECT rowid, highlight(match_texts, 0, ?, ?) AS text FROM temp.match_texts WHERE match_texts MATCH ?`,
    openMark,
    closeMark,
    [...words, ...phrases].map((word) => `"${word}"`).join(' OR '),
  )
  for (const { rowid, text } of found) {
    parts[rowid] = text.replaceAll(openMark, open).replaceAll(closeMark, close)
  }
  return parts.join('')
}

/** Messages that a search found, with what it found marked in them; as they are when the narrow does not search. */
export function withMatches(
  { db }: Workspace,
  narrow: readonly NarrowTerm[],
  messages: readonly ApiMessage[],
): ApiMessage[] {
  const search = searchedFor(narrow)
  if (search === null) return [...messages]
  const rendered = new Map(
    db
      .all<{ message_id: number; rendered: string }>(
        'SELECT message_id, rendered FROM messages WHERE message_id IN (SELECT value FROM json_each(?))',
        JSON.stringify(messages.map(({ id }) => id)),
      )
      .map((row) => [row.message_id, row.rendered]),
  )
  return messages.map((message) => ({
    ...message,
    match_content: highlighted(db, rendered.get(message.id) ?? '', search),
    match_subject: highlighted(db, escapeHtml(message.subject), search),
  }))
}
