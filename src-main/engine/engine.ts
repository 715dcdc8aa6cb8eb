import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { FailureError, failureOf, type Failure } from '../../src-shared/failure.ts'
import { accountId as asAccountId, type AccountId } from '../../src-shared/ids.ts'
import type { CallName, CallResultOf, CheckedCallOf } from '../../src-shared/bridge/calls.ts'
import type { CheckedParamsOf, OpenRequest, QueryName } from '../../src-shared/bridge/queries.ts'
import type { Account, SyncState } from '../../src-shared/model/account.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { inWishedOrder } from '../../src-shared/model/organization-order.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import {
  endOfPause,
  nextQuietChange,
  pausedUntil,
  quietUntil,
  withoutPauses,
  withPause,
  type PauseLength,
} from '../../src-shared/model/quiet.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import { accountQueries, type AccountQueryName } from '../queries/index.ts'
import type { ShellState } from '../shell/shell-state.ts'
import { openAccountFile, prepareAccountFile, type OpenedAccountFile } from '../store/account-file.ts'
import { createCheckpoints, type Checkpoints } from '../../src-shared/sqlite/checkpoints.ts'
import { ifDiskFull } from '../store/device-failure.ts'
import { asDeviceFailure } from '../store/open-file.ts'
import { organizationText } from '../store/settings.ts'
import { openAccount, openAccountInTurns, type AccountParts, type LiveAccount } from './account.ts'
import { openAccountsStore, type AccountsStore, type KnownAccount } from './accounts-store.ts'
import { appVersion } from './app-version.ts'
import { callHandlers, secretName, type EngineParts } from './calls.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { speak, t } from '../../src-shared/texts/texts.ts'
import type { Engine } from './contract.ts'
import { LiveValue } from './live-value.ts'
import { readNetwork } from './network-settings.ts'
import type { Platform } from './platform.ts'

const noticesKept = 50
const longestStepMs = 15 * 60 * 1_000
/** How long to wait before a file that could not be opened is tried again. */
const reopenMs = 15_000
/** How long until a reply that the disk did not take is given to it again, milliseconds. */
const replyRetryMs = 5_000

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
  readonly apiKey: string | null
  readonly network: AccountNetwork
}

/** What a window watches of an account, whichever life of the account answers. */
interface AccountWatch {
  readonly accountId: AccountId
  /** Returns how to stop. */
  begin(live: LiveAccount): () => void
  /** While the account's file cannot be opened. */
  whileClosed(closed: ClosedAccount): void
  stop(): void
}

/**
 * All accounts of this device at once, for any number of windows. Throws a `FailureError` of kind device when the
 * data directory cannot be used at all; an account whose own file cannot be opened does not stop the others.
 */
export async function createEngine(platform: Platform): Promise<Engine> {
  const accounts = await openPlace(platform)
  await turn()
  const settings = accounts.deviceSettings()
  await speak(settings.spokenLanguage)
  await turn()
  const engine = new DunlinEngine(platform, accounts, settings)
  // What the host does next has a turn of its own.
  await turn()
  for (const known of accounts.all()) await engine.open(known)
  return engine
}

/** The folder for the accounts' files, and the list of them. */
async function openPlace(platform: Platform): Promise<AccountsStore> {
  const directory = join(platform.dataDirectory, 'accounts')
  try {
    mkdirSync(directory, { recursive: true })
    return await openAccountsStore(platform.dataDirectory, (line) => platform.log(line))
  } catch (error) {
    const { failure } = asDeviceFailure(error, directory)
    throw new FailureError(ifDiskFull(failure, t.failures.device.noRoomToStart), { cause: error })
  }
}

class DunlinEngine implements Engine, EngineParts {
  readonly platform: Platform
  readonly accounts: AccountsStore
  readonly userAgent = `Dunlin/${appVersion}`
  readonly #live = new Map<AccountId, LiveAccount>()
  readonly #closed = new Map<AccountId, ClosedAccount>()
  readonly #opening = new Map<AccountId, Opening>()
  readonly #accountList = new LiveValue<readonly Account[]>([])
  readonly #notices = new LiveValue<readonly Notice[]>([])
  readonly #openRequest = new LiveValue<OpenRequest | null>(null)
  readonly #deviceSettings: LiveValue<DeviceSettings>
  readonly #shellListeners = new Set<() => void>()
  readonly #watches = new Set<AccountWatch>()
  readonly #ending = new AbortController()
  readonly #checkpoints: Checkpoints
  /** Aborted, and made anew, when it may have changed what the person wants. */
  #quietWish = new AbortController()
  #isMetered = false
  #attention: { accountId: AccountId; narrow: Narrow | null } | null = null

  constructor(platform: Platform, accounts: AccountsStore, settings: DeviceSettings) {
    this.platform = platform
    this.accounts = accounts
    this.#deviceSettings = new LiveValue(settings)
    this.#checkpoints = createCheckpoints((line) => platform.log(line))
    void this.#followQuiet()
  }

  /**
   * Opens an account's file and starts it, in the place of the one that is open; a file that cannot be opened is
   * reported in the account's place and tried again. What windows watch goes on with the new one.
   */
  async open(known: KnownAccount): Promise<void> {
    let apiKey: string | null = null
    try {
      apiKey = await this.platform.secrets.get(secretName(known.id))
    } catch (error) {
      this.platform.log(`keychain: ${failureOf(error).message}`)
    }
    // To open a file takes a while: what waits has its turn first, and between the parts of it.
    await turn()
    if (this.#ending.signal.aborted) return
    try {
      await prepareAccountFile(this.filePath(known.id), turn)
    } catch (error) {
      // Opening it says the same, to the person.
      this.platform.log(`store: ${failureOf(error).message}`)
    }
    await turn()
    // The engine may have ended meanwhile, and its list of accounts with it.
    if (this.#ending.signal.aborted) return
    const way = { apiKey, network: await readNetwork(this, known.id) }
    await turn()
    // What windows look at is replaced in one turn: no call finds nothing in its place.
    const isReplaced = this.#live.has(known.id)
    const opening = this.#openFile(known, way, false)
    if (opening === null) return
    if (!isReplaced) await turn()
    await this.#begin(opening, known, way, !isReplaced)
  }

  /**
   * Opens an account's file, in the place of what was open; null when it cannot be opened, which is reported. It waits
   * in `#opening` for `#begin`.
   */
  #openFile(known: KnownAccount, way: AccountWay, isDamaged: boolean): Opening | null {
    if (this.#ending.signal.aborted) return null
    const { id } = known
    this.#endLife(id)
    try {
      const file = openAccountFile({
        path: this.filePath(id),
        isDamaged,
        now: this.platform.now(),
        log: (line) => this.#log(known, line),
        checkpoints: this.#checkpoints,
        onDamage: () => {
          // Only the account that found it: another may have taken its place since.
          if ((this.#live.get(id) ?? this.#opening.get(id)?.file)?.store !== file.store) return
          const anew = this.#openFile(known, way, true)
          if (anew !== null) void this.#begin(anew, known, way, false)
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
      const parts: AccountParts = {
        known,
        ...way,
        store: file.store,
        path: this.filePath(id),
        fileNotice: file.notice,
        fileCheck: file.check,
        platform: this.platform,
        userAgent: this.userAgent,
        events: {
          notify: (notice) => this.#notify(notice),
          countsChanged: () => this.countsChanged(),
          shellChanged: () => this.#shellChanged(),
          attention: () => (this.#attention?.accountId === id ? this.#attention.narrow : null),
          notificationsEnabled: () => this.#deviceSettings.current.notifications,
          isQuiet: () => quietUntil(this.#deviceSettings.current, id, this.platform.now()) !== null,
          isMetered: () => this.#isMetered,
          wantsAllHistory: () => this.#deviceSettings.current.historyDepth === 'everything',
        },
      }
      const live = inTurns ? await openAccountInTurns(parts, closing) : openAccount(parts, closing)
      if (closing.signal.aborted) live?.close()
      if (live === null || closing.signal.aborted) return
      this.#opening.delete(id)
      this.#live.set(id, live)
    } catch (error) {
      this.#endLife(id)
      this.#refused(known, error)
      return
    }
    this.#closed.delete(id)
    this.#lifeChanged(known)
  }

  /** An account could not be opened: its place says why, and it is tried again. */
  #refused(known: KnownAccount, error: unknown): void {
    const failure = ifDiskFull(failureOf(error), t.failures.device.noRoomForAccount)
    this.#log(known, failure.kind === 'bug' && error instanceof Error ? (error.stack ?? '') : failure.message)
    this.#closed.set(known.id, { known, failure, since: this.platform.now() })
    this.#retryLater(known)
    this.#lifeChanged(known)
  }

  /** What windows watch of an account goes on with what is in its place now. */
  #lifeChanged(known: KnownAccount): void {
    this.countsChanged()
    for (const watch of this.#watches) {
      if (watch.accountId !== known.id) continue
      try {
        this.#attach(watch)
      } catch (error) {
        this.#log(known, `a query could not go on: ${failureOf(error).message}`)
      }
    }
  }

  #log(known: KnownAccount, line: string): void {
    this.platform.log(`${known.organizationName}: ${line}`)
  }

  /** Closes what is open of an account. */
  #endLife(id: AccountId): void {
    this.#live.get(id)?.close()
    this.#live.delete(id)
    const opening = this.#opening.get(id)
    opening?.closing.abort()
    opening?.file.store.close()
    this.#opening.delete(id)
  }

  /** A disk that is full, a file that another program holds: that ends by itself, and then nobody has to restart. */
  #retryLater(known: KnownAccount): void {
    const closed = this.#closed.get(known.id)
    void this.platform.wait(reopenMs, this.#ending.signal).then(() => {
      if (this.#closed.get(known.id) === closed) return this.open(known)
      return undefined
    })
  }

  filePath(id: AccountId): string {
    return join(this.platform.dataDirectory, 'accounts', `${id}.db`)
  }

  /** The live account. Rejects when there is none, with why. */
  account(id: AccountId): LiveAccount {
    const live = this.#live.get(id)
    if (live !== undefined) return live
    const closed = this.#closed.get(id)
    throw new FailureError(
      closed?.failure ?? {
        kind: 'rejected',
        code: 'NO_SUCH_ACCOUNT',
        message: t.failures.noSuchAccount,
        status: 0,
      },
    )
  }

  /** Ends a live account without forgetting it. */
  closeAccount(id: AccountId): void {
    this.#endLife(id)
    this.#closed.delete(id)
    this.countsChanged()
  }

  async tryNow(id: AccountId): Promise<void> {
    const closed = this.#closed.get(id)
    if (closed === undefined) this.account(id).tryNow()
    else await this.open(closed.known)
  }

  newAccountId(): AccountId {
    return asAccountId(
      `a${this.platform.now().toString(36)}${Math.floor(this.platform.random() * 2 ** 30).toString(36)}`,
    )
  }

  countsChanged(): void {
    const open = [...this.#live.values()].map(({ known, unread, store }): Account => ({
      ...known,
      organizationName: organizationText(store.db, 'realm_name') ?? known.organizationName,
      organizationIconUrl: organizationText(store.db, 'realm_icon_url') ?? known.organizationIconUrl,
      unreadCount: unread.count,
      mentionCount: unread.mentions,
      personalCount: unread.personal,
    }))
    const closed = [...this.#closed.values()].map(({ known }): Account => ({
      ...known,
      unreadCount: 0,
      mentionCount: 0,
      personalCount: 0,
    }))
    this.#accountList.set(inWishedOrder([...open, ...closed], this.#deviceSettings.current.organizationOrder))
    this.#shellChanged()
  }

  #shellChanged(): void {
    for (const listener of this.#shellListeners) listener()
  }

  #notify(notice: Notice): void {
    if (this.#notices.current.some(({ id }) => id === notice.id)) return
    this.#notices.set([...this.#notices.current, notice].slice(-noticesKept))
    this.platform.notify(notice)
  }

  setAttention(focus: { accountId: AccountId; narrow: Narrow | null } | null, isActive: boolean): void {
    this.#attention = isActive ? focus : null
    for (const { sync } of this.#live.values()) sync.reportActivity(isActive)
  }

  setMetered(isMetered: boolean): void {
    this.#isMetered = isMetered
  }

  networkIsBack(): void {
    for (const account of this.#live.values()) account.networkIsBack()
  }

  async setDeviceSettings(change: Parameters<AccountsStore['setDeviceSettings']>[0]): Promise<void> {
    this.accounts.setDeviceSettings(change)
    if (change.spokenLanguage !== undefined) await speak(change.spokenLanguage)
    this.#deviceSettings.set(this.accounts.deviceSettings())
    if (change.organizationOrder !== undefined) this.countsChanged()
    if (change.historyDepth !== undefined)
      for (const { sync } of this.#live.values()) sync.historyWishChanged()
    this.#quietWish.abort()
    this.#shellChanged()
  }

  /** Tells hosts when quiet begins and ends by itself. */
  async #followQuiet(): Promise<void> {
    const { signal: ending } = this.#ending
    let now = this.platform.now()
    while (!ending.aborted) {
      const change = nextQuietChange(this.#deviceSettings.current, now)
      this.#quietWish = new AbortController()
      const signal = AbortSignal.any([ending, this.#quietWish.signal])
      // In steps, as machines sleep and clocks are set.
      await this.platform.wait(
        Math.min(change === null ? longestStepMs : change - now, longestStepMs),
        signal,
      )
      // Before hosts look: what begins or ends while they do is still to come.
      now = this.platform.now()
      if (!ending.aborted) this.#shellChanged()
    }
  }

  /** When notifications of all accounts come again; null while those of one come. */
  #quietUntil(): number | null {
    const now = this.platform.now()
    const ends = this.#accountList.current.map(({ id }) => quietUntil(this.#deviceSettings.current, id, now))
    const first = Math.min(...ends.map((end) => end ?? 0))
    return ends.length > 0 && first > 0 ? first : null
  }

  // What windows ask for.

  call<N extends CallName>(name: N, input: CheckedCallOf<N>): Promise<CallResultOf<N>> {
    const handler = callHandlers[name]
    return handler(this, input)
  }

  watch<N extends QueryName>(
    name: N,
    params: CheckedParamsOf<N>,
    update: (json: string) => void,
  ): () => void {
    switch (name) {
      case 'accounts':
        return this.#accountList.watch(update)
      case 'notices':
        return this.#notices.watch(update)
      case 'open-request':
        return this.#openRequest.watch(update)
      case 'device-settings':
        return this.#deviceSettings.watch(update)
      default:
        break
    }
    // All other queries belong to an account and name it.
    const { accountId } = params as CheckedParamsOf<'sidebar'>
    if (name === 'sync-state') {
      return this.#watchAccount({
        accountId,
        begin: (live) => live.watchSyncState(update),
        whileClosed: (closed) => update(JSON.stringify(closedState(closed))),
        stop: () => {},
      })
    }
    if (name === 'files') {
      return this.#watchAccount({
        accountId,
        begin: (live) => live.watchFiles(update),
        whileClosed: () => {},
        stop: () => {},
      })
    }
    if (!isAccountQuery(name)) throw new Error(`no such query: ${name}`)
    return this.#watchAccount({
      accountId,
      begin: (live) => live.watch(name, params as CheckedParamsOf<AccountQueryName>, update),
      whileClosed: () => {},
      stop: () => {},
    })
  }

  #watchAccount(watch: AccountWatch): () => void {
    if (!this.#closed.has(watch.accountId)) this.account(watch.accountId)
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

  #attach(watch: AccountWatch): void {
    const live = this.#live.get(watch.accountId)
    const closed = this.#closed.get(watch.accountId)
    watch.stop = live === undefined ? () => {} : watch.begin(live)
    if (closed !== undefined) watch.whileClosed(closed)
  }

  // What hosts ask for.

  async media(...[id, url, part]: Parameters<Engine['media']>) {
    const live = this.#live.get(asAccountId(id))
    return live === undefined ? null : live.media.get(url, part)
  }

  openRequest(request: Parameters<Engine['openRequest']>[0]): void {
    const id = request.accountId ?? this.#accountList.current[0]?.id
    if (id === undefined) return
    const requestedAt = Math.max(this.platform.now(), (this.#openRequest.current?.requestedAt ?? 0) + 1)
    this.#openRequest.set({
      requestedAt,
      accountId: id,
      narrow: request.narrow,
      messageId: request.messageId,
    })
  }

  noticeClicked(id: string): void {
    const notice = this.#notices.current.find((candidate) => candidate.id === id)
    if (notice === undefined) return
    this.openRequest({
      accountId: notice.accountId,
      narrow: notice.conversation,
      messageId: notice.messageId,
    })
  }

  noticeReplied(notice: Notice, text: string): void {
    if (text.trim() !== '') void this.#keepReply(notice, text)
  }

  /** Words that were typed outside of the window stand in no field: they are given to the disk until it takes them. */
  async #keepReply(notice: Notice, content: string): Promise<void> {
    const { accountId, conversation } = notice
    for (let attempt = 0; this.#accountList.current.some(({ id }) => id === accountId); attempt++) {
      try {
        this.account(accountId).outbox.enqueue({ name: 'send-message', conversation, content, draftId: null })
        return
      } catch (error) {
        this.platform.log(`notices: a reply is not kept yet: ${failureOf(error).message}`)
        if (attempt === 0)
          this.#notify({ ...notice, id: `${notice.id}-reply`, title: t.native.replyNotKept, body: content })
      }
      await this.platform.wait(replyRetryMs, this.#ending.signal)
      if (this.#ending.signal.aborted) return
    }
  }

  deviceSettings(): DeviceSettings {
    return this.#deviceSettings.current
  }

  shellState(): ShellState {
    const accounts = this.#accountList.current
    const live = [...this.#live.values()]
    return {
      unreadCount: accounts.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
      badgeCount: live.reduce((sum, { unread }) => sum + unread.badge, 0),
      mentionCount: accounts.reduce((sum, { mentionCount }) => sum + mentionCount, 0),
      isOffline: live.some(({ sync }) => ['offline', 'unreachable'].includes(sync.link.status)),
      waitingCount: live.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
      notifies: this.#deviceSettings.current.notifications,
      quietUntil: this.#quietUntil(),
      isPaused: pausedUntil(this.#deviceSettings.current.pauses, null, this.platform.now()) !== null,
      accounts: accounts.map(({ id, organizationName, baseUrl, unreadCount }) => ({
        id,
        name: organizationName,
        baseUrl,
        unreadCount,
      })),
    }
  }

  setNotifications(on: boolean): void {
    this.setDeviceSettings({ notifications: on }).catch((error: unknown) => {
      this.platform.log(`settings: ${failureOf(error).message}`)
    })
  }

  pauseNotifications(length: PauseLength | null): void {
    const { pauses, zone } = this.#deviceSettings.current
    const now = this.platform.now()
    const changed =
      length === null
        ? withoutPauses(pauses, null)
        : withPause(pauses, { accountId: null, until: endOfPause(length, now, zone) }, now)
    void this.setDeviceSettings({ pauses: changed })
  }

  onShellState(listener: () => void): () => void {
    this.#shellListeners.add(listener)
    return () => this.#shellListeners.delete(listener)
  }

  close(): Promise<void> {
    this.#ending.abort()
    for (const id of [...this.#live.keys(), ...this.#opening.keys()]) this.#endLife(id)
    this.accounts.close()
    this.#checkpoints.close()
    return Promise.resolve()
  }
}

function closedState({ failure, since }: ClosedAccount): SyncState {
  return {
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
  }
}

const isAccountQuery = (name: string): name is AccountQueryName => Object.hasOwn(accountQueries, name)
