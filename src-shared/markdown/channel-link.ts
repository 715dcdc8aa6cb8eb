import type { MarkdownIt, StateInline } from 'markdown-it'
import { formerEmptyTopic } from '../topic-names.ts'
import { element, escapeHtml } from './html.ts'
import type { MarkdownContext } from './render.ts'
import { pushHtml, scopeOf } from './scope.ts'

/** An operand in a `#narrow` address: percent-encoded, with dots instead of percent signs. */
function encodeHashOperand(operand: string): string {
  return encodeURIComponent(operand.toWellFormed())
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}

/** `9-general-chat`: readers parse the number only, the rest is for people. */
function channelSlug(channel: { id: number; name: string }): string {
  return encodeHashOperand(`${channel.id}-${channel.name.replaceAll(' ', '-')}`)
}

const linkMark = /#\*\*([^*>\n]{1,120})(?:>([^*\n]{0,130}))?\*\*/y
const allowedBefore = /(?:^|[\s'"(,:<[])$/

function linkHtml(
  channelName: string,
  rest: string | undefined,
  context: MarkdownContext,
): string | undefined {
  const channel = context.channelByName(channelName)
  if (!channel) return undefined
  const base = `/#narrow/channel/${channelSlug(channel)}`
  const id = { 'data-stream-id': String(channel.id) }
  const label = escapeHtml(`#${channel.name}`)
  if (rest === undefined) return element('a', { class: 'stream', ...id, href: base }, label)

  const [, typedTopic = rest, near] = /^(.*)@(\d{1,10})$/.exec(rest) ?? []
  const isEmpty = ['', formerEmptyTopic, context.emptyTopicDisplayName.toLowerCase()].includes(
    typedTopic.toLowerCase(),
  )
  const topic = isEmpty ? '' : typedTopic
  const name = isEmpty ? element('em', {}, escapeHtml(context.emptyTopicDisplayName)) : escapeHtml(topic)
  const title = `${label} &gt; ${name}`
  const topicHref = `${base}/topic/${encodeHashOperand(topic)}`
  if (near !== undefined) {
    return element('a', { class: 'message-link', ...id, href: `${topicHref}/near/${near}` }, `${title} @ 💬`)
  }
  const latest = context.latestMessageInTopic(channel.id, topic)
  // For the empty topic the service writes one slash here and two in links to a message; clients accept both.
  const href = latest === undefined ? topicHref : `${isEmpty ? `${base}/topic` : topicHref}/with/${latest}`
  return element('a', { class: 'stream-topic', ...id, href }, title)
}

function channelLink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charAt(pos) !== '#' || state.linkLevel > 0) return false
  if (!allowedBefore.test(src.slice(Math.max(0, pos - 1), pos))) return false
  linkMark.lastIndex = pos
  const match = linkMark.exec(src)
  const end = pos + (match?.[0].length ?? 0)
  if (!match || end > state.posMax) return false
  const html = linkHtml(match[1] ?? '', match[2], scopeOf(state.env).context)
  // A channel that the sender cannot see must look like one that does not exist: the text stays as it was typed.
  if (!silent) pushHtml(state, html ?? escapeHtml(match[0]))
  state.pos = end
  return true
}

/** `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`. */
export function channelLinkPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('newline', 'channel_link', channelLink)
}
