import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
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
 * A second copy of the own tables, in a text file beside the database, so that no damaged page takes the only copy
 * of a draft with it.
 *
 * Each line is the CRC-32 of its JSON and the JSON. The first says what the tables were when the journal was last
 * written anew; the rows follow; then one line per change of the tables:
 *
 * ```
 *  1f0c2a77 {"journal":1,"schema":30,"number":812,"lines":3,"keys":{"drafts":["draft_id"],…}}
 *  77aa0b13 {"rows":[["drafts","put",{…}],…]}
 *  0d9be1c4 {"number":813,"changes":[["drafts","put",{…}],["outbox","gone",{"sequence":9}]]}
 * ```
 *
 * 1. What one turn of the event loop committed becomes one line, written in one piece at its end: nobody who types
 *    waits for it. A process that is killed before that leaves the database one change ahead, which its number
 *    tells (`ownChangeNumber`); a torn last line counts as not written.
 * 2. Lines are handed to the system at once, so a killed process loses none. They are forced to the disk by a
 *    thread beside, one `fdatasync` at a time: typing never waits for a disk, and a power cut takes no more than
 *    what one of them takes (some ten milliseconds). The database itself forces its log less often.
 * 3. It is written anew, to another file that then takes its place, when it has grown to twice the tables and 4 MB,
 *    and when the database is closed; so it is never larger than that.
 */
export interface Journal {
  /** Adds a committed change. Never throws: a journal that cannot be written is written anew with the next change. */
  append(number: number, changes: () => readonly OwnChange[]): void
  /** Writes it anew if that is due, or at once when `isLast` and anything was added; `present` gives all rows. */
  tidy(present: () => JournalContent, isLast: boolean): void
  /** Writes it anew now. Throws when the disk refuses. */
  rewrite(content: JournalContent): void
  /** Writes it anew now, or, when the disk refuses, with the next change. */
  renew(content: () => JournalContent): void
  /** Bytes. */
  readonly size: number
  close(): void
}

/** Everything the own tables hold. */
export interface JournalContent {
  /** The file's `user_version`. */
  readonly schema: number
  readonly number: number
  /** The primary key of each table. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly rows: readonly OwnChange[]
}

/** What a journal was found to say. */
export interface ReadJournal {
  readonly schema: number
  /** Of the last change. */
  readonly number: number
  /** False when a line in the middle is damaged: what is here counts, but something may be missing. */
  readonly isWhole: boolean
  /** The last line was not written to its end, so nothing may be added behind it. */
  readonly isTorn: boolean
  /** The primary key of each table. */
  readonly keys: JournalContent['keys']
  /** Rows by table and key. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, OwnRow>>
}

/** Where the journal of a database lies. */
export const journalPath = (databasePath: string): string => `${databasePath}.journal`

const slackBytes = 4 * 1024 * 1024
const rowsPerLine = 50

const value = z.union([z.string(), z.number(), z.null()])
const change = z.tuple([z.string(), z.enum(['put', 'gone']), z.record(z.string(), value)])
const headLine = z.object({
  journal: z.literal(1),
  schema: z.int(),
  number: z.int(),
  /** How many lines of rows follow. */
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

/** Reads a journal; null when there is none or its beginning cannot be used. Throws when the disk refuses. */
export function readJournal(path: string): ReadJournal | null {
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split('\n')
  // What stands after the last line break was not written to its end.
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
      // A number that was left out belongs to a line that was lost.
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

/** Opens (and creates) a journal for writing. Throws when the disk refuses. */
export function openJournal(path: string, log: (line: string) => void): Journal {
  let file = new ForcedFile(openSync(path, 'a'), log)
  let size = statSync(path).size
  let sizeAnew = size
  let appended = 0
  /** A line is missing: the journal says less than the database until it is written anew. */
  let isBehind = false

  const rewrite = ({ schema, number, keys, rows }: JournalContent) => {
    const fresh = openSync(`${path}.new`, 'w')
    let written = 0
    try {
      const write = (body: object) => (written += writeAll(fresh, lineOf(body)))
      const lines = chunk(rows, rowsPerLine)
      write({ journal: 1, schema, number, lines: lines.length, keys })
      for (const some of lines) write({ rows: some })
      fsyncSync(fresh)
    } catch (error) {
      // On a full disk even this half takes the room that the next words need.
      rmSync(`${path}.new`, { force: true })
      throw error
    } finally {
      closeSync(fresh)
    }
    // A name cannot be given to another file while Windows has it open.
    file.close()
    renameSync(`${path}.new`, path)
    forceDirectory(dirname(path))
    file = new ForcedFile(openSync(path, 'a'), log)
    size = written
    sizeAnew = written
    appended = 0
    isBehind = false
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
      if (isBehind) return
      try {
        size += file.add(lineOf({ number, changes: changes() }), size)
      } catch (error) {
        isBehind = true
        log(`journal: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    tidy(present, isLast) {
      const isDue = isBehind || size > 2 * sizeAnew + slackBytes || (isLast && appended > 0)
      if (!isDue) return
      renew(() => {
        // Rather from its own lines, which have checksums, than from pages, which have none.
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

/** An open file whose additions are forced to the disk beside, one `fdatasync` at a time. */
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

  /** Adds a text; answers its bytes. When the disk refuses, the file is cut back to `size` and the refusal thrown. */
  add(text: string, size: number): number {
    if (this.#isClosed) throw new Error('the file is closed')
    try {
      const written = writeAll(this.#descriptor, text)
      this.#force()
      return written
    } catch (error) {
      try {
        // Half a line would damage the next one too.
        ftruncateSync(this.#descriptor, size)
      } catch {
        // Then it is read as a torn one.
      }
      throw error
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // While the disk is at it, the descriptor is in use: the callback closes it.
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
  // As a rule the disk takes all of it, and no bytes of our own are needed.
  let written = writeSync(descriptor, text)
  if (written === Buffer.byteLength(text)) return written
  const bytes = Buffer.from(text)
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  return written
}

/** The new name of a file is safe only when its directory is; Windows has no such thing. */
function forceDirectory(path: string): void {
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
