import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FailureError, refusedHere } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { deviceFailure } from '../store/device-failure.ts'

/** How many bytes of a file are read at once. */
const readSize = 256 * 1_024

/** What is stored about a file beside its bytes. */
export interface FileFacts {
  readonly fileId: string
  readonly name: string
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** When it was copied to this device or, once it is uploaded, when it was uploaded; epoch milliseconds. */
  keptAt: number
  /** The uploaded file's address on the server; null until it is uploaded. */
  url: string | null
}

/**
 * Copies of attached files, stored beside the account's file, so that they are moved and deleted together with it.
 *
 * If the disk fails, the methods throw a `FailureError` of kind device.
 */
export interface FileCopies {
  /** The facts about all complete copies; deletes what is left of incomplete ones, and nothing that cannot be read. */
  load(): FileFacts[]
  /** Stores the facts; they are on the disk when it returns. */
  keep(facts: FileFacts): void
  /** Appends bytes to a copy. After the last bytes, the whole copy is on the disk when it returns. */
  append(fileId: string, bytes: Uint8Array, place: { isFirst: boolean; isLast: boolean }): void
  /** Throws if the copy cannot be read: kind rejected (NO_SUCH_FILE) if it is missing or incomplete. */
  demand(facts: FileFacts): void
  /** Reads a copy in parts, because a file may be larger than the free memory. */
  read(fileId: string): AsyncIterable<Uint8Array>
  /** Deletes the bytes; the facts stay. */
  removeBytes(fileId: string): void
  /** Deletes the bytes and the facts. */
  remove(fileId: string): void
}

/** Throws a refusal (NO_SUCH_FILE): the file is no longer on this device. */
export function fileGone(): never {
  throw refusedHere('NO_SUCH_FILE', t.failures.fileGone)
}

/** Opens the copies that belong to the account's file at `accountPath`. */
export function createFileCopies(accountPath: string): FileCopies {
  const folder = dirname(accountPath)
  const prefix = `${basename(accountPath)}-sent-file-`
  const bytesPath = (id: string) => join(folder, `${prefix}${id}`)
  const factsPath = (id: string) => `${bytesPath(id)}.json`
  const removeBytes = (id: string) => rmSync(bytesPath(id), { force: true })
  const remove = (id: string) => {
    removeBytes(id)
    rmSync(factsPath(id), { force: true })
  }

  /** Throws why a copy cannot be read. A missing copy is a refusal, because retrying cannot help. */
  const unreadable = (path: string, error: unknown): never => {
    if (!existsSync(path)) fileGone()
    throw new FailureError(deviceFailure(error, path), { cause: error })
  }

  return {
    load() {
      const names = existsSync(folder) ? readdirSync(folder) : []
      const ids = names
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length).replace(/\.json$/, ''))
      return [...new Set(ids)].flatMap((id) => {
        const facts = readFacts(factsPath(id))
        // Without facts the app ended while copying. The person sees the file as missing in the message.
        if (facts === 'missing') remove(id)
        return typeof facts === 'string' ? [] : facts
      })
    },
    keep({ fileId, name, mediaType, size, keptAt, url }) {
      const facts: FileFacts = { fileId, name, mediaType, size, keptAt, url }
      const path = factsPath(fileId)
      try {
        // Written to another file, flushed and renamed, so that a crash leaves either the old or the new facts.
        const handle = openSync(`${path}.new`, 'w')
        try {
          writeFileSync(handle, JSON.stringify(facts))
          fsyncSync(handle)
        } finally {
          closeSync(handle)
        }
        renameSync(`${path}.new`, path)
        syncFolder(folder)
      } catch (error) {
        rmSync(`${path}.new`, { force: true })
        throw new FailureError(deviceFailure(error, path), { cause: error })
      }
    },
    append(fileId, bytes, { isFirst, isLast }) {
      const path = bytesPath(fileId)
      try {
        const handle = openSync(path, isFirst ? 'w' : 'a')
        try {
          // Unlike `writeSync`, it writes all bytes or throws, even if the disk fills up.
          writeFileSync(handle, bytes)
          if (isLast) fsyncSync(handle)
        } finally {
          closeSync(handle)
        }
      } catch (error) {
        throw new FailureError(deviceFailure(error, path), { cause: error })
      }
    },
    demand({ fileId, size }) {
      const path = bytesPath(fileId)
      let there = 0
      try {
        there = statSync(path).size
      } catch (error) {
        unreadable(path, error)
      }
      // The request announces the size, so a truncated copy cannot be sent.
      if (there !== size) fileGone()
    },
    async *read(fileId) {
      const path = bytesPath(fileId)
      try {
        // A stream without an encoding yields buffers.
        yield* createReadStream(path, { highWaterMark: readSize }) as AsyncIterable<Buffer>
      } catch (error) {
        unreadable(path, error)
      }
    },
    removeBytes,
    remove,
  }
}

/** Flushes a folder's entries to the disk, on systems that support it. */
function syncFolder(path: string): void {
  // Windows cannot open folders; its file systems log renames themselves.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The stored facts about a file. Throws a `FailureError` if the disk refuses. */
function readFacts(path: string): FileFacts | 'missing' | 'damaged' {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'missing'
    throw new FailureError(deviceFailure(error, path), { cause: error })
  }
  try {
    // Not validated: only `keep` writes these files.
    return JSON.parse(text) as FileFacts
  } catch {
    return 'damaged'
  }
}
