import type { MarkdownContext } from './render.ts'

// One line that begins with a letter and has no sign that any rule looks for, full stops at the ends of sentences aside;
// no signs that may be emoji, and no blanks but spaces between words.
const first = 'A-Za-z\\u00c0-\\u024f'
const signs = '"#$&.:<>@\\[`|~\\u2190-\\u{10ffff}'
const lineWithout = (more: string) =>
  new RegExp(`^[${first}](?:[^\\p{C}\\p{Z}${signs}${more}]| |\\.(?=[ .*]|$))*(?<! )$`, 'u')

const plain = lineWithout('')
/** The others that emoticons begin with. */
const plainForEmoticons = lineWithout('(;')

/**
 * What of the parser a source needs: `nothing` when it would make one paragraph with its very letters in it, `stars`
 * when only what stars enclose is more than that, and `all` of it for anything else. Many messages are such lines.
 */
export function parsingOf(
  source: string,
  { linkifiers, translateEmoticons }: MarkdownContext,
): 'nothing' | 'stars' | 'all' {
  if (linkifiers.length > 0 || !(translateEmoticons ? plainForEmoticons : plain).test(source)) return 'all'
  return source.includes('*') ? 'stars' : 'nothing'
}
