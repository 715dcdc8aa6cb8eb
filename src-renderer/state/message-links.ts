import { channelId, messageId, userId, type AccountId } from '../../src-shared/ids.ts'
import type { Route } from './route.svelte.ts'

/** The hash encoding of links between messages: percent-encoding with dots for percent signs. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part.replace(/\./g, '%'))
  } catch {
    return part
  }
}

const numbers = (part: string) =>
  part
    .replace(/-.*$/, '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id))

/** Where a link of the service leads inside the app, or null when it leads outside. */
export function routeFromLink(href: string, account: AccountId): Route | null {
  const match = /#narrow\/(.+)$/.exec(href)
  if (match?.[1] === undefined) return null
  const parts = match[1].split('/')
  const terms = new Map<string, string>()
  for (let index = 0; index + 1 < parts.length; index += 2)
    terms.set(parts[index] ?? '', parts[index + 1] ?? '')
  const nearText = terms.get('near') ?? terms.get('with')
  const near = nearText === undefined ? null : messageId(Number(nearText))
  const channel = terms.get('channel') ?? terms.get('stream')
  const feed = (narrow: Extract<Route, { view: 'feed' }>['narrow']): Route => ({
    view: 'feed',
    accountId: account,
    narrow,
    near,
  })
  if (channel !== undefined) {
    const [id] = numbers(channel)
    if (id === undefined) return null
    const topic = terms.get('topic') ?? terms.get('subject')
    return topic === undefined
      ? feed({ kind: 'channel', channelId: channelId(id) })
      : feed({ kind: 'topic', channelId: channelId(id), topic: decode(topic) })
  }
  const people = terms.get('dm') ?? terms.get('pm-with')
  return people === undefined ? null : feed({ kind: 'direct', userIds: numbers(people).map(userId) })
}
