import type { MarkdownIt } from 'markdown-it'
import { escapeHtml } from './html.ts'
import { createParser } from './parser.ts'
import { parsingOf } from './plain-text.ts'
import { openScope } from './scope.ts'

export { topicLinks } from './topic-links.ts'
export { widgetFromContent } from './widget.ts'

/** What the renderer needs to know about the organization. Every lookup is synchronous and bounded. */
export interface MarkdownContext {
  /** By exact full name; the organization decides whether case matters. */
  userByName(name: string): { id: number; fullName: string; isActive: boolean } | undefined
  userById(id: number): { id: number; fullName: string; isActive: boolean } | undefined
  /** System groups are found by their wire name (`role:members`) and shown under their display name. */
  groupByName(
    name: string,
  ): { id: number; name: string; displayName: string; isSystem: boolean; isActive: boolean } | undefined
  /** Only channels that the sender can see. */
  channelByName(name: string): { id: number; name: string } | undefined
  /** Undefined if the topic has no messages. */
  latestMessageInTopic(channelId: number, topic: string): number | undefined
  /** The organization's active custom emoji. */
  realmEmoji(name: string): { id: string; sourceUrl: string; stillUrl: string | null } | undefined
  /** In the order in which they apply. */
  readonly linkifiers: readonly { id: number; pattern: string; urlTemplate: string }[]
  /** The language of fences that name none; empty for plain text. */
  readonly defaultCodeLanguage: string
  /** The organization's address, with or without a slash at the end. */
  readonly realmUrl: string
  readonly emptyTopicDisplayName: string
  /** The sender's setting for converting emoticons. */
  readonly translateEmoticons: boolean
  /** Whether images and films on other sites are shown. */
  readonly inlineImagePreview: boolean
  /**
   * Finds an uploaded image by its path, which begins with `/user_uploads/` and has no query. Undefined for other
   * files.
   */
  imageByPath(
    path: string,
  ): { contentType: string; width: number; height: number; animated: boolean } | undefined
}

/** A rendered message, and what the service needs to know about its text. */
export interface RenderedMessage {
  /** Safe to show: it contains only our own elements and attributes. */
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

/** Longer sources are shown as plain text. The service's own limits are far below this. */
const maxSourceLength = 50_000

let parser: MarkdownIt | undefined

/**
 * Renders the Markdown of a message, a description or a profile field as HTML.
 *
 * It never throws, and produces the same HTML for the same source and context everywhere. Time and output are bounded
 * by the length of the source. Anything that exceeds a bound (depth, table cells, formula size) is shown as it was
 * typed.
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

/** Renders a text as paragraphs and line breaks, without interpreting any Markdown. */
export function plainHtml(source: string): string {
  return `<p>${escapeHtml(source.replace(/\r\n?/g, '\n')).replaceAll('\n', '<br>\n')}</p>`
}
