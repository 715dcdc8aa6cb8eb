/** A task as a person writes it: the words before the first colon, and the description after it. */
export function taskOf(line: string): { readonly task: string; readonly desc: string } {
  const colon = line.indexOf(':')
  return colon < 0
    ? { task: line, desc: '' }
    : { task: line.slice(0, colon).trim(), desc: line.slice(colon + 1).trim() }
}
