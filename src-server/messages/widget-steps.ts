import { z } from 'zod'

const index = z.int().min(0).max(1_000)
const text = z.string()

const pollStep = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('vote'), key: text, vote: z.literal([1, -1]) }),
  z.strictObject({ type: z.literal('new_option'), idx: index, option: text }),
  z.strictObject({ type: z.literal('question'), question: text }),
])

const todoStep = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('new_task'),
    key: index,
    task: text,
    desc: text,
    completed: z.boolean(),
  }),
  z.strictObject({ type: z.literal('strike'), key: text }),
  z.strictObject({ type: z.literal('new_task_list_title'), title: text }),
])

/** Steps that change the author's question or title. */
const authorsOnly = ['question', 'new_task_list_title']

/** Whether a valid step is a vote in a poll. */
export const isVote = (step: unknown): boolean =>
  typeof step === 'object' && step !== null && Reflect.get(step, 'type') === 'vote'

/** Why a step is refused; undefined if it is valid for this kind of widget. Unknown kinds accept anything. */
export function refusalOfStep(widgetType: unknown, step: unknown, isAuthor: boolean): string | undefined {
  const form = widgetType === 'poll' ? pollStep : widgetType === 'todo' ? todoStep : null
  if (form === null) return undefined
  const parsed = form.safeParse(step)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return `Invalid widget content: ${[...(issue?.path ?? []), ''].join(': ')}${issue?.message ?? ''}`
  }
  if (authorsOnly.includes(parsed.data.type) && !isAuthor)
    return "You can't edit a question or title unless you are the author."
  return undefined
}
