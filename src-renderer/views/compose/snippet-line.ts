/** The first line of a text that says something, without the marks of headings, quotes and lists before it. */
export const firstLine = (content: string): string =>
  content
    .split('\n')
    .map((line) => line.replace(/^\s*(?:(?:#{1,6}|[*+-]|\d+[.)])(?:\s+|$)|>\s*)*/, '').trim())
    .find((line) => line !== '') ?? ''
