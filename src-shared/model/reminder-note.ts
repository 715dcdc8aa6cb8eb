/**
 * The note that a person wrote into a reminder. The server tells it only within what it will say: a paragraph on where
 * the message is, the note, and the message as a quote after the name of who wrote it. Empty when there is none.
 */
export function noteOf(content: string): string {
  const quoteAt = content.lastIndexOf('\n```quote\n')
  const [, ...rest] = (quoteAt === -1 ? content : content.slice(0, quoteAt)).split(/\n{2,}/)
  return rest
    .filter((paragraph) => !/^@_?\*\*[^*]+\*\* /.test(paragraph.trim()))
    .join('\n\n')
    .trim()
}
