import type { MarkdownIt } from 'markdown-it'
import { safeAddress } from './address.ts'
import { configureLinkify, findBareUrls } from './bare-url.ts'
import { markdownIt } from './libraries.ts'
import { findLinkifierMatches } from './linkifier.ts'
import type { MarkdownContext } from './render.ts'

let search: MarkdownIt['linkify'] | undefined

function linkSearch(): MarkdownIt['linkify'] {
  if (!search) {
    const Parser = markdownIt()
    search = new Parser().linkify
    configureLinkify(search)
  }
  return search
}

/**
 * The links of a topic, in the order in which they appear in it.
 *
 * Topics are plain text: only linkifiers and bare addresses count. An address without a scheme gets `https`.
 */
export function topicLinks(
  topic: string,
  linkifiers: MarkdownContext['linkifiers'],
): { text: string; url: string }[] {
  const matches = findLinkifierMatches(topic, linkifiers)
  const addresses = findBareUrls(topic, linkSearch())
    .filter(({ start, end }) => !matches.some((match) => start < match.end && match.start < end))
    .filter(({ url }) => /^https?:/i.test(url))
    .map(({ start, text }) => ({ start, text, url: /^https?:/i.test(text) ? text : `https://${text}` }))
  return [...matches, ...addresses]
    .filter(({ url }) => safeAddress(url, { realmUrl: 'https://topic.invalid' }) !== undefined)
    .sort((one, other) => one.start - other.start)
    .map(({ text, url }) => ({ text, url }))
}
