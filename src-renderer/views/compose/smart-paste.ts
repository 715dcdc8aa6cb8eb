import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { linkOwner, linkTerms, placeFromLink } from '../../../src-shared/model/message-link.ts'
import { linkedNarrow } from '../../state/navigation/linked-narrow.ts'
import { once } from '../../state/data/once.ts'
import { channelText, topicText } from './completion-text.ts'
import type { SelectedText } from './format-text.ts'
import { linkLabel } from './link-label.ts'
import { isInCode } from './trigger.ts'

/** Whether a text is a web address and nothing else. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s<>]+$/i.test(text.trim())

/**
 * Turns the selected words into a link to an address. Null where a link is not wanted: nothing is selected, the
 * selection is an address to be replaced, spans several lines, or is code.
 */
export function linkedSelection({ value, start, end }: SelectedText, address: string): SelectedText | null {
  const words = value.slice(start, end)
  if (words.trim() === '' || /\n/.test(words) || isWebAddress(words) || isInCode(value, start)) return null
  const [, before = '', label = '', after = ''] = /^(\s*)(.*?)(\s*)$/.exec(words) ?? []
  // A parenthesis would end the link too early.
  const target = address.trim().replaceAll('(', '%28').replaceAll(')', '%29')
  const link = `${before}[${linkLabel(label)}](${target})${after}`
  const next = start + link.length
  return { value: value.slice(0, start) + link + value.slice(end), start: next, end: next }
}

const placeOperators = new Set(['channel', 'stream', 'topic', 'subject', 'near', 'with'])

/**
 * The Markdown link to the channel, topic or message that an address in the account's own organization leads to, under
 * the topic's present name; null for other addresses, and for a channel that this device does not know.
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
  const narrow = await linkedNarrow(place, bridge, own)
  if (narrow.kind !== 'channel' && narrow.kind !== 'topic') return null
  const channel = await once(bridge, 'channel', { accountId, channelId: narrow.channelId })
  if (channel === null) return null
  if (narrow.kind === 'channel') return channelText(channel)
  return topicText(channel, narrow.topic, place.near)
}
