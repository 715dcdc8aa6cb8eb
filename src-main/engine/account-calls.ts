import { setImmediate as turn } from 'node:timers/promises'
import { refusedHere } from '../../src-shared/failure.ts'
import { userId, type AccountId } from '../../src-shared/ids.ts'
import type { AccountNetwork } from '../../src-shared/model/network.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { unsentTotal } from '../queries/storage.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import { addressesOf } from '../store/users.ts'
import { secretName } from './open-accounts.ts'
import {
  authorityNames,
  checkNetwork,
  keepNetwork,
  keepProxySecret,
  networkFor,
  readNetwork,
  withoutSecret,
} from './network-settings.ts'
import type { CallHandlers, EngineParts } from './calls.ts'
import { findOrganization, signIn, type NetworkAt, type SignedIn } from './sign-in.ts'
import { forgetSecrets, signOut } from './sign-out.ts'

/** The calls that add an account, remove one, or open one again with another key or network. */
export const accountCalls: Pick<
  CallHandlers,
  | 'find-organization'
  | 'sign-in'
  | 'read-network'
  | 'set-network'
  | 'sign-in-again'
  | 'sign-out'
  | 'start-demo'
> = {
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
