import { taskOf } from '../todo-task.ts'

const command = /^\/(poll|todo)(?=\s|$)([^\n]*)\n?/

function withoutBullet(line: string): string {
  return line
    .trim()
    .replace(/^[*-]\s+/, '')
    .trim()
}

/**
 * Parses a `/poll` or `/todo` message into the content of its first submessage; undefined for an ordinary message.
 *
 * The first line is the question or title. Each further line that is not empty is an option or a task, with an
 * optional bullet. A task is `task` or `task: description`.
 */
export function widgetFromContent(
  source: string,
): { widget_type: 'poll' | 'todo'; extra_data: unknown } | undefined {
  const match = command.exec(source)
  if (!match) return undefined
  const title = (match[2] ?? '').trim()
  const lines = source.slice(match[0].length).split('\n').map(withoutBullet).filter(Boolean)
  if (match[1] === 'poll') return { widget_type: 'poll', extra_data: { question: title, options: lines } }
  return { widget_type: 'todo', extra_data: { task_list_title: title, tasks: lines.map(taskOf) } }
}
