import type { MarkdownIt } from 'markdown-it'
import { lineText } from './nesting.ts'

/** `# Title` as markdown-it reads it; a line that consists only of hashes is text. */
export function headingPlugin(md: MarkdownIt): void {
  const heading = md.block.ruler.__rules__.find(({ name }) => name === 'heading')?.fn
  if (!heading) throw new Error('markdown-it has no heading rule')
  md.block.ruler.at(
    'heading',
    (state, startLine, endLine, silent) =>
      /^ {0,3}#{1,6}[ \t]+[^\s]/.test(lineText(state, startLine)) &&
      heading(state, startLine, endLine, silent),
    { alt: ['paragraph', 'blockquote'] },
  )
}
