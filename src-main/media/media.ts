import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { uploads } from '../../src-shared/api/uploads.ts'
import { background } from '../../src-shared/background.ts'
import { rangeIn, wantedRange, type WantedRange } from '../../src-shared/byte-range.ts'
import { failureOf, refusedHere } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store } from '../store/database.ts'
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
const usualLimit = 500 * mebibyte
/** For so long nobody asks whether a picture under the same address is another by now, milliseconds. */
const freshMs = 24 * 60 * 60 * 1_000
/** As often is it noted that a picture is still looked at: not at every glance. */
const noticeMs = 60 * 1_000
const fetchTimeoutMs = 30_000
const mostAtOnce = 4 * mebibyte
/** A larger film is not fetched whole because somebody looks at a part. */
const mostKeptUnasked = 32 * mebibyte

/** Bytes of a picture or file of the account's server. */
export interface MediaAnswer {
  /** 206 for a part, 416 for one that lies beyond the end. */
  readonly status: number
  readonly contentType: string
  /** Which part it is of how much; null for the whole. */
  readonly contentRange: string | null
  /** The same as long as the bytes are; null when nobody knows. */
  readonly tag: string | null
  readonly body: Uint8Array
}

/**
 * Pictures, sounds, films and uploaded files of one account's server. What was shown once is kept beside the account's file, up to a
 * limit, and shown without the server from then on; what was not looked at for the longest time goes first.
 */
export interface Media {
  /**
   * The whole, or the part that is asked for. What is not here is asked of the server in parts of a few megabytes at
   * most, which may be less than is wanted, and kept once it is here whole. Rejects with a `FailureError` when it is not
   * here and the server cannot be asked, or is not the account's server.
   */
  get(url: string, part?: MediaPart | null): Promise<MediaAnswer>
}

/** A part of a file that a player asks for, as the headers of its request say it. */
export interface MediaPart {
  readonly range: string
  /** The tag of what it has a part of already; null when it has none. */
  readonly ifRange: string | null
}

type Whole = Omit<MediaAnswer, 'tag'>

export function createMedia(parts: {
  /** Of the account's file; the folder of the pictures lies beside it and goes with it. */
  readonly path: string
  /** Ends in /api/v1. */
  readonly baseUrl: string
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Bytes that are kept at most. */
  readonly limit?: number
  log(line: string): void
}): Media {
  const { store, connection, clock, signal, limit = usualLimit } = parts
  const folder = `${parts.path}-media`
  const fetches = new Map<string, Promise<Whole>>()
  const pathOf = (address: string) => join(folder, nameOf(address))
  let work = Promise.resolve()

  /** One thing after another, so that a file and its row cannot pass each other. */
  function inOrder(step: () => Promise<void>): Promise<void> {
    work = work.then(step).catch((error: unknown) => {
      if (!signal.aborted) parts.log(`media: ${failureOf(error).message}`)
    })
    return work
  }

  /** Files without a row: of an account that was emptied, or of a start that was cut short. */
  async function clearUp(): Promise<void> {
    const known = new Set(mediaAddresses(store.db).map(nameOf))
    const names = await readdir(folder).catch(() => [])
    for (const name of names) if (!known.has(name)) await rm(join(folder, name), { force: true })
  }

  background(inOrder(clearUp), parts.log)

  const keep = (address: string, { contentType, body }: Whole) =>
    inOrder(async () => {
      if (signal.aborted || body.length > limit) return
      await mkdir(folder, { recursive: true })
      // In one step, so that an end in the middle leaves the old or the new.
      await writeFile(`${pathOf(address)}.new`, body)
      await rename(`${pathOf(address)}.new`, pathOf(address))
      if (signal.aborted) return rm(pathOf(address), { force: true })
      const now = clock.now()
      const row: MediaRow = {
        address,
        content_type: contentType,
        size: body.length,
        sum: sumOf(body),
        fetched_at: now,
        used_at: now,
      }
      const gone = store.write((db) => {
        putMedia(db, row)
        return trimMedia(db, limit)
      })
      for (const one of gone) await rm(pathOf(one), { force: true })
    })

  const forget = (address: string) =>
    inOrder(async () => {
      if (signal.aborted) return
      store.write((db) => removeMedia(db, address))
      await rm(pathOf(address), { force: true })
    })

  /** What is kept under the address; null when there is nothing, or not what was put there. */
  const kept = async (address: string): Promise<{ row: MediaRow; answer: Whole } | null> => {
    const row = mediaAt(store.db, address)
    if (row === undefined) return null
    const body = await readFile(pathOf(address)).catch(() => null)
    if (signal.aborted) return null
    if (body === null || body.length !== row.size || sumOf(body) !== row.sum) {
      // It may have been replaced between the two looks.
      if (mediaAt(store.db, address)?.sum === row.sum) await forget(address)
      return null
    }
    const now = clock.now()
    if (Math.abs(now - row.used_at) > noticeMs) {
      try {
        store.write((db) => touchMedia(db, address, now))
      } catch (error) {
        // A full disk must not keep a picture from being shown.
        parts.log(`media: ${failureOf(error).message}`)
      }
    }
    return { row, answer: { status: 200, contentType: row.content_type, contentRange: null, body } }
  }

  const fetchNow = async (address: string, range: WantedRange | null = null): Promise<Whole> => {
    const answer = await connection.fetchMedia(address, fetchSignal(), range)
    const file = isRefusal(answer) ? fileIn(address) : null
    if (file === null) return answer
    // Some servers open uploaded files to browsers only, and to an app by an address that holds for a minute.
    try {
      const { url } = await connection.call(uploads.getTemporaryUrl, file, { signal: fetchSignal() })
      return await connection.fetchMedia(url, fetchSignal(), range)
    } catch (error) {
      if (failureOf(error).kind === 'rejected') return answer
      throw error
    }
  }
  const fetchSignal = () => AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)])

  const load = async (address: string): Promise<Whole> => {
    const here = await kept(address)
    const isSettled = here !== null && (isUnchanging(address) || isFresh(here.row))
    if (isSettled) return here.answer
    try {
      const answer = await fetchNow(address)
      // Before it is shown: what was seen is there.
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
      const wanted = part === null ? null : wantedRange(part.range)
      const isOfThis = part === null || part.ifRange === null || part.ifRange === tagOf(address)
      if (wanted === null || !isOfThis) return { ...(await whole(address)), tag: tagOf(address) }
      // What a player seeks in is there at once, however long the rest takes.
      const isHere = mediaAt(store.db, address) !== undefined || !isUnchanging(address)
      const answer = isHere ? null : await fetchNow(address, limited(wanted))
      if (answer === null || (answer.status !== 206 && answer.status !== 416))
        return { ...partOf(await whole(address), wanted), tag: tagOf(address) }
      if (sizeIn(answer.contentRange) <= mostKeptUnasked)
        background(whole(address), (line) => {
          if (!signal.aborted) parts.log(`media: ${line}`)
        })
      return { ...answer, tag: tagOf(address) }
    },
  }

  /** One request for it at a time. */
  function whole(address: string): Promise<Whole> {
    const under = fetches.get(address)
    if (under !== undefined) return under
    const loading = load(address).finally(() => fetches.delete(address))
    fetches.set(address, loading)
    return loading
  }
}

/** What is uploaded stays the same under its address; whether anything else did, nobody says. */
const tagOf = (address: string) => (isUnchanging(address) ? `"${nameOf(address)}"` : null)

/** The part of what is here whole. */
function partOf(answer: Whole, wanted: WantedRange): Whole {
  if (answer.status !== 200) return answer
  const { length } = answer.body
  const range = rangeIn(wanted, length)
  if (range === 'beyond')
    return { ...answer, status: 416, contentRange: `bytes */${length}`, body: new Uint8Array() }
  const { from, to } = range
  return {
    ...answer,
    status: 206,
    contentRange: `bytes ${from}-${to}/${length}`,
    body: answer.body.subarray(from, to + 1),
  }
}

/** As much as is asked of the server at once: players ask for the rest when they come there. */
const limited = (wanted: WantedRange): WantedRange =>
  'last' in wanted
    ? { last: Math.min(wanted.last, mostAtOnce) }
    : { from: wanted.from, to: Math.min(wanted.to ?? Number.MAX_SAFE_INTEGER, wanted.from + mostAtOnce - 1) }

/** Of the file that a part is of; without end when the server does not say. */
const sizeIn = (contentRange: string | null): number =>
  Number(/\/(\d+)$/.exec(contentRange ?? '')?.[1] ?? Number.POSITIVE_INFINITY)

/** Path and query below the server's root: a server that moves to another port is the same. */
function addressIn(url: string, baseUrl: string): string {
  const root = new URL(baseUrl)
  const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null
  if (target?.origin === root.origin) return `${target.pathname}${target.search}`
  throw refusedHere('FOREIGN_MEDIA', t.failures.foreignPicture)
}

const nameOf = (address: string) => createHash('sha256').update(address).digest('hex')
const sumOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

/** An uploaded file gets an address of its own, and nobody changes it. */
const isUnchanging = (address: string) => address.startsWith('/user_uploads/')

/** Whatever was uploaded, and pictures and the like from elsewhere on the server. */
const isKept = (address: string, { status, contentType }: Whole) =>
  status === 200 && (isUnchanging(address) || /^(image|audio|video)\//.test(contentType))
const isGone = ({ status }: Whole) => status === 404 || status === 410 || status === 403
const isRefusal = ({ status }: Whole) => status === 401 || status === 403 || (status >= 300 && status < 400)

/** The uploaded file of an address, in place of its thumbnail too; null for anything else. */
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
