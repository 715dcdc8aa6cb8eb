import { release, type } from 'node:os'
import type { Action } from '../../src-shared/bridge/actions.ts'
import type { CallName, CallResultOf, CheckedCallOf } from '../../src-shared/bridge/calls.ts'
import type { CallingWindow } from '../../src-shared/bridge/serve.ts'
import { failureOf, refusedHere } from '../../src-shared/failure.ts'
import type { AccountId, DraftId } from '../../src-shared/ids.ts'
import { abilityFor, supports, withoutAbility } from '../../src-shared/model/server-abilities.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { TakenBack } from '../outbox/decisions.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { AccountsStore } from '../store/accounts-store.ts'
import { knownLevel } from '../store/cursor.ts'
import { accountQueries } from '../queries/index.ts'
import { keepReadingPlace } from '../store/reading-places.ts'
import { putUnsavedEdit } from '../store/unsaved-edits.ts'
import type { OpenAccounts } from './open-accounts.ts'
import { accountCalls } from './account-calls.ts'
import { appVersion } from './app-version.ts'
import { changeOwnEmail, changeOwnPassword, removeOwnPicture, setOwnPicture } from './own-account.ts'
import type { Platform } from './platform.ts'

/** What calls need from the engine. */
export interface EngineParts {
  readonly platform: Platform
  readonly accounts: AccountsStore
  readonly userAgent: string
  readonly openAccounts: OpenAccounts
  /** Aborted when the engine ends. */
  readonly ending: AbortSignal
  newAccountId(): AccountId
  noticeClicked(id: string): void
  /** The account is not on this device any more. */
  withdrawNoticesOf(account: AccountId): void
  /** What the person sees in a window; `isActive`: whether they are in it. */
  setAttention(window: CallingWindow, focus: Focus | null, isActive: boolean): void
  /** A window has reported whether the network is metered. */
  setMetered(isMetered: boolean): void
  /** Ends every wait for a next attempt, in all accounts. */
  networkIsBack(): void
  /** Writes the change to disk at once; resolves when a new language's catalogue is loaded. */
  setDeviceSettings(change: CheckedCallOf<'set-device-setting'>['settings']): Promise<void>
}

/** An account, and the open place in it. */
export interface Focus {
  readonly accountId: AccountId
  readonly narrow: Narrow | null
}

type Handler<N extends CallName> = (
  engine: EngineParts,
  input: CheckedCallOf<N>,
  window: CallingWindow,
) => Promise<CallResultOf<N>>

/** How often an undo is tried while it is not known whether the server has the message. */
const undoRounds = 20
/** The pause between two tries, in milliseconds. */
const undoRoundMs = 100

/** The type of the handler of every call, by name. */
export type CallHandlers = { readonly [N in CallName]: Handler<N> }

/** The handler of every call; a missing one does not compile. */
export const callHandlers: CallHandlers = {
  ...accountCalls,

  act: async (engine, { accountId, action }) => {
    const { outbox, store } = engine.openAccounts.account(accountId)
    demandAbility(knownLevel(store.db), action)
    return { localId: outbox.enqueue(action) }
  },
  'retry-outbox-item': async (engine, { accountId, localId }) => {
    engine.openAccounts.account(accountId).outbox.retry(localId)
    return null
  },
  'discard-outbox-item': async (engine, { accountId, localId }) => ({
    draftId: engine.openAccounts.account(accountId).outbox.discard(localId),
  }),
  'change-waiting': async (engine, { accountId, localId, change }) =>
    engine.openAccounts.account(accountId).outbox.changeWaiting(localId, change),
  'take-back-message': async (engine, { accountId, localId }) =>
    backToDraft(engine, accountId, (outbox, keep) => outbox.takeBack(localId, keep)),
  'undo-send': async (engine, { accountId, localId }) => {
    // Right after sending, the server's answer often comes within moments and decides whether an undo is possible.
    for (let rounds = 0; ; rounds++) {
      try {
        return backToDraft(engine, accountId, (outbox, keep) => outbox.undoSend(localId, keep))
      } catch (error) {
        if (rounds === undoRounds || !isOnItsWay(error)) throw error
        await engine.platform.wait(undoRoundMs, engine.ending)
      }
    }
  },
  ping: async (engine, { accountId }) => ({ ms: await engine.openAccounts.account(accountId).ping() }),
  'try-now': async (engine, { accountId }) => {
    await engine.openAccounts.tryNow(accountId)
    return null
  },

  'dismiss-file-notice': async (engine, { accountId }) => {
    engine.openAccounts.account(accountId).dismissFileNotice()
    return null
  },

  'begin-file': async (engine, { accountId, name, mediaType, size }, window) => {
    const { files } = engine.openAccounts.account(accountId)
    const fileId = files.begin(name, mediaType, size)
    window.onGone(() => files.interrupt(fileId))
    return { fileId }
  },
  'put-file-part': async (engine, { accountId, fileId, bytes }) => {
    engine.openAccounts.account(accountId).files.append(fileId, Buffer.from(bytes, 'base64'))
    return null
  },
  'cancel-file': async (engine, { accountId, fileId }) => {
    engine.openAccounts.account(accountId).files.cancel(fileId)
    return null
  },

  'set-own-picture': async (engine, { accountId, bytes, ...picture }) => {
    const { connection } = engine.openAccounts.account(accountId)
    await setOwnPicture(connection, { ...picture, bytes: Buffer.from(bytes, 'base64') })
    return null
  },
  'remove-own-picture': async (engine, { accountId }) => {
    await removeOwnPicture(engine.openAccounts.account(accountId).connection)
    return null
  },
  'change-own-email': async (engine, { accountId, email }) => {
    await changeOwnEmail(engine.openAccounts.account(accountId).connection, email)
    return null
  },
  'change-own-password': async (engine, { accountId, oldPassword, newPassword }) => {
    const { connection } = engine.openAccounts.account(accountId)
    await changeOwnPassword(connection, oldPassword, newPassword)
    return null
  },

  'save-draft': async (engine, { accountId, draftId, draft, basis, addressed }) =>
    engine.openAccounts.account(accountId).drafts.save(draftId, draft, basis, addressed),
  'leave-draft': async (engine, { accountId, draftId }) => {
    engine.openAccounts.account(accountId).drafts.leave(draftId)
    return null
  },
  'delete-draft': async (engine, { accountId, draftId }) => {
    engine.openAccounts.account(accountId).drafts.delete(draftId)
    return null
  },
  'restore-draft-version': async (engine, { accountId, draftId, number }) =>
    engine.openAccounts.account(accountId).drafts.restore(draftId, number),
  'resolve-draft-conflict': async (engine, { accountId, draftId, resolution }) => {
    const account = engine.openAccounts.account(accountId)
    if (resolution.kind === 'use')
      account.drafts.resolve(draftId, resolution.draft, resolution.shown, resolution.own)
    else account.drafts.keepBoth(draftId)
    return { draft: accountQueries.draft(account.queryContext(), { accountId, draftId }) }
  },

  'keep-edit': async (engine, { accountId, edited, edit }) => {
    const { store } = engine.openAccounts.account(accountId)
    store.write((db) => putUnsavedEdit(db, edited, edit, engine.platform.now()))
    return null
  },

  'load-older': async (engine, { accountId, narrow, before }) => ({
    loaded: await engine.openAccounts.account(accountId).sync.loadOlder(narrow, before),
  }),
  'load-newer': async (engine, { accountId, narrow, after }) => ({
    loaded: await engine.openAccounts.account(accountId).sync.loadNewer(narrow, after),
  }),
  'load-topics': async (engine, { accountId, channelId }) => ({
    known: await engine.openAccounts.account(accountId).sync.loadTopics(channelId),
  }),
  'load-subscribers': async (engine, { accountId, channelId }) => ({
    known: await engine.openAccounts.account(accountId).sync.loadSubscribers(channelId),
  }),
  'preview-message': async (engine, { accountId, content }) =>
    engine.openAccounts.account(accountId).preview(content),
  'preview-on-server': async (engine, { accountId, content }) => ({
    html: await engine.openAccounts.account(accountId).previewOnServer(content),
  }),
  'search-server': (engine, { accountId, text, before }) =>
    engine.openAccounts.account(accountId).searchServer(text, before),
  'message-history': (engine, { accountId, messageId }) =>
    engine.openAccounts.account(accountId).messageHistory(messageId),
  'read-receipts': async (engine, { accountId, messageId }) => ({
    people: await engine.openAccounts.account(accountId).readReceipts(messageId),
  }),
  'message-source': async (engine, { accountId, messageId }) => ({
    content: await engine.openAccounts.account(accountId).messageSource(messageId),
  }),
  'report-focus': async (engine, { focus, isActive }, window) => {
    engine.setAttention(window, focus, isActive)
    return null
  },
  'report-network': async (engine, { isMetered }) => {
    engine.setMetered(isMetered)
    return null
  },
  'network-is-back': async (engine) => {
    engine.networkIsBack()
    return null
  },
  'keep-place': async (engine, { accountId, narrow, place }) => {
    const { store } = engine.openAccounts.account(accountId)
    store.write((db) => keepReadingPlace(db, narrowKey(narrow), place, engine.platform.now()))
    return null
  },
  'report-typing': async (engine, { accountId, place, on }) => {
    await engine.openAccounts.account(accountId).reportTyping(place, on)
    return null
  },
  about: async (engine) => ({
    version: appVersion,
    runtime: runtimeName(),
    dataDirectory: engine.platform.dataDirectory,
  }),
  'open-notice': async (engine, { id }) => {
    engine.noticeClicked(id)
    return null
  },
  'open-link': async (engine, { url }) => {
    // Only what a browser, a mail program or a telephone opens; a link must not start another program or read a file.
    const isSafe = URL.canParse(url) && ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(url).protocol)
    if (!isSafe) {
      throw refusedHere('UNSAFE_LINK', t.failures.unsafeLink)
    }
    engine.platform.openExternal(url)
    return null
  },
  'set-device-setting': async (engine, { settings }) => {
    await engine.setDeviceSettings(settings)
    return null
  },
}

const onItsWay = 'ON_ITS_WAY'
const isOnItsWay = (error: unknown) => {
  const failure = failureOf(error)
  return failure.kind === 'rejected' && failure.code === onItsWay
}

/** Turns a message into a draft, in one transaction: the text is always in the outbox or in the drafts. */
function backToDraft(
  engine: EngineParts,
  accountId: AccountId,
  take: (outbox: Outbox, keep: (taken: TakenBack) => DraftId) => DraftId | null,
): { draftId: DraftId } {
  const { outbox, drafts } = engine.openAccounts.account(accountId)
  const draftId = take(
    outbox,
    ({ conversation, content }) => drafts.save(null, { recipient: conversation, content }).draftId,
  )
  if (draftId === null) throw refusedHere(onItsWay, t.failures.onItsWay)
  return { draftId }
}

const runtimeName = (): string => {
  const { electron, node } = process.versions
  return `${electron === undefined ? `Node ${node}` : `Electron ${electron}`}, ${type()} ${release()} (${process.arch})`
}

/** Throws a refusal if the server is too old for the action, which would otherwise wait in the outbox for nothing. */
export function demandAbility(featureLevel: number, action: Action): void {
  if (supports(featureLevel, action)) return
  const needed = abilityFor(action)
  const lost = needed === null ? null : withoutAbility(needed)
  const { older, olderAndCannot } = t.failures.server
  throw refusedHere('NOT_ON_THIS_SERVER', lost === null ? olderAndCannot : older(lost))
}
