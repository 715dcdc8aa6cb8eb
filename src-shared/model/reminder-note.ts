/**
 * The note that a person wrote into a reminder. The server returns it only as part of the reminder's text: a paragraph
 * that says where the message is, the note, and the message as a quote with its author's name. Empty if there is no
 * note.
 */
export function noteOf(content: string): string {
  const quoteAt = content.lastIndexOf('\n```quote\n')
  const [, ...rest] = (quoteAt === -1 ? content : content.slice(0, quoteAt)).split(/\n{2,}/)
  return rest
    .filter((paragraph) => !/^@_?\*\*[^*]+\*\* /.test(paragraph.trim()))
    .join('\n\n')
    .trim()
}

/** The note of a reminder as the cache has it: a waiting change of the note is stored beside the server's fields. */
export const shownNote = ({ note, content }: Readonly<Record<string, unknown>>): string =>
  typeof note === 'string' ? note : typeof content === 'string' ? noteOf(content) : ''
