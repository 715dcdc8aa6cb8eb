/** A server cuts the blank edges of what it is given (specification, Send a message). */
export const asKept = (content: string): string => content.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
