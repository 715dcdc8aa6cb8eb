/** A poll or a to-do list as a person writes it before sending. */
export type WidgetKind = 'poll' | 'todo'

/** What a person enters: a question with options, or a title with tasks. */
export interface WidgetForm {
  readonly title: string
  readonly lines: readonly string[]
}

const command = /^\/(?:poll|todo)(?=\s|$)/
const bullet = /^[*-]\s+/

/** Parses what is written already: the parts of a poll or list, or the lines of any other text. Nothing is left out. */
export function widgetForm(text: string): WidgetForm {
  const isWidget = command.test(text)
  const [first = '', ...others] = text.replace(command, '').split('\n')
  const lines = others.map((line) => line.trim().replace(bullet, '').trim()).filter(Boolean)
  const title = first.trim()
  // A list may have no title, but in plain text the first line says what it is about.
  return title === '' && !isWidget && lines[0] !== undefined
    ? { title: lines[0], lines: lines.slice(1) }
    : { title, lines }
}

/**
 * The message that makes a poll or list. Servers read the first line as the title, and every further line as an option
 * or task.
 */
export function widgetText(kind: WidgetKind, { title, lines }: WidgetForm): string {
  const written = lines
    .map((line) => oneLine(line))
    .filter(Boolean)
    // A list marker at the beginning of a line is not read as text, so a marker that is text gets another one before
    // it.
    .map((line) => (bullet.test(line) ? `* ${line}` : line))
  return [`/${kind} ${oneLine(title)}`.trimEnd(), ...written].join('\n')
}

/** Whether there is enough to send: other people can add options to a question, and tasks to a list with a title. */
export const isWidgetWhole = (kind: WidgetKind, { title, lines }: WidgetForm): boolean =>
  title.trim() !== '' || (kind === 'todo' && lines.some((line) => line.trim() !== ''))

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
