import { describe, expect, test } from 'vitest'
import { userId } from '../../src-shared/ids.ts'
import { freeIndex, widgetOf, type WidgetStep } from '../../src-shared/model/widget.ts'

const [maren, keiko] = [userId(2), userId(3)]
const by = (senderId: typeof maren, content: unknown): WidgetStep => ({
  senderId,
  content: typeof content === 'string' ? content : JSON.stringify(content),
  isWaiting: false,
})
const pollStart = by(maren, {
  widget_type: 'poll',
  extra_data: { question: 'Which boat?', options: ['Tern', 'Skua'] },
})
const listStart = by(maren, {
  widget_type: 'todo',
  extra_data: { task_list_title: 'Before we sail', tasks: [{ task: 'fuel', desc: 'two cans' }] },
})
const votes = (steps: WidgetStep[]) => {
  const widget = widgetOf(steps, maren)
  return widget?.kind === 'poll' ? widget.options.map(({ text, voterIds }) => [text, ...voterIds]) : null
}
const tasks = (steps: WidgetStep[]) => {
  const widget = widgetOf(steps, maren)
  return widget?.kind === 'todo' ? widget.tasks.map(({ key, task, isDone }) => [key, task, isDone]) : null
}

describe('a poll', () => {
  test('counts each voice once, and options that others added', () => {
    const steps = [
      pollStart,
      by(keiko, { type: 'vote', key: 'canned,0', vote: 1 }),
      by(keiko, { type: 'vote', key: 'canned,0', vote: 1 }),
      by(keiko, { type: 'new_option', idx: 1, option: 'Gannet' }),
      by(maren, { type: 'vote', key: '3,1', vote: 1 }),
      by(maren, { type: 'vote', key: 'canned,0', vote: 1 }),
      by(maren, { type: 'vote', key: 'canned,0', vote: -1 }),
    ]
    expect(votes(steps)).toEqual([['Tern', keiko], ['Skua'], ['Gannet', maren]])
  })

  test('is renamed by its author alone, and ignores what makes no sense', () => {
    const steps = [
      pollStart,
      by(keiko, { type: 'question', question: 'hijacked' }),
      by(keiko, { type: 'new_option', idx: 1, option: 'Tern' }),
      by(keiko, { type: 'new_option', idx: -1, option: 'Below' }),
      by(keiko, { type: 'vote', key: '__proto__', vote: 1 }),
      by(keiko, 'not JSON'),
      by(keiko, 'null'),
    ]
    expect(widgetOf(steps, maren)).toMatchObject({ question: 'Which boat?' })
    expect(votes(steps)).toEqual([['Tern'], ['Skua']])
    const renamed = widgetOf([...steps, by(maren, { type: 'question', question: 'Which one?' })], maren)
    expect(renamed).toMatchObject({ question: 'Which one?' })
  })
})

describe('a to-do list', () => {
  test('ticks and unticks, and takes tasks of others', () => {
    const steps = [
      listStart,
      by(keiko, { type: 'new_task', key: 0, task: 'charts', desc: '', completed: false }),
      by(keiko, { type: 'strike', key: '0,canned' }),
      by(maren, { type: 'strike', key: '0,3' }),
      by(keiko, { type: 'strike', key: '0,3' }),
    ]
    expect(tasks(steps)).toEqual([
      ['0,canned', 'fuel', true],
      ['0,3', 'charts', false],
    ])
  })
})

test('a message with neither a poll nor a task list has no widget', () => {
  for (const content of ['', 'x', '7', 'null', '[]', '{"widget_type":"zform"}'])
    expect(widgetOf([by(maren, content)], maren)).toBeNull()
  expect(widgetOf([], maren)).toBeNull()
})

test('a new option has a number that none of its maker has', () => {
  const widget = widgetOf([pollStart, by(keiko, { type: 'new_option', idx: 0, option: 'Gannet' })], maren)
  expect(widget === null ? null : [freeIndex(widget, keiko), freeIndex(widget, maren)]).toEqual([1, 0])
})
