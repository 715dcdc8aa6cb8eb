import type { Account } from './account.ts'

/**
 * Gives each account a title that distinguishes it. If several organizations have one name, the person's name is added;
 * if that is the same, too, also the server or, for two accounts there, the address.
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
  const server = /^\w+:\/\/([^/]+)/.exec(baseUrl)?.[1] ?? baseUrl
  const person = `${organizationName}, ${fullName}`
  return [organizationName, person, `${person}, ${server}`, `${person}, ${email}`]
}

/** What the title of an account adds to the name of its organization; null if that is enough. */
export const distinctionOf = ({ title, organizationName }: Account): string | null =>
  title === organizationName ? null : title.slice(`${organizationName}, `.length)
