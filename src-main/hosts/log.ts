// The terminal may be closed while the app runs; then there is nobody to write for, which must not end the app.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/**
 * Writes a line to the terminal. It may contain a server's words, so control characters other than tabs and line ends
 * are replaced: they could make the terminal show or do something else.
 */
export const log = (line: string): void => {
  process.stderr.write(`${withoutControls(line)}\n`)
}

/** A text whose control characters, except tabs and line ends, are replaced. */
export const withoutControls = (text: string): string => text.replace(/(?![\t\n])\p{Cc}/gu, '\uFFFD')
