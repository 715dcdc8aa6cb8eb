import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { background } from '../../src-shared/background.ts'
import { FailureError, failureOf, logTextOf, refusedHere, type Failure } from '../../src-shared/failure.ts'
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

/** How long until an account's file that could not be opened is tried again, in milliseconds. */
const reopenMs = 15_000

/** The name of an account's API key in the keychain. */
export const secretName = (id: AccountId): string => `api-key:${id}`

/** The directory of the accounts' files. */
export const accountsDirectory = (dataDirectory: string): string => join(dataDirectory, 'accounts')

/** An account whose file could not be opened, with the reason. */
interface ClosedAccount {
  readonly known: KnownAccount
  readonly failure: Failure
  /** Epoch milliseconds. */
  readonly since: number
}

/** An account whose file is open, but whose parts are not all running yet. */
interface Opening {
  readonly file: OpenedAccountFile
  /** Stops the parts that are running. */
  readonly closing: AbortController
}

/** What an account's requests need. */
interface AccountAccess {
  readonly key: AccountKey
  readonly network: AccountNetwork
}

/** A watch on an account. It survives when the account is closed and opened again. */
interface AccountWatch {
  readonly accountId: AccountId
  /** Starts watching the account that is now open; returns a function that stops. */
  begin(live: LiveAccount): () => void
  /** Called instead of `begin` while the account's file cannot be opened. */
  whileClosed(state: SyncState): void
  stop(): void
}

interface OpenAccountsParts {
  readonly platform: Platform
  readonly accounts: AccountsStore
  readonly userAgent: string
  /** The callbacks for one account. */
  readonly events: (id: AccountId) => AccountEvents
  /** Called after an account was opened or closed, or could not be opened. */
  readonly changed: () => void
}

/**
 * The accounts of this device. Each is open, or has a reason why it cannot be opened. Changes such as a new key close
 * an account and open it again, as a new `LiveAccount`; its watches continue with that.
 */
export class OpenAccounts {
  readonly #parts: OpenAccountsParts
  readonly #live = new Map<AccountId, LiveAccount>()
  readonly #closed = new Map<AccountId, ClosedAccount>()
  readonly #opening = new Map<AccountId, Opening>()
  /** Ids in the order in which they were first opened: an account that is opened again keeps its place. */
  readonly #order = new Set<AccountId>()
  readonly #watches = new Set<AccountWatch>()
  readonly #ending = new AbortController()
  readonly #checkpoints: Checkpoints

  constructor(parts: OpenAccountsParts) {
    this.#parts = parts
    this.#checkpoints = createCheckpoints((line) => parts.platform.log(line))
  }

  /** The accounts that are open. */
  get live(): readonly LiveAccount[] {
    return [...this.#live.values()]
  }

  /** The accounts whose file could not be opened. */
  get closed(): readonly KnownAccount[] {
    return [...this.#closed.values()].map(({ known }) => known)
  }

  /** The ids of all accounts that were opened, in the order in which they first were. */
  get order(): readonly AccountId[] {
    return [...this.#order]
  }

  filePath(id: AccountId): string {
    return join(accountsDirectory(this.#parts.platform.dataDirectory), `${id}.db`)
  }

  /** The open account; null if it is not open. */
  find(id: AccountId): LiveAccount | null {
    return this.#live.get(id) ?? null
  }

  /** The open account. Throws a `FailureError` with the reason if it is not open. */
  account(id: AccountId): LiveAccount {
    const live = this.#live.get(id)
    if (live !== undefined) return live
    const closed = this.#closed.get(id)
    throw closed === undefined
      ? refusedHere('NO_SUCH_ACCOUNT', t.failures.noSuchAccount)
      : new FailureError(closed.failure)
  }

  /**
   * Opens an account of the list. If it is open already, it is closed first and its watches continue with the new one. A
   * file that cannot be opened is reported by `closed` and `watch`, and tried again. Does nothing if the account is signed
   * out meanwhile.
   */
  async open(known: KnownAccount): Promise<void> {
    const { platform } = this.#parts
    this.#order.add(known.id)
    const key = await this.#keyOf(known.id)
    // Opening takes a while, so it lets other work run between its steps.
    await turn()
    if (this.#isGone(known.id)) return
    try {
      await prepareAccountFile(this.filePath(known.id), turn)
    } catch (error) {
      // `#openFile` meets the same failure and reports it to the person.
      platform.log(`store: ${failureOf(error).message}`)
    }
    await turn()
    if (this.#isGone(known.id)) return
    const access = { key, network: await readNetwork(this.#parts, known.id) }
    await turn()
    if (this.#isGone(known.id)) return
    // An open account is replaced in one turn of the event loop, so that no call finds it missing.
    const isReplaced = this.#live.has(known.id)
    const opening = this.#openFile(known, access, { isDamaged: false })
    if (opening === null) return
    if (!isReplaced) await turn()
    await this.#begin(opening, known, access, { inTurns: !isReplaced })
  }

  /** Whether the engine has ended, after which its list of accounts cannot be read, or the account is not in the list. */
  #isGone(account: AccountId): boolean {
    return this.#ending.signal.aborted || this.#parts.accounts.all().every(({ id }) => id !== account)
  }

  /** Closes an account; its file and keys stay. */
  close(id: AccountId): void {
    this.#end(id)
    this.#closed.delete(id)
    this.#parts.changed()
  }

  /** Ends every wait of an account, including the one before its file is tried again. */
  async tryNow(id: AccountId): Promise<void> {
    const closed = this.#closed.get(id)
    if (closed === undefined) this.account(id).tryNow()
    else await this.open(closed.known)
  }

  /**
   * Watches an account: `begin` is called now and each time the account is opened again. While its file cannot be
   * opened, `whileClosed` is called instead. Returns a function that stops the watch. Throws a `FailureError` if there
   * is no such account.
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
      // A damaged file is being rebuilt already; the watch continues with the new one.
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

  /** Closes all accounts; none can be opened afterwards. */
  end(): void {
    this.#ending.abort()
    for (const id of [...this.#live.keys(), ...this.#opening.keys()]) this.#end(id)
    this.#checkpoints.close()
  }

  /**
   * Closes what is open of an account, opens its file, and keeps it in `#opening` for `#begin`. Returns null if it
   * cannot be opened; that has then been reported.
   */
  #openFile(
    known: KnownAccount,
    access: AccountAccess,
    { isDamaged }: { readonly isDamaged: boolean },
  ): Opening | null {
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
        onDamage: () => openAnew({ isDamaged: true }),
        onDeleted: () => openAnew({ isDamaged: false }),
      })
      const openAnew = (now: { readonly isDamaged: boolean }) => {
        // Ignored if another file has been opened for the account since.
        if ((this.#live.get(id) ?? this.#opening.get(id)?.file)?.store !== file.store) return
        const latest = this.#live.get(id)?.known ?? known
        // The list of accounts may have been deleted with the file. This writes its copy anew.
        if (!now.isDamaged) this.#parts.events(id).knownChanged(latest)
        const anew = this.#openFile(latest, access, now)
        if (anew !== null) this.#background(latest, this.#begin(anew, latest, access, { inTurns: false }))
      }
      const opening = { file, closing: new AbortController() }
      this.#opening.set(id, opening)
      return opening
    } catch (error) {
      this.#refused(known, error)
      return null
    }
  }

  /**
   * Starts the parts of an account on its open file, unless another file was opened meanwhile. With `inTurns`, other
   * work runs between the parts; otherwise all have started when this returns its promise.
   */
  async #begin(
    opening: Opening,
    known: KnownAccount,
    access: AccountAccess,
    { inTurns }: { readonly inTurns: boolean },
  ): Promise<void> {
    const { id } = known
    const { file, closing } = opening
    if (this.#opening.get(id) !== opening) return
    try {
      const { platform, userAgent, events } = this.#parts
      const parts: AccountParts = {
        known,
        ...access,
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

  /** Records why an account could not be opened, and tries again later. */
  #refused(known: KnownAccount, error: unknown): void {
    const failure = withDiskFullMessage(failureOf(error), t.failures.device.noRoomForAccount)
    this.#log(known, failure.kind === 'bug' ? logTextOf(error) : failure.message)
    this.#closed.set(known.id, { known, failure, since: this.#parts.platform.now() })
    this.#retryLater(known)
    this.#changed(known)
  }

  /** A full disk or a file locked by another program is often temporary: nobody should have to restart for it. */
  #retryLater(known: KnownAccount): void {
    const closed = this.#closed.get(known.id)
    const reopened = this.#parts.platform.wait(reopenMs, this.#ending.signal).then(() => {
      if (this.#closed.get(known.id) === closed) return this.open(known)
      return undefined
    })
    this.#background(known, reopened)
  }

  /** Connects the account's watches to what is open now, or to the reason why nothing is. */
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
  // `problem` already tells it.
  diskTrouble: null,
  diskFreeBytes: null,
})
