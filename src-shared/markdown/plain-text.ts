import type { MarkdownContext } from './render.ts'

// Matches one line that begins with a letter and contains none of the characters that a rule looks for, except full
// stops at the ends of sentences. It has no characters that may be emoji, and no white space but single spaces
// between words.
const first = 'A-Za-z\\u00c0-\\u024f'
const signs = '"#$&.:<>@\\[`|~\\u2190-\\u{10ffff}'
const lineWithout = (more: string) =>
  new RegExp(`^[${first}](?:[^\\p{C}\\p{Z}${signs}${more}]| |\\.(?=[ .*]|$))*(?<! )$`, 'u')

const plain = lineWithout('')
/** The other characters that emoticons begin with. */
const plainForEmoticons = lineWithout('(;')

/**
 * How much of the parser a source needs. `nothing`: the result is one paragraph with exactly its characters. `stars`:
 * the same, except for text between stars. `all`: anything else. Many messages are `nothing` or `stars`.
 */
export function parsingOf(
  source: string,
  { linkifiers, translateEmoticons }: MarkdownContext,
): 'nothing' | 'stars' | 'all' {
  if (linkifiers.length > 0 || !(translateEmoticons ? plainForEmoticons : plain).test(source)) return 'all'
  return source.includes('*') ? 'stars' : 'nothing'
}
