import { linkOwner, placeFromLink, type LinkedPlace } from '../../src-shared/model/message-link.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { ShellAccount } from './shell-state.ts'

/** The scheme that this app is registered for. */
export const deepLinkScheme = 'dunlin'

const longestLink = 4_000

/** A place in an account. */
export interface DeepLink extends LinkedPlace {
  readonly accountId: AccountId
}

/**
 * The place that a link from outside leads to: `dunlin://<host>/#narrow/…`, or a web link of an organization with a
 * signed-in account. Null for any other link; a link can only open places, never do anything.
 */
export function deepLink(text: string, accounts: readonly ShellAccount[]): DeepLink | null {
  if (text.length > longestLink || !URL.canParse(text)) return null
  const url = new URL(text)
  if (![`${deepLinkScheme}:`, 'https:', 'http:'].includes(url.protocol)) return null
  const accountId = linkOwner(text, accounts, null)
  const place = placeFromLink(url.hash)
  return accountId === null || place === null ? null : { ...place, accountId }
}

/** The first deep link among a program's arguments; systems add arguments of their own. */
export function linkAmong(args: readonly string[]): string | null {
  return args.find((arg) => arg.startsWith(`${deepLinkScheme}://`)) ?? null
}
