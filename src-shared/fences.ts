const opening = /^( {0,3})(`{3,}|~{3,})[ \t]*(.*?)[ \t]*$/

/** What a line that begins a fenced block of Markdown says. */
export interface Fence {
  readonly indent: string
  /** The run of backticks or tildes; the same run closes the block. */
  readonly run: string
  readonly language: string
  /** The text after the language: the title of a spoiler. */
  readonly rest: string
}

/** The fence that a line consists of; undefined for any other line. */
export function fenceOf(line: string): Fence | undefined {
  const match = opening.exec(line)
  if (!match) return undefined
  const [, indent = '', run = '', info = ''] = match
  if (run.startsWith('`') && info.includes('`')) return undefined
  const space = info.search(/\s/)
  return {
    indent,
    run,
    language: space < 0 ? info : info.slice(0, space),
    rest: space < 0 ? '' : info.slice(space).trim(),
  }
}

/** True for blocks whose content is Markdown again, so that further fences may open in it. */
export function holdsMarkdown(language: string): boolean {
  return ['quote', 'quoted', 'spoiler'].includes(language.toLowerCase())
}

/** Changes which fences are open, the innermost last, by what the next line opens or closes. */
export function passLine(open: Fence[], line: string): void {
  const found = fenceOf(line)
  const innermost = open.at(-1)
  if (found === undefined) return
  if (innermost !== undefined && found.run === innermost.run && found.language === '') open.pop()
  else if (innermost === undefined || holdsMarkdown(innermost.language)) open.push(found)
}

/** The text with its fenced blocks closed, so that what is written after it does not belong to them. */
export function withClosedFences(text: string): string {
  const open: Fence[] = []
  for (const line of text.split('\n')) passLine(open, line)
  return [text, ...open.toReversed().map(({ indent, run }) => `${indent}${run}`)].join('\n')
}
