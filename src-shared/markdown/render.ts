import type { MarkdownIt } from 'markdown-it'
import { escapeHtml } from './html.ts'
import { createParser } from './parser.ts'
import { parsingOf } from './plain-text.ts'
import { openScope } from './scope.ts'

export { topicLinks } from './topic-links.ts'
export { widgetFromContent } from './widget.ts'

/** What the renderer must know of the organization; every lookup is synchronous and bounded. */
export interface MarkdownContext {
  /** By exact full name; whether case counts is up to the organization. */
  userByName(name: string): { id: number; fullName: string; isActive: boolean } | undefined
  userById(id: number): { id: number; fullName: string; isActive: boolean } | undefined
  /** System groups are found by their wire name (`role:members`) and shown by their display name. */
  groupByName(
    name: string,
  ): { id: number; name: string; displayName: string; isSystem: boolean; isActive: boolean } | undefined
  /** Only channels that the sender may see. */
  channelByName(name: string): { id: number; name: string } | undefined
  /** Undefined when the topic has no message. */
  latestMessageInTopic(channelId: number, topic: string): number | undefined
  /** Active custom emoji of the organization. */
  realmEmoji(name: string): { id: string; sourceUrl: string; stillUrl: string | null } | undefined
  /** In the order in which they apply. */
  readonly linkifiers: readonly { id: number; pattern: string; urlTemplate: string }[]
  /** The language of fences that name none; empty for plain text. */
  readonly defaultCodeLanguage: string
  /** The organization's address, with or without a slash at the end. */
  readonly realmUrl: string
  readonly emptyTopicDisplayName: string
  /** The sender's setting. */
  readonly translateEmoticons: boolean
  /** Whether images and films on other sites are shown. */
  readonly inlineImagePreview: boolean
  /** An uploaded image by its path, which begins with `/user_uploads/` and has no query. Undefined for other files. */
  imageByPath(
    path: string,
  ): { contentType: string; width: number; height: number; animated: boolean } | undefined
}

/** A rendered message and what its text says to the rest of the service. */
export interface RenderedMessage {
  /** Safe to show: made of our own elements and attributes only. */
  html: string
  /** Without silent mentions, each once, in the order of the text. */
  mentionedUserIds: number[]
  /** Without silent mentions, each once, in the order of the text. */
  mentionedGroupIds: number[]
  /** `@**all**`, `@**everyone**`, `@**channel**` or `@**stream**`. */
  mentionsChannel: boolean
  mentionsTopic: boolean
  hasLink: boolean
  hasImage: boolean
  /** The message links to a file that was uploaded to this service. */
  hasAttachment: boolean
  /** The message begins with `/me` and a space; clients show it as a sentence about the sender. */
  isMeMessage: boolean
}

/** Longer sources are shown as plain text. The service's own limits lie far below. */
const maxSourceLength = 50_000

let parser: MarkdownIt | undefined

/**
 * Renders the Markdown of a message, a description or a profile field as HTML.
 *
 * Never throws, and gives the same HTML for the same source and context everywhere. Time and output are
 * bounded by the length of the source; what exceeds a bound (depth, table cells, formula size) is shown as
 * the text that was typed.
 */
export function renderMarkdown(source: string, context: MarkdownContext): RenderedMessage {
  parser ??= createParser()
  const { env, scope } = openScope(context)
  const parsing = source.length > maxSourceLength ? 'nothing' : parsingOf(source, context)
  const html =
    parsing === 'nothing'
      ? plainHtml(source)
      : parsing === 'stars'
        ? `<p>${parser.renderInline(source, env)}</p>`
        : parser.render(source, env).trim()
  return {
    html,
    mentionedUserIds: [...scope.mentionedUserIds],
    mentionedGroupIds: [...scope.mentionedGroupIds],
    mentionsChannel: scope.mentionsChannel,
    mentionsTopic: scope.mentionsTopic,
    hasLink: scope.hasLink,
    hasImage: scope.hasImage,
    hasAttachment: scope.hasAttachment,
    isMeMessage: source.startsWith('/me '),
  }
}

/** A text as paragraphs and line breaks, with nothing in it read as Markdown. */
export function plainHtml(source: string): string {
  return `<p>${escapeHtml(source.replace(/\r\n?/g, '\n')).replaceAll('\n', '<br>\n')}</p>`
}
