import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { FailureError } from '../../src-shared/failure.ts'
import type { FileNotice } from '../../src-shared/model/account.ts'
import type { FileCheck } from '../../src-shared/model/diagnostics.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Checkpoints } from '../../src-shared/sqlite/checkpoints.ts'
import { journalContent, createStore, type Store } from './database.ts'
import { asDeviceFailure, makeFile, newerVersion, newestOf, openFile } from './open-file.ts'
import { deviceFailure } from './device-failure.ts'
import {
  journalPath,
  openJournal,
  readJournal,
  type Journal,
  type JournalContent,
  type ReadJournal,
} from './journal.ts'
import { ownTableForms, putOwnRows, setOwnChangeNumber, type OwnChange } from './own-tables.ts'
import { editedThings } from './unsaved-edits.ts'
import { joinOwnRows, presentRows, salvageRows, type FoundRows, type OwnContent } from './salvage.ts'

/** An opened account file, and what opening it involved. */
export interface OpenedAccountFile {
  readonly store: Store
  /** What the person should know about the file; null if it was in order. */
  readonly notice: FileNotice | null
  /** The result of the check of all its pages; null if there was no reason to check. */
  readonly check: FileCheck | null
}

/** How an account's file is opened. */
export interface AccountFileParts {
  readonly path: string
  /** The file was found damaged while in use, so it is rebuilt without another check. */
  readonly isDamaged: boolean
  /** Epoch milliseconds. */
  readonly now: number
  readonly checkpoints?: Checkpoints
  log(line: string): void
  /** Called when SQLite finds the file damaged while it is in use. */
  onDamage(): void
  /** Called when the journal was deleted while it was in use, and is there again: the file may be deleted, too. */
  onDeleted(): void
}

/**
 * Opens an account's file together with the journal of its own tables, and repairs either if needed.
 *
 * 1. A file that was not closed (a killed program, a power cut) is checked completely first. A file that was closed is
 *    not checked: that would read all of it at each start. Its damage is noticed when the damaged page is read.
 * 2. A damaged file is kept under another name and never changed. The own tables are recovered from it and from the
 *    journal, and the cache starts empty. The journal on disk holds the own tables until the new file does.
 * 3. If the own tables differ from a journal with the same number, the journal wins: it has checksums, a page has none.
 * 4. A sound file opens even if the disk has no room for its journal. The journal is then written with the next change.
 *
 * Throws a `FailureError` of kind device if it cannot open the file; nothing has been changed then.
 */
export function openAccountFile(parts: AccountFileParts): OpenedAccountFile {
  try {
    return openWithJournal(parts)
  } catch (error) {
    throw asDeviceFailure(error, parts.path)
  }
}

function openWithJournal(parts: AccountFileParts): OpenedAccountFile {
  const { path, log } = parts
  const journalFile = journalPath(path)
  const existed = existsSync(path)
  const saved = readJournal(journalFile)
  if (!existed && saved !== null && saved.schema > newestOf()) throw newerVersion()
  const sound = parts.isDamaged ? null : openIfSound(path, log)
  const wasChecked = sound === null ? existed : sound.wasChecked
  let sqlite = sound?.sqlite ?? null
  const file = sound?.rows ?? salvageRows(path)
  const content = sqlite === null || !agrees(sqlite, file, saved) ? joinOwnRows(file, saved) : null
  let keptAs: string | null = null
  let journal: Journal | null = null
  try {
    journal = openJournal(journalFile, log, () => setImmediate(() => parts.onDeleted()))
    if (sqlite === null) {
      if (content !== null) journal.rewrite(asJournal(content))
      keptAs = moveAside(path, parts.now)
      log(`store: the damaged file is kept as ${keptAs}`)
      sqlite = openFile(path)
    }
    const refused = content === null ? 0 : replaceOwnRows(sqlite, content)
    const isSound = saved !== null && saved.isWhole && !saved.isTorn && content === null
    const present = journalContent(sqlite)
    if (!isSound || present.number !== saved.number || present.schema !== saved.schema)
      journal.renew(() => present)
    const kind = keptAs !== null ? 'damaged' : !existed ? 'missing' : 'restored'
    return {
      store: createStore(sqlite, log, {
        journal,
        onDamage: () => parts.onDamage(),
        ...(parts.checkpoints === undefined ? {} : { checkpoints: parts.checkpoints }),
      }),
      notice:
        content === null
          ? null
          : noticeOf(kind, { sqlite, undecided: content.undecided, refused }, keptAs, parts.now),
      check: wasChecked ? { at: parts.now, isSound: sound !== null } : null,
    }
  } catch (error) {
    journal?.close()
    sqlite?.close()
    throw error
  }
}

/**
 * Does the slowest parts of the first opening of a file in advance, in turns of the event loop of their own. It creates
 * the file if neither the file nor its journal exists, with a `rest` between the migrations, and learns the schema of a
 * sound file. Rejects with a `FailureError` of kind device if it cannot.
 */
export async function prepareAccountFile(path: string, rest: () => Promise<unknown>): Promise<void> {
  const isNew = !existsSync(path) && !existsSync(journalPath(path))
  if (!isNew && soundSchema !== null) return
  const made = await makeFile(isNew ? path : ':memory:', rest)
  try {
    soundSchema ??= schemaOf(made)
  } finally {
    made.close()
  }
}

/** The open file with its own rows, and whether all its pages were checked; null if it is damaged. */
function openIfSound(
  path: string,
  log: (line: string) => void,
): { sqlite: Sqlite.Database; rows: FoundRows; wasChecked: boolean } | null {
  const isNew = sizeOf(path) === 0
  const wasUnclean = sizeOf(`${path}-wal`) > 0
  let sqlite: Sqlite.Database | null = null
  try {
    sqlite = openFile(path)
    const problem = isNew ? null : (schemaProblem(sqlite) ?? (wasUnclean ? pageProblem(sqlite, log) : null))
    if (problem === null) return { sqlite, rows: presentRows(sqlite), wasChecked: wasUnclean && !isNew }
    log(`store: the file is damaged: ${problem}`)
    sqlite.close()
    return null
  } catch (error) {
    sqlite?.close()
    const failure = error instanceof FailureError ? error.failure : deviceFailure(error, path)
    const isDamaged = failure.kind === 'device' && failure.code === 'damaged'
    if (!isDamaged) throw error
    log(`store: ${failure.message}`)
    return null
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Reads every page, which takes a third of a second for 100 MB in the system's cache; so only with a reason. */
function pageProblem(sqlite: Sqlite.Database, log: (line: string) => void): string | null {
  const start = performance.now()
  const answer = String(sqlite.pragma('quick_check(1)', { simple: true }))
  log(`store: checked after an unclean end in ${(performance.now() - start).toFixed(0)} ms: ${answer}`)
  return answer === 'ok' ? null : answer
}

/** The schema must be the one that the migrations make: a flipped letter in a name still is valid SQL. */
const schemaProblem = (sqlite: Sqlite.Database): string | null =>
  schemaOf(sqlite) === (soundSchema ??= freshSchema()) ? null : 'its tables are not those that were made'

/** The schema of a new file; the same for every account. */
let soundSchema: string | null = null

function freshSchema(): string {
  const fresh = openFile(':memory:')
  try {
    return schemaOf(fresh)
  } finally {
    fresh.close()
  }
}

const schemaOf = (sqlite: Sqlite.Database): string =>
  JSON.stringify(
    sqlite
      .prepare(
        `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`,
      )
      .all(),
  )

/** Whether a sound file needs nothing from its journal. */
function agrees(sqlite: Sqlite.Database, file: FoundRows, saved: ReadJournal | null): boolean {
  const number = file.number ?? 0
  if (saved === null || number > saved.number) return true
  if (number < saved.number) return false
  if (!saved.isWhole || saved.schema !== Number(sqlite.pragma('user_version', { simple: true }))) return true
  return [...file.tables].every(([table, rows]) => {
    const other = saved.tables.get(table)
    if (rows.size !== (other?.size ?? 0)) return false
    return [...rows].every(([key, row]) => {
      const twin = other?.get(key)
      return twin !== undefined && Object.entries(row).every(([column, value]) => twin[column] === value)
    })
  })
}

/** The content as a journal of the newest schema. */
function asJournal(content: OwnContent): JournalContent {
  const empty = openFile(':memory:')
  try {
    const rows = [...content.tables].flatMap(([table, byKey]) =>
      [...byKey.values()].map((row): OwnChange => [table, 'put', row]),
    )
    return { ...journalContent(empty), number: content.number, rows }
  } finally {
    empty.close()
  }
}

/** Replaces the own tables; returns how many rows were refused because they do not fit. */
function replaceOwnRows(sqlite: Sqlite.Database, content: OwnContent): number {
  return sqlite.transaction(() => {
    let refused = 0
    for (const form of ownTableForms(sqlite)) {
      sqlite.prepare(`DELETE FROM ${form.name}`).run()
      refused += putOwnRows(sqlite, form, content.tables.get(form.name)?.values() ?? [])
    }
    setOwnChangeNumber(sqlite, content.number)
    return refused
  })()
}

/** Renames a damaged file and its log; returns the file's new name. */
function moveAside(path: string, now: number): string {
  let aside = `${path}.damaged-${now}`
  for (let number = 2; existsSync(aside); number++) aside = `${path}.damaged-${now}-${number}`
  // The log first: without its file it is useless, but beside a new file it would corrupt that.
  if (sizeOf(`${path}-wal`) > 0) renameSync(`${path}-wal`, `${aside}-wal`)
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  if (existsSync(path)) renameSync(path, aside)
  return aside
}

function noticeOf(
  kind: 'damaged' | 'missing' | 'restored',
  {
    sqlite,
    undecided,
    refused,
  }: { readonly sqlite: Sqlite.Database; readonly undecided: number; readonly refused: number },
  keptAs: string | null,
  now: number,
): FileNotice {
  const count = (sql: string) => Number(sqlite.prepare(`SELECT count(*) FROM ${sql}`).pluck().get())
  const drafts = count('drafts WHERE is_deleted = 0')
  const edits = count(editedThings)
  const waiting = count(`outbox WHERE state <> 'accepted'`)
  const texts = t.failures.device.file
  const sentences = [
    texts[kind],
    drafts + edits + waiting === 0 ? texts.nothingWaited : texts.safe(drafts, edits, waiting),
    ...(refused === 0 ? [] : [texts.unreadable(refused)]),
    ...(undecided === 0 ? [] : [texts.undecided(undecided)]),
    ...(kind === 'restored' ? [] : [texts.fetchedAgain]),
    ...(keptAs === null ? [] : [texts.keptAs(keptAs)]),
  ]
  return { at: now, message: sentences.join(' ') }
}

/** Removes an account's file and everything that belongs to it. Throws if the disk refuses. */
export function removeAccountFile(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (file === path || file.startsWith(`${path}-`) || file.startsWith(`${path}.`))
      rmSync(file, { force: true, recursive: true })
  }
}
