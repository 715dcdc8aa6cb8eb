import type { UserId } from '../ids.ts'

/** One submessage: a step of a poll or a to-do list, in the server's order. */
export interface WidgetStep {
  readonly senderId: UserId
  /** JSON as the server gave it; untrusted. */
  readonly content: string
  /** True while it is not on the server yet. */
  readonly isWaiting: boolean
}

/** An option of a poll. */
export interface PollOption {
  readonly key: string
  readonly text: string
  /** In the order in which they voted. */
  readonly voterIds: readonly UserId[]
  readonly isWaiting: boolean
}

/** A task of a to-do list. */
export interface TodoTask {
  readonly key: string
  readonly task: string
  readonly details: string
  readonly isDone: boolean
  readonly isWaiting: boolean
}

/** What a message contains besides its text. */
export type Widget =
  | {
      readonly kind: 'poll'
      readonly question: string
      readonly isQuestionWaiting: boolean
      readonly options: readonly PollOption[]
    }
  | {
      readonly kind: 'todo'
      readonly title: string
      readonly isTitleWaiting: boolean
      readonly tasks: readonly TodoTask[]
    }

/** Whether a step sets a value that a later step may replace, so that the same step may come again after another. */
export const setsValue = (type: string): boolean =>
  type === 'vote' || type === 'question' || type === 'new_task_list_title'

type Fields = Readonly<Record<string, unknown>>

/** Options or tasks beyond this number are not shown; the API allows one person no more either. */
const most = 1_000

function fieldsOf(json: string): Fields | null {
  try {
    const value: unknown = JSON.parse(json)
    // A JSON object, with any fields.
    return typeof value === 'object' && value !== null ? (value as Fields) : null
  } catch {
    return null
  }
}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most) : [])
const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const isIndex = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most

/**
 * Combines the steps of a message into its widget; null if it is neither a poll nor a to-do list. Invalid steps change
 * nothing: they come from other people's clients.
 */
export function widgetOf(steps: readonly WidgetStep[], authorId: UserId): Widget | null {
  const [first, ...others] = steps
  const start = first === undefined ? null : fieldsOf(first.content)
  if (start === null) return null
  const data = objectOf(start['extra_data'])
  if (start['widget_type'] === 'poll') return poll(data, others, authorId)
  if (start['widget_type'] === 'todo') return todo(data, others, authorId)
  return null
}

function poll(data: Fields, steps: readonly WidgetStep[], authorId: UserId): Widget {
  let question = textOf(data['question'])
  let isQuestionWaiting = false
  const options = new Map<string, { text: string; voters: Set<UserId>; isWaiting: boolean }>()
  for (const [index, option] of listOf(data['options']).entries())
    options.set(`canned,${index}`, { text: textOf(option), voters: new Set(), isWaiting: false })
  for (const { senderId, content, isWaiting } of steps) {
    const step = fieldsOf(content) ?? {}
    if (step['type'] === 'question' && senderId === authorId) {
      question = textOf(step['question'])
      isQuestionWaiting = isWaiting
    } else if (step['type'] === 'new_option' && isIndex(step['idx']) && options.size < most) {
      const text = textOf(step['option'])
      const key = `${senderId},${step['idx']}`
      const isKnown = [...options.values()].some((option) => option.text === text)
      if (text !== '' && !isKnown && !options.has(key))
        options.set(key, { text, voters: new Set(), isWaiting })
    } else if (step['type'] === 'vote') {
      const option = options.get(textOf(step['key']))
      if (option === undefined) continue
      if (step['vote'] === 1) option.voters.add(senderId)
      else option.voters.delete(senderId)
      option.isWaiting ||= isWaiting
    }
  }
  return {
    kind: 'poll',
    question,
    isQuestionWaiting,
    options: [...options].map(([key, { text, voters, isWaiting }]) => ({
      key,
      text,
      voterIds: [...voters],
      isWaiting,
    })),
  }
}

function todo(data: Fields, steps: readonly WidgetStep[], authorId: UserId): Widget {
  let title = textOf(data['task_list_title'])
  let isTitleWaiting = false
  const tasks = new Map<string, { task: string; details: string; isDone: boolean; isWaiting: boolean }>()
  for (const [index, task] of listOf(data['tasks']).entries()) {
    const { task: words, desc } = objectOf(task)
    tasks.set(`${index},canned`, {
      task: textOf(words),
      details: textOf(desc),
      isDone: false,
      isWaiting: false,
    })
  }
  for (const { senderId, content, isWaiting } of steps) {
    const step = fieldsOf(content) ?? {}
    if (step['type'] === 'new_task_list_title' && senderId === authorId) {
      title = textOf(step['title'])
      isTitleWaiting = isWaiting
    } else if (step['type'] === 'new_task' && isIndex(step['key']) && tasks.size < most) {
      const key = `${step['key']},${senderId}`
      const task = textOf(step['task'])
      const isKnown = [...tasks.values()].some((known) => known.task === task)
      if (task !== '' && !isKnown && !tasks.has(key))
        tasks.set(key, { task, details: textOf(step['desc']), isDone: step['completed'] === true, isWaiting })
    } else if (step['type'] === 'strike') {
      const task = tasks.get(textOf(step['key']))
      if (task === undefined) continue
      task.isDone = !task.isDone
      task.isWaiting ||= isWaiting
    }
  }
  return {
    kind: 'todo',
    title,
    isTitleWaiting,
    tasks: [...tasks].map(([key, task]) => ({ key, ...task })),
  }
}

/** An index for a new option or task, which no other one of this person has; `others` are keys that are taken, too. */
export function freeIndex(widget: Widget, ownUserId: UserId, others: readonly string[] = []): number {
  const there = widget.kind === 'poll' ? widget.options : widget.tasks
  const keys = new Set([...there.map(({ key }) => key), ...others])
  let index = 0
  while (keys.has(`${ownUserId},${index}`) || keys.has(`${index},${ownUserId}`)) index++
  return index
}
