import { channelId, messageId, userId, type MessageId } from '../ids.ts'
import type { Narrow } from './narrow.ts'

/** The target of a link to a conversation or message. */
export interface LinkedPlace {
  readonly narrow: Narrow
  /** The message to show; null if the link names none. */
  readonly near: MessageId | null
  /** A message of the topic that is meant, which may have been renamed since; null if the link names none. */
  readonly topicOf: MessageId | null
}

/** The hash encoding of links between messages: percent-encoding with dots instead of percent signs. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part.replace(/\./g, '%'))
  } catch {
    return part
  }
}

const isId = (id: number) => Number.isSafeInteger(id) && id > 0

const ids = (part: string) =>
  part
    .replace(/-.*$/, '')
    .split(',')
    .map(Number)
    .filter((id) => isId(id))

/** One term of a link, decoded. People and channels are named by an id and, for readers, words. */
export interface LinkTerm {
  readonly operator: string
  readonly operand: string
  readonly isNegated: boolean
}

/**
 * The terms of a link of the service (`…#narrow/…`), in order; null if it is not such a link. The empty topic may be
 * left out before the number of a message: `…/topic/with/214` is the same as `…/topic//with/214`.
 */
export function linkTerms(href: string): LinkTerm[] | null {
  const match = /#narrow\/(.+)$/.exec(href)
  if (match?.[1] === undefined) return null
  const parts = match[1].split('/')
  const topic = parts.findIndex((part, index) => index % 2 === 0 && /^-?(topic|subject)$/.test(part))
  const isLeftOut = topic >= 0 && /^(with|near)\/\d+$/.test(parts.slice(topic + 1).join('/'))
  if (isLeftOut) parts.splice(topic + 1, 0, '')
  const terms: LinkTerm[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const operator = parts[index] ?? ''
    terms.push({
      operator: operator.replace(/^-/, ''),
      operand: decode(parts[index + 1] ?? ''),
      isNegated: operator.startsWith('-'),
    })
  }
  return terms
}

/** The host of an address, with the port unless it is the default one; null if there is no host. */
function hostOf(address: string): string | null {
  const match = /^(?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#@\\]+)/i.exec(address)
  return match?.[1]?.toLowerCase().replace(/:(?:443|80)?$/, '') ?? null
}

/**
 * The account in which a link opens: the account of the text that contains it, or an account that is signed in to the
 * organization that the link names; null if it leads to neither. `own` is the account to which relative links belong.
 * If several accounts are in the same organization, `own` is preferred.
 */
export function linkOwner<Id extends string>(
  href: string,
  accounts: readonly { readonly id: Id; readonly baseUrl: string }[],
  own: Id | null,
): Id | null {
  if (!/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return own
  const host = hostOf(href)
  const ofHost = host === null ? [] : accounts.filter(({ baseUrl }) => hostOf(baseUrl) === host)
  return (ofHost.find(({ id }) => id === own) ?? ofHost[0])?.id ?? null
}

/** The place that a link of the service (`…#narrow/channel/4-tides/topic/…`) names; null if it names none. */
export function placeFromLink(href: string): LinkedPlace | null {
  const named = linkTerms(href)?.filter(({ isNegated }) => !isNegated)
  if (named === undefined) return null
  const terms = new Map(named.map(({ operator, operand }) => [operator, operand]))
  const message = (operator: string) => {
    const id = Number(terms.get(operator))
    return isId(id) ? messageId(id) : null
  }
  const messages = { near: message('near'), topicOf: message('with') }
  const channel = terms.get('channel') ?? terms.get('stream')
  if (channel !== undefined) {
    const [id] = ids(channel)
    if (id === undefined) return null
    const topic = terms.get('topic') ?? terms.get('subject')
    return {
      ...messages,
      narrow:
        topic === undefined
          ? { kind: 'channel', channelId: channelId(id) }
          : { kind: 'topic', channelId: channelId(id), topic },
    }
  }
  const people = terms.get('dm') ?? terms.get('pm-with')
  if (people === undefined || ids(people).length === 0) return null
  return { ...messages, narrow: { kind: 'direct', userIds: ids(people).map(userId) } }
}

/** The inverse of `decode`: safe in the hash of every client of the service. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[.!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}

/** A link to a channel, without the server's address. The name is for human readers; null omits it. */
export function channelLink(id: number, name: string | null): string {
  return `#narrow/channel/${id}${name === null ? '' : `-${encode(name.replaceAll(' ', '-'))}`}`
}

/** A link to a topic, without the server's address. */
export function topicLink(id: number, channelName: string | null, topic: string): string {
  return `${channelLink(id, channelName)}/topic/${encode(topic)}`
}
