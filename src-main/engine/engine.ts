import { mkdirSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { background } from '../../src-shared/background.ts'
import { FailureError, failureOf } from '../../src-shared/failure.ts'
import { accountId as asAccountId, newId, type AccountId } from '../../src-shared/ids.ts'
import type { CallName, CallResultOf, CheckedCallOf } from '../../src-shared/bridge/calls.ts'
import type { CheckedParamsOf, OpenRequest, QueryName } from '../../src-shared/bridge/queries.ts'
import type { Account } from '../../src-shared/model/account.ts'
import { withTitles } from '../../src-shared/model/account-titles.ts'
import { inChosenOrder } from '../../src-shared/model/organization-order.ts'
import {
  endOfPause,
  pausedUntil,
  quietUntil,
  withoutPauses,
  withPause,
  type PauseLength,
} from '../../src-shared/model/quiet.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import { accountQueries, type AccountQueryName } from '../queries/index.ts'
import type { ShellState } from '../shell/shell-state.ts'
import { openAccountsStore, type AccountsStore, type KnownAccount } from '../store/accounts-store.ts'
import { withDiskFullMessage } from '../store/device-failure.ts'
import { asDeviceFailure } from '../store/open-file.ts'
import type { AccountEvents } from './account-events.ts'
import { OpenAccounts, accountsDirectory } from './open-accounts.ts'
import { appVersion } from './app-version.ts'
import { callHandlers, type EngineParts, type Focus } from './calls.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import type { CallingWindow } from '../../src-shared/bridge/serve.ts'
import { speak, t } from '../../src-shared/texts/texts.ts'
import type { Engine, MediaAnswer, MediaPart } from './contract.ts'
import { LiveValue } from './live-value.ts'
import { Notices } from './notices.ts'
import type { Platform } from './platform.ts'
import { finishSignOuts } from './sign-out.ts'
import { watchQuiet, type QuietWatch } from './quiet-watch.ts'

/**
 * Opens all accounts of this device, for any number of windows. Rejects with a `FailureError` of kind device if the
 * data directory cannot be used; an account whose own file cannot be opened does not stop the others.
 */
export async function createEngine(platform: Platform): Promise<Engine> {
  const accounts = await openPlace(platform)
  await turn()
  const settings = accounts.deviceSettings()
  await speak(settings.spokenLanguage)
  await turn()
  const engine = new DunlinEngine(platform, accounts, settings)
  // Lets other work run before the accounts are opened.
  await turn()
  await finishSignOuts(engine)
  for (const known of accounts.all()) await engine.openAccounts.open(known)
  return engine
}

/** Creates the directory of the accounts' files if necessary, and opens the list of accounts. */
async function openPlace(platform: Platform): Promise<AccountsStore> {
  const directory = accountsDirectory(platform.dataDirectory)
  try {
    mkdirSync(directory, { recursive: true })
    return await openAccountsStore(platform.dataDirectory, (line) => platform.log(line))
  } catch (error) {
    const { failure } = asDeviceFailure(error, directory)
    throw new FailureError(withDiskFullMessage(failure, t.failures.device.noRoomToStart), { cause: error })
  }
}

/** Calls of the host itself. */
const noWindow: CallingWindow = { onGone: () => {} }

class DunlinEngine implements Engine, EngineParts {
  readonly platform: Platform
  readonly accounts: AccountsStore
  readonly userAgent = `Dunlin/${appVersion}`
  readonly openAccounts: OpenAccounts
  readonly #accountList = new LiveValue<readonly Account[]>([])
  readonly #notices: Notices
  readonly #openRequest = new LiveValue<OpenRequest | null>(null)
  readonly #deviceSettings: LiveValue<DeviceSettings>
  readonly #shellListeners = new Set<() => void>()
  readonly #ending = new AbortController()
  readonly #quiet: QuietWatch
  #isMetered = false
  /** The windows that the person is in, with what they see there; the one that they came to last is the last. */
  readonly #attention = new Map<CallingWindow, Focus | null>()
  /** The windows whose end is listened for. */
  readonly #windows = new WeakSet<CallingWindow>()

  constructor(platform: Platform, accounts: AccountsStore, settings: DeviceSettings) {
    this.platform = platform
    this.accounts = accounts
    this.#deviceSettings = new LiveValue(settings)
    this.openAccounts = new OpenAccounts({
      platform,
      accounts,
      userAgent: this.userAgent,
      events: (id) => this.#eventsOf(id),
      changed: () => this.#countsChanged(),
    })
    this.#notices = new Notices({
      platform,
      openAccounts: this.openAccounts,
      signal: this.#ending.signal,
      hasAccount: (id) => this.#accountList.current.some((account) => account.id === id),
    })
    this.#quiet = watchQuiet({
      clock: platform,
      signal: this.#ending.signal,
      settings: () => this.#deviceSettings.current,
      changed: () => this.#shellChanged(),
      log: (line) => platform.log(line),
    })
  }

  #eventsOf(id: AccountId): AccountEvents {
    return {
      notify: (notice) => this.#notices.notify(notice),
      notices: () => this.#notices.of(id),
      withdraw: (notices) => this.#notices.withdraw(notices),
      knownChanged: (known) => this.#knownChanged(known),
      countsChanged: () => this.#countsChanged(),
      shellChanged: () => this.#shellChanged(),
      attention: () => {
        const focus = [...this.#attention.values()].at(-1)
        return focus?.accountId === id ? focus.narrow : null
      },
      isActive: () => this.#attention.size > 0,
      notificationsEnabled: () => this.#deviceSettings.current.notifications,
      isQuiet: () => quietUntil(this.#deviceSettings.current, id, this.platform.now()) !== null,
      isMetered: () => this.#isMetered,
      wantsAllHistory: () => this.#deviceSettings.current.historyDepth === 'everything',
    }
  }

  get ending(): AbortSignal {
    return this.#ending.signal
  }

  newAccountId(): AccountId {
    return asAccountId(newId('a', this.platform))
  }

  #knownChanged(known: KnownAccount): void {
    try {
      // It may have been signed out meanwhile.
      if (this.accounts.all().some(({ id }) => id === known.id)) this.accounts.put(known)
    } catch (error) {
      this.platform.log(`accounts: a change could not be kept: ${failureOf(error).message}`)
    }
    this.#countsChanged()
  }

  #countsChanged(): void {
    const open = this.openAccounts.live.map(({ known, unread }) => ({
      ...known,
      unreadCount: unread.count,
      mentionCount: unread.mentions,
      personalCount: unread.personal,
    }))
    const closed = this.openAccounts.closed.map((known) => ({
      ...known,
      unreadCount: 0,
      mentionCount: 0,
      personalCount: 0,
    }))
    const all = withTitles(inChosenOrder([...open, ...closed], this.openAccounts.order))
    this.#accountList.set(inChosenOrder(all, this.#deviceSettings.current.organizationOrder))
    this.#shellChanged()
  }

  #shellChanged(): void {
    for (const listener of this.#shellListeners) listener()
  }

  #changeSettings(change: Parameters<AccountsStore['setDeviceSettings']>[0]): void {
    background(this.setDeviceSettings(change), (line) => this.platform.log(`settings: ${line}`))
  }

  withdrawNoticesOf(account: AccountId): void {
    this.#notices.withdraw(this.#notices.of(account))
  }

  setAttention(window: CallingWindow, focus: Focus | null, isActive: boolean): void {
    this.#attention.delete(window)
    if (!isActive) return
    this.#attention.set(window, focus)
    for (const { sync } of this.openAccounts.live) sync.personCame()
    if (this.#windows.has(window)) return
    this.#windows.add(window)
    window.onGone(() => this.#attention.delete(window))
  }

  setMetered(isMetered: boolean): void {
    this.#isMetered = isMetered
  }

  networkIsBack(): void {
    for (const account of this.openAccounts.live) account.networkIsBack()
  }

  async setDeviceSettings(change: Parameters<AccountsStore['setDeviceSettings']>[0]): Promise<void> {
    this.accounts.setDeviceSettings(change)
    if (change.spokenLanguage !== undefined) await speak(change.spokenLanguage)
    this.#deviceSettings.set(this.accounts.deviceSettings())
    if (change.organizationOrder !== undefined) this.#countsChanged()
    if (change.historyDepth !== undefined)
      for (const { sync } of this.openAccounts.live) sync.historyDepthChanged()
    this.#quiet.settingsChanged()
    this.#shellChanged()
  }

  /** When the first account notifies again; null if any account notifies now. */
  #quietUntil(): number | null {
    const now = this.platform.now()
    const ends = this.#accountList.current.map(({ id }) => quietUntil(this.#deviceSettings.current, id, now))
    const first = Math.min(...ends.map((end) => end ?? 0))
    return ends.length > 0 && first > 0 ? first : null
  }

  // The bridge for windows.

  call<N extends CallName>(
    name: N,
    input: CheckedCallOf<N>,
    window: CallingWindow = noWindow,
  ): Promise<CallResultOf<N>> {
    const handler = callHandlers[name]
    return handler(this, input, window)
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
      return this.openAccounts.watch(
        accountId,
        (live) => live.watchSyncState(update),
        (state) => update(JSON.stringify(state)),
      )
    }
    if (name === 'files') return this.openAccounts.watch(accountId, (live) => live.watchFiles(update))
    if (!isAccountQuery(name)) throw new Error(`no such query: ${name}`)
    return this.openAccounts.watch(accountId, (live) =>
      live.watch(name, params as CheckedParamsOf<AccountQueryName>, update),
    )
  }

  // The methods for hosts.

  async media(id: string, url: string, part: MediaPart | null = null): Promise<MediaAnswer | null> {
    return this.openAccounts.find(asAccountId(id))?.media.get(url, part) ?? null
  }

  openRequest(request: Parameters<Engine['openRequest']>[0]): void {
    const id = request.accountId ?? this.#accountList.current[0]?.id
    if (id === undefined) return
    this.#openRequest.set({
      kind: 'place',
      requestedAt: this.#nextRequestAt(),
      accountId: id,
      narrow: request.narrow,
      messageId: request.messageId,
      topicOf: request.topicOf,
    })
  }

  requestFind(): void {
    this.#openRequest.set({ kind: 'find', requestedAt: this.#nextRequestAt() })
  }

  #nextRequestAt(): number {
    return Math.max(this.platform.now(), (this.#openRequest.current?.requestedAt ?? 0) + 1)
  }

  noticeClicked(id: string): void {
    const notice = this.#notices.all.find((candidate) => candidate.id === id)
    if (notice === undefined) return
    const narrow = this.#notices.placeOf(notice)
    this.openRequest({
      accountId: notice.accountId,
      narrow,
      messageId: narrow === null ? null : (notice.messageIds[0] ?? null),
    })
  }

  noticeReplied(notice: Notice, text: string): void {
    this.#notices.reply(notice, text)
  }

  deviceSettings(): DeviceSettings {
    return this.#deviceSettings.current
  }

  shellState(): ShellState {
    const accounts = this.#accountList.current
    const { live } = this.openAccounts
    return {
      unreadCount: accounts.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
      badgeCount: live.reduce((sum, { unread }) => sum + unread.badge, 0),
      mentionCount: accounts.reduce((sum, { mentionCount }) => sum + mentionCount, 0),
      isOffline: live.some(({ sync }) => ['offline', 'unreachable'].includes(sync.link.status)),
      waitingCount: live.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
      notifies: this.#deviceSettings.current.notifications,
      quietUntil: this.#quietUntil(),
      isPaused: pausedUntil(this.#deviceSettings.current.pauses, null, this.platform.now()) !== null,
      accounts: accounts.map(({ id, title, baseUrl, unreadCount }) => ({
        id,
        name: title,
        baseUrl,
        unreadCount,
      })),
    }
  }

  setNotifications(on: boolean): void {
    this.#changeSettings({ notifications: on })
  }

  pauseNotifications(length: PauseLength | null): void {
    const { pauses, zone } = this.#deviceSettings.current
    const now = this.platform.now()
    const changed =
      length === null
        ? withoutPauses(pauses, null)
        : withPause(pauses, { accountId: null, until: endOfPause(length, now, zone) }, now)
    this.#changeSettings({ pauses: changed })
  }

  onShellState(listener: () => void): () => void {
    this.#shellListeners.add(listener)
    return () => this.#shellListeners.delete(listener)
  }

  close(): Promise<void> {
    // The next start does not know them, so a click on one would do nothing.
    this.#notices.withdraw(this.#notices.all)
    this.#ending.abort()
    this.openAccounts.end()
    this.accounts.close()
    return Promise.resolve()
  }
}

const isAccountQuery = (name: string): name is AccountQueryName => Object.hasOwn(accountQueries, name)
