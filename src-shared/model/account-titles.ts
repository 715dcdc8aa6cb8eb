import type { Account } from './account.ts'

/** Each with a title that tells it from the others: of several in one organization, who it is stands behind its name. */
export function withTitles(accounts: readonly Omit<Account, 'title'>[]): Account[] {
  return accounts.map((account) => {
    const { id, organizationName: name, fullName } = account
    const isAlone = accounts.every((other) => other.id === id || other.organizationName !== name)
    return { ...account, title: isAlone ? name : `${name}, ${fullName}` }
  })
}
