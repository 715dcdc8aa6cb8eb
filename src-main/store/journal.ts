import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { chunk } from '../../src-shared/basics.ts'
import { keyText, type OwnChange, type OwnRow } from './own-tables.ts'

/**
 * A second copy of the own tables, in a text file beside the database, so that a damaged page never takes the only
 * copy of a draft with it.
 *
 * Each line is the CRC-32 of its JSON, followed by the JSON. The first line describes the tables as they were when the
 * journal was last rewritten; their rows follow; then one line per change of the tables:
 *
 * ```
 *  1f0c2a77 {"journal":1,"schema":30,"number":812,"lines":3,"keys":{"drafts":["draft_id"],…}}
 *  77aa0b13 {"rows":[["drafts","put",{…}],…]}
 *  0d9be1c4 {"number":813,"changes":[["drafts","put",{…}],["outbox","gone",{"sequence":9}]]}
 * ```
 *
 * 1. The commits of one turn of the event loop become one line, written in one piece at the end of the turn, so typing
 *    never waits for it. If the process is killed before that, the database is one change ahead, which its number
 *    shows (`ownChangeNumber`). A torn last line counts as not written.
 * 2. Lines are handed to the system at once, so a killed process loses none. A background thread forces them to the
 *    disk, one `fdatasync` at a time. Typing never waits for a disk, and a power cut loses no more than what is written
 *    during one `fdatasync` (some ten milliseconds). The database itself forces its log less often.
 * 3. The journal is rewritten, to another file that then replaces it, when it has grown to twice the tables and 4 MB,
 *    and when the database is closed; so it is never larger than that.
 */
export interface Journal {
  /**
   * Appends a committed change. Always calls `changes`, which forgets what it returns. Never throws: a journal that
   * cannot be written is rewritten with the next change.
   */
  append(number: number, changes: () => readonly OwnChange[]): void
  /** Rewrites it if that is due, or at once if `isLast` and anything was appended; `present` returns all rows. */
  tidy(present: () => JournalContent, isLast: boolean): void
  /** Rewrites it now. Throws if the disk refuses. */
  rewrite(content: JournalContent): void
  /** Rewrites it now, or with the next change if the disk refuses. */
  renew(content: () => JournalContent): void
  /** Bytes. */
  readonly size: number
  close(): void
}

/** The content of all own tables. */
export interface JournalContent {
  /** The file's `user_version`. */
  readonly schema: number
  readonly number: number
  /** The primary key of each table. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly rows: readonly OwnChange[]
}

/** The content of a journal that was read. */
export interface ReadJournal {
  readonly schema: number
  /** The number of the last change. */
  readonly number: number
  /** False if a line in the middle is damaged: the content is valid, but may be incomplete. */
  readonly isWhole: boolean
  /** Whether the last line is incomplete, so that nothing may be appended after it. */
  readonly isTorn: boolean
  /** The primary key of each table. */
  readonly keys: JournalContent['keys']
  /** Rows by table and key. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, OwnRow>>
}

/** The path of a database's journal. */
export const journalPath = (databasePath: string): string => `${databasePath}.journal`

const slackBytes = 4 * 1024 * 1024
const rowsPerLine = 50

const value = z.union([z.string(), z.number(), z.null()])
const change = z.tuple([z.string(), z.enum(['put', 'gone']), z.record(z.string(), value)])
const headLine = z.object({
  journal: z.literal(1),
  schema: z.int(),
  number: z.int(),
  /** The number of lines with rows that follow. */
  lines: z.int(),
  keys: z.record(z.string(), z.array(z.string())),
})
const rowsLine = z.object({ rows: z.array(change) })
const changeLine = z.object({ number: z.int(), changes: z.array(change) })

const lineOf = (body: object): string => {
  const json = JSON.stringify(body)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

function bodyOf(line: string): unknown {
  const json = line.slice(9)
  if (line[8] !== ' ' || crc32(json).toString(16).padStart(8, '0') !== line.slice(0, 8)) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Reads a journal; null if there is none or its first lines cannot be used. Throws if the disk refuses. */
export function readJournal(path: string): ReadJournal | null {
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split('\n')
  // Text after the last line break is an incomplete line.
  let isTorn = lines.pop() !== ''
  const bodies = lines.map(bodyOf)
  const head = headLine.safeParse(bodies[0])
  if (!head.success) return null
  const { schema, keys } = head.data
  let missing = head.data.lines
  let { number } = head.data
  let isWhole = true
  const tables = new Map<string, Map<string, OwnRow>>()
  const take = (changes: readonly OwnChange[]) => {
    for (const [table, kind, row] of changes) {
      const keyNames = keys[table]
      if (keyNames === undefined) continue
      let rows = tables.get(table)
      if (rows === undefined) tables.set(table, (rows = new Map()))
      if (kind === 'put') rows.set(keyText(keyNames, row), row)
      else rows.delete(keyText(keyNames, row))
    }
  }
  for (const [index, body] of bodies.slice(1).entries()) {
    const changed = changeLine.safeParse(body)
    if (changed.success) {
      // A gap in the numbers means that a line was lost.
      isWhole &&= changed.data.number === number + 1
      number = changed.data.number
      take(changed.data.changes)
      continue
    }
    const rows = rowsLine.safeParse(body)
    if (rows.success) {
      missing--
      take(rows.data.rows)
    } else if (index === bodies.length - 2) isTorn = true
    else isWhole = false
  }
  return { schema, number, keys, isWhole: isWhole && missing === 0, isTorn, tables }
}

/**
 * Opens (and creates) a journal for writing. Throws if the disk refuses. If somebody deletes or replaces its file
 * meanwhile, perhaps with the whole folder, the next change makes it anew; `onMadeAnew` is called after that.
 */
export function openJournal(
  path: string,
  log: (line: string) => void,
  onMadeAnew: () => void = () => {},
): Journal {
  let file = new ForcedFile(openSync(path, 'a'), log)
  let { size, ino } = statSync(path)
  let isGone = false
  let sizeAnew = size
  let appended = 0
  /** Whether a line is missing: the journal then lacks changes of the database until it is rewritten. */
  let isBehind = false

  const rewrite = ({ schema, number, keys, rows }: JournalContent) => {
    mkdirSync(dirname(path), { recursive: true })
    const fresh = openSync(`${path}.new`, 'w')
    let written = 0
    try {
      const write = (body: object) => (written += writeAll(fresh, lineOf(body)))
      const lines = chunk(rows, rowsPerLine)
      write({ journal: 1, schema, number, lines: lines.length, keys })
      for (const some of lines) write({ rows: some })
      fsyncSync(fresh)
    } catch (error) {
      // On a full disk even this half would take the room that the next keystrokes need.
      rmSync(`${path}.new`, { force: true })
      throw error
    } finally {
      closeSync(fresh)
    }
    // Windows cannot give the name of an open file to another file.
    file.close()
    renameSync(`${path}.new`, path)
    forceDirectory(dirname(path))
    file = new ForcedFile(openSync(path, 'a'), log)
    ino = statSync(path).ino
    size = written
    sizeAnew = written
    appended = 0
    isBehind = false
    if (!isGone) return
    isGone = false
    onMadeAnew()
  }

  const renew = (content: () => JournalContent) => {
    try {
      rewrite(content())
    } catch (error) {
      isBehind = true
      log(`journal: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    get size() {
      return size
    },
    append(number, changes) {
      appended++
      try {
        const changed = changes()
        isGone ||= statSync(path, { throwIfNoEntry: false })?.ino !== ino
        isBehind ||= isGone
        if (isBehind) return
        size += file.add(lineOf({ number, changes: changed }), size)
      } catch (error) {
        isBehind = true
        log(`journal: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    tidy(present, isLast) {
      const isDue = isBehind || size > 2 * sizeAnew + slackBytes || (isLast && appended > 0)
      if (!isDue) return
      renew(() => {
        // Prefers its own lines, which have checksums, to pages, which have none.
        const own = isBehind ? null : readJournal(path)
        return own !== null && own.isWhole && !own.isTorn ? contentOf(own) : present()
      })
    },
    rewrite,
    renew,
    close: () => file.close(),
  }
}

const contentOf = ({ schema, number, keys, tables }: ReadJournal): JournalContent => ({
  schema,
  number,
  keys,
  rows: [...tables].flatMap(([table, rows]) =>
    [...rows.values()].map((row): OwnChange => [table, 'put', row]),
  ),
})

/** An open file whose additions are forced to the disk in the background, one `fdatasync` at a time. */
class ForcedFile {
  readonly #descriptor: number
  readonly #log: (line: string) => void
  #isForcing = false
  #isDue = false
  #isClosed = false

  constructor(descriptor: number, log: (line: string) => void) {
    this.#descriptor = descriptor
    this.#log = log
  }

  /** Appends a text; returns its bytes. If the disk refuses, cuts the file back to `size` and throws the error. */
  add(text: string, size: number): number {
    if (this.#isClosed) throw new Error('the file is closed')
    try {
      const written = writeAll(this.#descriptor, text)
      this.#force()
      return written
    } catch (error) {
      try {
        // Half a line would damage the next line too.
        ftruncateSync(this.#descriptor, size)
      } catch {
        // The half line will then be read as a torn one.
      }
      throw error
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // A running `fdatasync` uses the descriptor; its callback closes it then.
    if (!this.#isForcing) closeSync(this.#descriptor)
  }

  #force(): void {
    this.#isDue = this.#isForcing
    if (this.#isForcing) return
    this.#isForcing = true
    fdatasync(this.#descriptor, (error) => {
      this.#isForcing = false
      if (error !== null) this.#log(`journal: ${error.message}`)
      if (this.#isClosed) closeSync(this.#descriptor)
      else if (this.#isDue) this.#force()
    })
  }
}

function writeAll(descriptor: number, text: string): number {
  // Usually the disk takes all of it at once, and no buffer of our own is needed.
  let written = writeSync(descriptor, text)
  if (written === Buffer.byteLength(text)) return written
  const bytes = Buffer.from(text)
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  return written
}

/** Forces a directory to the disk: a renamed file is safe only then. Windows has no such call. */
function forceDirectory(path: string): void {
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
