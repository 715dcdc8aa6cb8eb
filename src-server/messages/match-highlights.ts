import type { ApiMessage } from '../../src-shared/api/messages.ts'
import type { Database } from '../database.ts'
import { escapeHtml } from '../../src-shared/markdown/html.ts'
import { searchedFor, type NarrowTerm } from './narrow.ts'
import { wordsOf } from './narrow-terms.ts'
import type { Workspace } from '../workspace.ts'

const [open, close] = ['<span class="highlight">', '</span>']
const anyWord = /[\p{L}\p{N}\p{Co}\p{M}]+/gu

/** A word of a text, with its position. */
interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(anyWord)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }))

/** Stems of words that were looked up before; they are the same in every database. */
const known = new Map<string, string>()
const mostKnown = 50_000

/** The stems of words as the full-text index has them; SQLite itself computes them. */
function stemsOf(db: Database, words: readonly string[]): ReadonlyMap<string, string> {
  const missing = [...new Set(words)].filter((word) => !known.has(word))
  if (known.size + missing.length > mostKnown) known.clear()
  if (missing.length > 0) {
    db.run(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.stem_texts USING fts5 (text, tokenize='porter unicode61')`,
    )
    db.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems USING fts5vocab ('temp', 'stem_texts', 'instance')`)
    db.run('DELETE FROM temp.stem_texts')
    db.run(
      'INSERT INTO temp.stem_texts (rowid, text) SELECT key + 1, value FROM json_each(?)',
      JSON.stringify(missing),
    )
    for (const { term, doc } of db.all<{ term: string; doc: number }>('SELECT term, doc FROM temp.stems')) {
      const word = missing[doc - 1]
      if (word !== undefined) known.set(word, term)
    }
    for (const word of missing) if (!known.has(word)) known.set(word, '')
  }
  return known
}

const folded = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The first letter of a word as it appears in its stem. */
function beginning(word: string): string {
  const first = word.charCodeAt(0)
  return first < 128 ? word.charAt(0).toLowerCase() : folded(word).charAt(0)
}

/** A search phrase: stems that must follow each other. */
type Wanted = readonly (readonly string[])[]

/** HTML split into text (at even indexes) and non-text (tags and entities), with the words of the texts. */
interface Part {
  readonly text: string
  readonly tokens: readonly Token[]
}
const partsOf = (html: string): Part[] =>
  html
    .split(/(<[^>]*>|&[#\w]+;)/)
    .map((text, index) => ({ text, tokens: index % 2 === 0 && text !== '' ? tokensOf(text) : [] }))

/** Messages with their search matches highlighted; unchanged if the narrow contains no search. */
export function withMatches(
  { db }: Workspace,
  narrow: readonly NarrowTerm[],
  messages: readonly ApiMessage[],
): ApiMessage[] {
  const search = searchedFor(narrow)
  if (search === null) return [...messages]
  const unrendered = messages.filter(({ content_type }) => content_type !== 'text/html').map(({ id }) => id)
  const rendered = new Map(
    (unrendered.length === 0
      ? []
      : db.all<{ message_id: number; rendered: string }>(
          'SELECT message_id, rendered FROM messages WHERE message_id IN (SELECT value FROM json_each(?))',
          JSON.stringify(unrendered),
        )
    ).map((row) => [row.message_id, row.rendered]),
  )
  const { words, phrases } = wordsOf(search)
  const sequences = [...words, ...phrases].map((one) => tokensOf(one).map(({ text }) => text))
  const asked = stemsOf(db, sequences.flat())
  const wanted = sequences
    .map((sequence) => sequence.map((word) => asked.get(word) ?? ''))
    .filter((stems) => stems.length > 0)
  // A stem keeps the first letter of its word, so most words need no lookup.
  const beginnings = new Set(wanted.flat().map((stem) => stem.charAt(0)))
  const texts = messages.map(({ id, subject, content }) => ({
    content: partsOf(rendered.get(id) ?? content),
    subject: partsOf(escapeHtml(subject)),
  }))
  const candidates = new Set<string>()
  for (const { content, subject } of texts)
    for (const { tokens } of [...content, ...subject])
      for (const { text } of tokens) if (beginnings.has(beginning(text))) candidates.add(text)
  const stems = stemsOf(db, [...candidates])
  const mark = (parts: readonly Part[]) =>
    parts.map((part) => marked(part, wanted, candidates, stems)).join('')
  return messages.map((message, index) => ({
    ...message,
    match_content: mark(texts[index]?.content ?? []),
    match_subject: mark(texts[index]?.subject ?? []),
  }))
}

function marked(
  { text, tokens }: Part,
  wanted: Wanted,
  candidates: ReadonlySet<string>,
  stems: ReadonlyMap<string, string>,
): string {
  let shown = ''
  let done = 0
  for (let index = 0; index < tokens.length; index++) {
    const first = tokens[index]
    if (first === undefined || !candidates.has(first.text)) continue
    const length = Math.max(0, ...wanted.map((sequence) => lengthAt(tokens, index, sequence, stems)))
    const last = tokens[index + length - 1]
    if (length === 0 || last === undefined) continue
    shown += text.slice(done, first.start) + open + text.slice(first.start, last.end) + close
    done = last.end
    index += length - 1
  }
  return done === 0 ? text : shown + text.slice(done)
}

/** How many words from here on match the phrase: all of its words, or none. */
const lengthAt = (
  tokens: readonly Token[],
  index: number,
  sequence: readonly string[],
  stems: ReadonlyMap<string, string>,
): number =>
  sequence.every((stem, offset) => stem !== '' && stems.get(tokens[index + offset]?.text ?? '') === stem)
    ? sequence.length
    : 0
