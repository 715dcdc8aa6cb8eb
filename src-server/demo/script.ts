/** A message in a script. */
export interface Line {
  /** The key of the speaker. */
  readonly by: string
  /** Minutes since the line before. */
  readonly after: number
  readonly text: string
  /** Emoji names, with the people who reacted. */
  readonly reactions: readonly { readonly emoji: string; readonly by: readonly string[] }[]
  /** Its text before it was edited, and how many minutes after sending it was edited. */
  readonly edited: { readonly after: number; readonly from: string } | null
  /** The name by which other lines link here. */
  readonly label: string | null
  readonly isStarred: boolean
  /** Votes in a poll: who chose which option, counted from 0. */
  readonly votes: readonly { readonly by: string; readonly option: number }[]
  /** Completed tasks of a list, counted from 0. */
  readonly done: readonly { readonly by: string; readonly option: number }[]
}

const opening = /^@([a-z]+)(?: (\d+)([hd]?))?:(?: (.*))?$/
const minutesOf: Readonly<Record<string, number>> = { '': 1, h: 60, d: 24 * 60 }

/**
 * Parses a conversation. A message begins with `@key: ` or, some time after the one before, with `@key 5: ` (minutes),
 * `@key 2h: ` or `@key 1d: `, and continues to the next; a backslash at the end of a line joins it with the next line.
 * Lines that begin with `^^ ` add to the message above: `^^ eyes ines keiko` (a reaction), `^^ edited 5: text before`,
 * `^^ label name`, `^^ starred`, `^^ vote ines 1`, `^^ done ines 0`. Throws on anything else.
 */
export function parseScript(script: string): Line[] {
  const lines: Draft[] = []
  for (const raw of script.replaceAll('\\`', '`').replace(/ \\\n/g, ' ').trim().split('\n')) {
    const start = opening.exec(raw)
    const current = lines.at(-1)
    if (start !== null) {
      const [, by = '', gap = '0', unit = '', text = ''] = start
      lines.push(newDraft(by, Number(gap) * (minutesOf[unit] ?? 1), text))
    } else if (current === undefined) throw new Error(`a script begins with a speaker, not with: ${raw}`)
    else if (raw.startsWith('^^ ')) note(current, raw.slice(3))
    else current.text += `\n${raw}`
  }
  return lines.map((line) => ({ ...line, text: line.text.trimEnd() }))
}

interface Draft {
  by: string
  after: number
  text: string
  reactions: Line['reactions'][number][]
  edited: Line['edited']
  label: string | null
  isStarred: boolean
  votes: Line['votes'][number][]
  done: Line['done'][number][]
}

const newDraft = (by: string, after: number, text: string): Draft => ({
  by,
  after,
  text,
  reactions: [],
  edited: null,
  label: null,
  isStarred: false,
  votes: [],
  done: [],
})

function note(line: Draft, text: string): void {
  const edit = /^edited (\d+): (.*)$/.exec(text)
  if (edit !== null) {
    line.edited = { after: Number(edit[1]), from: edit[2] ?? '' }
    return
  }
  const [word = '', ...rest] = text.split(' ')
  const [first = '', second = ''] = rest
  if (word === 'label') line.label = first
  else if (word === 'starred') line.isStarred = true
  else if (word === 'vote') line.votes.push({ by: first, option: Number(second) })
  else if (word === 'done') line.done.push({ by: first, option: Number(second) })
  else if (rest.length > 0) line.reactions.push({ emoji: word, by: rest })
  else throw new Error(`a note of a script that means nothing: ${text}`)
}
