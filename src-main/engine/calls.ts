import { release, type } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import type { Action } from '../../src-shared/bridge/actions.ts'
import type { CallName, CallResultOf, CheckedCallOf } from '../../src-shared/bridge/calls.ts'
import type { CallingWindow } from '../../src-shared/bridge/serve.ts'
import { failureOf, refusedHere } from '../../src-shared/failure.ts'
import { userId, type AccountId, type DraftId } from '../../src-shared/ids.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { abilityFor, supports, withoutAbility } from '../../src-shared/model/server-abilities.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { unsentTotal } from '../queries/storage.ts'
import type { AccountsStore, KnownAccount } from '../store/accounts-store.ts'
import { knownLevel } from '../store/cursor.ts'
import { accountQueries } from '../queries/index.ts'
import { keepReadingPlace } from '../store/reading-places.ts'
import { putUnsavedEdit } from '../store/unsaved-edits.ts'
import { addressesOf } from '../store/users.ts'
import { secretName, type OpenAccounts } from './open-accounts.ts'
import { appVersion } from './app-version.ts'
import { changeOwnEmail, changeOwnPassword, removeOwnPicture, setOwnPicture } from './own-account.ts'
import type { Platform } from './platform.ts'
import {
  authorityNames,
  checkNetwork,
  keepNetwork,
  keepProxySecret,
  networkFor,
  readNetwork,
  withoutSecret,
} from './network-settings.ts'
import { findOrganization, signIn, type NetworkAt, type SignedIn } from './sign-in.ts'
import { forgetSecrets, signOut } from './sign-out.ts'

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

/** The handler of every call, by name; a missing one does not compile. */
export const callHandlers: { readonly [N in CallName]: Handler<N> } = {
  'find-organization': async (engine, { address, network }) => {
    checkNetwork(network)
    return findOrganization(address, engine.userAgent, networkAt(engine, network))
  },
  'sign-in': async (engine, { baseUrl, credentials, network }) => {
    checkNetwork(network)
    const at = networkAt(engine, network)
    const organization = await findOrganization(baseUrl, engine.userAgent, at)
    const signedIn = await signIn(organization.baseUrl, credentials, engine.userAgent, at)
    const id = await addAccount(engine, signedIn, { ...organization, isDemo: false }, network)
    return { accountId: id }
  },
  'read-network': async (engine, { accountId }) => {
    const network = await readNetwork(engine, accountId)
    const known = engine.accounts.all().find(({ id }) => id === accountId)
    const presentProxy =
      known === undefined ? null : await networkFor(engine.platform, known.baseUrl, network).proxy()
    return {
      network,
      authorities: network.certificates === null ? [] : authorityNames(network.certificates),
      presentProxy: presentProxy === null ? null : withoutSecret(presentProxy)[0],
    }
  },
  'set-network': async (engine, { accountId, network }) => {
    checkNetwork(network)
    const known = listed(engine, accountId)
    await keepNetwork(engine, accountId, network)
    await demandListed(engine, accountId)
    // A live account never changes: it is opened again with the new network.
    await engine.openAccounts.open(known)
    return null
  },
  'sign-in-again': async (engine, { accountId, credentials }) => {
    const { known } = engine.openAccounts.account(accountId)
    const at = networkAt(engine, await readNetwork(engine, accountId))
    const signedIn = await signIn(known.baseUrl, credentials, engine.userAgent, at)
    if (signedIn.userId !== known.userId) {
      throw refusedHere('OTHER_PERSON', t.failures.signIn.keyOfAnother(known.fullName))
    }
    await demandListed(engine, accountId)
    await engine.platform.secrets.set(secretName(accountId), signedIn.apiKey)
    await demandListed(engine, accountId)
    // A live account never changes: it is opened again with the new key.
    await engine.openAccounts.open({ ...known, email: signedIn.email })
    await demandListed(engine, accountId)
    engine.accounts.put({ ...known, email: signedIn.email })
    return null
  },
  'sign-out': async (engine, { accountId, discard }) => {
    const known = listed(engine, accountId)
    // What waits in a file that cannot be opened cannot be counted.
    const store = engine.openAccounts.find(accountId)?.store
    const waiting = store === undefined ? null : unsentTotal(store.db)
    if (!discard && waiting !== 0) {
      const { mightDiscard, wouldDiscard } = t.failures
      throw refusedHere('THINGS_WAIT', waiting === null ? mightDiscard : wouldDiscard(waiting))
    }
    await signOut(engine, known)
    return null
  },
  'start-demo': async (engine) => {
    const { startDemo } = engine.platform
    if (startDemo === null) {
      throw refusedHere('NO_DEMO_HERE', t.failures.noDemo)
    }
    const demo = await startDemo()
    // The demo runs on this machine.
    const network: AccountNetwork = { proxy: { kind: 'none' }, certificates: null }
    const at = networkAt(engine, network)
    const organization = await findOrganization(demo.baseUrl, engine.userAgent, at)
    const signedIn = await signIn(
      organization.baseUrl,
      { kind: 'api-key', email: demo.email, apiKey: demo.apiKey },
      engine.userAgent,
      at,
    )
    return { accountId: await addAccount(engine, signedIn, { ...organization, isDemo: true }, network) }
  },

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
    backToDraft(engine, accountId, (outbox) => outbox.takeBack(localId)),
  'undo-send': async (engine, { accountId, localId }) => {
    // Right after sending, the server's answer often comes within moments and decides whether an undo is possible.
    for (let rounds = 0; ; rounds++) {
      try {
        return backToDraft(engine, accountId, (outbox) => outbox.undoSend(localId))
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
  take: (outbox: Outbox) => ReturnType<Outbox['takeBack']>,
): { draftId: DraftId } {
  const { outbox, drafts, store } = engine.openAccounts.account(accountId)
  const draftId = store.write(() => {
    const taken = take(outbox)
    if (taken === null) {
      throw refusedHere(onItsWay, t.failures.onItsWay)
    }
    return drafts.save(null, { recipient: taken.conversation, content: taken.content }).draftId
  })
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

const networkAt =
  (engine: EngineParts, network: AccountNetwork): NetworkAt =>
  (baseUrl) =>
    networkFor(engine.platform, baseUrl, network)

/** The account as the list has it. Throws a refusal if it is not on this device. */
function listed(engine: EngineParts, accountId: AccountId): KnownAccount {
  const known = engine.accounts.all().find(({ id }) => id === accountId)
  if (known === undefined) throw refusedHere('NO_SUCH_ACCOUNT', t.failures.noSuchAccount)
  return known
}

/** Throws a refusal, and deletes the secrets that may have been stored since, if an account was signed out meanwhile. */
async function demandListed(engine: EngineParts, accountId: AccountId): Promise<void> {
  if (engine.accounts.all().some(({ id }) => id === accountId)) return
  await forgetSecrets(engine, accountId)
  throw refusedHere('NO_SUCH_ACCOUNT', t.failures.noSuchAccount)
}

async function addAccount(
  engine: EngineParts,
  signedIn: SignedIn,
  organization: { baseUrl: string; name: string; iconUrl: string | null; isDemo: boolean },
  network: AccountNetwork,
): Promise<AccountId> {
  const email = signedIn.email.toLowerCase()
  // The same address with another user id, or the reverse, is another person: the server was set up anew, or the address
  // was given to somebody else. They get an account of their own, and the data of the earlier person stays in the earlier
  // account. But one person has two addresses, and may sign in with either.
  const before = engine.accounts.all().find((known) => {
    const db = engine.openAccounts.find(known.id)?.store.db
    const own = db === undefined ? undefined : addressesOf(db, known.userId)
    const addresses = [known.email, own?.email, own?.deliveryEmail].map((one) => one?.toLowerCase())
    const isThere = known.baseUrl === organization.baseUrl && addresses.includes(email)
    // The demo may start on another port next time; it is still the same account.
    return known.userId === signedIn.userId && (isThere || (organization.isDemo && known.isDemo))
  })
  const id = before?.id ?? engine.newAccountId()
  const known: KnownAccount = {
    id,
    baseUrl: organization.baseUrl,
    email: signedIn.email,
    userId: userId(signedIn.userId),
    fullName: signedIn.fullName,
    organizationName: organization.name,
    organizationIconUrl: organization.iconUrl,
    isDemo: organization.isDemo,
  }
  try {
    await engine.platform.secrets.set(secretName(id), signedIn.apiKey)
    const kept = await keepProxySecret(engine, id, network)
    await turn()
    engine.accounts.put(known, kept)
  } catch (error) {
    if (before === undefined) await forgetSecrets(engine, id)
    throw error
  }
  await engine.openAccounts.open(known)
  return id
}
