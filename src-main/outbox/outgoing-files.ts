import { uploads } from '../../src-shared/api/uploads.ts'
import { minuteMs, dayMs } from '../../src-shared/durations.ts'
import { failureOf, refusedHere, type Failure } from '../../src-shared/failure.ts'
import { newId } from '../../src-shared/ids.ts'
import { linkToFile, type OutgoingFile } from '../../src-shared/model/outgoing-file.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { createAlarm } from '../../src-shared/clock/alarm.ts'
import { retryDelayMs, unlessSetBack } from '../api/backoff.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { idleMs, keepGoing } from '../api/keep-going.ts'
import type { Store } from '../store/database.ts'
import { isInEndedWords, isInOwnWords } from '../store/drafts.ts'
import { organizationNumber } from '../store/organization.ts'
import { createFileCopies, fileGone, type FileFacts } from './file-copies.ts'
import { createLinkedFiles, linkedIdsIn, type LinkedFiles } from './linked-files.ts'

/** How long a file is kept after it was copied or uploaded, if nothing links to it; in milliseconds. */
const keptMs = 30 * dayMs
/** As long as a slow line needs for what the system has taken of a file and not sent yet, in milliseconds. */
const uploadTimeoutMs = 2 * minuteMs
/** After a change of the network, an upload is given up sooner if nothing of it leaves, in milliseconds. */
const doubtfulMs = 30_000
/** After this many answers in a row that could not be understood, a file is refused: each may have been stored. */
const mostMisunderstood = 8

/**
 * Files that are attached to messages.
 *
 * 1. A file is first copied beside the account's file; after that, the original is not needed.
 * 2. It is uploaded whenever the server can be reached, also after a restart, and retried until the server accepts or
 *    refuses it. As long as all that links to it was discarded or deleted, it is only kept, for as long as that.
 * 3. One file is uploaded at a time. A file whose upload failed waits for its own next attempt and holds back no other.
 * 4. Messages that link to it wait for it. `linked` replaces our address by the server's, which is stored on disk
 *    before.
 */
export interface OutgoingFiles extends LinkedFiles {
  readonly all: readonly OutgoingFile[]
  /**
   * Starts a copy of a file with that many bytes; returns its id. Throws a refusal (FILE_TOO_LARGE) if it exceeds the
   * server's limit, if that is known.
   */
  begin(name: string, mediaType: string, size: number): string
  /**
   * Appends bytes to the copy; after the last ones, the copy is on disk and is uploaded. If it fails, the file is
   * removed. Throws a refusal (FILE_GREW) if there are more bytes than announced.
   */
  append(fileId: string, bytes: Uint8Array): void
  /** No more parts will come: the file is refused unless its copy is complete. */
  interrupt(fileId: string): void
  /** Aborts the upload and removes the file from this device; an uploaded file stays on the server. */
  cancel(fileId: string): void
  /** Uploads files of the content now that were refused or wait for their next attempt. */
  tryAgain(content: string): void
  setOnline(online: boolean): void
  /**
   * Ends every wait for a next attempt: the person retries, or the network may be another one now. An upload of which
   * nothing leaves begins anew, because its connection may be dead without a sign.
   */
  wake(): void
  /** Calls the listener after every change of `all`, including upload progress; returns how to stop. */
  onChange(listener: () => void): () => void
  /** Calls the listener whenever `isAwaited` or `isUploading` may have become false for some content; returns how to stop. */
  onSettled(listener: () => void): () => void
}

type Live = FileFacts & {
  received: number
  sent: number
  reason: string | null
  isUploading: boolean
  /** Failed uploads since the person last asked for it. */
  attempts: number
  /** Answers in a row that could not be understood. */
  misunderstood: number
  /** Epoch milliseconds; 0: now. */
  nextAttemptAt: number
  /** The server's address of it, possibly not on disk yet; null until it is uploaded. */
  answered: string | null
}

const fresh = {
  received: 0,
  sent: 0,
  reason: null,
  isUploading: false,
  attempts: 0,
  misunderstood: 0,
  nextAttemptAt: 0,
  answered: null,
}

function noAddress(): never {
  throw refusedHere('NO_ADDRESS', t.failures.fileWithoutAddress)
}

/** What outgoing files need from the other parts of their account. */
export interface OutgoingFilesParts {
  readonly store: Store
  /** Path of the account's file; the copies are stored beside it. */
  readonly path: string
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  log(line: string): void
}

interface UnderWay {
  readonly abort: AbortController
  /** When a part of it last left, epoch milliseconds. */
  movedAt: number
}

/** Starts the uploads of one account; they go on until `signal` aborts. */
export function createOutgoingFiles(parts: OutgoingFilesParts): OutgoingFiles {
  const { clock, signal } = parts
  const copies = createFileCopies(parts.path)
  const files = new Map<string, Live>()
  const uploadsUnderWay = new Map<string, UnderWay>()
  const listeners = new Set<() => void>()
  const settledListeners = new Set<() => void>()
  let online = false
  /** Whether a file waits for its words to come back. */
  let isOneHeldBack = false
  /** Until when the server accepts no upload (429), epoch milliseconds. */
  let pausedUntil = 0
  const alarm = createAlarm(clock, signal)

  const changed = () => {
    for (const listener of listeners) listener()
  }
  /** A file was uploaded, refused or removed. */
  const settled = () => {
    changed()
    for (const listener of settledListeners) listener()
  }
  const wake = () => alarm.ring()
  for (const facts of copies.load()) files.set(facts.fileId, { ...facts, ...fresh, received: facts.size })

  /** Once a day, forgets files that came long ago, because an app in the tray runs for weeks. */
  const forgetOld = async () => {
    const old = [...files.values()].filter(
      ({ fileId, keptAt }) =>
        clock.now() - keptAt > keptMs &&
        // Whatever still says our address needs the server's when it is sent.
        !isInOwnWords(parts.store.db, linkToFile(fileId)),
    )
    for (const { fileId } of old) {
      files.delete(fileId)
      copies.remove(fileId)
    }
    if (old.length > 0) changed()
    await clock.wait(dayMs, signal)
  }

  // A server closes the connection instead of answering if a file is far too large. That looks like a network failure,
  // and the file would be sent again and again.
  const demandTakes = (size: number) => {
    const mebibytes = organizationNumber(parts.store.db, 'max_file_upload_size_mib') ?? 0
    if (mebibytes === 0 || size <= mebibytes * 1_024 * 1_024) return
    const most = t.shared.sizes.megabytes(Math.floor(mebibytes * 10.485_76) / 10)
    throw refusedHere('FILE_TOO_LARGE', t.failures.fileTooLarge(most))
  }

  /** Uploads the file; returns its address on the server. */
  const give = async (file: Live, current: UnderWay): Promise<string> => {
    // The server's limit may have changed since `begin`.
    demandTakes(file.size)
    copies.demand(file)
    const { url, uri } = await parts.connection.call(
      uploads.uploadFile,
      {},
      {
        signal: AbortSignal.any([signal, current.abort.signal]),
        timeoutMs: uploadTimeoutMs,
        // Only the address matters.
        setAside: () => {},
        file: {
          name: file.name,
          mediaType: file.mediaType,
          size: file.size,
          read: () => copies.read(file.fileId),
          onSent: (sent) => {
            current.movedAt = clock.now()
            file.sent = sent
            changed()
          },
        },
      },
    )
    // The server has the file, and would store it once more at each attempt.
    return url ?? uri ?? noAddress()
  }

  const upload = async (file: Live) => {
    const current = { abort: new AbortController(), movedAt: clock.now() }
    uploadsUnderWay.set(file.fileId, current)
    file.isUploading = true
    changed()
    try {
      file.answered ??= await give(file, current)
      // Stored before a message with this address is sent. Otherwise the file could be uploaded again after a restart,
      // to another address, and a message that arrived with the first address could not be looked up.
      file.keptAt = clock.now()
      copies.keep({ ...file, url: file.answered })
      file.url = file.answered
      copies.removeBytes(file.fileId)
    } finally {
      uploadsUnderWay.delete(file.fileId)
      file.isUploading = false
      file.sent = 0
      if (file.url === null) changed()
      else settled()
    }
  }

  /** Aborts an upload if nothing of it leaves until `doubtfulMs` after the last part. */
  const endIfSilent = async (current: UnderWay) => {
    const { abort } = current
    const leftMs = current.movedAt + doubtfulMs - clock.now()
    await clock.wait(Math.max(0, leftMs), AbortSignal.any([signal, abort.signal]))
    if (clock.now() - current.movedAt >= doubtfulMs) abort.abort()
  }

  /** When to upload the file next, epoch milliseconds; null if there is nothing to upload. */
  const dueAt = ({ fileId, url, reason, received, size, nextAttemptAt }: Live): number | null => {
    if (url !== null || reason !== null || received < size) return null
    if (isInEndedWords(parts.store.db, linkToFile(fileId))) {
      isOneHeldBack = true
      return null
    }
    const now = clock.now()
    return Math.max(unlessSetBack(nextAttemptAt, now), unlessSetBack(pausedUntil, now))
  }

  const uploadFailed = (file: Live, failure: Failure) => {
    // Cancelled in the meantime.
    if (!files.has(file.fileId)) return
    file.misunderstood = failure.kind === 'malformed' ? file.misunderstood + 1 : 0
    if (failure.kind === 'rejected' || file.misunderstood === mostMisunderstood) {
      file.reason = failure.message
      settled()
      return
    }
    parts.log(`file: ${failure.message}`)
    // A rate limit applies to all files; any other failure may concern this one only.
    if (failure.kind === 'rateLimited') pausedUntil = clock.now() + failure.retryAfterMs
    else file.nextAttemptAt = clock.now() + retryDelayMs(++file.attempts, clock)
  }

  /** Uploads the file that is due first, or waits until one is. */
  const uploadNext = async () => {
    isOneHeldBack = false
    const [next] = [...files.values()]
      .flatMap((file) => {
        const at = dueAt(file)
        return at === null ? [] : [{ file, at }]
      })
      .sort((a, b) => a.at - b.at)
    const waitMs = online && next !== undefined ? next.at - clock.now() : idleMs
    if (next === undefined || waitMs > 0) {
      await alarm.pause(waitMs)
      return
    }
    try {
      await upload(next.file)
    } catch (error) {
      if (!signal.aborted) uploadFailed(next.file, failureOf(error))
    }
  }
  const shared = { clock, signal, log: (line: string) => parts.log(`file: ${line}`) }
  keepGoing(uploadNext, shared)
  keepGoing(forgetOld, shared)
  // What was discarded may be restored, or typed again. Each keystroke is a commit, so it rings only if a file waits.
  const stopListening = [
    parts.store.onChange(['outbox', 'draft_versions'], wake),
    parts.store.onChange(['drafts', 'unsaved_edits'], () => void (isOneHeldBack && wake())),
  ]
  signal.addEventListener('abort', () => stopListening.forEach((stop) => stop()))

  const outgoing: OutgoingFiles = {
    ...createLinkedFiles((id) => files.get(id)),
    get all() {
      return [...files.values()].map((file): OutgoingFile => ({
        fileId: file.fileId,
        name: file.name,
        size: file.size,
        sent: file.sent,
        url: file.url,
        state:
          file.reason !== null
            ? 'refused'
            : file.url !== null
              ? 'uploaded'
              : file.received < file.size
                ? 'copying'
                : file.isUploading
                  ? 'uploading'
                  : 'waiting',
        reason: file.reason,
      }))
    },
    begin(name, mediaType, size) {
      demandTakes(size)
      const fileId = newId('f', clock)
      const file = { fileId, name, mediaType, size, keptAt: clock.now(), url: null }
      files.set(fileId, { ...file, ...fresh })
      outgoing.append(fileId, new Uint8Array())
      return fileId
    },
    append(fileId, bytes) {
      const file = files.get(fileId)
      if (file === undefined || file.reason !== null) fileGone()
      if (file.received + bytes.length > file.size) {
        outgoing.cancel(fileId)
        throw refusedHere('FILE_GREW', t.failures.fileGrew)
      }
      try {
        const isLast = file.received + bytes.length >= file.size
        copies.append(fileId, bytes, { isFirst: file.received === 0, isLast })
        file.received += bytes.length
        if (isLast) copies.keep(file)
      } catch (error) {
        files.delete(fileId)
        copies.remove(fileId)
        settled()
        throw error
      }
      changed()
      if (file.received >= file.size) wake()
    },
    interrupt(fileId) {
      const file = files.get(fileId)
      if (file === undefined || file.received >= file.size) return
      file.reason = t.failures.fileInterrupted
      settled()
      try {
        copies.removeBytes(fileId)
      } catch (error) {
        // The next start deletes it.
        parts.log(`file: ${failureOf(error).message}`)
      }
    },
    cancel(fileId) {
      files.delete(fileId)
      uploadsUnderWay.get(fileId)?.abort.abort()
      copies.remove(fileId)
      settled()
    },
    tryAgain(content) {
      const missing = linkedIdsIn(content)
        .flatMap((id) => files.get(id) ?? [])
        // One whose copying was interrupted can never be uploaded.
        .filter(({ url, received, size }) => url === null && received >= size)
      if (missing.length === 0) return
      for (const file of missing)
        Object.assign(file, { reason: null, attempts: 0, misunderstood: 0, nextAttemptAt: 0 })
      changed()
      wake()
    },
    setOnline(value) {
      if (value === online) return
      online = value
      outgoing.wake()
    },
    wake() {
      for (const current of uploadsUnderWay.values()) void endIfSilent(current)
      if (online) for (const file of files.values()) file.nextAttemptAt = 0
      wake()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onSettled(listener) {
      settledListeners.add(listener)
      return () => settledListeners.delete(listener)
    },
  }
  return outgoing
}
