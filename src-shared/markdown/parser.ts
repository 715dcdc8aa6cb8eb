import type { MarkdownIt } from 'markdown-it'
import { audioPlugin } from './audio.ts'
import { bareUrlPlugin } from './bare-url.ts'
import { blockquotePlugin } from './blockquote.ts'
import { channelLinkPlugin } from './channel-link.ts'
import { codeBlockPlugin } from './code-block.ts'
import { codeSpanPlugin } from './code-span.ts'
import { emojiPlugin } from './emoji-mark.ts'
import { emoticonPlugin } from './emoticon.ts'
import { fencePlugin } from './fence.ts'
import { headingPlugin } from './heading.ts'
import { markdownIt } from './libraries.ts'
import { linkPlugin } from './link.ts'
import { linkifierPlugin } from './linkifier.ts'
import { listPlugin } from './list.ts'
import { mathPlugin } from './math.ts'
import { mentionPlugin } from './mention.ts'
import { previewPlugin } from './preview.ts'
import { scopeOf } from './scope.ts'
import { spoilerPlugin } from './spoiler.ts'
import { styleMarksPlugin } from './style-marks.ts'
import { tablePlugin } from './table.ts'
import { textPlugin } from './text.ts'
import { timePlugin } from './time.ts'

/**
 * The parser for messages: markdown-it without the constructs that the service does not have, plus one plugin for each
 * construct that the service adds or reads differently.
 *
 * Rules store nothing between renderings, so one parser serves all; see `scope.ts`.
 */
export function createParser(): MarkdownIt {
  const Parser = markdownIt()
  const md = new Parser({
    html: false,
    breaks: true,
    linkify: false,
    typographer: false,
    maxNesting: 200,
  })
  md.disable(['reference', 'html_block', 'lheading'])
  // Backslashes and ampersands are plain text: people paste paths, patterns and code into chats.
  md.disable(['escape', 'autolink', 'html_inline', 'entity'])
  md.core.ruler.disable(['linkify', 'replacements', 'smartquotes'])

  for (const plugin of [
    fencePlugin,
    blockquotePlugin,
    listPlugin,
    codeBlockPlugin,
    tablePlugin,
    spoilerPlugin,
  ]) {
    md.use(plugin)
  }
  for (const plugin of [
    mathPlugin,
    channelLinkPlugin,
    mentionPlugin,
    timePlugin,
    codeSpanPlugin,
    styleMarksPlugin,
  ]) {
    md.use(plugin)
  }
  for (const plugin of [headingPlugin, linkPlugin, audioPlugin, previewPlugin]) md.use(plugin)
  textPlugin(md, [
    bareUrlPlugin(md).starts,
    linkifierPlugin(md).starts,
    emojiPlugin(md).starts,
    emoticonPlugin(md).starts,
  ])

  // Like markdown-it's own rule, but it also tells mentions whether they are inside a quote.
  md.core.ruler.at('inline', (state) => {
    const scope = scopeOf(state.env)
    let quotes = 0
    for (const token of state.tokens) {
      if (token.type === 'blockquote_open') quotes++
      if (token.type === 'blockquote_close') quotes--
      if (token.type !== 'inline' || !token.children) continue
      scope.quoted = quotes > 0
      md.inline.parse(token.content, md, state.env, token.children)
    }
  })
  md.renderer.rules['finished_html'] = (tokens, index) => tokens[index]?.content ?? ''
  return md
}
