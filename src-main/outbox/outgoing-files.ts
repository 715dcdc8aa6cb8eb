import { uploads } from '../../src-shared/api/uploads.ts'
import { FailureError, failureOf, type Failure } from '../../src-shared/failure.ts'
import { newId } from '../../src-shared/ids.ts'
import { linkOfFile, type OutgoingFile } from '../../src-shared/model/outgoing-file.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { retryDelayMs, unlessSetBack } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { keepGoing } from '../api/keep-going.ts'
import type { Store } from '../store/database.ts'
import { organizationNumber } from '../store/settings.ts'
import { createFileCopies, fileGone, type FileFacts } from './file-copies.ts'

/** How long a file's own copy and what is known of it are kept once the server has it, milliseconds. */
const keptMs = 30 * 24 * 60 * 60 * 1_000
const uploadTimeoutMs = 30 * 60 * 1_000

/**
 * Files that go along with messages.
 *
 * 1. A file is copied beside the account's file before anything else; the original may be gone then.
 * 2. It uploads by itself whenever the server can be reached, also after a restart, and is tried again until the
 *    server takes or refuses it.
 * 3. One file is uploaded at a time. A file whose upload failed waits for its own next attempt and holds back no other.
 * 4. Words that link to it wait for it: `linked` answers them with the server's address in place of ours, which is on
 *    this disk then.
 */
export interface OutgoingFiles {
  readonly all: readonly OutgoingFile[]
  /** Makes room for a file of that many bytes; refuses one that is larger than the server takes, as far as that is known. */
  begin(name: string, mediaType: string, size: number): string
  /** Bytes in order; with the last one the file is kept and begins to upload. */
  append(fileId: string, bytes: Uint8Array): void
  /** The file is not wanted any more, on this device; what the server has stays there until nobody links to it. */
  cancel(fileId: string): void
  /** The words with the server's addresses; null while one of their files is not uploaded. */
  linked(content: string): string | null
  /** The same; fails when one of them was refused or is not here. None may be on its way. */
  demandLinked(content: string): string
  /** Whether one of their files is still on its way. */
  isAwaited(content: string): boolean
  /** Files of these words that were refused, or that wait for their next attempt, are uploaded at once. */
  tryAgain(content: string): void
  setOnline(online: boolean): void
  onChange(listener: () => void): () => void
}

type Live = FileFacts & {
  received: number
  sent: number
  reason: string | null
  isUploading: boolean
  /** How often its upload failed since it was last asked for. */
  attempts: number
  /** Epoch milliseconds; 0: at once. */
  nextAttemptAt: number
  /** Where the server has put it, before that is on the disk; null before the server has it. */
  answered: string | null
}

const fresh = {
  received: 0,
  sent: 0,
  reason: null,
  isUploading: false,
  attempts: 0,
  nextAttemptAt: 0,
  answered: null,
}

export interface OutgoingFilesParts {
  readonly store: Store
  /** The account's file; the copies lie beside it and go with it. */
  readonly path: string
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  log(line: string): void
}

export function createOutgoingFiles(parts: OutgoingFilesParts): OutgoingFiles {
  const { clock, signal } = parts
  const copies = createFileCopies(parts.path)
  const files = new Map<string, Live>()
  const uploadsUnderWay = new Map<string, AbortController>()
  const listeners = new Set<() => void>()
  let online = false
  /** Until when the server wants no file at all, epoch milliseconds. */
  let pausedUntil = 0
  let kick = new AbortController()

  const changed = () => {
    for (const listener of listeners) listener()
  }
  const wake = () => {
    kick.abort()
    kick = new AbortController()
  }
  for (const facts of copies.load()) files.set(facts.fileId, { ...facts, ...fresh, received: facts.size })

  /** Forgets files that the server has had for long: an app in the tray runs for weeks. */
  const forgetOld = async () => {
    const old = [...files.values()].filter(({ url, keptAt }) => url !== null && clock.now() - keptAt > keptMs)
    for (const { fileId } of old) {
      files.delete(fileId)
      copies.remove(fileId)
    }
    if (old.length > 0) changed()
    await clock.wait(24 * 60 * 60 * 1_000, signal)
  }

  // A server ends the connection of what is far too large instead of answering: nothing would tell that from a network
  // that broke, and the file would be sent again and again.
  const demandTakes = (size: number) => {
    const mebibytes = organizationNumber(parts.store.db, 'max_file_upload_size_mib') ?? 0
    if (mebibytes === 0 || size <= mebibytes * 1_024 * 1_024) return
    const most = t.shared.sizes.megabytes(Math.floor(mebibytes * 10.485_76) / 10)
    throw new FailureError({
      kind: 'rejected',
      code: 'FILE_TOO_LARGE',
      message: t.failures.fileTooLarge(most),
      status: 0,
    })
  }

  /** Answers where the server has put it. */
  const give = async (file: Live, abort: AbortSignal): Promise<string> => {
    // The server may take less by now.
    demandTakes(file.size)
    copies.demand(file)
    const { url } = await parts.connection.call(
      uploads.uploadFile,
      {},
      {
        signal: abort,
        timeoutMs: uploadTimeoutMs,
        file: {
          name: file.name,
          mediaType: file.mediaType,
          size: file.size,
          read: () => copies.read(file.fileId),
          onSent: (sent) => {
            file.sent = sent
            changed()
          },
        },
      },
    )
    return url
  }

  const upload = async (file: Live) => {
    const abort = new AbortController()
    uploadsUnderWay.set(file.fileId, abort)
    file.isUploading = true
    changed()
    try {
      file.answered ??= await give(file, AbortSignal.any([signal, abort.signal]))
      // On the disk before any words go with it: after the next start it would be uploaded to another address, and
      // words that arrived with the first one would not be found again.
      file.keptAt = clock.now()
      copies.keep({ ...file, url: file.answered })
      file.url = file.answered
      copies.removeBytes(file.fileId)
    } finally {
      uploadsUnderWay.delete(file.fileId)
      file.isUploading = false
      file.sent = 0
      changed()
    }
  }

  /** When the file should next be uploaded, or null when there is nothing to upload. */
  const dueAt = ({ url, reason, received, size, nextAttemptAt }: Live): number | null => {
    if (url !== null || reason !== null || received < size) return null
    const now = clock.now()
    return Math.max(unlessSetBack(nextAttemptAt, now), unlessSetBack(pausedUntil, now))
  }

  const uploadFailed = (file: Live, failure: Failure) => {
    // Cancelled meanwhile.
    if (!files.has(file.fileId)) return
    if (failure.kind === 'rejected') {
      file.reason = failure.message
      changed()
      return
    }
    parts.log(`file: ${failure.message}`)
    // The server's patience is with all files, any other failure may be that of one.
    if (failure.kind === 'rateLimited') pausedUntil = clock.now() + failure.retryAfterMs
    else file.nextAttemptAt = clock.now() + retryDelayMs(++file.attempts, () => clock.random())
  }

  /** Uploads the file that is due first, or waits for one. */
  const goOn = async () => {
    const [next] = [...files.values()]
      .flatMap((file) => {
        const at = dueAt(file)
        return at === null ? [] : [{ file, at }]
      })
      .sort((a, b) => a.at - b.at)
    const waitMs = online && next !== undefined ? next.at - clock.now() : 60 * 60 * 1_000
    if (next === undefined || waitMs > 0) {
      await clock.wait(waitMs, AbortSignal.any([signal, kick.signal]))
      return
    }
    try {
      await upload(next.file)
    } catch (error) {
      if (!signal.aborted) uploadFailed(next.file, failureOf(error))
    }
  }
  const shared = { clock, signal, log: (line: string) => parts.log(`file: ${line}`) }
  keepGoing(goOn, shared)
  keepGoing(forgetOld, shared)

  const idsIn = (content: string) => [...content.matchAll(linkOfFile)].map(([, id = '']) => id)

  const outgoing: OutgoingFiles = {
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
      const file = files.get(fileId) ?? fileGone()
      if (file.received + bytes.length > file.size) {
        outgoing.cancel(fileId)
        throw new FailureError({
          kind: 'rejected',
          code: 'FILE_GREW',
          message: t.failures.fileGrew,
          status: 0,
        })
      }
      try {
        const isLast = file.received + bytes.length >= file.size
        copies.append(fileId, bytes, { isFirst: file.received === 0, isLast })
        file.received += bytes.length
        if (isLast) copies.keep(file)
      } catch (error) {
        files.delete(fileId)
        copies.remove(fileId)
        throw error
      }
      changed()
      if (file.received >= file.size) wake()
    },
    cancel(fileId) {
      files.delete(fileId)
      uploadsUnderWay.get(fileId)?.abort()
      copies.remove(fileId)
      changed()
    },
    linked(content) {
      const isComplete = idsIn(content).every((id) => files.get(id)?.url != null)
      return isComplete ? content.replace(linkOfFile, (_link, id: string) => files.get(id)?.url ?? '') : null
    },
    demandLinked(content) {
      for (const id of idsIn(content)) {
        const { reason } = files.get(id) ?? fileGone()
        if (reason !== null) {
          throw new FailureError({ kind: 'rejected', code: 'FILE_REFUSED', message: reason, status: 0 })
        }
      }
      const linked = outgoing.linked(content)
      if (linked === null) throw new Error('A message was sent before its files.')
      return linked
    },
    isAwaited(content) {
      const all = idsIn(content).map((id) => files.get(id))
      // Words with a file that is refused or gone wait for no other: whoever wrote them hears of it at once.
      return (
        all.some((file) => file?.url === null) &&
        all.every((file) => file !== undefined && file.reason === null)
      )
    },
    tryAgain(content) {
      const missing = idsIn(content)
        .flatMap((id) => files.get(id) ?? [])
        .filter(({ url }) => url === null)
      if (missing.length === 0) return
      for (const file of missing) Object.assign(file, { reason: null, attempts: 0, nextAttemptAt: 0 })
      changed()
      wake()
    },
    setOnline(value) {
      if (value === online) return
      online = value
      // The network is back: what waited for its next attempt goes at once.
      if (online) for (const file of files.values()) file.nextAttemptAt = 0
      wake()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return outgoing
}
