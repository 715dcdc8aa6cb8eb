import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { uploads } from '../../src-shared/api/uploads.ts'
import { background } from '../../src-shared/background.ts'
import {
  longestWhole,
  rangeIn,
  wantedRange,
  type ByteRange,
  type WantedRange,
} from '../../src-shared/byte-range.ts'
import { minuteMs, dayMs } from '../../src-shared/durations.ts'
import { FailureError, failureOf, refusedHere } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store } from '../store/database.ts'
import { freeBytes } from '../store/file-health.ts'
import {
  mediaAddresses,
  mediaAt,
  putMedia,
  removeMedia,
  touchMedia,
  trimMedia,
  type MediaRow,
} from '../store/media.ts'

const mebibyte = 1024 * 1024
/** How many bytes are kept by default. */
const usualLimit = 500 * mebibyte
/** The room that pictures never take from the disk, because what people write needs it; in bytes. */
const reserve = 64 * mebibyte
/** How long a stored picture is shown without asking the server whether it has changed, in milliseconds. */
const freshMs = dayMs
/** The time of the last use is stored at most this often, in milliseconds. */
const noticeMs = minuteMs
/** How many bytes of a part are read or requested from the server at once. */
const mostAtOnce = 4 * mebibyte

/** Bytes of a picture or file of the account's server. */
export interface MediaAnswer {
  /** The HTTP status: 206 for a part, 416 for a part beyond the end. */
  readonly status: number
  readonly contentType: string
  /** The `Content-Range`; null for a whole file. */
  readonly contentRange: string | null
  /** An entity tag that changes with the bytes; null if the bytes may change under the same address. */
  readonly tag: string | null
  readonly body: Uint8Array
}

/**
 * Pictures, sounds, films and uploaded files of one account's server. Whatever was shown is stored beside the account's
 * file and can then be shown offline. If the total exceeds a limit, the least recently shown ones are deleted. Nothing is
 * stored that would leave the disk less than a reserve, and nothing is left of what could not be stored.
 */
export interface Media {
  /**
   * Returns the whole file or the requested part, from this device if possible, otherwise from the server. A part has at
   * most a few megabytes, which may be less than requested. Whole files are stored.
   * Rejects with a `FailureError` if the file is not on this device and the server cannot be reached, and with a
   * refusal (FOREIGN_MEDIA) if the address is not on the account's server.
   */
  get(url: string, part?: MediaPart | null): Promise<MediaAnswer>
}

/** The part of a file that a player requests: its `Range` and `If-Range` headers. */
export interface MediaPart {
  readonly range: string
  /** The tag of the file of which it already has parts; null if there is none. */
  readonly ifRange: string | null
}

type Whole = Omit<MediaAnswer, 'tag'>

/** Creates the media of one account; they are served until `signal` aborts. */
export function createMedia(parts: {
  /** Path of the account's file; the folder of the media is beside it. */
  readonly path: string
  /** Ends in /api/v1. */
  readonly baseUrl: string
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How many bytes are kept; 500 MiB by default. */
  readonly limit?: number
  log(line: string): void
}): Media {
  const { store, connection, clock, signal, limit = usualLimit } = parts
  const folder = `${parts.path}-media`
  const fetches = new Map<string, Promise<Whole>>()
  /** The checksums of stored files that were compared since the start, by address. */
  const checked = new Map<string, string>()
  const pathOf = (address: string) => join(folder, nameOf(address))
  let work = Promise.resolve()

  /** Runs changes one after another, so that a file and its row stay consistent. */
  function inOrder(step: () => Promise<void>): Promise<void> {
    work = work.then(step).catch((error: unknown) => {
      if (!signal.aborted) parts.log(`media: ${failureOf(error).message}`)
    })
    return work
  }

  /** Deletes files without a row, which are left after the cache was emptied or the app was killed. */
  async function clearUp(): Promise<void> {
    const known = new Set(mediaAddresses(store.db).map(nameOf))
    const names = await readdir(folder).catch(() => [])
    for (const name of names) if (!known.has(name)) await rm(join(folder, name), { force: true })
  }

  background(inOrder(clearUp), parts.log)

  const keep = (address: string, { contentType, body }: Whole) =>
    inOrder(async () => {
      if (signal.aborted || body.length > limit) return
      const free = freeBytes(parts.path)
      if (free !== null && free < body.length + reserve) return
      await mkdir(folder, { recursive: true })
      const path = pathOf(address)
      // Written to another file and renamed, so that a crash leaves either the old or the new file.
      try {
        await writeFile(`${path}.new`, body)
        await rename(`${path}.new`, path)
      } catch (error) {
        await rm(`${path}.new`, { force: true })
        throw error
      }
      if (signal.aborted) return rm(path, { force: true })
      const now = clock.now()
      const row: MediaRow = {
        address,
        content_type: contentType,
        size: body.length,
        sum: sumOf(body),
        fetched_at: now,
        used_at: now,
      }
      try {
        const gone = store.write((db) => {
          putMedia(db, row)
          return trimMedia(db, limit)
        })
        for (const one of gone) await rm(pathOf(one), { force: true })
      } catch (error) {
        if (mediaAt(store.db, address)?.sum !== row.sum) await rm(path, { force: true })
        throw error
      }
    })

  const forget = (address: string) =>
    inOrder(async () => {
      if (signal.aborted) return
      store.write((db) => removeMedia(db, address))
      await rm(pathOf(address), { force: true })
    })

  /** The stored file of an address; null if there is none or its checksum is wrong. */
  const kept = async (address: string): Promise<{ row: MediaRow; answer: Whole } | null> => {
    const row = mediaAt(store.db, address)
    if (row === undefined) return null
    const body = await readFile(pathOf(address)).catch(() => null)
    if (signal.aborted) return null
    if (body === null || body.length !== row.size || sumOf(body) !== row.sum) {
      // Unless it was replaced between reading the row and the file.
      if (mediaAt(store.db, address)?.sum === row.sum) await forget(address)
      return null
    }
    const answer: Whole = { status: 200, contentType: row.content_type, contentRange: null, body }
    // Earlier versions of this app kept such pages.
    if (isForeignPage(address, answer)) {
      await forget(address)
      return null
    }
    checked.set(address, row.sum)
    noteUse(row)
    return { row, answer }
  }

  /**
   * The part of a stored file that never changes, without reading the rest; null if there is none, or its checksum was
   * not compared since the start.
   */
  const keptPart = async (address: string, wanted: WantedRange): Promise<Whole | null> => {
    const row = mediaAt(store.db, address)
    if (row === undefined || !isUnchanging(address) || checked.get(address) !== row.sum) return null
    const range = rangeIn(wanted, row.size)
    const body =
      range === 'beyond'
        ? new Uint8Array()
        : await readPart(pathOf(address), row.size, range).catch(() => null)
    if (signal.aborted || body === null) return null
    noteUse(row)
    return partAnswer(row.content_type, row.size, range, body)
  }

  const noteUse = ({ address, used_at }: MediaRow) => {
    const now = clock.now()
    if (Math.abs(now - used_at) <= noticeMs) return
    try {
      store.write((db) => touchMedia(db, address, now))
    } catch (error) {
      // The picture can be shown even if the disk is full.
      parts.log(`media: ${failureOf(error).message}`)
    }
  }

  /** Throws instead of returning a web page that is not the file: a network's sign-in page, for example. */
  const fetchNow = async (address: string, range: WantedRange | null = null): Promise<Whole> => {
    const answer = await fetchAnything(address, range)
    if (!isForeignPage(address, answer)) return answer
    const message = `${t.failures.server.unreadable.page} ${t.failures.network.perhapsAsksToSignIn.syncing}`
    throw new FailureError({ kind: 'malformed', message })
  }
  const fetchAnything = async (address: string, range: WantedRange | null): Promise<Whole> => {
    const answer = await connection.fetchMedia(address, signal, range)
    const file = isRefusal(answer) ? fileIn(address) : null
    if (file === null) return answer
    // Some servers serve uploaded files only to browsers; an app must request a temporary URL, valid for a minute.
    try {
      const { url } = await connection.call(uploads.getTemporaryUrl, file, { signal })
      return await connection.fetchMedia(url, signal, range)
    } catch (error) {
      if (failureOf(error).kind === 'rejected') return answer
      throw error
    }
  }

  const load = async (address: string): Promise<Whole> => {
    const here = await kept(address)
    const isSettled = here !== null && (isUnchanging(address) || isFresh(here.row))
    if (isSettled) return here.answer
    try {
      const answer = await fetchNow(address)
      // Stored before it is returned, so that whatever was shown is available offline.
      if (isKept(address, answer)) await keep(address, answer)
      else if (isGone(answer)) await forget(address)
      else if (here !== null) return here.answer
      return answer
    } catch (error) {
      if (here === null || failureOf(error).kind === 'bug') throw error
      return here.answer
    }
  }
  const isFresh = ({ fetched_at }: MediaRow) => Math.abs(clock.now() - fetched_at) < freshMs

  return {
    async get(url, part = null) {
      const address = addressIn(url, parts.baseUrl)
      const wanted = part === null ? null : limited(wantedRange(part.range))
      const isOfThis = part === null || part.ifRange === null || part.ifRange === tagOf(address)
      if (wanted === null || !isOfThis) return { ...(await whole(address)), tag: tagOf(address) }
      const here = await keptPart(address, wanted)
      if (here !== null) return { ...here, tag: tagOf(address) }
      // The requested part is fetched first, so that seeking is fast; the whole file follows.
      const isHere = mediaAt(store.db, address) !== undefined || !isUnchanging(address)
      const answer = isHere ? null : await fetchNow(address, wanted)
      if (answer === null || (answer.status !== 206 && answer.status !== 416))
        return { ...partOf(await whole(address), wanted), tag: tagOf(address) }
      if (sizeIn(answer.contentRange) <= longestWhole)
        background(whole(address), (line) => {
          if (!signal.aborted) parts.log(`media: ${line}`)
        })
      return { ...answer, tag: tagOf(address) }
    },
  }

  /** The whole file; callers at the same time share one request. */
  function whole(address: string): Promise<Whole> {
    const under = fetches.get(address)
    if (under !== undefined) return under
    const loading = load(address).finally(() => fetches.delete(address))
    fetches.set(address, loading)
    return loading
  }
}

/** The tag of an uploaded file, which never changes; null for other addresses, which may change at any time. */
const tagOf = (address: string) => (isUnchanging(address) ? `"${nameOf(address)}"` : null)

/** Cuts the requested part out of a whole file. */
function partOf(answer: Whole, wanted: WantedRange): Whole {
  if (answer.status !== 200) return answer
  const { contentType, body } = answer
  const range = rangeIn(wanted, body.length)
  return partAnswer(
    contentType,
    body.length,
    range,
    range === 'beyond' ? new Uint8Array() : body.subarray(range.from, range.to + 1),
  )
}

const partAnswer = (
  contentType: string,
  size: number,
  range: ByteRange | 'beyond',
  body: Uint8Array,
): Whole =>
  range === 'beyond'
    ? { status: 416, contentType, contentRange: `bytes */${size}`, body }
    : { status: 206, contentType, contentRange: `bytes ${range.from}-${range.to}/${size}`, body }

/** Reads a part of a file; null if the file has another size. */
async function readPart(path: string, size: number, { from, to }: ByteRange): Promise<Uint8Array | null> {
  const file = await open(path)
  try {
    if ((await file.stat()).size !== size) return null
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from + 1), 0, to - from + 1, from)
    return bytesRead === buffer.length ? buffer : null
  } finally {
    await file.close()
  }
}

/** Limits a part to `mostAtOnce`; players request the rest later. */
function limited(wanted: WantedRange | null): WantedRange | null {
  if (wanted === null) return null
  if ('last' in wanted) return { last: Math.min(wanted.last, mostAtOnce) }
  const { from, to } = wanted
  return { from, to: Math.min(to ?? Number.MAX_SAFE_INTEGER, from + mostAtOnce - 1) }
}

/** The size of the whole file in bytes, from a `Content-Range`; infinite if it is not given. */
const sizeIn = (contentRange: string | null): number =>
  Number(/\/(\d+)$/.exec(contentRange ?? '')?.[1] ?? Number.POSITIVE_INFINITY)

/** The address under which a file is stored: path and query, so that a server can move to another port. */
function addressIn(url: string, baseUrl: string): string {
  const root = new URL(baseUrl)
  const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null
  if (target?.origin === root.origin) return `${target.pathname}${target.search}`
  throw refusedHere('FOREIGN_MEDIA', t.failures.foreignPicture)
}

const nameOf = (address: string) => createHash('sha256').update(address).digest('hex')
const sumOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

/** Whether the address is that of an uploaded file, which never changes. */
const isUnchanging = (address: string) => address.startsWith('/user_uploads/')

/** Whether an answer is a web page although the address is not that of a file whose name says so. */
function isForeignPage(address: string, { status, contentType, body }: Whole): boolean {
  if (status !== 200 && status !== 206) return false
  const [path = ''] = address.split('?')
  if (isUnchanging(address) && /\.x?html?$/i.test(path)) return false
  if (/^(text\/html|application\/xhtml)/i.test(contentType)) return true
  // Without a type, or with a general one, its beginning tells; people also upload texts and programs that begin so.
  const isGeneral = /^(text\/plain|application\/octet-stream)/i.test(contentType)
  const isPerhapsText = isUnchanging(address) && !shownByName.test(path)
  if (contentType !== '' && (!isGeneral || isPerhapsText)) return false
  return /^\s*<(!doctype html|html|head|body)/i.test(Buffer.from(body.subarray(0, 200)).toString())
}

const shownByName = /\.(png|jpe?g|gif|webp|avif|bmp|svg|mp[34]|m4a|mov|webm|og[gv]|wav|flac|pdf)$/i

/** Whether an answer is stored: uploaded files, and pictures, sounds and films from other paths of the server. */
const isKept = (address: string, { status, contentType }: Whole) =>
  status === 200 && (isUnchanging(address) || /^(image|audio|video)\//.test(contentType))
const isGone = ({ status }: Whole) => status === 404 || status === 410 || status === 403
const isRefusal = ({ status }: Whole) => status === 401 || status === 403 || (status >= 300 && status < 400)

/** The uploaded file of an address or, for a thumbnail, its original; null for any other address. */
function fileIn(address: string): { realm_id: number; filename: string } | null {
  const [path = ''] = address.split('?')
  const thumbnail = /^\/user_uploads\/thumbnail\/(\d+)\/(.+)\/[^/]+$/.exec(path)
  const [, realm, name] = thumbnail ?? /^\/user_uploads\/(\d+)\/(.+)$/.exec(path) ?? []
  if (realm === undefined || name === undefined) return null
  try {
    return { realm_id: Number(realm), filename: decodeURIComponent(name) }
  } catch {
    return null
  }
}
