/** How many messages are remembered; the oldest are forgotten first. */
const most = 500
const byMessage = new Map<string, Set<string>>()

/**
 * What the reader opened in a message: spoilers, folded code, a long text. It is kept while the window is open, because
 * a message leaves the page when it is scrolled away.
 */
export function openedIn(accountId: string, messageId: number): Set<string> {
  const key = `${accountId}:${messageId}`
  const opened = byMessage.get(key) ?? new Set<string>()
  byMessage.delete(key)
  byMessage.set(key, opened)
  const [oldest] = byMessage.keys()
  if (byMessage.size > most && oldest !== undefined) byMessage.delete(oldest)
  return opened
}
