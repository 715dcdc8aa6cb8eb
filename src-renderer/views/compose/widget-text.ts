/** A poll or a to-do list as it is written down before it is sent. */
export type WidgetKind = 'poll' | 'todo'

/** What a person says of it: a question with options, or a title with tasks. */
export interface WidgetForm {
  readonly title: string
  readonly lines: readonly string[]
}

const command = /^\/(?:poll|todo)(?=\s|$)/
const bullet = /^[*-]\s+/

/** What a text says already: of a poll or list what it holds, of any other its lines. Nothing written is left out. */
export function widgetForm(text: string): WidgetForm {
  const isWidget = command.test(text)
  const [first = '', ...others] = text.replace(command, '').split('\n')
  const lines = others.map((line) => line.trim().replace(bullet, '').trim()).filter(Boolean)
  const title = first.trim()
  // A list may go without a title; of words that are none yet, the first say what it is about.
  return title === '' && !isWidget && lines[0] !== undefined
    ? { title: lines[0], lines: lines.slice(1) }
    : { title, lines }
}

/** The message that makes a poll or list: servers read the first line as its title, each further one as one of its own. */
export function widgetText(kind: WidgetKind, { title, lines }: WidgetForm): string {
  const written = lines
    .map((line) => oneLine(line))
    .filter(Boolean)
    // A mark of a list at the beginning of a line is not part of it, unless another stands before it.
    .map((line) => (bullet.test(line) ? `* ${line}` : line))
  return [`/${kind} ${oneLine(title)}`.trimEnd(), ...written].join('\n')
}

/** Whether there is enough to send: others can add options to a question, and tasks to a list with a title. */
export const isWidgetWhole = (kind: WidgetKind, { title, lines }: WidgetForm): boolean =>
  title.trim() !== '' || (kind === 'todo' && lines.some((line) => line.trim() !== ''))

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
