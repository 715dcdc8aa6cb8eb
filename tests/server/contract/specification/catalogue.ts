/**
 * What the specification says, in its order and in our words: each statement with the tests that carry it. A statement
 * that no service can keep or break says why instead.
 */
export type Statement =
  | readonly [says: string, test: string, ...more: string[]]
  | readonly [says: string, idle: { readonly why: string }]

/** A section of the specification, by its own heading. */
export interface Section {
  readonly title: string
  readonly statements: readonly Statement[]
}

export const section = (title: string, ...statements: readonly Statement[]): Section => ({
  title,
  statements,
})

/** What a statement is about when no test of a service can be. */
export const idle = {
  client: { why: 'what a client does with it' },
  elsewhere: { why: 'another section says it' },
  provider: { why: 'no account here has a picture of a third party, so the choice changes nothing' },
  none: { why: 'no account of another provider opens this service' },
  past: { why: 'nothing was recorded before' },
} as const
