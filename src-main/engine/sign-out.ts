import { background } from '../../src-shared/background.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import { removeAccountFile } from '../store/account-file.ts'
import { secretName } from './open-accounts.ts'
import type { EngineParts } from './calls.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import { proxySecretName } from './network-settings.ts'

/** How long until a removal that the device refused is tried again, in milliseconds. */
const retryMs = 15_000

/**
 * Removes an account from this device: its entry in the list, its keys, its file and its device settings.
 *
 * 1. If the list cannot be changed, the account is opened again, and this rejects.
 * 2. Otherwise the list marks the account as leaving first. What the device refuses to remove is removed later, also
 *    after a restart.
 */
export async function signOut(engine: EngineParts, known: KnownAccount): Promise<void> {
  const { id } = known
  engine.openAccounts.close(id)
  try {
    engine.accounts.leave(id)
  } catch (error) {
    await engine.openAccounts.open(known)
    throw error
  }
  engine.withdrawNoticesOf(id)
  await removeLocalData(engine, id)
  try {
    await forgetSettings(engine, id)
  } catch (error) {
    // Settings of an account that no longer exists do no harm.
    engine.platform.log(`settings: ${failureOf(error).message}`)
  }
}

/** Removes what earlier sign-outs left behind; other files in the directory are not touched. */
export async function finishSignOuts(engine: EngineParts): Promise<void> {
  for (const id of engine.accounts.leaving()) await removeLocalData(engine, id)
}

async function removeLocalData(engine: EngineParts, id: AccountId): Promise<void> {
  try {
    await deleteSecrets(engine, id)
    removeAccountFile(engine.openAccounts.filePath(id))
    engine.accounts.hasLeft(id)
  } catch (error) {
    if (engine.ending.aborted) return
    engine.platform.log(`sign-out: not everything could be removed yet: ${failureOf(error).message}`)
    later(engine, () => removeLocalData(engine, id))
  }
}

/** Deletes the keys of an account that could not be added. Retries, because even this may fail on a full disk. */
export async function forgetSecrets(engine: EngineParts, id: AccountId): Promise<void> {
  try {
    await deleteSecrets(engine, id)
  } catch (error) {
    engine.platform.log(`keychain: ${failureOf(error).message}`)
    later(engine, () => forgetSecrets(engine, id))
  }
}

async function deleteSecrets({ platform }: EngineParts, id: AccountId): Promise<void> {
  await platform.secrets.delete(secretName(id))
  await platform.secrets.delete(proxySecretName(id))
}

function later({ platform, ending }: EngineParts, work: () => Promise<void>): void {
  const waited = platform.wait(retryMs, ending).then(() => (ending.aborted ? undefined : work()))
  background(waited, (line) => platform.log(`sign-out: ${line}`))
}

async function forgetSettings(engine: EngineParts, id: AccountId): Promise<void> {
  const { savedSearches, pauses, quietHours, organizationOrder } = engine.accounts.deviceSettings()
  await engine.setDeviceSettings({
    savedSearches: savedSearches.filter((search) => search.accountId !== id),
    pauses: pauses.filter((pause) => pause.accountId !== id),
    organizationOrder: organizationOrder.filter((one) => one !== id),
    ...(quietHours.accountId === id ? { quietHours: { ...quietHours, isOn: false, accountId: null } } : {}),
  })
}
