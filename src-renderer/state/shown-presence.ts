import type { Person, Presence } from '../../src-shared/model/user.ts'

/**
 * What the dot beside a person says: null for a bot and for somebody whose account is closed, who are never there. While
 * the server is away, nobody is known to be there.
 */
export const shownPresence = (
  { isBot, isActive, presence }: Pick<Person, 'isBot' | 'isActive' | 'presence'>,
  isOnline = true,
): Presence | null => (isBot || !isActive ? null : isOnline ? presence : 'offline')
