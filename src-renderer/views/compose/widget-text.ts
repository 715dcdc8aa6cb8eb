/** A poll or a to-do list as a person writes it before sending. */
export type WidgetKind = 'poll' | 'todo'

/** What a person enters: a question with options, or a title with tasks. */
export interface WidgetForm {
  readonly title: string
  readonly lines: readonly string[]
}

const command = /^\/(?:poll|todo)(?=\s|$)/
const bullet = /^[*-]\s+/

/** The parts of a poll or list that is written already, empty for no text; null for any other text. */
export function widgetForm(text: string): WidgetForm | null {
  if (text.trim() !== '' && !command.test(text)) return null
  const [first = '', ...others] = text.replace(command, '').split('\n')
  const lines = others.map((line) => line.trim().replace(bullet, '').trim()).filter(Boolean)
  return { title: first.trim(), lines }
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
