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
import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { deviceFailure } from '../store/device-failure.ts'

/** Bytes that are read of a file at once. */
const readSize = 256 * 1_024

/** What is kept about a file beside its bytes. */
export interface FileFacts {
  readonly fileId: string
  readonly name: string
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** When it was copied here, and once the server has it, when that took it; epoch milliseconds. */
  keptAt: number
  /** Where the server has put it; null until then. */
  url: string | null
}

/**
 * Copies of files that go along with messages, beside the account's file, so that they go with it.
 *
 * What a disk refuses is thrown as a `FailureError` of kind device.
 */
export interface FileCopies {
  /** What is known of all whole copies; what is left of others is removed. */
  load(): FileFacts[]
  /** Has the facts on the disk when it returns. */
  keep(facts: FileFacts): void
  /** Writes the next bytes of a copy; the last ones have the copy on the disk when it returns. */
  append(fileId: string, bytes: Uint8Array, place: { isFirst: boolean; isLast: boolean }): void
  /** Throws when the copy cannot be read; a refusal when it is not there as a whole. */
  demand(facts: FileFacts): void
  /** The bytes of a copy, a part at a time: a file may be larger than the memory that is free. */
  read(fileId: string): AsyncIterable<Uint8Array>
  /** Removes the bytes; what is known of the file stays. */
  removeBytes(fileId: string): void
  remove(fileId: string): void
}

/** Throws that a file is not on this device any more. */
export function fileGone(): never {
  throw new FailureError({
    kind: 'rejected',
    code: 'NO_SUCH_FILE',
    message: t.failures.fileGone,
    status: 0,
  })
}

/** The copies beside the account's file at `accountPath`. */
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

  /** Throws why a copy cannot be read. Without a copy nothing will ever be uploaded, so that is a refusal. */
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
        const facts = existsSync(factsPath(id)) ? readFacts(factsPath(id)) : null
        // Bytes without what belongs to them came when the app ended: the person still sees the file as missing.
        if (facts === null) remove(id)
        return facts ?? []
      })
    },
    keep({ fileId, name, mediaType, size, keptAt, url }) {
      const facts: FileFacts = { fileId, name, mediaType, size, keptAt, url }
      const path = factsPath(fileId)
      try {
        // In one step, so that an end in the middle leaves the old or the new; and on the disk before anybody relies on it.
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
          // All of them: a single write may take fewer when the disk fills up.
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
      // A copy that was cut short cannot be sent as what was announced.
      if (there !== size) fileGone()
    },
    async *read(fileId) {
      const path = bytesPath(fileId)
      try {
        // Without an encoding a stream gives buffers.
        yield* createReadStream(path, { highWaterMark: readSize }) as AsyncIterable<Buffer>
      } catch (error) {
        unreadable(path, error)
      }
    },
    removeBytes,
    remove,
  }
}

/** Has the names in a folder written to the disk, where the system can do that. */
function syncFolder(path: string): void {
  // Windows opens no folders, and keeps names by itself.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** What was kept about a file; null when it cannot be read. */
function readFacts(path: string): FileFacts | null {
  try {
    const facts: unknown = JSON.parse(readFileSync(path, 'utf8'))
    // Only `keep` writes these.
    return facts as FileFacts
  } catch {
    return null
  }
}
