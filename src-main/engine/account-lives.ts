import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { background } from '../../src-shared/background.ts'
import { FailureError, failureOf, refusedHere, type Failure } from '../../src-shared/failure.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { SyncState } from '../../src-shared/model/account.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { createCheckpoints, type Checkpoints } from '../../src-shared/sqlite/checkpoints.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { openAccountFile, prepareAccountFile, type OpenedAccountFile } from '../store/account-file.ts'
import type { AccountsStore, KnownAccount } from '../store/accounts-store.ts'
import { withDiskFullMessage } from '../store/device-failure.ts'
import { openAccount, openAccountInTurns, type AccountParts, type LiveAccount } from './account.ts'
import type { AccountKey } from './account-connection.ts'
import type { AccountEvents } from './account-events.ts'
import { readNetwork } from './network-settings.ts'
import type { Platform } from './platform.ts'

/** How long to wait before a file that could not be opened is tried again. */
const reopenMs = 15_000

/** The name under which an account's key lies in the keychain. */
export const secretName = (id: AccountId): string => `api-key:${id}`

/** Where the accounts' files lie, one for each. */
export const accountsDirectory = (dataDirectory: string): string => join(dataDirectory, 'accounts')

/** An account whose file could not be opened, with the reason. */
interface ClosedAccount {
  readonly known: KnownAccount
  readonly failure: Failure
  /** Epoch milliseconds. */
  readonly since: number
}

/** An account that has not begun yet, or not as a whole. */
interface Opening {
  readonly file: OpenedAccountFile
  /** Ends what has begun. */
  readonly closing: AbortController
}

/** What an account's requests need: its key and the way that they take. */
interface AccountWay {
  readonly key: AccountKey
  readonly network: AccountNetwork
}

/** What somebody watches of an account, whichever life of the account answers. */
interface AccountWatch {
  readonly accountId: AccountId
  /** Returns how to stop. */
  begin(live: LiveAccount): () => void
  /** While the account's file cannot be opened. */
  whileClosed(state: SyncState): void
  stop(): void
}

/** What the lives of accounts need. */
interface AccountLivesParts {
  readonly platform: Platform
  readonly accounts: AccountsStore
  readonly userAgent: string
  /** What an account tells while it lives. */
  readonly events: (id: AccountId) => AccountEvents
  /** A life began or ended, or could not begin. */
  readonly changed: () => void
}

/**
 * The accounts of this device that are open, or that cannot be: each has one life at a time, or a reason why it has
 * none. What is watched of an account goes on from one of its lives to the next.
 */
export class AccountLives {
  readonly #parts: AccountLivesParts
  readonly #live = new Map<AccountId, LiveAccount>()
  readonly #closed = new Map<AccountId, ClosedAccount>()
  readonly #opening = new Map<AccountId, Opening>()
  /** In the order in which they were first opened: an account that is opened again keeps its place. */
  readonly #order = new Set<AccountId>()
  readonly #watches = new Set<AccountWatch>()
  readonly #ending = new AbortController()
  readonly #checkpoints: Checkpoints

  constructor(parts: AccountLivesParts) {
    this.#parts = parts
    this.#checkpoints = createCheckpoints((line) => parts.platform.log(line))
  }

  /** Those that are open. */
  get live(): readonly LiveAccount[] {
    return [...this.#live.values()]
  }

  /** Those whose file could not be opened. */
  get closed(): readonly KnownAccount[] {
    return [...this.#closed.values()].map(({ known }) => known)
  }

  /** The ids of all accounts that were ever opened, in the order in which they first were. */
  get order(): readonly AccountId[] {
    return [...this.#order]
  }

  filePath(id: AccountId): string {
    return join(accountsDirectory(this.#parts.platform.dataDirectory), `${id}.db`)
  }

  /** The live account; null when there is none. */
  find(id: AccountId): LiveAccount | null {
    return this.#live.get(id) ?? null
  }

  /** The live account. Throws a `FailureError` when there is none, with why. */
  account(id: AccountId): LiveAccount {
    const live = this.#live.get(id)
    if (live !== undefined) return live
    const closed = this.#closed.get(id)
    throw closed === undefined
      ? refusedHere('NO_SUCH_ACCOUNT', t.failures.noSuchAccount)
      : new FailureError(closed.failure)
  }

  /**
   * Opens an account's file and starts it, in the place of the one that is open; a file that cannot be opened is
   * reported in the account's place and tried again. What is watched goes on with the new one.
   */
  async open(known: KnownAccount): Promise<void> {
    const { platform } = this.#parts
    this.#order.add(known.id)
    const key = await this.#keyOf(known.id)
    // To open a file takes a while: what waits has its turn first, and between the parts of it.
    await turn()
    if (this.#ending.signal.aborted) return
    try {
      await prepareAccountFile(this.filePath(known.id), turn)
    } catch (error) {
      // Opening it says the same, to the person.
      platform.log(`store: ${failureOf(error).message}`)
    }
    await turn()
    // The engine may have ended meanwhile, and its list of accounts with it.
    if (this.#ending.signal.aborted) return
    const way = { key, network: await readNetwork(this.#parts, known.id) }
    await turn()
    // What windows look at is replaced in one turn: no call finds nothing in its place.
    const isReplaced = this.#live.has(known.id)
    const opening = this.#openFile(known, way, false)
    if (opening === null) return
    if (!isReplaced) await turn()
    await this.#begin(opening, known, way, !isReplaced)
  }

  /** Ends an account's life without forgetting the account. */
  close(id: AccountId): void {
    this.#end(id)
    this.#closed.delete(id)
    this.#parts.changed()
  }

  /** Cuts every wait of an account short, also the one before its file is tried again. */
  async tryNow(id: AccountId): Promise<void> {
    const closed = this.#closed.get(id)
    if (closed === undefined) this.account(id).tryNow()
    else await this.open(closed.known)
  }

  /**
   * Watches an account over all its lives: `begin` is called with the one that it has and with each that follows, and
   * answers how to stop; `whileClosed` is called instead while its file cannot be opened. Returns how to stop. Throws
   * a `FailureError` when there is no such account.
   */
  watch(
    accountId: AccountId,
    begin: AccountWatch['begin'],
    whileClosed: AccountWatch['whileClosed'] = () => {},
  ): () => void {
    if (!this.#closed.has(accountId)) this.account(accountId)
    const watch: AccountWatch = { accountId, begin, whileClosed, stop: () => {} }
    this.#watches.add(watch)
    try {
      this.#attach(watch)
    } catch (error) {
      const failure = failureOf(error)
      // A damaged file is being rebuilt already; the watch goes on with the new one.
      if (failure.kind !== 'device' || failure.code !== 'damaged') {
        this.#watches.delete(watch)
        throw error
      }
    }
    return () => {
      this.#watches.delete(watch)
      watch.stop()
    }
  }

  /** Ends all of them; none begins any more. */
  end(): void {
    this.#ending.abort()
    for (const id of [...this.#live.keys(), ...this.#opening.keys()]) this.#end(id)
    this.#checkpoints.close()
  }

  /**
   * Opens an account's file, in the place of what was open; null when it cannot be opened, which is reported. It waits
   * in `#opening` for `#begin`.
   */
  #openFile(known: KnownAccount, way: AccountWay, isDamaged: boolean): Opening | null {
    if (this.#ending.signal.aborted) return null
    const { id } = known
    this.#end(id)
    try {
      const file = openAccountFile({
        path: this.filePath(id),
        isDamaged,
        now: this.#parts.platform.now(),
        log: (line) => this.#log(known, line),
        checkpoints: this.#checkpoints,
        onDamage: () => {
          // Only the account that found it: another may have taken its place since.
          if ((this.#live.get(id) ?? this.#opening.get(id)?.file)?.store !== file.store) return
          const anew = this.#openFile(known, way, true)
          if (anew !== null) this.#background(known, this.#begin(anew, known, way, false))
        },
      })
      const opening = { file, closing: new AbortController() }
      this.#opening.set(id, opening)
      return opening
    } catch (error) {
      this.#refused(known, error)
      return null
    }
  }

  /**
   * Starts an account over its open file, unless something took that file's place meanwhile: in turns of its own, or
   * before it returns.
   */
  async #begin(opening: Opening, known: KnownAccount, way: AccountWay, inTurns: boolean): Promise<void> {
    const { id } = known
    const { file, closing } = opening
    if (this.#opening.get(id) !== opening) return
    try {
      const { platform, userAgent, events } = this.#parts
      const parts: AccountParts = {
        known,
        ...way,
        store: file.store,
        path: this.filePath(id),
        fileNotice: file.notice,
        fileCheck: file.check,
        platform,
        userAgent,
        events: events(id),
      }
      const live = inTurns ? await openAccountInTurns(parts, closing) : openAccount(parts, closing)
      if (closing.signal.aborted) live?.close()
      if (live === null || closing.signal.aborted) return
      this.#opening.delete(id)
      this.#live.set(id, live)
    } catch (error) {
      this.#end(id)
      this.#refused(known, error)
      return
    }
    this.#closed.delete(id)
    this.#changed(known)
  }

  /** An account could not be opened: its place says why, and it is tried again. */
  #refused(known: KnownAccount, error: unknown): void {
    const failure = withDiskFullMessage(failureOf(error), t.failures.device.noRoomForAccount)
    this.#log(known, failure.kind === 'bug' && error instanceof Error ? (error.stack ?? '') : failure.message)
    this.#closed.set(known.id, { known, failure, since: this.#parts.platform.now() })
    this.#retryLater(known)
    this.#changed(known)
  }

  /** A disk that is full, a file that another program holds: that ends by itself, and then nobody has to restart. */
  #retryLater(known: KnownAccount): void {
    const closed = this.#closed.get(known.id)
    const reopened = this.#parts.platform.wait(reopenMs, this.#ending.signal).then(() => {
      if (this.#closed.get(known.id) === closed) return this.open(known)
      return undefined
    })
    this.#background(known, reopened)
  }

  /** What is watched of an account goes on with what is in its place now. */
  #changed(known: KnownAccount): void {
    this.#parts.changed()
    for (const watch of this.#watches) {
      if (watch.accountId !== known.id) continue
      try {
        this.#attach(watch)
      } catch (error) {
        this.#log(known, `a query could not go on: ${failureOf(error).message}`)
      }
    }
  }

  #attach(watch: AccountWatch): void {
    const live = this.#live.get(watch.accountId)
    const closed = this.#closed.get(watch.accountId)
    watch.stop = live === undefined ? () => {} : watch.begin(live)
    if (closed !== undefined) watch.whileClosed(closedState(closed))
  }

  async #keyOf(id: AccountId): Promise<AccountKey> {
    const { platform } = this.#parts
    try {
      const apiKey = await platform.secrets.get(secretName(id))
      return apiKey === null ? { problem: t.failures.device.noKey } : { apiKey }
    } catch (error) {
      const { message } = failureOf(error)
      platform.log(`keychain: ${message}`)
      return { problem: message }
    }
  }

  /** Closes what is open of an account. */
  #end(id: AccountId): void {
    this.#live.get(id)?.close()
    this.#live.delete(id)
    const opening = this.#opening.get(id)
    opening?.closing.abort()
    opening?.file.store.close()
    this.#opening.delete(id)
  }

  #background(known: KnownAccount, work: Promise<unknown>): void {
    background(work, (line) => this.#log(known, line))
  }

  #log(known: KnownAccount, line: string): void {
    this.#parts.platform.log(`${known.organizationName}: ${line}`)
  }
}

const closedState = ({ failure, since }: ClosedAccount): SyncState => ({
  status: 'incompatible',
  since,
  waiting: 0,
  needsYou: { changes: 0, messages: 0 },
  lastAttemptAt: null,
  nextAttemptAt: null,
  attempt: 0,
  lastSyncedAt: null,
  problem: failure.message,
  progress: null,
  historyPause: null,
  hasSynced: false,
  fileNotice: null,
  // The problem says it.
  diskTrouble: null,
  diskFreeBytes: null,
})
