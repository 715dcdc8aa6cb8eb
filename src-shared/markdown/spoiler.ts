import type { MarkdownIt, StateBlock } from 'markdown-it'
import { parseInside } from './nesting.ts'

/** Adds a block that hides its content until the reader asks for it. `header` may be empty. */
export function pushSpoiler(state: StateBlock, header: string, content: string): void {
  state.push('spoiler_header_open', 'div', 1)
  parseInside(state, header)
  state.push('spoiler_header_close', 'div', -1)
  state.push('spoiler_content_open', 'div', 1)
  parseInside(state, content)
  state.push('spoiler_content_close', 'div', -1)
}

/** Renders the tokens of `pushSpoiler`. */
export function spoilerPlugin(md: MarkdownIt): void {
  const { rules } = md.renderer
  rules['spoiler_header_open'] = () => '<div class="spoiler-block"><div class="spoiler-header">\n'
  rules['spoiler_header_close'] = () => '</div>'
  rules['spoiler_content_open'] = () => '<div class="spoiler-content" aria-hidden="true">\n'
  rules['spoiler_content_close'] = () => '</div></div>\n'
}
