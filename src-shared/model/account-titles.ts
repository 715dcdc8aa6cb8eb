import type { Account } from './account.ts'

/**
 * Gives each account a title that distinguishes it. If several are in one organization, the person's name is added.
 */
export function withTitles(accounts: readonly Omit<Account, 'title'>[]): Account[] {
  return accounts.map((account) => {
    const { id, organizationName: name, fullName } = account
    const isAlone = accounts.every((other) => other.id === id || other.organizationName !== name)
    return { ...account, title: isAlone ? name : `${name}, ${fullName}` }
  })
}
