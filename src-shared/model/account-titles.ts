import type { Account } from './account.ts'

/**
 * Gives each account a title that distinguishes it. If several organizations have one name, the person's name is added;
 * if that is the same, too, also the server or, for two accounts there, the email address; the whole address of the
 * server if even that is the same.
 */
export function withTitles(accounts: readonly Omit<Account, 'title'>[]): Account[] {
  return accounts.map((account) => {
    const titles = titlesOf(account)
    const others = accounts.filter(({ id }) => id !== account.id).map(titlesOf)
    const own = titles.findIndex((title, at) => others.every((other) => other[at] !== title))
    return { ...account, title: titles.at(own) ?? account.organizationName }
  })
}

/** Ever longer titles of an account. */
function titlesOf({ organizationName, fullName, baseUrl, email }: Omit<Account, 'title'>): string[] {
  const address = baseUrl.replace(/^\w+:\/\//, '')
  const server = address.replace(/\/.*/, '')
  const person = `${organizationName}, ${fullName}`
  return [organizationName, person, ...[server, email, address].map((last) => `${person}, ${last}`)]
}

/** What the title of an account adds to the name of its organization; null if that is enough. */
export const distinctionOf = ({ title, organizationName }: Account): string | null =>
  title === organizationName ? null : title.slice(`${organizationName}, `.length)

/** The part of an account's title that distinguishes it, without what others have, too: for where there is little room. */
export function lastOfTitle({ title, organizationName, fullName }: Account): string {
  const shared = [`${organizationName}, ${fullName}, `, `${organizationName}, `]
  return title.slice(shared.find((start) => title.startsWith(start))?.length ?? 0)
}
