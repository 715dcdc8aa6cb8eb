import Sqlite from 'better-sqlite3'
import { makesEachTime } from '../../src-shared/model/outbox.ts'
import type { ReadJournal } from './journal.ts'
import { undecided } from '../../src-shared/model/outbox.ts'
import {
  keyText,
  ownChangeNumber,
  ownRows,
  ownTableForms,
  type OwnRow,
  type TableForm,
} from './own-tables.ts'

/** Own tables as found in a file or journal. */
export interface FoundRows {
  /** How many changes they have seen; null if that cannot be read. */
  readonly number: number | null
  /** Whether every table could be read completely. */
  readonly isWhole: boolean
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, OwnRow>>
}

/** The own tables of a sound file. */
export function presentRows(sqlite: Sqlite.Database): FoundRows {
  const tables = ownTableForms(sqlite).map((form) => [form.name, byKey(form, ownRows(sqlite, form))] as const)
  return { number: ownChangeNumber(sqlite), isWhole: true, tables: new Map(tables) }
}

const byKey = (form: TableForm, rows: readonly OwnRow[]): Map<string, OwnRow> =>
  new Map(rows.map((row) => [keyText(form.keys, row), row]))

/** Recovers the readable rows of the own tables from a damaged file, one by one; never throws, never writes. */
export function salvageRows(path: string): FoundRows {
  let sqlite: Sqlite.Database
  try {
    sqlite = new Sqlite(path, { readonly: true, fileMustExist: true })
  } catch {
    return nothing
  }
  try {
    // Without this, SQLite reads nothing from a file that is shorter than it should be.
    sqlite.unsafeMode(true)
    sqlite.pragma('writable_schema = ON')
    const forms = ownTableForms(sqlite)
    const tables = new Map<string, Map<string, OwnRow>>()
    let isWhole = forms.length > 0
    for (const form of forms) isWhole = salvageTable(sqlite, form, tables) && isWhole
    return { number: numberIn(sqlite), isWhole, tables }
  } catch {
    return nothing
  } finally {
    sqlite.close()
  }
}

const nothing: FoundRows = { number: null, isWhole: false, tables: new Map() }

function numberIn(sqlite: Sqlite.Database): number | null {
  try {
    return ownChangeNumber(sqlite)
  } catch {
    return null
  }
}

/** Reads a table from both ends and then by every known key; returns whether all of it was read. */
function salvageTable(
  sqlite: Sqlite.Database,
  form: TableForm,
  tables: Map<string, Map<string, OwnRow>>,
): boolean {
  const rows = new Map<string, OwnRow>()
  tables.set(form.name, rows)
  const collect = (sql: string, parameters: readonly unknown[] = []): boolean => {
    try {
      for (const row of sqlite.prepare(sql).iterate(parameters)) {
        // The query selects exactly the table's columns.
        const found = row as OwnRow
        rows.set(keyText(form.keys, found), found)
      }
      return true
    } catch {
      return false
    }
  }
  const keys = form.keys.join(', ')
  const backwards = form.keys.map((key) => `${key} DESC`).join(', ')
  // The table's own order comes first, because it needs no index.
  if (collect(`SELECT * FROM ${form.name}`)) return true
  collect(`SELECT * FROM ${form.name} ORDER BY ${keys}`)
  collect(`SELECT * FROM ${form.name} ORDER BY ${backwards}`)
  const [first = ''] = form.keys
  for (const key of firstKeys(sqlite, form, tables)) {
    collect(`SELECT * FROM ${form.name} WHERE ${first} = ?`, [key])
  }
  return false
}

/** The first keys that an index, or another table with the same key, still has. */
function firstKeys(
  sqlite: Sqlite.Database,
  form: TableForm,
  tables: ReadonlyMap<string, ReadonlyMap<string, OwnRow>>,
): Set<unknown> {
  const [first = ''] = form.keys
  const found = new Set<unknown>()
  for (const rows of tables.values()) {
    for (const row of rows.values()) if (row[first] !== undefined) found.add(row[first])
  }
  for (const order of ['ASC', 'DESC']) {
    try {
      const statement = sqlite.prepare(`SELECT ${first} AS key FROM ${form.name} ORDER BY ${first} ${order}`)
      // The query selects exactly one column.
      for (const { key } of statement.iterate() as Iterable<{ key: unknown }>) found.add(key)
    } catch {
      // Keys read before the damage count.
    }
  }
  return found
}

/** The content that the own tables get, and where it came from. */
export interface OwnContent {
  readonly number: number
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, OwnRow>>
  /** How many changes may or may not have been sent, and must not be sent twice. */
  readonly undecided: number
}

/**
 * Merges the content of a file and its journal. The one with the higher number is newer and wins, and of two equal ones
 * the one that is whole; the other only adds what the first may have lost:
 *
 * - Rows. A message, or anything else that would then exist twice, is not sent before the person says so if it is added
 *   this way or if a line of its journal is lost, because it may have been sent already.
 * - Words of a draft that differ, as a version. If a line of the journal is lost, the words that were edited last count.
 */
export function joinOwnRows(file: FoundRows, journal: ReadJournal | null): OwnContent {
  if (journal === null) return contentOf(file.number ?? 0, null, file)
  const isFileNewer = file.number !== null && file.number > journal.number
  const isFileSurer = file.number === journal.number && file.isWhole && !journal.isWhole
  if (file.number !== null && (isFileNewer || isFileSurer))
    return contentOf(file.number, { ...file, mayHaveLost: false }, file.isWhole ? null : journal)
  const isEnough = journal.isWhole && file.number !== null
  return contentOf(journal.number, { ...journal, mayHaveLost: !journal.isWhole }, isEnough ? null : file)
}

type Tables = Pick<FoundRows, 'tables'>

/** `mayHaveLost`: the end of a row of the certain side may be missing, such as that it was sent. */
function contentOf(
  number: number,
  certain: (Tables & { readonly mayHaveLost: boolean }) | null,
  doubtful: Tables | null,
): OwnContent {
  const tables = new Map<string, Map<string, OwnRow>>()
  const otherWords: OwnRow[] = []
  let count = 0
  const take = (from: Tables, { isAdded, mayBeSent }: { isAdded: boolean; mayBeSent: boolean }) => {
    for (const [table, rows] of from.tables) {
      const target = tables.get(table) ?? new Map<string, OwnRow>()
      tables.set(table, target)
      const kept = new Set(table === 'drafts' ? [...target.values()].map(draftWords) : [])
      for (const [key, row] of rows) {
        const sound = soundRow(table, row)
        const there = target.get(key)
        if (there !== undefined) {
          if (table !== 'drafts' || draftWords(there) === draftWords(sound)) continue
          const isLater =
            certain?.mayHaveLost === true && Number(sound['edited_at']) > Number(there['edited_at'])
          otherWords.push(isLater ? there : sound)
          if (isLater) target.set(key, sound)
          continue
        }
        // If only a draft's key was damaged, the other side has the same words.
        if (isAdded && kept.has(draftWords(sound))) continue
        const isUndecided = mayBeSent && table === 'outbox' && mayBeMadeTwice(sound)
        if (isUndecided) count++
        target.set(
          key,
          isUndecided ? { ...sound, state: 'unsure', reason: undecided, next_attempt_at: null } : sound,
        )
      }
    }
  }
  if (certain !== null) take(certain, { isAdded: false, mayBeSent: certain.mayHaveLost })
  if (doubtful !== null) take(doubtful, { isAdded: true, mayBeSent: true })
  const versions = tables.get('draft_versions') ?? new Map<string, OwnRow>()
  for (const draft of otherWords) addAsVersion(versions, draft)
  if (versions.size > 0) tables.set('draft_versions', versions)
  return { number, tables, undecided: count }
}

/** Adds the words of a draft to the versions of it, as the newest one. */
function addAsVersion(versions: Map<string, OwnRow>, draft: OwnRow): void {
  const { draft_id, recipient = 'null', content = '', edited_at: saved_at = 0 } = draft
  const numbers = [...versions.values()].flatMap((version) =>
    version['draft_id'] === draft_id ? [Number(version['number'])] : [],
  )
  const number = Math.max(0, ...numbers) + 1
  const version = { draft_id: draft_id ?? '', number, recipient, content, saved_at, origin: 'here' }
  versions.set(keyText(['draft_id', 'number'], version), version)
}

/** A draft's recipient and content in one text. */
const draftWords = (row: OwnRow): string => JSON.stringify([row['recipient'], row['content']])

const mayBeMadeTwice = (row: OwnRow): boolean =>
  makesEachTime.has(String(row['name'])) && ['waiting', 'sending', 'unsure'].includes(String(row['state']))

const isJson = (text: unknown): boolean => {
  try {
    JSON.parse(String(text))
    return true
  } catch {
    return false
  }
}

const draftStates = ['edited', 'saving', 'synced', 'unsure', 'conflict', 'local-only']
const outboxStates = ['waiting', 'sending', 'unsure', 'accepted', 'refused']

/** Limits the harm of a flipped byte in a row: the words stay, whatever became of the rest. */
function soundRow(table: string, row: OwnRow): OwnRow {
  if (table === 'outbox') {
    return {
      ...row,
      state: outboxStates.includes(String(row['state'])) ? (row['state'] ?? 'unsure') : 'unsure',
      ...(outboxStates.includes(String(row['state'])) ? {} : { reason: undecided }),
      ...(isJson(row['payload']) ? {} : { payload: JSON.stringify({ name: '', text: row['payload'] }) }),
    }
  }
  if (table === 'unsaved_edits') return row
  return {
    ...row,
    ...(table === 'drafts' && !draftStates.includes(String(row['state'])) ? { state: 'edited' } : {}),
    ...(isJson(row['recipient']) ? {} : { recipient: 'null' }),
    ...(isJson(row['base_recipient'] ?? 'null') ? {} : { base_recipient: 'null' }),
    ...(isJson(row['remote_recipient'] ?? 'null') ? {} : { remote_recipient: 'null' }),
    ...(isJson(row['server_recipient'] ?? 'null') ? {} : { server_recipient: 'null' }),
    ...(isJson(row['refusal'] ?? 'null') ? {} : { refusal: null }),
    ...(isJson(row['saving_recipient'] ?? 'null') ? {} : { saving_recipient: 'null' }),
  }
}
