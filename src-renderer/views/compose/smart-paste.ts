import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { linkOwner, linkTerms, placeFromLink } from '../../../src-shared/model/message-link.ts'
import { once } from '../../state/once.ts'
import { channelText, topicText } from './completion-text.ts'
import type { SelectedText } from './format-text.ts'
import { isInCode } from './trigger.ts'

/** Whether a text is a web address and nothing else. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s<>]+$/i.test(text.trim())

/**
 * The text with its selected words as a link to an address; null where that is not what is meant: nothing selected, an
 * address that another is to take the place of, several lines, or code.
 */
export function linkedSelection({ value, start, end }: SelectedText, address: string): SelectedText | null {
  const words = value.slice(start, end)
  if (words.trim() === '' || /\n/.test(words) || isWebAddress(words) || isInCode(value, start)) return null
  const [, before = '', label = '', after = ''] = /^(\s*)(.*?)(\s*)$/.exec(words) ?? []
  // A bracket would end the link too early.
  const target = address.trim().replaceAll('(', '%28').replaceAll(')', '%29')
  const link = `${before}[${label.replace(/[[\]]/g, '\\$&')}](${target})${after}`
  const next = start + link.length
  return { value: value.slice(0, start) + link + value.slice(end), start: next, end: next }
}

const placeOperators = new Set(['channel', 'stream', 'topic', 'subject', 'near', 'with'])

/**
 * How a message links to the channel, topic or message that an address of the account's own organization leads to;
 * null when it leads elsewhere, or to a channel that this device does not know.
 */
export async function shortLink(address: string, bridge: Bridge, accountId: string): Promise<string | null> {
  const href = address.trim()
  const terms = linkTerms(href)
  if (terms === null) return null
  if (!terms.every(({ operator, isNegated }) => placeOperators.has(operator) && !isNegated)) return null
  const place = placeFromLink(href)
  const accounts = await once(bridge, 'accounts', {})
  const own = accounts.find(({ id }) => id === accountId)?.id
  if (place === null || own === undefined || linkOwner(href, accounts, own) !== own) return null
  const { narrow } = place
  if (narrow.kind !== 'channel' && narrow.kind !== 'topic') return null
  const channel = await once(bridge, 'channel', { accountId, channelId: narrow.channelId })
  if (channel === null) return null
  if (narrow.kind === 'channel') return channelText(channel)
  // A link that follows the topic names a message too, which is not meant itself.
  const isMessage = terms.some(({ operator }) => operator === 'near')
  return topicText(channel, narrow.topic, isMessage ? place.near : null)
}
