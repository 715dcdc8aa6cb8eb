import type { FrequentPerson } from '../../../src-shared/model/user.ts'

/** A person of one organization in the list over all of them. */
export interface FrequentRow<A> {
  readonly key: string
  readonly account: A
  readonly person: FrequentPerson
  /** Whether another row has the same name, so that each has to say where it is from. */
  readonly isNamesake: boolean
}

/** The people with whom somebody writes most in any of these organizations, most messages first. */
export function mostFrequent<A extends { readonly id: string }>(
  groups: readonly { readonly account: A; readonly people: readonly FrequentPerson[] }[],
  limit: number,
): FrequentRow<A>[] {
  const rows = groups
    .flatMap(({ account, people }) => people.map((person) => ({ account, person })))
    .toSorted((a, b) => b.person.messageCount - a.person.messageCount)
    .slice(0, limit)
  return rows.map(({ account, person }) => ({
    key: `${account.id} ${person.userId}`,
    account,
    person,
    isNamesake: rows.filter((row) => row.person.fullName === person.fullName).length > 1,
  }))
}
