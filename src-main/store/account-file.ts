import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { FailureError } from '../../src-shared/failure.ts'
import type { FileNotice } from '../../src-shared/model/account.ts'
import type { FileCheck } from '../../src-shared/model/diagnostics.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Checkpoints } from '../../src-shared/sqlite/checkpoints.ts'
import { journalContent, storeOver, type Store } from './database.ts'
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
import { joinOwnRows, presentRows, salvageRows, type FoundRows, type OwnContent } from './salvage.ts'

/** An account's file, open, and what had to be done for that. */
export interface OpenedAccountFile {
  readonly store: Store
  /** What the person should know about the file; null when all was well. */
  readonly notice: FileNotice | null
  /** What the check of all its pages found; null when there was no reason for one. */
  readonly check: FileCheck | null
}

/** How an account's file is opened. */
export interface AccountFileParts {
  readonly path: string
  /** It was found damaged while it was in use: do not ask, rebuild. */
  readonly isDamaged: boolean
  /** Epoch milliseconds. */
  readonly now: number
  readonly checkpoints?: Checkpoints
  log(line: string): void
  /** SQLite finds the file damaged while it is in use. */
  onDamage(): void
}

/**
 * Opens an account's file with the journal of its own tables, and mends what is wrong with either.
 *
 * 1. A file that was not closed (a killed program, a power cut) is checked as a whole first. One that was closed is
 *    not: that would read all of it at each start, and damage is noticed when the page is read.
 * 2. A damaged file is kept beside, never changed; the own tables are taken out of it and out of the journal, and
 *    the cache is begun anew. Until the new file holds them, the journal does, on the disk.
 * 3. Own tables that differ from a journal of the same number are replaced by it: it has checksums, a page has none.
 *
 * 4. A sound file is opened although the disk has no room for its journal: that is written with the next change.
 *
 * Throws a `FailureError` of kind device when it cannot; nothing has been changed then.
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
    journal = openJournal(journalFile, log)
    if (sqlite === null) {
      if (content !== null) journal.rewrite(asJournal(content))
      keptAs = moveAside(path, parts.now)
      log(`store: the damaged file is kept as ${keptAs}`)
      sqlite = openFile(path)
    }
    if (content !== null) replaceOwnRows(sqlite, content)
    const isSound = saved !== null && saved.isWhole && !saved.isTorn && content === null
    const present = journalContent(sqlite)
    if (!isSound || present.number !== saved.number || present.schema !== saved.schema)
      journal.renew(() => present)
    const kind = keptAs !== null ? 'damaged' : !existed ? 'missing' : 'restored'
    return {
      store: storeOver(sqlite, log, {
        journal,
        onDamage: () => parts.onDamage(),
        ...(parts.checkpoints === undefined ? {} : { checkpoints: parts.checkpoints }),
      }),
      notice: content === null ? null : noticeOf(kind, content, keptAs, parts.now),
      check: wasChecked ? { at: parts.now, isSound: sound !== null } : null,
    }
  } catch (error) {
    journal?.close()
    sqlite?.close()
    throw error
  }
}

/**
 * Does ahead what takes longest about the first opening of a file, so that it can have turns of the event loop for
 * itself: makes the file where neither it nor its journal is, with a `rest` between the steps, and knows what the
 * tables of a sound one are. Rejects with a `FailureError` of kind device when it cannot.
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

/** The file with its own rows, and whether all its pages were looked at; null when it is damaged. */
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

/** Reads every page, a third of a second for 100 MB that the system has in memory: only when there is a reason. */
function pageProblem(sqlite: Sqlite.Database, log: (line: string) => void): string | null {
  const start = performance.now()
  const answer = String(sqlite.pragma('quick_check(1)', { simple: true }))
  log(`store: checked after an unclean end in ${(performance.now() - start).toFixed(0)} ms: ${answer}`)
  return answer === 'ok' ? null : answer
}

/** The tables must be those that the migrations make: a flipped letter in a name is valid SQL of another file. */
const schemaProblem = (sqlite: Sqlite.Database): string | null =>
  schemaOf(sqlite) === (soundSchema ??= freshSchema()) ? null : 'its tables are not those that were made'

/** What a new file has; the same for every account. */
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

/** The content as a journal of the newest form. */
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

function replaceOwnRows(sqlite: Sqlite.Database, content: OwnContent): void {
  sqlite.transaction(() => {
    for (const form of ownTableForms(sqlite)) {
      sqlite.prepare(`DELETE FROM ${form.name}`).run()
      putOwnRows(sqlite, form, content.tables.get(form.name)?.values() ?? [])
    }
    setOwnChangeNumber(sqlite, content.number)
  })()
}

/** Gives a damaged file and its log another name; answers it. */
function moveAside(path: string, now: number): string {
  let aside = `${path}.damaged-${now}`
  for (let number = 2; existsSync(aside); number++) aside = `${path}.damaged-${now}-${number}`
  // The log first: without its file it is nothing, with another file it would be poison.
  if (sizeOf(`${path}-wal`) > 0) renameSync(`${path}-wal`, `${aside}-wal`)
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  if (existsSync(path)) renameSync(path, aside)
  return aside
}

function noticeOf(
  kind: 'damaged' | 'missing' | 'restored',
  content: OwnContent,
  keptAs: string | null,
  now: number,
): FileNotice {
  const rows = (table: string) => [...(content.tables.get(table)?.values() ?? [])]
  const drafts = rows('drafts').filter((row) => row['is_deleted'] !== 1).length
  const waiting = rows('outbox').filter((row) => row['state'] !== 'accepted').length
  const texts = t.failures.device.file
  const sentences = [
    texts[kind],
    drafts + waiting === 0 ? texts.nothingWaited : texts.safe(drafts, waiting),
    ...(content.undecided === 0 ? [] : [texts.undecided(content.undecided)]),
    ...(kind === 'restored' ? [] : [texts.fetchedAgain]),
    ...(keptAs === null ? [] : [texts.keptAs(keptAs)]),
  ]
  return { at: now, message: sentences.join(' ') }
}

/** Removes an account's file with everything that belongs to it. Throws when the disk refuses. */
export function removeAccountFile(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (file === path || file.startsWith(`${path}-`) || file.startsWith(`${path}.`))
      rmSync(file, { force: true, recursive: true })
  }
}
